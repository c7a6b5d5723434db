"""Intraclass correlations of single ratings (Shrout and Fleiss 1979)."""

from collections.abc import Sequence

import numpy as np

from storyaudit.stats.estimate import Array, Codes, Estimate


def one_way(groups: Sequence[Array], confidence: float) -> Estimate | None:
    """Return ICC(1,1): each target is rated by raters of its own.

    Also the correlation of any two members of one group, such as two items of one sheet. The
    interval is exact for normal values in groups of one size; otherwise the size is
    (N − Σk²/N)/(n − 1) (Searle 1971).

    Args:
        groups: the values of each target; targets of one value count as well.
        confidence: of the interval.

    Returns:
        None where it is undefined: fewer than two targets, no target with two values, or no
        variation at all.
    """
    if not groups:
        return None
    values = np.concatenate(groups)
    cluster = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    found = nested(values, np.zeros(len(values), dtype="int64"), cluster, confidence)
    return None if found is None else found[0]


def nested(
    values: Array, group: Codes, cluster: Codes, confidence: float
) -> tuple[Estimate, float] | None:
    """Return the correlation of two values of one cluster, groups' means apart, and the size.

    A one-way analysis of variance of values by clusters, pooled within groups; the size of a
    cluster is (N − Σ_g Σ_c n_c²/n_g)/(C − G) for C clusters in G groups (Searle 1971).

    Args:
        values: one a row.
        group: each row's group, 0, 1, …
        cluster: each row's cluster, 0, 1, …; a cluster lies within one group.
        confidence: of the F interval.

    Returns:
        None where it is undefined: no group of two clusters, no cluster of two values, or no
        variation at all.
    """
    sizes, of_groups = np.bincount(cluster), np.bincount(group)
    freedom = len(sizes) - len(of_groups), len(values) - len(sizes)
    if min(freedom) < 1:
        return None
    owner = np.zeros(len(sizes), dtype="int64")
    owner[cluster] = group
    means = np.bincount(cluster, values) / sizes
    centre = np.bincount(group, values) / of_groups
    between = float((sizes * (means - centre[owner]) ** 2).sum()) / freedom[0]
    within = float(((values - means[cluster]) ** 2).sum()) / freedom[1]
    size = (len(values) - float((sizes**2 / of_groups[owner]).sum())) / freedom[0]
    estimate = from_mean_squares(between, within, size, freedom, confidence)
    return None if estimate is None else (estimate, size)


def from_mean_squares(
    between: float, within: float, size: float, freedom: tuple[int, int], confidence: float
) -> Estimate | None:
    """Return (between − within) / (between + (size − 1) within) with its F interval.

    Args:
        between: mean square between targets.
        within: mean square within them.
        size: values a target.
        freedom: the mean squares' degrees of freedom.
        confidence: of the interval.

    Returns:
        None with no variation at all; no interval with none within targets.
    """
    from scipy.stats import f

    if between + within <= 1e-12:
        return None
    value = (between - within) / (between + (size - 1) * within)
    if within <= 1e-12:
        return Estimate(value)
    tail = (1 + confidence) / 2
    ratio = between / within
    low = ratio / float(f.ppf(tail, *freedom))
    high = ratio * float(f.ppf(tail, *reversed(freedom)))
    return Estimate(value, (low - 1) / (low + size - 1), (high - 1) / (high + size - 1))


def two_way(table: Array, confidence: float) -> tuple[Estimate, Estimate] | None:
    """Return ICC(2,1), agreement of raters drawn at random, and ICC(3,1), of these raters.

    Args:
        table: one row a target, one column a rater, no value missing.
        confidence: of the intervals (Shrout and Fleiss 1979, pages 424 and 425).

    Returns:
        None where they are undefined: fewer than two targets or raters, or no variation.
    """
    from scipy.stats import f

    n, k = table.shape
    if n < 2 or k < 2:
        return None
    rows, columns, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    residual = table - rows[:, None] - columns[None, :] + mean
    freedom = (n - 1, (n - 1) * (k - 1))
    msr = k * float(((rows - mean) ** 2).sum()) / (n - 1)
    msc = n * float(((columns - mean) ** 2).sum()) / (k - 1)
    mse = float((residual**2).sum()) / freedom[1]
    consistency = from_mean_squares(msr, mse, k, freedom, confidence)
    if consistency is None:
        return None
    whole = msr + (k - 1) * mse + k * (msc - mse) / n
    if whole <= 1e-12:
        return None
    value = (msr - mse) / whole
    if mse <= 1e-12:
        return Estimate(value), consistency
    tail = (1 + confidence) / 2
    a, b = k * value * msc / mse, n * (1 + (k - 1) * value) - k * value
    v = (k - 1) * (n - 1) * (a + b) ** 2 / ((n - 1) * a**2 + b**2)
    upper, lower = float(f.ppf(tail, n - 1, v)), float(f.ppf(tail, v, n - 1))
    rest = k * msc + (k * n - k - n) * mse
    low = n * (msr - upper * mse) / (upper * rest + n * msr)
    high = n * (lower * msr - mse) / (rest + n * lower * msr)
    return Estimate(value, low, high), consistency

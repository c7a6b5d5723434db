"""Correlations of two raters' totals, with analytic and bootstrap intervals."""

from typing import Literal

import numpy as np

from storyaudit.stats.estimate import Array, Codes, Estimate

Kind = Literal["pearson", "spearman", "kendall"]
KINDS: tuple[Kind, ...] = ("pearson", "spearman", "kendall")
MOST_BLOCKS = 12


def correlation(x: Array, y: Array, kind: Kind, confidence: float) -> Estimate | None:
    """Return a correlation with the interval of its inverse hyperbolic tangent.

    Pearson by Fisher (1921), Spearman and Kendall's tau-b by Bonett and Wright (2000).

    Returns:
        None where it is undefined: fewer than three pairs, or a constant side.
    """
    from scipy import stats

    n = len(x)
    if n < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    if kind == "pearson":
        value = float(stats.pearsonr(x, y).statistic)
    elif kind == "spearman":
        value = float(stats.spearmanr(x, y).statistic)
    else:
        value = float(stats.kendalltau(x, y).statistic)
    if n < 6 or abs(value) > 1 - 1e-9:
        return Estimate(value)
    variance = {
        "pearson": 1 / (n - 3),
        "spearman": (1 + value**2 / 2) / (n - 3),
        "kendall": 0.437 / (n - 4),
    }[kind]
    half = float(stats.norm.ppf((1 + confidence) / 2)) * variance**0.5
    centre = np.arctanh(value)
    return Estimate(value, float(np.tanh(centre - half)), float(np.tanh(centre + half)))


def bootstrap_correlation(x: Array, y: Array, kind: Kind, weights: Array) -> Array:
    """Return a correlation in bootstrap samples of the pairs.

    Args:
        x: one value a pair.
        y: one value a pair.
        kind: of correlation; Kendall's is tau-b.
        weights: how often each pair stands in each sample, one row a sample.

    Returns:
        One value a sample; NaN where a side is constant.
    """
    if kind == "kendall":
        return _kendall(x, y, weights)
    if kind == "spearman":
        return _pearson(_ranks(x, weights), _ranks(y, weights), weights)
    return _pearson(x[None, :] - x.mean(), y[None, :] - y.mean(), weights)


def _pearson(x: Array, y: Array, weights: Array) -> Array:
    n = weights.sum(axis=1)
    sum_x, sum_y = (weights * x).sum(axis=1), (weights * y).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        xy = (weights * x * y).sum(axis=1) - sum_x * sum_y / n
        xx = (weights * x**2).sum(axis=1) - sum_x**2 / n
        yy = (weights * y**2).sum(axis=1) - sum_y**2 / n
        return np.where((xx > 1e-9) & (yy > 1e-9), xy / np.sqrt(xx * yy), np.nan)


def _ranks(values: Array, weights: Array) -> Array:
    """Return each value's mean rank within each sample, less half the sample's size."""
    labels, code = np.unique(values, return_inverse=True)
    members = (code[:, None] == np.arange(len(labels))).astype("float64")
    given = weights @ members
    return np.asarray((np.cumsum(given, axis=1) - given / 2)[:, code]) - len(values) / 2


def _kendall(x: Array, y: Array, weights: Array) -> Array:
    sign_x, sign_y = (np.sign(v[:, None] - v[None, :]) for v in (x, y))

    def over_pairs(matrix: Array) -> Array:
        return np.asarray(((weights @ matrix) * weights).sum(axis=1))

    untied = over_pairs(np.abs(sign_x)) * over_pairs(np.abs(sign_y))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(untied > 0, over_pairs(sign_x * sign_y) / np.sqrt(untied), np.nan)


def pearson_by_order(x: Array, y: Array, block: Codes) -> tuple[float, float] | None:
    """Return the lowest and highest Pearson correlation over who of two raters is the first.

    The two raters of a block are interchangeable: which of them is called the first is a choice,
    and the correlation over several blocks depends on it.

    Args:
        x: the first raters' values.
        y: the second raters'.
        block: each pair's block, 0, 1, …

    Returns:
        None with one block, where the order cannot matter, or more than ``MOST_BLOCKS``.
    """
    blocks = int(block.max(initial=-1)) + 1
    if not 1 < blocks <= MOST_BLOCKS:
        return None
    centre = (x.mean() + y.mean()) / 2  # one for both, as they change places
    x, y = x - centre, y - centre
    patterns = 1 - 2.0 * ((np.arange(2 ** (blocks - 1))[:, None] >> np.arange(blocks)) & 1)
    by_block = [np.bincount(block, weights=v, minlength=blocks) for v in (x - y, x**2 - y**2)]
    differences, squares = (patterns @ values for values in by_block)
    n, both, power = len(x), float((x + y).sum()), float((x**2 + y**2).sum())
    sums = (both + differences) / 2, (both - differences) / 2
    xy = float(x @ y) - sums[0] * sums[1] / n
    xx, yy = (power + squares) / 2 - sums[0] ** 2 / n, (power - squares) / 2 - sums[1] ** 2 / n
    with np.errstate(divide="ignore", invalid="ignore"):
        values = xy / np.sqrt(xx * yy)
    return float(np.nanmin(values)), float(np.nanmax(values))

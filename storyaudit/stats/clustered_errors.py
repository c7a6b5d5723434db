"""Means and differences of means whose values come in clusters."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from storyaudit.stats.estimate import Array, Codes, Estimate


def clustered_error(
    values: Array, cluster: Codes, correction: Literal["CR0", "CR1"] = "CR1"
) -> float:
    """Return the cluster-robust standard error of a mean (Liang and Zeger 1986).

    CR0 is the root of the summed squares of the clusters' summed deviations, over n; CR1
    multiplies by √(G/(G − 1)) for G clusters. With a cluster a value CR1 is the plain standard
    error, with clusters of one size that of the mean of cluster means.

    Args:
        values: one a row.
        cluster: each row's cluster, 0, 1, …; at least two for CR1.
        correction: for few clusters.
    """
    sums = np.bincount(cluster, weights=values - values.mean())
    count = len(np.unique(cluster))
    factor = count / (count - 1) if correction == "CR1" else 1.0
    return float(np.sqrt(factor * (sums**2).sum()) / len(values))


@dataclass(frozen=True)
class Difference:
    """A difference of two means: the estimate, its two-sided p, and the clusters a side."""

    estimate: Estimate
    p: float
    first: int
    second: int


def welch(
    first: Array,
    first_cluster: Codes,
    second: Array,
    second_cluster: Codes,
    confidence: float,
) -> Difference | None:
    """Compare two means by Welch's test (1947) with cluster-robust standard errors.

    With a cluster a value it is Welch's t test; with clusters of one size, Welch's t test on the
    clusters' means. Degrees of freedom by Welch and Satterthwaite from the clusters a side.

    Args:
        first: values of one side.
        first_cluster: their clusters, 0, 1, …
        second: values of the other side.
        second_cluster: their clusters.
        confidence: of the interval of first minus second.

    Returns:
        None where it is undefined: fewer than two clusters a side, or no variation.
    """
    from scipy.stats import t

    counts = len(np.unique(first_cluster)), len(np.unique(second_cluster))
    if min(counts) < 2:
        return None
    squares = (
        clustered_error(first, first_cluster) ** 2,
        clustered_error(second, second_cluster) ** 2,
    )
    variance = sum(squares)
    if variance <= 1e-12:
        return None
    df = variance**2 / sum(s**2 / (n - 1) for s, n in zip(squares, counts, strict=True))
    value, error = float(first.mean() - second.mean()), variance**0.5
    half = float(t.ppf((1 + confidence) / 2, df)) * error
    p = 2 * float(t.sf(abs(value) / error, df))
    return Difference(Estimate(value, value - half, value + half), p, *counts)

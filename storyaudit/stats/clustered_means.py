"""Means over items that come in clusters, with intervals over clusters.

Items of one cluster, such as a premise, share stories, so that clusters are the unit (Davison and
Hinkley 1997, section 3.8): a bootstrap sample takes all items of each cluster drawn. Fewer than ten
clusters give no interval.
"""

from dataclasses import dataclass

import numpy as np

from storyaudit.stats.bootstrap import Bootstrapped, bootstrap_ratio
from storyaudit.stats.estimate import Array, Estimate, Mask


@dataclass(frozen=True)
class ClusteredMean:
    """A mean over items, or a difference of two.

    Attributes:
        estimate: with its interval over clusters.
        items: how many items.
        clusters: from how many clusters; of a difference, the smaller side's.
    """

    estimate: Estimate
    items: int
    clusters: int


def mean_of_all(values: Array, counts: Array, confidence: float) -> ClusteredMean:
    """Return the mean of values over all items, of which there must be one.

    Args:
        values: cluster × item.
        counts: how often each cluster stands in each bootstrap sample, samples × clusters.
        confidence: of the interval.
    """
    kept = np.ones(values.shape, dtype="bool")
    return _clustered(_mean(values, kept, counts), values.size, confidence)


def mean_of(values: Array, kept: Mask, counts: Array, confidence: float) -> ClusteredMean | None:
    """Return the mean of values over the items that count; None without any.

    Args:
        values: cluster × item.
        kept: which items count.
        counts: how often each cluster stands in each bootstrap sample, samples × clusters.
        confidence: of the interval.
    """
    if not kept.any():
        return None
    return _clustered(_mean(values, kept, counts), int(kept.sum()), confidence)


def difference_of_means(
    values: Array, first: Mask, second: Mask, counts: Array, confidence: float
) -> ClusteredMean | None:
    """Return the mean over some items minus the mean over others, paired within the samples.

    Returns:
        None where one side has no item.
    """
    if not first.any() or not second.any():
        return None
    found = _mean(values, first, counts).less(_mean(values, second, counts))
    return _clustered(found, int(first.sum() + second.sum()), confidence)


def _mean(values: Array, kept: Mask, counts: Array) -> Bootstrapped:
    totals = np.where(kept, values, 0).sum(axis=1)
    return bootstrap_ratio(totals, kept.sum(axis=1).astype("float64"), counts)


def _clustered(found: Bootstrapped, items: int, confidence: float) -> ClusteredMean:
    return ClusteredMean(found.estimate(confidence), items, found.units)

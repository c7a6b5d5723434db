"""Differences paired by item, of a handful of items too, the seeds being those at hand.

Variances are computed with two further items a group, as in ``storyaudit.stats.items_by_seeds``
(Agresti and Min 2005), so that items which all agree do not look as if they had no spread.
"""

import numpy as np

from storyaudit.stats.estimate import Array, Estimate
from storyaudit.stats.items_by_seeds import Term, crossed

FEWEST = 5
"""Fewer items in a group get no interval."""


def paired_difference(first: Array, second: Array, confidence: float) -> Estimate:
    """Return the mean over items of first less second, with Student's interval (1908) over items.

    Args:
        first: outcomes; one row an item, one column a seed.
        second: the same of what is taken from it.
        confidence: of the interval; none with fewer than ``FEWEST`` items.

    Returns:
        NaN without an item.
    """
    return _over_items([(1, first, second)], confidence)


def difference_in_differences(
    exposed: tuple[Array, Array], unexposed: tuple[Array, Array], confidence: float
) -> Estimate:
    """Return by how much more one model leads another on some items than on others.

    What makes items easier for both drops out. Paired by item within the two groups, then Welch's
    interval (1947) between them.

    Args:
        exposed: outcomes of the model and of the other; one row an item, one column a seed.
        unexposed: the same on the other items.
        confidence: of the interval; none with fewer than ``FEWEST`` items in a group.

    Returns:
        NaN where a group has no item.
    """
    return _over_items([(1, *exposed), (-1, *unexposed)], confidence)


def _over_items(parts: list[tuple[int, Array, Array]], confidence: float) -> Estimate:
    from scipy.stats import t

    if not all(len(first) for _, first, _ in parts):
        return Estimate(float("nan"))
    value = variance = denominator = 0.0
    for sign, first, second in parts:
        one = np.zeros(len(first), dtype="int64")
        found = crossed([Term(1, first), Term(-1, second)], one, confidence)
        value += sign * found.estimate.value
        variance += found.se_items**2
        denominator += found.se_items**4 / max(len(first) - 1, 1)
    if min(len(first) for _, first, _ in parts) < FEWEST:
        return Estimate(value)
    half = float(t.ppf((1 + confidence) / 2, variance**2 / denominator)) * variance**0.5
    return Estimate(value, value - half, value + half)

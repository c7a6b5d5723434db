"""How much more often a model is right where its training overlaps with an item."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from storyaudit.stats.estimate import Estimate
from storyaudit.stats.items_by_seeds import Side, crossed
from storyaudit.stats.proportion import wilson

Array = NDArray[np.float64]
FEWEST = 5
"""Fewer items on a side get no interval: Newcombe (1998) tried his from sizes of 5 on."""


class Tally(NamedTuple):
    """How often a model is right.

    Attributes:
        items: how many.
        right: right answers of all seeds.
        answers: items times seeds.
    """

    items: int
    right: int
    answers: int

    @property
    def share(self) -> float:
        """Right answers of all; NaN of none."""
        return self.right / self.answers if self.answers else float("nan")

    def __str__(self) -> str:
        return f"{self.right} of {self.answers}"


@dataclass(frozen=True)
class Contrast:
    """A model's accuracy on overlapping items less that on clean ones.

    Attributes:
        estimate: without an interval where either side has fewer than ``FEWEST`` items.
        overlapping: the one side.
        clean: the other.
        least_rise: the smallest difference above zero that so many items could have told, were the
            clean items' accuracy what it is; None if even all right would not be told.
        least_fall: the same below zero.
        deff: variance of an item's mean over seeds, as a share of that of a single answer.
    """

    estimate: Estimate
    overlapping: Tally
    clean: Tally
    least_rise: float | None
    least_fall: float | None
    deff: float

    @property
    def few(self) -> bool:
        """Whether there are too few items on a side."""
        return min(self.overlapping.items, self.clean.items) < FEWEST

    @property
    def told(self) -> bool:
        """Whether the difference is told from zero."""
        return self.estimate.excludes_zero()


def tally(outcomes: Array) -> Tally:
    """Count outcomes; one row an item, one column a seed."""
    return Tally(len(outcomes), round(float(outcomes.sum())), outcomes.size)


def contrast(overlapping: Array, clean: Array, confidence: float) -> Contrast:
    """Return the difference of two accuracies on different items, unpaired.

    Newcombe's hybrid score interval (1998, method 10), which holds near 0 and 1 and for few items.
    The item is the unit; the seeds are those at hand. An item's mean over seeds varies less than a
    single answer does, by ``design_effect``, so that n items count as n / deff answers in Wilson's
    intervals (Rao and Scott 1992). With one seed that is Newcombe's interval itself.

    Args:
        overlapping: outcomes, 1 right and 0 wrong; one row an item, one column a seed.
        clean: the same of the clean items.
        confidence: of the interval.
    """
    first, second = tally(overlapping), tally(clean)
    value = first.share - second.share
    if not first.items or not second.items:
        return Contrast(Estimate(value), first, second, None, None, 1.0)
    deff = design_effect(overlapping, clean)
    sizes = int(first.items / deff), int(second.items / deff)
    found = newcombe((first.share, sizes[0]), (second.share, sizes[1]), confidence)
    # What would be told, had k of the overlapping items been right with every seed?
    possible = [
        newcombe((k / first.items, sizes[0]), (second.share, sizes[1]), confidence)
        for k in range(first.items + 1)
    ]
    rises = [e.value for e in possible if e.low is not None and e.low > 0]
    falls = [e.value for e in possible if e.high is not None and e.high < 0]
    few = min(first.items, second.items) < FEWEST
    return Contrast(
        Estimate(value) if few else found,
        first,
        second,
        min(rises, default=None),
        max(falls, default=None),
        deff,
    )


def design_effect(*parts: Array) -> float:
    """Return the variance of items' means over seeds, as a share of that of a single answer.

    Both are pooled over the parts: the mean square within them, over p(1 − p). It lies between
    1 / s for s seeds that are right and wrong independently, and 1 for seeds that all agree.
    """
    items, seeds = sum(map(len, parts)), parts[0].shape[1]
    by_item = [part.mean(axis=1) for part in parts]
    squares = float(sum(((means - means.mean()) ** 2).sum() for means in by_item))
    single = float(sum(len(means) * means.mean() * (1 - means.mean()) for means in by_item))
    if single <= 0 or items <= len(parts):
        return 1.0
    share = squares / (items - len(parts)) / (single / items)
    return float(min(1.0, max(1 / seeds, share)))


def newcombe(first: tuple[float, int], second: tuple[float, int], confidence: float) -> Estimate:
    """Return the difference of two independent shares (Newcombe 1998, method 10).

    Args:
        first: a share, and of how many.
        second: what is taken from it.
        confidence: of the interval.
    """
    (p, _), (q, _) = first, second
    (p_low, p_high), (q_low, q_high) = wilson(*first, confidence), wilson(*second, confidence)
    below = ((p - p_low) ** 2 + (q_high - q) ** 2) ** 0.5
    above = ((p_high - p) ** 2 + (q - q_low) ** 2) ** 0.5
    return Estimate(p - q, p - q - below, p - q + above)


def adjusted(
    overlapping: tuple[Array, Array], clean: tuple[Array, Array], confidence: float
) -> Estimate:
    """Return by how much more a model leads a control on overlapping items than on clean ones.

    A difference in differences: what makes items easier for both drops out. Paired by item within
    the two groups, then Welch's interval (1947) between them; the variances are computed with two
    further items a group, as in ``storyaudit.stats.items_by_seeds``. Seeds are those at hand.

    Args:
        overlapping: outcomes of the model and of the control on the overlapping items.
        clean: the same on the clean ones.
        confidence: of the interval; none with fewer than ``FEWEST`` items in a group.
    """
    return _over_items([(1, *overlapping), (-1, *clean)], confidence)


def preference(picked: Array, expected: Array, confidence: float) -> Estimate:
    """Return by how much the overlapping rejected stories are picked more often than others.

    Paired by item; Student's interval over items, with two further items as in ``adjusted``.

    Args:
        picked: 1 where an overlapping rejected story was picked; one row an item, a column a seed.
        expected: the chance of it, were a wrong pick any rejected story alike.
        confidence: of the interval; none with fewer than ``FEWEST`` items.
    """
    return _over_items([(1, picked, expected)], confidence)


def _over_items(parts: list[tuple[int, Array, Array]], confidence: float) -> Estimate:
    from scipy.stats import t

    if not all(len(first) for _, first, _ in parts):
        return Estimate(float("nan"))
    value = variance = denominator = 0.0
    for sign, first, second in parts:
        one = np.zeros(len(first), dtype="int64")
        found = crossed([Side(1, first), Side(-1, second)], one, confidence)
        value += sign * found.estimate.value
        variance += found.items_error**2
        denominator += found.items_error**4 / max(len(first) - 1, 1)
    if min(len(first) for _, first, _ in parts) < FEWEST:
        return Estimate(value)
    half = float(t.ppf((1 + confidence) / 2, variance**2 / denominator)) * variance**0.5
    return Estimate(value, value - half, value + half)

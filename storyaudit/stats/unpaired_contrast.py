"""Two accuracies on different items, such as those seen in training and the others, compared."""

from dataclasses import dataclass
from typing import NamedTuple

from storyaudit.stats.design_effect import seeds_design_effect
from storyaudit.stats.estimate import Array, Estimate
from storyaudit.stats.proportion import newcombe_difference_ci

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


@dataclass(frozen=True)
class Contrast:
    """An accuracy on some items less that on others.

    Attributes:
        estimate: without an interval where either side has fewer than ``FEWEST`` items.
        exposed: the one side.
        unexposed: the other.
        least_rise: the smallest difference above zero that so many items could have told, were the
            other side's accuracy what it is; None if even all right would not be told.
        least_fall: the same below zero.
        deff: variance of an item's mean over seeds, as a share of that of a single answer.
    """

    estimate: Estimate
    exposed: Tally
    unexposed: Tally
    least_rise: float | None
    least_fall: float | None
    deff: float

    @property
    def few(self) -> bool:
        """Whether there are too few items on a side."""
        return min(self.exposed.items, self.unexposed.items) < FEWEST

    @property
    def significant(self) -> bool:
        """Whether the interval of the difference excludes zero."""
        return self.estimate.excludes_zero()


def tally(outcomes: Array) -> Tally:
    """Count outcomes; one row an item, one column a seed."""
    return Tally(len(outcomes), round(float(outcomes.sum())), outcomes.size)


def contrast(exposed: Array, unexposed: Array, confidence: float) -> Contrast:
    """Return the difference of two accuracies on different items, unpaired.

    Newcombe's hybrid score interval (1998, method 10), which holds near 0 and 1 and for few items.
    The item is the unit; the seeds are those at hand. An item's mean over seeds varies less than a
    single answer does, by ``seeds_design_effect``, so that n items count as n / deff answers in
    Wilson's intervals (Rao and Scott 1992). With one seed that is Newcombe's interval itself.

    Args:
        exposed: outcomes, 1 right and 0 wrong; one row an item, one column a seed.
        unexposed: the same of the other items.
        confidence: of the interval.

    Returns:
        A value of NaN where a side has no item.
    """
    first, second = tally(exposed), tally(unexposed)
    value = first.share - second.share
    if not first.items or not second.items:
        return Contrast(Estimate(value), first, second, None, None, 1.0)
    deff = seeds_design_effect(exposed, unexposed)
    sizes = int(first.items / deff), int(second.items / deff)
    found = newcombe_difference_ci((first.share, sizes[0]), (second.share, sizes[1]), confidence)
    # What would be told, had k of the exposed items been right with every seed?
    possible = [
        newcombe_difference_ci((k / first.items, sizes[0]), (second.share, sizes[1]), confidence)
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

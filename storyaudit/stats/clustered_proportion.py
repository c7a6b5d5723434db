"""Shares of items with intervals over premises.

Items of one premise share stories, so that premises are the unit (Davison and Hinkley 1997, section
3.8): a bootstrap sample takes all items of each premise drawn.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from storyaudit.findings import Number
from storyaudit.stats.bootstrap import percentile_interval
from storyaudit.stats.estimate import Array

Mask = NDArray[np.bool_]

FEWEST_PREMISES = 10
"""Items from fewer premises show too little of the spread between premises."""


@dataclass(frozen=True)
class Share:
    """A mean over items, or a difference of two; ``low`` is None where no interval can be told.

    Attributes:
        value: the mean over items.
        low: lower end of the interval over premises.
        high: upper end.
        items: how many items.
        premises: from how many premises; of a difference, the smaller side's.
    """

    value: float
    low: float | None
    high: float | None
    items: int
    premises: int

    def numbers(self, name: str) -> dict[str, Number]:
        """Return value, low and high as a finding's numbers."""
        return {
            name: rounded(self.value),
            f"{name}_low": rounded(self.low),
            f"{name}_high": rounded(self.high),
        }

    def above(self, value: float) -> bool:
        """Return whether the interval lies above a value."""
        return self.low is not None and self.low > value

    def told_from_zero(self) -> bool:
        """Return whether there is an interval, and it does not hold zero."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def __str__(self) -> str:
        """Return percent, as '55 % [49, 61]'."""
        return f"{100 * self.value:.0f} % {self._range('.0f')}"

    def points(self) -> str:
        """Return a difference in points, as '+9 points [+3, +14]'."""
        return f"{100 * self.value:+.0f} points {self._range('+.0f')}"

    def _range(self, form: str) -> str:
        if self.low is None or self.high is None:
            return "(its interval cannot be told)"
        return f"[{100 * self.low:{form}}, {100 * self.high:{form}}]"


def rounded(value: float | None) -> float | None:
    """Return a share with four digits after the point, without a negative zero."""
    return None if value is None else round(float(value), 4) + 0.0


def share(values: Array, kept: Mask, weights: Array, confidence: float) -> Share | None:
    """Return the mean of values over the items that count.

    Args:
        values: premise × item.
        kept: which items count.
        weights: how often each premise stands in each bootstrap sample, samples × premises.
        confidence: of the interval.

    Returns:
        None without any item.
    """
    return _share(values, kept, weights, confidence) if kept.any() else None


def whole(values: Array, weights: Array, confidence: float) -> Share:
    """Return the mean of values over all items, of which there must be one."""
    return _share(values, np.ones(values.shape, dtype="bool"), weights, confidence)


def _share(values: Array, kept: Mask, weights: Array, confidence: float) -> Share:
    samples = _means(values, kept, weights)
    premises = int(kept.any(axis=1).sum())
    low, high = _interval(samples, premises, confidence)
    return Share(float(values[kept].mean()), low, high, int(kept.sum()), premises)


def difference(
    values: Array, first: Mask, second: Mask, weights: Array, confidence: float
) -> Share | None:
    """Return the mean over some items minus the mean over others, paired within the samples.

    Returns:
        None where one side has no item.
    """
    if not first.any() or not second.any():
        return None
    samples = _means(values, first, weights) - _means(values, second, weights)
    premises = min(int(side.any(axis=1).sum()) for side in (first, second))
    low, high = _interval(samples, premises, confidence)
    value = float(values[first].mean() - values[second].mean())
    return Share(value, low, high, int(first.sum() + second.sum()), premises)


def _means(values: Array, kept: Mask, weights: Array) -> Array:
    number = weights @ kept.sum(axis=1)
    total = weights @ np.where(kept, values, 0).sum(axis=1)
    means: Array = np.divide(total, number, out=np.full(len(weights), np.nan), where=number > 0)
    return means


def _interval(
    samples: Array, premises: int, confidence: float
) -> tuple[float, float] | tuple[None, None]:
    if premises < FEWEST_PREMISES:
        return None, None
    return percentile_interval(samples, confidence)

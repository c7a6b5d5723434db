"""Estimates with their intervals, and how many digits of them are shown."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from storyaudit.stats.bootstrap import percentile_interval

Array = NDArray[np.float64]
FEWEST = 10
"""Fewer units (items, stories, pools) are too few to be resampled: no interval is given."""


@dataclass(frozen=True)
class Estimate:
    """A value with its interval; ``low`` and ``high`` are None where none can be told."""

    value: float
    low: float | None = None
    high: float | None = None

    def numbers(self, name: str, digits: int = 3) -> dict[str, float | None]:
        """Return value, low and high as a finding's numbers."""
        return {
            name: rounded(self.value, digits),
            f"{name}_low": rounded(self.low, digits),
            f"{name}_high": rounded(self.high, digits),
        }

    def excludes_zero(self) -> bool:
        """Return whether there is an interval, and it does not hold zero."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:z.2f} (interval cannot be told)"
        return f"{self.value:z.2f} ({self.low:z.2f} to {self.high:z.2f})"


def rounded(value: float | None, digits: int = 3) -> float | None:
    """Return a rounded number without a negative zero; None for what is none or not finite."""
    if value is None or not math.isfinite(value):
        return None
    return round(float(value), digits) + 0.0


def rounded_p(p: float | None) -> float | None:
    """Return a p value with three significant digits."""
    return None if p is None or not math.isfinite(p) else float(f"{p:.3g}")


def shown_p(p: float) -> str:
    """Return a p value for a sentence."""
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"


def resample_weights(units: int, resamples: int, rng: np.random.Generator) -> Array:
    """Return how often each unit stands in each bootstrap sample of units (Efron 1979).

    Returns:
        One row a sample, one column a unit; each row sums to ``units``.
    """
    shares = np.full(units, 1 / units)
    return rng.multinomial(units, shares, size=resamples).astype("float64")


def over_units(value: float, samples: Array, units: int, confidence: float) -> Estimate:
    """Return an estimate with its percentile interval; from fewer than ten units without one."""
    if units < FEWEST:
        return Estimate(value)
    return Estimate(value, *percentile_interval(samples, confidence))


def percent(estimate: Estimate) -> str:
    """Return a share for a sentence."""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:z.0%} (interval cannot be told)"
    return f"{estimate.value:z.0%} ({estimate.low:z.0%} to {estimate.high:z.0%})"


def not_above_zero(estimate: Estimate) -> bool:
    """Return whether there is an interval, and it does not lie above zero."""
    return estimate.low is not None and estimate.low <= 0

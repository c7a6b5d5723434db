"""Estimates with their confidence intervals, and how many digits of them are kept."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int64]
"""Numbers 0, 1, … that stand for names."""
Mask = NDArray[np.bool_]
FEWEST = 10
"""Fewer units (items, stories, pools, premises) are too few to be resampled: no interval."""


@dataclass(frozen=True)
class Estimate:
    """A value with its interval; ``low`` and ``high`` are None where there is none."""

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

    def above(self, value: float) -> bool:
        """Return whether there is an interval, and it lies above a value."""
        return self.low is not None and self.low > value

    def not_above(self, value: float) -> bool:
        """Return whether there is an interval, and it does not lie above a value."""
        return self.low is not None and self.low <= value


def rounded(value: float | None, digits: int = 3) -> float | None:
    """Return a rounded number without a negative zero; None for what is none or not finite."""
    if value is None or not math.isfinite(value):
        return None
    return round(float(value), digits) + 0.0


def rounded_p(p: float | None) -> float | None:
    """Return a p value with three significant digits; None for what is none or not finite."""
    return None if p is None or not math.isfinite(p) else float(f"{p:.3g}")

"""Estimates with their intervals, and how many digits of them are shown."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
            return f"{self.value:.2f} (interval cannot be told)"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


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


def story_weights(stories: int, resamples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return how often each story stands in each bootstrap sample of stories (Efron 1979).

    Returns:
        One row a sample, one column a story; each row sums to ``stories``.
    """
    shares = np.full(stories, 1 / stories)
    return rng.multinomial(stories, shares, size=resamples).astype("float64")

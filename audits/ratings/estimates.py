"""Estimates with their intervals, and how many digits of them are shown."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

MOST_UNDEFINED = 0.05
"""With a larger share of resamples in which a statistic is undefined, no interval is given."""


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


def percentile_interval(
    samples: NDArray[np.float64], confidence: float
) -> tuple[float, float] | tuple[None, None]:
    """Return the percentile interval of a statistic's bootstrap samples (Efron 1981).

    Two None where more than ``MOST_UNDEFINED`` of the samples are NaN, or all are equal:
    resampling then says nothing about the spread.
    """
    told = samples[np.isfinite(samples)]
    if len(told) < (1 - MOST_UNDEFINED) * len(samples) or np.ptp(told) < 1e-12:
        return None, None
    tail = (1 - confidence) / 2
    low, high = np.quantile(told, [tail, 1 - tail])
    return float(low), float(high)


def slugs(names: Iterable[str]) -> list[str]:
    """Return names as finding ids allow them, with a number after those that would be alike."""
    ids: list[str] = []
    for name in names:
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80].strip("-") or "unnamed"
        numbered = (f"{slug}-{number}" for number in count(2))
        ids.append(next(new for new in chain([slug], numbered) if new not in ids))
    return ids

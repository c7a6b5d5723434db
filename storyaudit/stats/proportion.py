"""Proportions of independent items and differences of two, with score intervals."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from storyaudit.stats.estimate import Estimate, rounded


@dataclass(frozen=True)
class Proportion:
    """So many of so many, with an interval; ``low`` and ``high`` are None for one of none."""

    count: int
    of: int
    low: float | None
    high: float | None

    @property
    def value(self) -> float:
        """The proportion; NaN of none."""
        return self.count / self.of if self.of else float("nan")

    def numbers(self, name: str) -> dict[str, float | None]:
        """Return count, size and interval as a finding's numbers."""
        return {
            name: self.count,
            f"{name}_of": self.of,
            f"{name}_low": rounded(self.low, 4),
            f"{name}_high": rounded(self.high, 4),
        }


def proportion(count: int, of: int, confidence: float) -> Proportion:
    """Return a proportion with Wilson's interval; of none, without one."""
    if not of:
        return Proportion(count, of, None, None)
    return Proportion(count, of, *proportion_ci(count / of, of, confidence))


def proportion_ci(share: float, number: int, confidence: float) -> tuple[float, float]:
    """Return the score interval of a proportion (Wilson 1927), from 0 to 1 at most.

    Args:
        share: a mean of ``number`` outcomes between 0 and 1. Where an outcome is itself a mean over
            seeds, it varies less than one of 0 or 1 does, and the interval is rather too wide.
            (statsmodels' and scipy's take counts.)
        number: outcomes, at least one.
        confidence: of the interval.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z / (1 + z * z / number) * sqrt(share * (1 - share) / number + (z / (2 * number)) ** 2)
    return max(0.0, middle - half), min(1.0, middle + half)


def newcombe_difference_ci(
    first: tuple[float, int], second: tuple[float, int], confidence: float
) -> Estimate:
    """Return the difference of two independent proportions (Newcombe 1998, method 10).

    With Wilson's limits l₁, u₁ of p and l₂, u₂ of q the interval is from
    p − q − √((p − l₁)² + (u₂ − q)²) to p − q + √((u₁ − p)² + (q − l₂)²).

    Args:
        first: a proportion, and of how many, at least one.
        second: what is taken from it.
        confidence: of the interval.
    """
    (p, _), (q, _) = first, second
    (p_low, p_high), (q_low, q_high) = (
        proportion_ci(*side, confidence) for side in (first, second)
    )
    below = ((p - p_low) ** 2 + (q_high - q) ** 2) ** 0.5
    above = ((p_high - p) ** 2 + (q - q_low) ** 2) ** 0.5
    return Estimate(p - q, p - q - below, p - q + above)

"""Shares of independent items, with Wilson's intervals."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from storyaudit.findings import Number
from storyaudit.stats.estimate import Estimate


@dataclass(frozen=True)
class Share:
    """So many of so many, with an interval; ``low`` and ``high`` are None for a share of none."""

    count: int
    of: int
    low: float | None
    high: float | None

    def numbers(self, name: str) -> dict[str, Number]:
        """Return count, size and interval as a finding's numbers."""
        return {
            name: self.count,
            f"{name}_of": self.of,
            f"{name}_low": None if self.low is None else round(self.low, 4),
            f"{name}_high": None if self.high is None else round(self.high, 4),
        }

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.count} of {self.of}"
        return (
            f"{self.count} of {self.of} ({self.count / self.of:.0%}, "
            f"{self.low:.0%} to {self.high:.0%})"
        )


def share(count: int, of: int, confidence: float) -> Share:
    """Return a share with Wilson's interval."""
    if not of:
        return Share(count, of, None, None)
    return Share(count, of, *wilson(count / of, of, confidence))


def wilson(share: float, number: int, confidence: float) -> tuple[float, float]:
    """Return the interval of a share (Wilson 1927).

    Args:
        share: a mean of ``number`` outcomes between 0 and 1. Where an outcome is itself a mean over
            seeds, it varies less than one of 0 or 1 does, and the interval is rather too wide.
        number: outcomes, at least one.
        confidence: of the interval.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z / (1 + z * z / number) * sqrt(share * (1 - share) / number + (z / (2 * number)) ** 2)
    return max(0.0, middle - half), min(1.0, middle + half)


def newcombe(first: Share, second: Share) -> Estimate:
    """Return the difference of two independent shares (Newcombe 1998, method 10).

    Args:
        first: with Wilson's interval.
        second: taken from it.
    """
    p, q = first.count / first.of, second.count / second.of
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return Estimate(p - q)
    below = ((p - first.low) ** 2 + (second.high - q) ** 2) ** 0.5
    above = ((first.high - p) ** 2 + (q - second.low) ** 2) ** 0.5
    return Estimate(p - q, p - q - below, p - q + above)

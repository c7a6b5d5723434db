"""Shares of independent items, with exact or Wilson's intervals."""

from dataclasses import dataclass

from storyaudit.findings import Number


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
    """Return a share with Wilson's interval (1927)."""
    from scipy.stats import binomtest

    if not of:
        return Share(count, of, None, None)
    interval = binomtest(count, of).proportion_ci(confidence, method="wilson")
    return Share(count, of, float(interval.low), float(interval.high))

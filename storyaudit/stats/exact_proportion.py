"""Exact bounds of a proportion from a sample."""

from typing import NamedTuple


class ExactBounds(NamedTuple):
    """Exact bounds of a proportion (Clopper and Pearson 1934).

    Attributes:
        at_least: one-sided lower bound.
        low: lower end of the two-sided interval.
        high: its upper end.
    """

    at_least: float
    low: float
    high: float


def exact_bounds(k: int, n: int, confidence: float) -> ExactBounds:
    """Return what ``k`` of ``n`` drawn at random say about all of them.

    Raises:
        ValueError: not 0 ≤ k ≤ n with n ≥ 1, or a confidence that is not between 0 and 1.
    """
    if not 0 <= k <= n or n < 1 or not 0 < confidence < 1:
        raise ValueError(f"{k} of {n} at a confidence of {confidence} is no proportion of a sample")
    from scipy.stats import binomtest

    upper, both = (
        binomtest(k, n, alternative=alternative).proportion_ci(confidence, method="exact")
        for alternative in ("greater", "two-sided")
    )
    return ExactBounds(float(upper.low), float(both.low), float(both.high))

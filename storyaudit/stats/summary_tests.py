"""Does a printed p value follow from printed means, standard deviations and sample sizes?

Every statistic is bounded over all values that the rounded figures allow: t is monotone in each
figure, and the degrees of freedom of Welch's test depend on one ratio with one maximum.
"""

from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal

Test = Literal["welch", "student", "z"]
Sides = Literal[1, 2]
_LAST_BITS = 1e-9


@dataclass(frozen=True)
class Range:
    """Bounds of a quantity, ``low`` ≤ ``high``."""

    low: float
    high: float


@dataclass(frozen=True)
class Sample:
    """Bounds of a sample's mean and standard deviation, and its size."""

    mean: Range
    sd: Range
    n: int


def p_range(first: Sample, second: Sample, test: Test, sides: Sides = 2) -> Range | None:
    """Return bounds of the p value of a test of equal means.

    Args:
        first: on a one-sided test, the sample claimed to have the higher mean.
        second: the other.
        test: Welch (1947), Student (1908) with pooled variance, or normal.
        sides: of the test.

    Returns:
        None where a standard error may be zero: the p value is then undetermined.
    """
    difference = Range(first.mean.low - second.mean.high, first.mean.high - second.mean.low)
    standard_error = _pooled_error if test == "student" else _error
    error = Range(
        standard_error(first.sd.low, second.sd.low, first.n, second.n),
        standard_error(first.sd.high, second.sd.high, first.n, second.n),
    )
    if error.low <= 0:
        return None
    quotients = [d / e for d in (difference.low, difference.high) for e in (error.low, error.high)]
    freedom = {
        "welch": welch_freedom(first, second),
        "student": Range(first.n + second.n - 2, first.n + second.n - 2),
        "z": Range(inf, inf),
    }[test]
    return p_of_statistic(Range(min(quotients), max(quotients)), freedom, sides)


def p_of_statistic(statistic: Range, freedom: Range, sides: Sides = 2) -> Range:
    """Return bounds of the p value of t, or of z.

    Args:
        statistic: what rounding leaves of it.
        freedom: degrees of freedom, infinite for z.
        sides: of the test; with one, the upper tail counts.
    """
    from scipy.stats import norm, t

    def tail(value: float, df: float) -> float:
        return float(norm.sf(value) if df == inf else t.sf(value, df))

    size = statistic if sides == 1 else absolute(statistic)
    ends = (freedom.low, freedom.high)  # at one statistic the tail is monotone in between
    return _outwards(
        sides * min(tail(size.high, df) for df in ends),
        sides * max(tail(size.low, df) for df in ends),
    )


def p_of_chi_squared(statistic: Range, freedom: Range) -> Range:
    """Return bounds of the upper tail of chi²."""
    from scipy.stats import chi2

    return _outwards(
        float(chi2.sf(statistic.high, freedom.low)), float(chi2.sf(statistic.low, freedom.high))
    )


def welch_freedom(first: Sample, second: Sample) -> Range:
    """Return bounds of the Welch–Satterthwaite degrees of freedom.

    With a = s₁²/n₁ and b = s₂²/n₂ they are (a + b)² / (a²/(n₁−1) + b²/(n₂−1)): a function of a/b
    alone, with its only maximum, n₁ + n₂ − 2, at (n₁−1)/(n₂−1).
    """
    low_a, high_a = first.sd.low**2 / first.n, first.sd.high**2 / first.n
    low_b, high_b = second.sd.low**2 / second.n, second.sd.high**2 / second.n
    most = first.n + second.n - 2

    def freedom(a: float, b: float) -> float:
        return (a + b) ** 2 / (a**2 / (first.n - 1) + b**2 / (second.n - 1))

    ends = [freedom(a, b) for a, b in ((low_a, high_b), (high_a, low_b)) if a + b > 0]
    if not ends:
        return Range(min(first.n, second.n) - 1, most)
    peak = (first.n - 1) / (second.n - 1)
    inside = low_a <= peak * high_b and high_a >= peak * low_b
    return Range(min(ends), most if inside else max(ends))


def absolute(values: Range) -> Range:
    """Return bounds of the absolute value."""
    ends = (abs(values.low), abs(values.high))
    return Range(0.0 if values.low <= 0 <= values.high else min(ends), max(ends))


def _error(s1: float, s2: float, n1: int, n2: int) -> float:
    return sqrt(s1**2 / n1 + s2**2 / n2)


def _pooled_error(s1: float, s2: float, n1: int, n2: int) -> float:
    variance = ((n1 - 1) * s1**2 + (n2 - 1) * s2**2) / (n1 + n2 - 2)
    return sqrt(variance * (1 / n1 + 1 / n2))


def _outwards(low: float, high: float) -> Range:
    """Return bounds that floating point cannot have drawn too narrow."""
    return Range(low * (1 - _LAST_BITS), min(1.0, high * (1 + _LAST_BITS)))

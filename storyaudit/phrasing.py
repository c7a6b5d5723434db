"""How estimates are phrased in sentences: one way for each kind of number."""

from collections.abc import Callable

from storyaudit.stats.estimate import Estimate
from storyaudit.stats.proportion import Proportion

TOLD = "told from zero"
UNTOLD = "cannot be told from this data"
NO_INTERVAL = "no interval from so few items"


def decimal(value: float) -> str:
    """Return a number with two digits after the point, without a negative zero."""
    return f"{value:z.2f}"


def signed_decimal(value: float) -> str:
    """Return a difference with two digits after the point, with its sign."""
    return f"{value:+z.2f}"


def tenths(value: float) -> str:
    """Return a number with one digit after the point, without a negative zero."""
    return f"{value:z.1f}"


def percent(value: float) -> str:
    """Return a share as whole percent, without a negative zero."""
    return f"{value:z.0%}"


def fine_percent(value: float) -> str:
    """Return a share as percent with one digit after the point, without a negative zero."""
    return f"{value:z.1%}"


def points(value: float) -> str:
    """Return a difference of shares as points of a hundred, with its sign."""
    return f"{100 * value:+z.1f}"


def unsigned_points(value: float) -> str:
    """Return a share as points of a hundred, without a negative zero."""
    return f"{100 * value:z.1f}"


def whole_points(value: float) -> str:
    """Return a difference of shares as whole points of a hundred, with its sign."""
    return f"{100 * value:+z.0f}"


def with_ci(found: Estimate, shown: Callable[[float], str] = decimal) -> str:
    """Return an estimate and its interval: '0.48 (0.43 to 0.54)'.

    Args:
        found: the estimate.
        shown: phrases its value and ends.
    """
    if found.low is None or found.high is None:
        return f"{shown(found.value)} (interval cannot be told)"
    return f"{shown(found.value)} ({shown(found.low)} to {shown(found.high)})"


def count_of(found: Proportion) -> str:
    """Return a proportion with its size and interval: '3 of 4 (75%, 30% to 95%)'."""
    if found.low is None or found.high is None:
        return f"{found.count} of {found.of}"
    ends = f"{percent(found.low)} to {percent(found.high)}"
    return f"{found.count} of {found.of} ({percent(found.value)}, {ends})"


def level(confidence: float) -> str:
    """Return a level of confidence: '95%'."""
    return f"{100 * confidence:g}%"


def interval(
    found: Estimate,
    confidence: float,
    shown: Callable[[float], str] = points,
    *,
    untold: str = NO_INTERVAL,
) -> str:
    """Return an estimate's interval without its value: '95% interval -1.0 to +2.3'.

    Args:
        found: the estimate.
        confidence: of the interval.
        shown: phrases the ends.
        untold: what to say where there is none.
    """
    if found.low is None or found.high is None:
        return untold
    return f"{level(confidence)} interval {shown(found.low)} to {shown(found.high)}"


def p_value(p: float) -> str:
    """Return a p value: 'p = 0.012'."""
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"


def verdict(found: Estimate) -> str:
    """Return whether an estimate is told from zero, as a clause."""
    return TOLD if found.excludes_zero() else UNTOLD

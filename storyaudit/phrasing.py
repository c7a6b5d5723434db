"""How estimates are phrased in sentences: one way for each kind of number.

Intervals are always '95 % CI a to b'. An estimate is followed by its interval, and by what follows
from it: significant, not significant, or no CI and why. These three are different things.
"""

from collections.abc import Callable, Sequence

from storyaudit.stats.estimate import FEWEST, Estimate
from storyaudit.stats.proportion import Proportion

SIGNIFICANT = "significant"
NOT_SIGNIFICANT = "not significant"
NO_CI = f"no CI: fewer than {FEWEST} items"
UNIT = " %"


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
    """Return a proportion as percent with one digit after the point: '48.5 %'."""
    return f"{100 * value:z.1f}{UNIT}"


def points(value: float) -> str:
    """Return a difference of proportions as points of a hundred, with its sign: '+1.2'."""
    return f"{100 * value:+z.1f}"


def unsigned_points(value: float) -> str:
    """Return a proportion as points of a hundred, without a negative zero: '1.2'."""
    return f"{100 * value:z.1f}"


def level(confidence: float) -> str:
    """Return a level of confidence: '95 %'."""
    return f"{100 * confidence:g}{UNIT}"


def ci(
    found: Estimate | Proportion,
    confidence: float,
    shown: Callable[[float], str] = decimal,
    *,
    no_ci: str = NO_CI,
) -> str:
    """Return an interval without its estimate: '95 % CI 43.1 to 54.0', or why there is none.

    Args:
        found: the estimate.
        confidence: of the interval.
        shown: phrases the ends; a percent sign is left to the estimate.
        no_ci: what to say where there is none: 'no CI: ' and the reason.
    """
    if found.low is None or found.high is None:
        return no_ci
    low, high = (shown(end).removesuffix(UNIT) for end in (found.low, found.high))
    return f"{level(confidence)} CI {low} to {high}"


def no_bootstrap_ci(units: int, unit: str = "items") -> str:
    """Return why a bootstrap over units gave no interval.

    Args:
        units: how many were resampled.
        unit: what they are called, in the plural.
    """
    if units < FEWEST:
        return f"no CI: fewer than {FEWEST} {unit}"
    return f"no CI: no variation between {unit}"


def estimated(
    found: Estimate,
    confidence: float,
    shown: Callable[[float], str] = decimal,
    *,
    no_ci: str = NO_CI,
    unit: str = "",
) -> str:
    """Return an estimate and its interval: '+2.1 points (95 % CI -0.4 to +4.6)'.

    Args:
        found: the estimate.
        confidence: of the interval.
        shown: phrases its value and ends.
        no_ci: what to say where there is no interval.
        unit: stands after the value, as 'points'.
    """
    value = f"{shown(found.value)} {unit}".rstrip()
    return f"{value} ({ci(found, confidence, shown, no_ci=no_ci)})"


def k_of_n(found: Proportion, confidence: float) -> str:
    """Return a proportion with its size and interval: '3 of 4 (75.0 %, 95 % CI 30.1 to 95.4)'."""
    if found.low is None or found.high is None:
        return f"{found.count} of {found.of}"
    return f"{found.count} of {found.of} ({percent(found.value)}, {ci(found, confidence, percent)})"


def p_value(p: float) -> str:
    """Return a p value: 'p = 0.012'."""
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"


def listed(names: Sequence[str], several: str) -> str:
    """Return up to three names: 'a, b and c'; of more, which belong in a table, '5 criteria'.

    Args:
        names: at least one.
        several: what more than three are called.
    """
    if len(names) > 3:
        return f"{len(names)} {several}"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def among(names: Sequence[str]) -> str:
    """Return up to three names: 'a; b; c'; of more, the first three: 'a; b; c; and 2 more'."""
    more = [f"and {len(names) - 3} more"] if len(names) > 3 else []
    return "; ".join([*names[:3], *more])


def significance(found: Estimate, confidence: float) -> str:
    """Return what an estimate's interval says of zero, as a clause; without one, that it is open.

    'significant (95 % CI excludes 0)', 'not significant (95 % CI includes 0)', 'no CI'.
    """
    if found.low is None or found.high is None:
        return "no CI, so that neither an effect nor its absence is shown"
    if found.excludes_zero():
        return f"{SIGNIFICANT} ({level(confidence)} CI excludes 0)"
    return f"{NOT_SIGNIFICANT} ({level(confidence)} CI includes 0)"


def agreeing(count: int, of: int, one: str, several: str) -> str:
    """Return the verb of 'k of n': '1 of 3 differs', '0 of 1 differs', '2 of 3 differ'.

    Args:
        count: k.
        of: n.
        one: the verb of one.
        several: the verb of several, or of none.
    """
    return one if 1 in (count, of) else several

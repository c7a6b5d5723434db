"""Ledger entries that ask whether a printed p value follows from other printed figures.

As in statcheck (Nuijten and others, 2016), an inconsistency is a *decision error* where the
recomputed p value lies on the other side of alpha than the printed one. Unlike statcheck's default,
which counts p = alpha as significant, p = alpha is not significant here. A printed bound 'p < x' or
'p ≤ x' with x at most alpha claims significance, even 'p ≤ alpha'; 'p > x' or 'p ≥ x' with x at
least alpha claims none. Where rounding leaves the printed or the recomputed p value on both sides
of alpha, an inconsistency is no decision error.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Literal

from audits.claims.quantities import LedgerError
from audits.claims.verdict import NOT_DETERMINABLE, Checked, Outcome
from storyaudit.ledger.ledger_file import Figure, Ledger, PValue, SampleReference
from storyaudit.stats.rational_intervals import Interval
from storyaudit.stats.summary_tests import (
    Range,
    Sample,
    Sides,
    absolute,
    p_of_chi_squared,
    p_of_statistic,
    p_range,
)

Verdict = Literal["follows", "inconsistent", "decision error", "undetermined"]
_OUTCOMES: Mapping[Verdict, Outcome] = {
    "follows": "pass",
    "inconsistent": "fail",
    "decision error": "fail",
    "undetermined": "unchecked",
}
TESTS = {
    "welch": "Welch's t",
    "student": "Student's t",
    "t": "t",
    "z": "z",
    "chi2": "chi-squared",
}


def check_p_values(ledger: Ledger) -> list[Checked]:
    """Return the verdict on every entry of the section ``p_values``.

    Raises:
        LedgerError: degrees of freedom or a standard deviation from a figure below zero.
    """
    return [_check(entry, ledger) for entry in ledger.p_values]


def _check(entry: PValue, ledger: Ledger) -> Checked:
    figure = None if entry.p is None else ledger.figure(entry.p)
    verdict: Verdict
    name = TESTS[entry.test]
    test = name if entry.test == "chi2" else f"{_sides(entry.sides)} {name}"
    printed = _printed(entry, figure)
    allowed = _allowed(entry, ledger, entry.sides)
    if allowed is None:
        verdict = "undetermined"
        sentence = f"{NOT_DETERMINABLE}: a standard error of the {test} test may be zero"
    else:
        verdict, remark = _judge(entry, figure, allowed, ledger)
        recomputed = (
            f"the printed figures give p between {allowed.low:.3g} and {allowed.high:.3g} ({test} "
            "test)"
        )
        if verdict == "undetermined":
            sentence = f"{NOT_DETERMINABLE}: {recomputed}, on both sides of {entry.alpha:g}"
        else:
            sentence = f"{entry.where}: {recomputed}; the paper states '{printed}'{remark}"
    return Checked(
        id=entry.id,
        section="p_values",
        where=entry.where,
        printed=printed,
        verdict=verdict,
        outcome=_OUTCOMES[verdict],
        sentence=f"{sentence}.",
        numbers={} if allowed is None else {"p_low": allowed.low, "p_high": allowed.high},
    )


def _printed(entry: PValue, figure: Figure | None) -> str:
    if figure is None:
        return f"{'' if entry.significant else 'not '}significant at {entry.alpha:g}"
    return f"p {figure.printed}" if figure.sign != "=" else f"p = {figure.printed.lstrip('= ')}"


def _judge(
    entry: PValue, figure: Figure | None, allowed: Range, ledger: Ledger
) -> tuple[Verdict, str]:
    """Return the verdict, and what to say beside it."""
    agrees = _agrees(entry, figure, allowed)
    if agrees is None:
        return "undetermined", ""
    if agrees:
        return "follows", ""
    turned = _turned(entry, ledger, allowed)
    remark = ""
    if turned is not None and _agrees(entry, figure, turned):
        remark = f", which only a {_sides(1 if entry.sides == 2 else 2)} test gives"
    said = entry.significant if figure is None else _decision(figure, entry.alpha)
    follows = _below(allowed, entry.alpha)
    if said is None or follows is None or said == follows:
        return "inconsistent", remark
    significant = "significant" if follows else "not significant"
    return (
        "decision error",
        f"{remark}. Decision error: the result is {significant} at {entry.alpha:g}",
    )


def _sides(sides: Sides) -> str:
    return "one-sided" if sides == 1 else "two-sided"


def _agrees(entry: PValue, figure: Figure | None, allowed: Range) -> bool | None:
    """Return whether the print agrees with the p values, None if rounding leaves it open."""
    if figure is None:
        below = _below(allowed, entry.alpha)
        return None if below is None else below == entry.significant
    low, high = Fraction(allowed.low), Fraction(allowed.high)
    printed = figure.interval
    match figure.sign:
        case "<" | "<=":
            return low < printed.high or (figure.sign == "<=" and low == printed.high)
        case ">" | ">=":
            return high > printed.low or (figure.sign == ">=" and high == printed.low)
        case "=":
            return Interval(low, high).meets(printed)


def _below(allowed: Range, alpha: float) -> bool | None:
    """Return whether p values lie below alpha, None if some do and some do not."""
    return True if allowed.high < alpha else False if allowed.low >= alpha else None


def _decision(figure: Figure, alpha: float) -> bool | None:
    """Return whether the printed p value is below alpha, None if rounding leaves it open."""
    low, high = _ends(figure)
    match figure.sign:
        case "<" | "<=":
            return True if high <= alpha else None
        case ">" | ">=":
            return False if low >= alpha else None
        case "=":
            return _below(Range(low, high), alpha)


def _allowed(entry: PValue, ledger: Ledger, sides: Sides) -> Range | None:
    """Return bounds of the p value by a test with so many sides, None if it is undetermined."""
    if entry.statistic is not None:
        statistic = Range(*_ends(ledger.figure(entry.statistic)))
        freedom = _freedom(entry, ledger)
        if entry.test == "chi2":
            return p_of_chi_squared(statistic, freedom)
        return p_of_statistic(absolute(statistic), freedom, sides)
    if entry.test == "t" or entry.test == "chi2" or entry.first is None or entry.second is None:
        return None  # the ledger's schema does not let this through
    first, second = (_sample(entry.id, s, ledger) for s in (entry.first, entry.second))
    return p_range(first, second, entry.test, sides)


def _turned(entry: PValue, ledger: Ledger, allowed: Range) -> Range | None:
    """Return bounds of the p value by a test with the other number of sides, if it has sides.

    A test that is said to have two may have had one on either.
    """
    if entry.test == "chi2":
        return None
    if entry.sides == 1:
        return _allowed(entry, ledger, 2)
    return Range(allowed.low / 2, allowed.high / 2)


def _freedom(entry: PValue, ledger: Ledger) -> Range:
    if entry.df is None:
        return Range(inf, inf)
    if not isinstance(entry.df, str):
        return Range(entry.df, entry.df)
    low, high = _ends(ledger.figure(entry.df))
    if low <= 0:
        raise LedgerError(f"'{entry.id}' takes degrees of freedom from '{entry.df}', not above 0")
    return Range(low, high)


def _sample(entry: str, reference: SampleReference, ledger: Ledger) -> Sample:
    low, high = _ends(ledger.figure(reference.sd))
    if high < 0:
        raise LedgerError(f"'{entry}' takes a standard deviation from '{reference.sd}', below 0")
    mean = Range(*_ends(ledger.figure(reference.mean)))
    return Sample(mean, Range(max(low, 0.0), high), reference.n)


def _ends(figure: Figure) -> tuple[float, float]:
    return float(figure.interval.low), float(figure.interval.high)

"""Whether two printed macro accuracies differ significantly, whatever the table leaves open.

The 95 % CI is the normal one, D ± z·SE(D), over items drawn anew from the same dimensions, without
correction for multiple comparisons. ``storyaudit.stats.macro_variance`` bounds the standard
error over every profile of dimensions and every pairing (which items both systems get right) that
agree with the print. The verdicts also take the less favourable end of the rounded difference, so
that they hold for every table behind the print.
"""

from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Literal

from audits.claims.quantities import LedgerError
from audits.claims.verdict import Checked, Outcome
from storyaudit.ledger.ledger_file import Difference, Figure, Ledger
from storyaudit.stats.macro_variance import Setting, variance_bounds
from storyaudit.stats.rational_intervals import Interval

Z = NormalDist().inv_cdf(0.975)

Verdict = Literal[
    "significant for every pairing",
    "not significant for any pairing",
    "not determinable from what is reported",
]
_OUTCOMES: dict[Verdict, Outcome] = {
    "significant for every pairing": "note",
    "not significant for any pairing": "warn",
    "not determinable from what is reported": "warn",
}
_SCOPE = (
    "The CI generalises to other items of the same dimensions, not to other training seeds: the "
    "paper gives one figure a system. It is not corrected for multiple comparisons."
)


def check_differences(ledger: Ledger) -> list[Checked]:
    """Return the verdict on every entry of the section ``differences``.

    Raises:
        LedgerError: a denominator that is no whole number above zero.
    """
    return [_check(entry, ledger) for entry in ledger.differences]


def verdict(difference: Interval, variance: Interval) -> Verdict:
    """Return whether the 95 % interval excludes zero.

    Args:
        difference: bounds of D.
        variance: bounds of Var(D).
    """
    sizes = (abs(difference.low), abs(difference.high))
    least = Fraction(0) if 0 in difference else min(sizes)
    z2 = Fraction(Z) ** 2
    if least > 0 and least**2 > z2 * variance.high:
        return "significant for every pairing"
    if max(sizes) ** 2 <= z2 * variance.low:
        return "not significant for any pairing"
    return "not determinable from what is reported"


def _check(entry: Difference, ledger: Ledger) -> Checked:
    first, second = ledger.figure(entry.first), ledger.figure(entry.second)
    sizes = tuple(_size(entry, ledger.figure(name)) for name in entry.items)
    printed = f"{first.printed} and {second.printed}"
    proportions = [_proportion(figure) for figure in (first, second)]
    if proportions[0] is None or proportions[1] is None:
        return Checked(
            entry.id,
            "differences",
            entry.where,
            printed,
            "impossible",
            "fail",
            f"Of {printed}, one is no macro accuracy: these lie from 0 to 100 %.",
        )
    difference = proportions[0] - proportions[1]
    variance = variance_bounds(Setting(proportions[0], proportions[1], sizes))
    said = verdict(difference, variance)
    points = {
        "difference_low": float(100 * difference.low),
        "difference_high": float(100 * difference.high),
        "se_low": 100 * sqrt(variance.low),
        "se_high": 100 * sqrt(variance.high),
    }
    sentence = (
        f"The printed macro accuracies {printed} differ by {points['difference_low']:.2f} to "
        f"{points['difference_high']:.2f} points. The standard error is {points['se_low']:.2f} to "
        f"{points['se_high']:.2f} points, depending on the accuracies by dimension and on which of "
        f"the {sum(sizes):,} items both systems get right (not reported). {_said(said, points)} "
        f"{_SCOPE}"
    )
    return Checked(
        entry.id,
        "differences",
        entry.where,
        printed,
        said,
        _OUTCOMES[said],
        sentence,
        {"items": sum(sizes), **{name: round(value, 4) for name, value in points.items()}},
    )


def _said(said: Verdict, points: dict[str, float]) -> str:
    if said == "significant for every pairing":
        return "The difference is significant in every such case (normal 95 % CI excludes 0)."
    if said == "not significant for any pairing":
        return "The difference is not significant in any such case (normal 95 % CI includes 0)."
    largest = max(abs(points["difference_low"]), abs(points["difference_high"]))
    return (
        f"Significance is {said}: the normal 95 % CI excludes 0 only if the standard error is "
        f"below {largest / Z:.2f} points."
    )


def _proportion(figure: Figure) -> Interval | None:
    """Return what rounding leaves of a percentage, as a proportion; None if none is from 0 to 1."""
    low, high = figure.interval.low / 100, figure.interval.high / 100
    if high < 0 or low > 1:
        return None
    return Interval(max(low, Fraction(0)), min(high, Fraction(1)))


def _size(entry: Difference, figure: Figure) -> int:
    if not figure.exact or figure.number.value < 1:
        raise LedgerError(
            f"difference '{entry.id}': the denominator '{figure.id}' ({figure.printed}) is no "
            "whole number above zero"
        )
    return int(figure.number.value)

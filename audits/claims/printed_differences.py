"""Do two printed macro accuracies differ by more than chance, whatever the table leaves open?

The 95 % interval is the normal one, D ± z·SE(D), over items drawn anew from the same dimensions,
unadjusted for the number of comparisons. ``storyaudit.stats.macro_variance`` bounds the standard
error over every profile of dimensions and every pairing that agree with the print. The verdicts
take the end of the difference that is hardest on them as well, so that they hold for every table
behind the print.
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
    "excludes zero whatever the pairing",
    "cannot exclude zero",
    "cannot be told without item-level data",
]
_OUTCOMES: dict[Verdict, Outcome] = {
    "excludes zero whatever the pairing": "note",
    "cannot exclude zero": "warn",
    "cannot be told without item-level data": "warn",
}
_SEEDS = (
    "It speaks of these checkpoints on other items of the same dimensions, not of the methods: one "
    "figure a system shows nothing of the spread over seeds. It is not adjusted for the number of "
    "comparisons."
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
        return "excludes zero whatever the pairing"
    if max(sizes) ** 2 <= z2 * variance.low:
        return "cannot exclude zero"
    return "cannot be told without item-level data"


def _check(entry: Difference, ledger: Ledger) -> Checked:
    first, second = ledger.figure(entry.first), ledger.figure(entry.second)
    sizes = tuple(_size(entry, ledger.figure(name)) for name in entry.items)
    printed = f"{first.printed} against {second.printed}"
    shares = [_share(figure) for figure in (first, second)]
    if shares[0] is None or shares[1] is None:
        return Checked(
            entry.id,
            "differences",
            entry.where,
            printed,
            "impossible",
            "fail",
            f"{printed}: a macro accuracy lies from 0 to 100 %.",
        )
    difference = shares[0] - shares[1]
    variance = variance_bounds(Setting(shares[0], shares[1], sizes))
    said = verdict(difference, variance)
    points = {
        "difference_low": float(100 * difference.low),
        "difference_high": float(100 * difference.high),
        "se_low": 100 * sqrt(variance.low),
        "se_high": 100 * sqrt(variance.high),
    }
    sentence = (
        f"{printed}: a difference of {points['difference_low']:.2f} to "
        f"{points['difference_high']:.2f} points has a standard error of {points['se_low']:.2f} to "
        f"{points['se_high']:.2f} points, depending on the {len(sizes)} dimensions' accuracies and "
        f"on which of the {sum(sizes):,} items both get right, which are not printed. Its 95 % "
        f"interval {_said(said, points)}. {_SEEDS}"
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
    if said != "cannot be told without item-level data":
        return said
    largest = max(abs(points["difference_low"]), abs(points["difference_high"]))
    return (
        f"excludes zero only if that error is below {largest / Z:.2f} points, which cannot be told "
        "without item-level data"
    )


def _share(figure: Figure) -> Interval | None:
    """Return what rounding leaves of a percentage, as a share; None if nothing is from 0 to 1."""
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

"""Figures as printed: their value, and what rounding leaves open."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from storyaudit.stats.rational_intervals import Interval

Sign = Literal["=", "<", "<=", ">", ">="]
_SIGNS: dict[str, Sign] = {  # two characters before one
    "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">=", "<": "<", ">": ">", "=": "=",
}  # fmt: skip
_NUMBER = re.compile(r"[-−+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−+]?\d+(?:\.\d+)?|[-−+]?\.\d+")
_MOST_DIGITS = 30
_LAST_BITS = Fraction(1, 10**9)


@dataclass(frozen=True)
class Printed:
    """A printed number.

    Attributes:
        value: as printed.
        decimals: how many decimal places the print has, or stands for.
        exact: it is a count: a whole number that nothing says is rounded.
        sign: how the print compares the figure with the number: 'p < 0.05' prints a bound, which
            is exact.
    """

    value: Decimal
    decimals: int
    exact: bool = False
    sign: Sign = "="

    @property
    def half_step(self) -> Decimal:
        """Half a unit of the last place: how far the true value may lie from a rounded print."""
        return Decimal(1).scaleb(-self.decimals) / 2

    @property
    def interval(self) -> Interval:
        """What rounding leaves of the number, by any rule for halves: 75.0 is [74.95, 75.05]."""
        value = Fraction(self.value)
        half = Fraction(0) if self.exact or self.sign != "=" else Fraction(self.half_step)
        return Interval(value - half, value + half)

    def admits(self, value: float) -> bool:
        """Return whether ``value`` gives the print by any rule for halves; NaN does not.

        A value computed in floating point may miss a half, or a whole number, by its last bits.
        """
        if not math.isfinite(value):
            return False
        slack = min(_LAST_BITS, Fraction(self.half_step) / 1000)
        computed, printed = Fraction(value), self.interval
        match self.sign:
            case "<":
                return computed < printed.low - slack
            case "<=":
                return computed <= printed.low + slack
            case ">":
                return computed > printed.high + slack
            case ">=":
                return computed >= printed.high - slack
            case "=":
                return printed.low - slack <= computed <= printed.high + slack


def parse_printed(text: str, decimals: int | None = None) -> Printed:
    """Parse a printed number such as '1,133', '8.7', '−0.05' or '< 0.001'.

    Args:
        text: the number alone, with thousands separated by commas or not at all, and a comparison
            in front where the print has one.
        decimals: the places that the print stands for: more than it has where it drops trailing
            zeros, 0 for a whole number that is rounded, below zero for a round number.

    Raises:
        ValueError: no such number, or more places printed than ``decimals``.
    """
    sign = next((sign for sign in _SIGNS if text.lstrip().startswith(sign)), "")
    digits = text.strip().removeprefix(sign).strip()
    if len(digits) > 2 * _MOST_DIGITS or not _NUMBER.fullmatch(digits):
        raise ValueError(f"{_shortened(text)} is not one printed number")
    value = Decimal(digits.replace(",", "").replace("−", "-"))
    if len(value.as_tuple().digits) > _MOST_DIGITS:
        raise ValueError(f"{_shortened(text)} has more than {_MOST_DIGITS} digits")
    places = -int(value.as_tuple().exponent)
    if decimals is not None and (Fraction(value) * Fraction(10) ** decimals).denominator != 1:
        raise ValueError(f"{_shortened(text)} prints more than {decimals} decimal places")
    exact = decimals is None and places == 0
    return Printed(value, places if decimals is None else decimals, exact, _SIGNS[sign or "="])


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")

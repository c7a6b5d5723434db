"""Figures as printed: their value, and what rounding leaves open."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = re.compile(r"[-−+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−+]?\d+(?:\.\d+)?|[-−+]?\.\d+")


@dataclass(frozen=True)
class Printed:
    """A printed number.

    Attributes:
        value: as printed.
        decimals: how many decimal places the print has, or stands for.
    """

    value: Decimal
    decimals: int

    @property
    def half_step(self) -> Decimal:
        """Half a unit of the last place: how far the true value may lie from the print."""
        return Decimal(1).scaleb(-self.decimals) / 2

    def admits(self, value: float) -> bool:
        """Return whether ``value`` rounds to the print, by any rule for halves; NaN does not.

        A value computed in floating point may miss a half by its last bits.
        """
        if math.isnan(value):
            return False
        return abs(Decimal(value) - self.value) <= self.half_step + Decimal("1e-9")


def parse_printed(text: str, decimals: int | None = None) -> Printed:
    """Parse a printed number such as '1,133', '8.7' or '−0.05'.

    Args:
        text: the number alone, with thousands separated by commas or not at all.
        decimals: the places that the print stands for where it drops trailing zeros.

    Raises:
        ValueError: no such number, or more places printed than ``decimals``.
    """
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not one printed number")
    value = Decimal(text.replace(",", "").replace("−", "-"))
    places = -int(value.as_tuple().exponent)
    if decimals is None:
        return Printed(value, places)
    if decimals < places:
        raise ValueError(f"{text!r} prints more than {decimals} decimal places")
    return Printed(value, decimals)

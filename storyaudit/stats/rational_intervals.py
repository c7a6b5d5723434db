"""Exact interval arithmetic on rational numbers: what rounding leaves open stays open."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Literal

Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
_MOST_BITS = 20_000
_LARGEST = 1000
"""In bits; a float holds numbers up to 1024."""


@dataclass(frozen=True)
class Interval:
    """A closed interval of rational numbers, ``low`` ≤ ``high``.

    Raises:
        OverflowError: its numbers take more digits than any sum over printed figures needs; a
            product of products could otherwise fill the memory.
    """

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        for end in (self.low, self.high):
            above, below = end.numerator.bit_length(), end.denominator.bit_length()
            if max(above, below) > _MOST_BITS or above - below > _LARGEST:
                raise OverflowError("it grows beyond all measure")
        if self.low > self.high:
            raise ValueError(f"{self.low} lies above {self.high}")

    @classmethod
    def point(cls, value: int | Fraction) -> "Interval":
        """Return the interval of one number."""
        return cls(Fraction(value), Fraction(value))

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high)

    def __neg__(self) -> "Interval":
        return Interval(-self.high, -self.low)

    def __sub__(self, other: "Interval") -> "Interval":
        return self + -other

    def __mul__(self, other: "Interval") -> "Interval":
        products = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(products), max(products))

    def __truediv__(self, other: "Interval") -> "Interval":
        """Divide.

        Raises:
            ZeroDivisionError: the divisor may be zero, so that the quotient is undetermined.
        """
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("the divisor may be zero")
        return self * Interval(1 / other.high, 1 / other.low)

    def meets(self, other: "Interval") -> bool:
        """Return whether the two have a number in common."""
        return self.low <= other.high and other.low <= self.high

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | Fraction) and self.low <= value <= self.high


def compare(left: Interval, sign: Comparison, right: Interval) -> bool | None:
    """Return whether a comparison is true of all numbers of two intervals, or false of all.

    Returns:
        None if it is true of some and false of others.
    """
    match sign:
        case "=":
            always, never = left.low == left.high == right.low == right.high, not left.meets(right)
        case "<":
            always, never = left.high < right.low, left.low >= right.high
        case "<=":
            always, never = left.high <= right.low, left.low > right.high
        case "!=":
            equal = compare(left, "=", right)
            return None if equal is None else not equal
        case ">" | ">=":
            return compare(right, "<" if sign == ">" else "<=", left)
    return True if always else False if never else None


def total(parts: Sequence[Interval]) -> Interval:
    """Return the sum of intervals; of none, zero."""
    return reduce(add, parts, Interval.point(0))


def mean(parts: Sequence[Interval]) -> Interval:
    """Return the unweighted mean of one interval or more."""
    return total(parts) / Interval.point(len(parts))


def weighted_mean(values: Sequence[Interval], weights: Sequence[Interval]) -> Interval:
    """Return bounds of a weighted mean whose weights are themselves open.

    A weight is not negative: what rounding leaves of one below zero is cut off. The mean rises
    with every value and moves towards the value whose weight grows. So the highest takes the high
    ends of the values, the high weights of the largest of them, and the low weights of the rest;
    where to cut is tried.

    Raises:
        ZeroDivisionError: the weights may all be zero.
        ValueError: a weight is negative, or there is not a weight for each value.
    """
    if len(values) != len(weights):
        raise ValueError(f"{len(values)} values and {len(weights)} weights")
    if any(weight.high < 0 for weight in weights):
        raise ValueError("a weight is negative")
    masses = [(max(weight.low, Fraction(0)), weight.high) for weight in weights]
    if all(low == 0 for low, _ in masses):
        raise ZeroDivisionError("the weights may all be zero")
    return Interval(
        -_highest([-value.low for value in values], masses),
        _highest([value.high for value in values], masses),
    )


def _highest(values: Sequence[Fraction], masses: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    ranked = sorted(zip(values, masses, strict=True), key=lambda pair: -pair[0])
    mass = sum((low for _, (low, _) in ranked), Fraction(0))
    weighted = sum((value * low for value, (low, _) in ranked), Fraction(0))
    highest = weighted / mass
    for value, (low, high) in ranked:
        mass += high - low
        weighted += value * (high - low)
        highest = max(highest, weighted / mass)
    return highest

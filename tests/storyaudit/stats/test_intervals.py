from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.stats import rational_intervals as intervals
from storyaudit.stats.rational_intervals import Interval, compare

numbers = st.fractions(-100, 100, max_denominator=50)
weights = st.fractions(0, 20, max_denominator=10)


def held(of=numbers):
    """A number, and an interval that holds it."""
    return st.tuples(of, of, of).map(lambda t: (t[1], Interval(min(t), max(t))))


def interval(low, high):
    return Interval(Fraction(low), Fraction(high))


@given(held(), held())
def test_what_is_true_of_numbers_is_true_of_intervals_that_hold_them(one, other):
    (x, a), (y, b) = one, other
    assert x + y in a + b
    assert x - y in a - b
    assert x * y in a * b
    assert -x in -a
    if 0 not in b:
        assert x / y in a / b


@given(st.lists(held(), min_size=1, max_size=6))
def test_sums_and_means(pairs):
    values, parts = zip(*pairs, strict=True)
    assert sum(values, Fraction(0)) in intervals.total(parts)
    assert sum(values, Fraction(0)) / len(values) in intervals.mean(parts)


@given(held(), held())
def test_no_bound_is_wider_than_the_corners(one, other):
    (_, a), (_, b) = one, other
    corners = list(product((a.low, a.high), (b.low, b.high)))
    for result, values in (
        (a + b, [x + y for x, y in corners]),
        (a - b, [x - y for x, y in corners]),
        (a * b, [x * y for x, y in corners]),
    ):
        assert (result.low, result.high) == (min(values), max(values))


def test_a_divisor_that_may_be_zero_leaves_the_quotient_undetermined():
    for divisor in (interval(-1, 1), interval(0, 1), interval(-1, 0), interval(0, 0)):
        with pytest.raises(ZeroDivisionError):
            interval(1, 2) / divisor
    assert interval(1, 2) / interval(-4, -2) == interval(-1, Fraction(-1, 4))


@given(st.lists(st.tuples(held(), held(weights)), min_size=1, max_size=3))
def test_a_weighted_mean_has_the_bounds_of_its_corners(parts):
    values = [value for (_, value), _ in parts]
    masses = [mass for _, (_, mass) in parts]
    if all(mass.low == 0 for mass in masses):
        with pytest.raises(ZeroDivisionError):
            intervals.weighted_mean(values, masses)
        return
    # Linear in each value and monotone in each weight, so that its extremes lie at corners.
    corners = [
        sum(map(prod, zip(xs, ws, strict=True)), Fraction(0)) / sum(ws, Fraction(0))
        for xs in product(*((v.low, v.high) for v in values))
        for ws in product(*((m.low, m.high) for m in masses))
    ]
    assert intervals.weighted_mean(values, masses) == Interval(min(corners), max(corners))


def test_a_weight_is_cut_at_zero_and_refused_below():
    values = [interval(1, 1), interval(2, 2)]
    # Printed 0.0 and 1.0: the first weight is from 0 to 0.05, so that the mean is from
    # (0.05 · 1 + 0.95 · 2) / (0.05 + 0.95) = 1.95 to 2.
    found = intervals.weighted_mean(values, [interval("-0.05", "0.05"), interval("0.95", "1.05")])
    assert found == interval("1.95", 2)
    with pytest.raises(ValueError, match="a weight is negative"):
        intervals.weighted_mean(values, [interval(-2, -1), interval(3, 3)])
    with pytest.raises(ValueError, match="2 values and 1 weights"):
        intervals.weighted_mean(values, [interval(1, 1)])


@pytest.mark.parametrize("sign", ["=", "!=", "<", "<=", ">", ">="])
@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_a_comparison_is_told_as_far_as_all_pairs_of_numbers_tell_it(sign, ends):
    left, right = interval(*sorted(ends[:2])), interval(*sorted(ends[2:]))
    # On a grid of halves some pair decides whatever real numbers do, since the ends are whole.
    grid = [Fraction(n, 2) for n in range(-6, 7)]
    true = {
        {"=": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[sign]
        for x in grid
        if x in left
        for y in grid
        if y in right
    }
    assert compare(left, sign, right) is (None if len(true) > 1 else true.pop())


def test_an_interval_has_its_ends_in_order():
    with pytest.raises(ValueError, match="lies above"):
        interval(2, 1)


def test_a_power_tower_ends_in_an_error():
    grown = interval(10**20, 10**20 + 1)
    with pytest.raises(OverflowError, match="beyond all measure"):
        for _ in range(40):
            grown = grown * grown
    shrunk = Interval.point(1) / interval(3, 3)
    with pytest.raises(OverflowError, match="beyond all measure"):
        for _ in range(40):
            shrunk = shrunk * shrunk


def test_a_mean_over_hundreds_of_shares_does_not():
    shares = [Interval.point(1) / Interval.point(n) for n in range(1000, 1500)]
    assert float(intervals.mean(shares).low) == pytest.approx(
        sum(1 / n for n in range(1000, 1500)) / 500
    )

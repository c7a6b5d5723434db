import math
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.ledger.printed import parse_printed


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("8.7", "8.7", 1),
        ("8.70", "8.70", 2),
        ("1,133", "1133", 0),
        ("93,729", "93729", 0),
        ("1,234,567.8", "1234567.8", 1),
        ("1133", "1133", 0),
        ("−0.05", "-0.05", 2),
        ("-0.05", "-0.05", 2),
        ("+3", "3", 0),
        (".5", "0.5", 1),
        (" 12 ", "12", 0),
        ("0", "0", 0),
    ],
)
def test_parses_what_papers_print(text, value, decimals):
    printed = parse_printed(text)
    assert (printed.value, printed.decimals) == (Decimal(value), decimals)


@pytest.mark.parametrize(
    "text",
    ["", "eight", "8,7", "1,13", "11,33,000", "8.", "8.7%", "8.7 (0.3)", "1e5", "nan", "inf", "--5",
     "1_000", "0x10", "1,133.", "5–7", "1e400", "<", "< <5", "<>5", "p < 0.05", "9" * 5000,
     " " * 100_000 + "x"],
)  # fmt: skip
def test_refuses_what_is_not_one_number(text):
    with pytest.raises(ValueError, match="not one printed number") as error:
        parse_printed(text)
    assert len(str(error.value)) < 100


def test_refuses_more_digits_than_anything_prints():
    assert parse_printed("9" * 30).value == 10**30 - 1
    with pytest.raises(ValueError, match="more than 30 digits"):
        parse_printed("9" * 31)
    assert parse_printed(f"{'9' * 24}.5", decimals=12).value == Decimal(f"{'9' * 24}.5")


@pytest.mark.parametrize(
    ("text", "sign", "admitted", "refused"),
    [
        ("<0.05", "<", 0.049, 0.05),
        ("< 0.001", "<", 0.0, 0.0011),
        ("≤ 0.05", "<=", 0.05, 0.051),
        ("<=0.05", "<=", 0.05, 0.051),
        (">0.05", ">", 0.051, 0.05),
        ("≥ 100", ">=", 100.0, 99.0),
        (">= 100", ">=", 100.0, 99.0),
        ("= 0.03", "=", 0.034, 0.036),
    ],
)
def test_a_bound_is_exact(text, sign, admitted, refused):
    printed = parse_printed(text)
    assert printed.sign == sign
    assert printed.admits(admitted) and not printed.admits(refused)
    if sign != "=":
        assert printed.interval.low == printed.interval.high == Fraction(printed.value)


@pytest.mark.parametrize(
    ("text", "decimals", "low", "high"),
    [
        ("75.0", None, "74.95", "75.05"),
        ("8.70", None, "8.695", "8.705"),
        ("−0.05", None, "-0.055", "-0.045"),
        ("1,133", None, "1133", "1133"),  # a count
        ("2,802", 0, "2801.5", "2802.5"),  # a mean, rounded
        ("2", 1, "1.95", "2.05"),  # drops its zero
        ("6,000", -3, "5500", "6500"),  # about
        ("100,000", -5, "50000", "150000"),
        ("0.6", 6, "0.5999995", "0.6000005"),  # set, not rounded
    ],
)
def test_what_rounding_leaves_of_a_print(text, decimals, low, high):
    interval = parse_printed(text, decimals).interval
    assert (interval.low, interval.high) == (Fraction(low), Fraction(high))


def test_a_print_may_stand_for_more_places_but_not_for_fewer():
    assert parse_printed("2", decimals=1).decimals == 1
    with pytest.raises(ValueError, match="more than 1 decimal"):
        parse_printed("2.25", decimals=1)
    with pytest.raises(ValueError, match="more than -3 decimal"):
        parse_printed("6,100", decimals=-3)


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_parses_what_python_prints(number, places):
    value = Decimal(number).scaleb(-places)
    for text in (f"{value:.{places}f}", f"{value:,.{places}f}"):
        printed = parse_printed(text)
        assert (printed.value, printed.decimals) == (value, places)


@given(st.floats(-1e6, 1e6), st.integers(0, 4), st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]))
def test_admits_every_value_that_rounds_to_the_print(value, places, rule):
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), rounding=rule)
    printed = parse_printed(f"{rounded:f}", places)
    assert printed.admits(value)
    assert Fraction(value) in printed.interval


@given(st.integers(-1000, 1000), st.integers(0, 12), st.sampled_from([-1, 1]))
def test_does_not_admit_what_lies_beyond_the_half_step(number, places, side):
    printed = parse_printed(f"{Decimal(number).scaleb(-places):.{places}f}", places)
    assert not printed.admits(float(number / 10**places + side * 0.51 / 10**places))


@given(st.integers(-(10**6), 10**6), st.floats(-0.49, 0.49).filter(lambda x: abs(x) > 1e-6))
def test_a_count_admits_itself_alone(count, off):
    printed = parse_printed(f"{count:,}")
    assert printed.exact and printed.admits(count) and not printed.admits(count + off)


@pytest.mark.parametrize(
    ("text", "decimals", "value", "admitted"),
    [
        ("8.7", None, 8.65, True),
        ("8.7", None, 8.75, True),  # a half may go up, or to the even digit
        ("0.2", None, 0.15, True),  # 0.1499999999999999944 in binary
        ("8.7", None, 8.76, False),
        ("2", None, 2.4, False),  # a count
        ("2", 0, 2.4, True),  # a rounded number
        ("2", 1, 2.4, False),  # the print dropped its zero
        ("8.7", None, math.nan, False),
        ("8.7", None, math.inf, False),
        ("<8.7", None, -math.inf, False),
        ("65", None, 64.99999999999999, True),  # floating point
    ],
)
def test_halves_and_dropped_zeros(text, decimals, value, admitted):
    assert parse_printed(text, decimals).admits(value) is admitted

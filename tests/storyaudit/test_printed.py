import math
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.printed import parse_printed


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
     "1_000", "0x10", "1,133.", "5–7"],
)  # fmt: skip
def test_refuses_what_is_not_one_number(text):
    with pytest.raises(ValueError, match="not one printed number"):
        parse_printed(text)


def test_a_print_may_stand_for_more_places_but_not_for_fewer():
    assert parse_printed("2", decimals=1).decimals == 1
    with pytest.raises(ValueError, match="more than 1 decimal"):
        parse_printed("2.25", decimals=1)


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_parses_what_python_prints(number, places):
    value = Decimal(number).scaleb(-places)
    for text in (f"{value:.{places}f}", f"{value:,.{places}f}"):
        printed = parse_printed(text)
        assert (printed.value, printed.decimals) == (value, places)


@given(st.floats(-1e6, 1e6), st.integers(0, 4), st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]))
def test_admits_every_value_that_rounds_to_the_print(value, places, rule):
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), rounding=rule)
    assert parse_printed(f"{rounded:f}").admits(value)


@given(st.integers(-1000, 1000), st.integers(0, 4), st.sampled_from([-1, 1]))
def test_does_not_admit_what_lies_beyond_the_half_step(number, places, side):
    printed = parse_printed(f"{Decimal(number).scaleb(-places):.{places}f}")
    assert not printed.admits(float(number / 10**places + side * 0.51 / 10**places))


@pytest.mark.parametrize(
    ("text", "decimals", "value", "admitted"),
    [
        ("8.7", None, 8.65, True),
        ("8.7", None, 8.75, True),  # a half may go up, or to the even digit
        ("0.2", None, 0.15, True),  # 0.1499999999999999944 in binary
        ("8.7", None, 8.76, False),
        ("2", None, 2.4, True),
        ("2", 1, 2.4, False),  # the print dropped its zero
        ("8.7", None, math.nan, False),
        ("8.7", None, math.inf, False),
    ],
)
def test_halves_and_dropped_zeros(text, decimals, value, admitted):
    assert parse_printed(text, decimals).admits(value) is admitted

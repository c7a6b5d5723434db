import pytest

from storyaudit.phrasing import (
    agreeing,
    among,
    ci,
    decimal,
    estimated,
    k_of_n,
    level,
    listed,
    p_value,
    percent,
    points,
    signed_decimal,
    significance,
    tenths,
    unsigned_points,
)
from storyaudit.stats.estimate import Estimate
from storyaudit.stats.proportion import proportion


@pytest.mark.parametrize(
    ("shown", "value", "expected"),
    [
        (decimal, 0.4849, "0.48"),
        (signed_decimal, 0.4849, "+0.48"),
        (tenths, 2.34, "2.3"),
        (percent, 0.4849, "48.5 %"),
        (points, 0.0123, "+1.2"),
        (points, -0.0123, "-1.2"),
        (unsigned_points, 0.0123, "1.2"),
    ],
)
def test_a_number(shown, value: float, expected: str) -> None:
    assert shown(value) == expected
    assert "-" not in shown(-1e-9), "no negative zero"


def test_an_estimate() -> None:
    found = Estimate(0.4849, 0.4266, 0.5433)
    assert estimated(found, 0.95) == "0.48 (95 % CI 0.43 to 0.54)"
    assert estimated(found, 0.95, percent) == "48.5 % (95 % CI 42.7 to 54.3)"
    shown = estimated(Estimate(-0.02, -0.04, 0.2), 0.9, points, unit="points")
    assert shown == "-2.0 points (90 % CI -4.0 to +20.0)"
    assert estimated(Estimate(0.3), 0.95) == "0.30 (no CI: fewer than 10 items)"
    assert estimated(Estimate(0.3), 0.95, no_ci="no CI: one rater") == "0.30 (no CI: one rater)"


def test_a_proportion() -> None:
    assert k_of_n(proportion(81, 263, 0.95), 0.95) == "81 of 263 (30.8 %, 95 % CI 25.5 to 36.6)"
    assert k_of_n(proportion(0, 0, 0.95), 0.95) == "0 of 0"


def test_an_interval() -> None:
    assert level(0.95) == "95 %" and level(0.999) == "99.9 %"
    found = Estimate(0.1, -0.01, 0.234)
    assert ci(found, 0.9, points) == "90 % CI -1.0 to +23.4"
    assert ci(found, 0.9, percent) == "90 % CI -1.0 to 23.4"
    assert ci(Estimate(0.1), 0.9) == "no CI: fewer than 10 items"
    assert ci(Estimate(0.1), 0.9, no_ci="no CI: one rater") == "no CI: one rater"


def test_a_p_value() -> None:
    assert (p_value(0.0123), p_value(2e-7)) == ("p = 0.012", "p < 0.0001")


def test_what_an_interval_says_of_zero() -> None:
    assert significance(Estimate(0.2, 0.1, 0.3), 0.95) == "significant (95 % CI excludes 0)"
    assert significance(Estimate(0.2, -0.1, 0.3), 0.9) == "not significant (90 % CI includes 0)"
    assert significance(Estimate(0.2), 0.95).startswith("no CI")


@pytest.mark.parametrize(("count", "of", "verb"), [(1, 3, "is"), (0, 1, "is"), (0, 2, "are")])
def test_the_verb_of_k_of_n(count: int, of: int, verb: str) -> None:
    assert agreeing(count, of, "is", "are") == verb


@pytest.mark.parametrize(
    ("names", "expected"),
    [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c"), ("abcd", "4 letters")],
)
def test_up_to_three_names_are_listed(names: str, expected: str) -> None:
    assert listed([*names], "letters") == expected


@pytest.mark.parametrize(
    ("names", "expected"), [("abc", "a; b; c"), ("abcde", "a; b; c; and 2 more")]
)
def test_the_first_three_of_many_are_named(names: str, expected: str) -> None:
    assert among([*names]) == expected

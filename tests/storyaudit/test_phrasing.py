import pytest

from storyaudit.phrasing import (
    count_of,
    decimal,
    fine_percent,
    interval,
    level,
    p_value,
    percent,
    points,
    signed_decimal,
    tenths,
    unsigned_points,
    verdict,
    whole_points,
    with_ci,
)
from storyaudit.stats.estimate import Estimate
from storyaudit.stats.proportion import proportion


@pytest.mark.parametrize(
    ("shown", "value", "expected"),
    [
        (decimal, 0.4849, "0.48"),
        (signed_decimal, 0.4849, "+0.48"),
        (tenths, 2.34, "2.3"),
        (percent, 0.4849, "48%"),
        (fine_percent, 0.4849, "48.5%"),
        (points, 0.0123, "+1.2"),
        (points, -0.0123, "-1.2"),
        (unsigned_points, 0.0123, "1.2"),
        (whole_points, 0.0923, "+9"),
    ],
)
def test_a_number(shown, value: float, expected: str) -> None:
    assert shown(value) == expected
    assert "-" not in shown(-1e-9), "no negative zero"


def test_an_estimate() -> None:
    found = Estimate(0.4849, 0.4266, 0.5433)
    assert with_ci(found) == "0.48 (0.43 to 0.54)"
    assert with_ci(found, percent) == "48% (43% to 54%)"
    assert with_ci(Estimate(-0.001, -0.004, 0.2)) == "0.00 (0.00 to 0.20)"
    assert with_ci(Estimate(0.3)) == "0.30 (interval cannot be told)"


def test_a_proportion() -> None:
    assert count_of(proportion(81, 263, 0.95)) == "81 of 263 (31%, 26% to 37%)"
    assert count_of(proportion(0, 0, 0.95)) == "0 of 0"


def test_an_interval() -> None:
    assert level(0.95) == "95%" and level(0.999) == "99.9%"
    found = Estimate(0.1, -0.01, 0.234)
    assert interval(found, 0.9) == "90% interval -1.0 to +23.4"
    assert interval(found, 0.9, fine_percent) == "90% interval -1.0% to 23.4%"
    assert interval(Estimate(0.1), 0.9) == "no interval from so few items"
    assert interval(Estimate(0.1), 0.9, untold="none") == "none"


def test_a_p_value() -> None:
    assert (p_value(0.0123), p_value(2e-7)) == ("p = 0.012", "p < 0.0001")


def test_a_verdict() -> None:
    assert verdict(Estimate(0.2, 0.1, 0.3)) == "told from zero"
    for untold in (Estimate(0.2, -0.1, 0.3), Estimate(0.2)):
        assert verdict(untold) == "cannot be told from this data"

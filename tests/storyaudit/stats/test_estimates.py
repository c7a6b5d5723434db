import math

import numpy as np
import pytest

from storyaudit.findings import slugs
from storyaudit.stats.bootstrap import percentile_interval
from storyaudit.stats.estimate import (
    Estimate,
    over_units,
    percent,
    resample_weights,
    rounded,
    rounded_p,
    shown_p,
)


def test_the_percentile_interval_is_rs() -> None:
    """R boot's percentile interval of a mean, as scipy's tests have it: 28.86 to 84.21."""
    x = np.array([10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213])
    weights = resample_weights(len(x), 100_000, np.random.default_rng(0))
    low, high = percentile_interval(weights @ x / len(x), 0.95)
    assert (low, high) == pytest.approx((28.86, 84.21), rel=0.01)


def test_weights_are_drawn_with_replacement() -> None:
    weights = resample_weights(30, 4000, np.random.default_rng(1))
    assert weights.shape == (4000, 30) and (weights.sum(axis=1) == 30).all()
    assert weights.var() == pytest.approx(29 / 30, rel=0.02)


def test_an_interval_that_says_nothing_is_none() -> None:
    assert percentile_interval(np.full(100, 0.3), 0.95) == (None, None)
    samples = np.random.default_rng(2).normal(size=100)
    assert percentile_interval(np.where(np.arange(100) < 4, np.nan, samples), 0.95)[0] is not None
    assert percentile_interval(np.where(np.arange(100) < 6, np.nan, samples), 0.95)[0] is None


def test_from_fewer_than_ten_units_there_is_no_interval() -> None:
    samples = np.arange(101.0)
    assert over_units(50, samples, 9, 0.9) == Estimate(50)
    assert over_units(50, samples, 10, 0.9) == Estimate(50, pytest.approx(5), pytest.approx(95))


def test_no_negative_zero_is_shown() -> None:
    found = Estimate(-0.001, -0.004, 0.2)
    assert str(found) == "0.00 (0.00 to 0.20)" and percent(found) == "0% (0% to 20%)"
    assert str(Estimate(-0.001)) == "0.00 (interval cannot be told)"
    assert str(Estimate(-0.01, -0.5, 0.2)) == "-0.01 (-0.50 to 0.20)"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.12345, 0.123), (-0.0001, 0.0), (None, None), (math.nan, None), (math.inf, None)],
)
def test_no_more_digits_than_known(value: float | None, expected: float | None) -> None:
    found = rounded(value)
    assert found == expected and (found is None or math.copysign(1, found) == 1 or found < 0)


def test_p_values() -> None:
    assert [rounded_p(p) for p in (0.00031052, 0.0625, 1.0)] == [0.000311, 0.0625, 1.0]
    assert rounded_p(math.nan) is None and rounded_p(None) is None
    assert (shown_p(0.0123), shown_p(2e-7)) == ("p = 0.012", "p < 0.0001")


def test_an_estimate_for_people_and_for_numbers() -> None:
    told = Estimate(0.4849, 0.4266, 0.5433)
    assert str(told) == "0.48 (0.43 to 0.54)" and told.excludes_zero()
    assert told.numbers("k", 2) == {"k": 0.48, "k_low": 0.43, "k_high": 0.54}
    untold = Estimate(0.3)
    assert str(untold) == "0.30 (interval cannot be told)" and not untold.excludes_zero()
    assert not Estimate(0.1, -0.2, 0.3).excludes_zero()


def test_slugs_are_ids_and_differ() -> None:
    assert slugs(["GPT-4", "gpt 4", "模型", "", "a" * 200]) == [
        "gpt-4", "gpt-4-2", "unnamed", "unnamed-2", "a" * 80,
    ]  # fmt: skip

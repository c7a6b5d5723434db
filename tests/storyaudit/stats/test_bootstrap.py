import numpy as np
import pytest

from storyaudit.stats.bootstrap import (
    bootstrap_counts,
    bootstrap_estimate,
    bootstrap_ratio,
    percentile_ci,
)
from storyaudit.stats.estimate import Estimate


def test_the_percentile_interval_is_rs() -> None:
    """R boot's percentile interval of a mean, as scipy's tests have it: 28.86 to 84.21."""
    x = np.array([10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213])
    weights = bootstrap_counts(len(x), 100_000, np.random.default_rng(0))
    low, high = percentile_ci(weights @ x / len(x), 0.95)
    assert (low, high) == pytest.approx((28.86, 84.21), rel=0.01)


def test_weights_are_drawn_with_replacement() -> None:
    weights = bootstrap_counts(30, 4000, np.random.default_rng(1))
    assert weights.shape == (4000, 30) and (weights.sum(axis=1) == 30).all()
    assert weights.var() == pytest.approx(29 / 30, rel=0.02)


def test_an_interval_that_says_nothing_is_none() -> None:
    assert percentile_ci(np.full(100, 0.3), 0.95) == (None, None)
    samples = np.random.default_rng(2).normal(size=100)
    assert percentile_ci(np.where(np.arange(100) < 4, np.nan, samples), 0.95)[0] is not None
    assert percentile_ci(np.where(np.arange(100) < 6, np.nan, samples), 0.95)[0] is None


def test_a_ratio_is_that_of_the_units_drawn() -> None:
    totals, sizes = np.array([1.0, 4.0, 0.0]), np.array([1.0, 2.0, 0.0])
    weights = np.array([[1.0, 1, 1], [3, 0, 0], [1, 2, 0], [0, 0, 3]])
    value, samples, units = bootstrap_ratio(totals, sizes, weights)
    assert value == 5 / 3 and units == 2
    assert samples[:3].tolist() == [5 / 3, 1, 9 / 5] and np.isnan(samples[3])
    assert np.isnan(bootstrap_ratio(0 * totals, 0 * sizes, weights)[0])


def test_few_units_have_no_interval() -> None:
    samples = np.linspace(0, 1, 101)
    assert bootstrap_estimate(0.5, samples, 9, 0.9) == Estimate(0.5)
    found = bootstrap_estimate(0.5, samples, 10, 0.9)
    assert (found.low, found.high) == pytest.approx((0.05, 0.95))


@pytest.mark.parametrize(("units", "told"), [(9, False), (10, True)])
def test_units_that_say_nothing_do_not_count_towards_ten(units: int, told: bool) -> None:
    sizes = (np.arange(12) < units).astype("float64")
    counts = bootstrap_counts(12, 500, np.random.default_rng(7))
    found = bootstrap_ratio(sizes * np.arange(12), sizes, counts).estimate(0.95)
    assert found.value == (units - 1) / 2  # the mean of 0 to units − 1
    assert (found.low is not None and found.high is not None) == told


def test_a_difference_and_a_relative_one_are_paired() -> None:
    counts = bootstrap_counts(20, 200, np.random.default_rng(5))
    values = np.random.default_rng(6).uniform(1, 2, 20)
    one, twice = (bootstrap_ratio(part, np.ones(20), counts) for part in (values, 2 * values))
    apart = twice.less(one)
    assert apart.value == pytest.approx(values.mean())
    assert apart.samples == pytest.approx(one.samples)
    more = twice.percent_over(one)
    assert more.value == pytest.approx(100) and more.samples == pytest.approx(np.full(200, 100))
    below = bootstrap_ratio(values - 5, np.ones(20), counts)
    assert np.isnan(one.percent_over(below).value)

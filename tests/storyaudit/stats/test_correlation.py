from itertools import product

import numpy as np
import pytest
from scipy import stats

from storyaudit.stats.bootstrap import bootstrap_counts, percentile_ci
from storyaudit.stats.correlation import (
    KINDS,
    Kind,
    bootstrap_correlation,
    correlation,
    pearson_by_order,
)


def test_kendalls_oracle() -> None:
    x, y = np.array([12.0, 2, 1, 12, 2]), np.array([1.0, 4, 7, 1, 0])
    found = correlation(x, y, "kendall", 0.95)
    assert found is not None and found.value == pytest.approx(-0.4714, abs=5e-5)
    assert stats.kendalltau(x, y).pvalue == pytest.approx(0.2827, abs=5e-5)
    assert bootstrap_correlation(x, y, "kendall", np.ones((1, 5)))[0] == pytest.approx(found.value)


def test_fishers_interval_is_scipys() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=30)
    y = x + rng.normal(size=30)
    found = correlation(x, y, "pearson", 0.9)
    expected = stats.pearsonr(x, y).confidence_interval(0.9)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_bonett_and_wrights_intervals_by_hand() -> None:
    # Neighbours change places: four differences of ranks of 1 both ways, so that Spearman's is
    # 1 − 6 · 8 / (8 · 63), and four of 28 pairs are discordant.
    x, y = np.arange(1.0, 9), np.array([2.0, 1, 4, 3, 6, 5, 8, 7])
    rho, tau = 1 - 48 / 504, 20 / 28
    for kind, value, variance in (
        ("spearman", rho, (1 + rho**2 / 2) / 5),
        ("kendall", tau, 0.437 / 4),
    ):
        found = correlation(x, y, kind, 0.95)
        assert found is not None
        half = 1.959964 * variance**0.5
        ends = np.tanh(np.arctanh(value) - half), np.tanh(np.arctanh(value) + half)
        assert (found.value, found.low, found.high) == pytest.approx((value, *ends), abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_resampling_is_scipys_correlation_of_the_drawn(kind: Kind) -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(0, 8, 25).astype(float)  # with ties
    y = np.round(x + rng.normal(0, 3, 25))
    weights = bootstrap_counts(25, 20, rng)
    function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    for sample, row in zip(bootstrap_correlation(x, y, kind, weights), weights, strict=True):
        drawn = np.repeat(np.arange(25), row.astype(int))
        assert sample == pytest.approx(function[kind](x[drawn], y[drawn]).statistic)


@pytest.mark.parametrize("kind", KINDS)
def test_both_intervals_cover_a_planted_correlation(kind: Kind) -> None:
    rng = np.random.default_rng(6)
    truth = {"pearson": 0.6, "spearman": 6 / np.pi * np.arcsin(0.3), "kendall": 0.4097}[kind]
    analytic = bootstrap = 0
    for _ in range(200):
        x = rng.normal(size=50)
        y = 0.6 * x + 0.8 * rng.normal(size=50)
        point = correlation(x, y, kind, 0.9)
        assert point is not None and point.low is not None and point.high is not None
        analytic += point.low <= truth <= point.high
        samples = bootstrap_correlation(x, y, kind, bootstrap_counts(50, 200, rng))
        low, high = percentile_ci(samples, 0.9)
        assert low is not None and high is not None
        bootstrap += low <= truth <= high
    assert 0.83 <= analytic / 200 <= 0.96 and 0.8 <= bootstrap / 200 <= 0.96


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_told_is_none(kind: Kind) -> None:
    assert correlation(np.array([1.0, 2]), np.array([2.0, 1]), kind, 0.95) is None
    assert correlation(np.arange(9.0), np.full(9, 3.0), kind, 0.95) is None
    constant = bootstrap_correlation(np.arange(9.0), np.full(9, 3.0), kind, np.ones((2, 9)))
    assert np.isnan(constant).all()
    assert np.isnan(bootstrap_correlation(np.arange(3.0), np.ones(3), kind, np.zeros((1, 3)))).all()


def test_pearson_over_every_order_of_raters_by_loops() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(50, 10, 24)
    y = x + rng.normal(5, 8, 24)
    block = np.repeat(np.arange(4), 6)
    values = []
    for swapped in product([False, True], repeat=4):
        swap = np.array(swapped)[block]
        values.append(stats.pearsonr(np.where(swap, y, x), np.where(swap, x, y)).statistic)
    assert pearson_by_order(x, y, block) == pytest.approx((min(values), max(values)))
    assert pearson_by_order(x, y, np.zeros(24, dtype=int)) is None
    assert pearson_by_order(x, y, np.arange(24)) is None

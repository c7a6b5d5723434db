from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from storyaudit.stats import macro_accuracy as bootstrap
from storyaudit.stats.bootstrap import percentile_ci
from storyaudit.stats.macro_accuracy import bootstrap_macro, macro, no_ci_reason

R_EXAMPLE = [10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213]


def one_stratum(values: list[float]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(values, dtype="float64")[:, None], np.zeros(len(values), dtype="int64")


def resample(outcomes: np.ndarray, strata: np.ndarray, *, resamples: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return bootstrap_macro(outcomes, strata, resamples=resamples, rng=rng)


def test_macro_by_hand() -> None:
    # First model: (2/3 + 1/1) / 2 = 5/6; second: (1/3 + 0/1) / 2 = 1/6. Micro were 3/4 and 1/4.
    outcomes = np.array([[1, 0], [1, 1], [0, 0], [1, 0]], dtype="float64")
    assert macro(outcomes, np.array([0, 0, 0, 1])) == pytest.approx([5 / 6, 1 / 6])
    assert macro(outcomes, np.array([0, 0, 0, 0])) == pytest.approx([3 / 4, 1 / 4])


def test_one_stratum_is_scipys_bootstrap_of_a_mean() -> None:
    values = np.random.default_rng(1).integers(0, 2, 90).astype("float64").tolist()
    samples = resample(*one_stratum(values), resamples=2000, seed=7)[:, 0]
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=2000, method="percentile", rng=np.random.default_rng(7)
    )
    np.testing.assert_allclose(samples, theirs.bootstrap_distribution)
    assert percentile_ci(samples, 0.95) == pytest.approx(tuple(theirs.confidence_interval))


def test_the_interval_of_rs_boot_package() -> None:
    # R boot, percentile: 28.86 to 84.21; at 40,000 resamples an end varies by less than 0.25.
    samples = resample(*one_stratum(R_EXAMPLE), resamples=40_000, seed=2)[:, 0]
    assert percentile_ci(samples, 0.95) == pytest.approx((28.86, 84.21), abs=1.0)


def test_all_samples_of_a_tiny_table_in_their_proportions() -> None:
    # Strata {0, 1} and {1}: the first's mean is 0, 1/2, 1 with chances 1/4, 1/2, 1/4.
    outcomes, strata = np.array([[0.0], [1.0], [1.0]]), np.array([0, 0, 1])
    samples = resample(outcomes, strata, resamples=20_000, seed=3)[:, 0]
    values, counts = np.unique(samples, return_counts=True)
    assert values.tolist() == [0.5, 0.75, 1.0]
    assert counts / 20_000 == pytest.approx([1 / 4, 1 / 2, 1 / 4], abs=4 * sqrt(0.25 / 20_000))


def test_strata_keep_their_sizes() -> None:
    # Var = Σ p(1 − p)/n over strata / K²; a stratum of one outcome adds nothing.
    halves, fifths, always = [0, 1] * 20, [1, 0, 0, 0, 0] * 4, [1] * 7
    outcomes = np.array(halves + fifths + always, dtype="float64")[:, None]
    strata = np.repeat([0, 1, 2], [40, 20, 7])
    samples = resample(outcomes, strata, resamples=40_000, seed=4)[:, 0]
    expected = (0.5 * 0.5 / 40 + 0.2 * 0.8 / 20 + 0) / 9
    assert samples.mean() == pytest.approx((0.5 + 0.2 + 1) / 3, abs=4 * sqrt(expected / 40_000))
    # The standard error of a variance of 40,000 samples is 0.7 %.
    assert samples.var() == pytest.approx(expected, rel=0.03)


def test_models_are_resampled_together() -> None:
    rng = np.random.default_rng(5)
    first = rng.integers(0, 2, 60)
    outcomes = np.column_stack([first, first, 1 - first]).astype("float64")
    samples = resample(outcomes, np.repeat([0, 1], 30), resamples=500, seed=5)
    np.testing.assert_array_equal(samples[:, 0], samples[:, 1])
    np.testing.assert_allclose(samples[:, 0] + samples[:, 2], 1)


@pytest.mark.parametrize("batch", [1, 50, 777])
def test_batches_fill_every_sample(monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(bootstrap, "_BATCH", batch)
    outcomes = np.column_stack([np.ones(10), np.arange(10) % 2])
    samples = resample(outcomes, np.repeat([0, 1], 5), resamples=103, seed=6)
    assert samples.shape == (103, 2)
    assert (samples[:, 0] == 1).all() and np.ptp(samples[:, 1]) > 0


def test_percentiles() -> None:
    samples = np.random.default_rng(0).permutation(1001).astype("float64")
    assert percentile_ci(samples, 0.95) == pytest.approx((25.0, 975.0))
    assert percentile_ci(samples, 0.5) == pytest.approx((250.0, 750.0))


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1 + 0.2])
def test_equal_samples_have_no_interval(value: float) -> None:
    assert percentile_ci(np.full(50, value), 0.95) == (None, None)


def test_intervals_cover_the_planted_truth() -> None:
    # Macro truth (0.3 + 0.6 + 0.5) / 3; of 300 intervals 95 % cover it, give or take 1.3 % each.
    rng = np.random.default_rng(8)
    chances = np.repeat([0.3, 0.6, 0.5], [60, 40, 50])
    strata = np.repeat([0, 1, 2], [60, 40, 50])
    covered = 0
    for seed in range(300):
        outcomes = (rng.random(150) < chances).astype("float64")[:, None]
        samples = resample(outcomes, strata, resamples=400, seed=seed)[:, 0]
        low, high = percentile_ci(samples, 0.95)
        covered += low <= 1.4 / 3 <= high
    assert 0.90 <= covered / 300 <= 0.985


def test_paired_differences_cover_zero_where_models_are_equally_good() -> None:
    # Two models of the same accuracy that share most of their luck.
    rng = np.random.default_rng(9)
    strata = np.repeat([0, 1], 60)
    covered = 0
    for seed in range(300):
        shared = rng.random(120)
        own = np.where(rng.random((2, 120)) < 0.7, shared, rng.random((2, 120)))
        samples = resample((own < 0.5).astype("float64").T, strata, resamples=400, seed=seed)
        low, high = percentile_ci(samples[:, 0] - samples[:, 1], 0.95)
        covered += low <= 0 <= high
    assert 0.90 <= covered / 300 <= 0.985


def test_every_item_is_drawn_alike() -> None:
    # With outcomes 1, 10, 100 the draws can be read off a sample's sum.
    outcomes, strata = one_stratum([1, 10, 100])
    samples = resample(outcomes, strata, resamples=27_000, seed=10)[:, 0]
    sums, counts = np.unique(np.rint(3 * samples), return_counts=True)
    expected: dict[float, float] = {}
    for draw in product((1, 10, 100), repeat=3):
        expected[sum(draw)] = expected.get(sum(draw), 0) + 1000
    assert sums.tolist() == sorted(expected)
    assert stats.chisquare(counts, [expected[total] for total in sums]).pvalue > 0.001


def test_items_in_no_stratum_do_not_count() -> None:
    outcomes = np.array([[1.0], [0.0], [1.0], [0.0], [0.0]])
    strata = np.array([0, -1, 1, 1, -1])
    assert macro(outcomes, strata) == pytest.approx([3 / 4])
    kept = strata >= 0
    np.testing.assert_array_equal(
        resample(outcomes, strata, resamples=200, seed=1),
        resample(outcomes[kept], strata[kept], resamples=200, seed=1),
    )


def test_why_resampling_says_nothing_of_the_spread() -> None:
    strata = np.array([0] * 5 + [1] * 5 + [-1])
    varied = np.array([0.0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1])
    assert no_ci_reason(varied, strata, ["a", "b"]) == ""
    level = np.where(strata == 1, 0.5, varied)
    assert no_ci_reason(level, strata, ["a", "b"]) == "no variation between items in b"
    assert no_ci_reason(varied[1:], strata[1:], ["a", "b"]) == "fewer than 5 items in a"

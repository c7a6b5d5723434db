import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from storyaudit.stats.clustered_errors import clustered_error, welch

VALUES = np.array([1.0, 1, 0, 1, 0, 0, 1, 1, 1, 0])
CLUSTERS = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3, 3])


def test_the_textbook_standard_errors() -> None:
    assert clustered_error(VALUES, np.arange(10)) == pytest.approx(0.16330, abs=5e-6)  # naive
    assert clustered_error(VALUES, CLUSTERS, "CR0") == pytest.approx(0.11662, abs=5e-6)
    assert clustered_error(VALUES, CLUSTERS, "CR1") == pytest.approx(0.13466, abs=5e-6)


def test_statsmodels_clusters_the_same() -> None:
    rng = np.random.default_rng(1)
    cluster = rng.integers(0, 7, 40)
    values = rng.normal(size=40) + rng.normal(size=7)[cluster]
    fit = sm.OLS(values, np.ones(40)).fit(
        cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": True}
    )
    assert clustered_error(values, cluster) == pytest.approx(float(fit.bse[0]))


def sides(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1, 12), rng.normal(0.7, 3, 15)


@pytest.mark.parametrize("seed", range(3))
def test_a_cluster_a_value_is_scipys_welch(seed: int) -> None:
    first, second = sides(seed)
    found = welch(first, np.arange(12), second, np.arange(15), 0.9)
    expected = stats.ttest_ind(first, second, equal_var=False)
    interval = expected.confidence_interval(0.9)
    assert found is not None and found.p == pytest.approx(expected.pvalue)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((interval.low, interval.high))
    assert (found.first, found.second) == (12, 15)


@pytest.mark.parametrize("seed", range(3))
def test_clusters_of_one_size_are_welch_on_their_means(seed: int) -> None:
    first, second = sides(seed)
    found = welch(first, np.repeat(np.arange(4), 3), second, np.repeat(np.arange(5), 3), 0.95)
    means = first.reshape(4, 3).mean(axis=1), second.reshape(5, 3).mean(axis=1)
    expected = stats.ttest_ind(*means, equal_var=False)
    assert found is not None and found.p == pytest.approx(expected.pvalue)


def test_a_repeated_value_adds_nothing() -> None:
    first, second = sides(5)
    once = welch(first, np.arange(12), second, np.arange(15), 0.95)
    often = welch(
        np.repeat(first, 10),
        np.repeat(np.arange(12), 10),
        np.repeat(second, 10),
        np.repeat(np.arange(15), 10),
        0.95,
    )
    assert once is not None and often is not None and often.p == pytest.approx(once.p)


def test_what_cannot_be_told_is_none() -> None:
    four = np.arange(4.0)
    assert welch(four, np.zeros(4, dtype=int), four, np.arange(4), 0.95) is None
    assert welch(np.full(4, 2.0), np.arange(4), np.full(3, 5.0), np.arange(3), 0.95) is None

import numpy as np
import pytest

from storyaudit.stats.bootstrap import bootstrap_counts
from storyaudit.stats.clustered_means import difference_of_means, mean_of, mean_of_all


@pytest.fixture
def drawn():
    rng = np.random.default_rng(3)
    level = rng.uniform(0.2, 0.8, size=40)  # premises differ
    values = (rng.random((40, 12)) < level[:, None]).astype(float)
    return values, rng.random((40, 12)) < 0.5


def resampled(values, kept, weights):
    """Each sample written out: a premise's items as often as the premise was drawn."""
    means = []
    for row in weights.astype(int):
        drawn = np.repeat(np.arange(len(values)), row)
        means.append(values[drawn][kept[drawn]].mean())
    return np.array(means)


def test_a_share_by_samples_written_out(drawn):
    values, kept = drawn
    weights = bootstrap_counts(40, 300, np.random.default_rng(1))
    found = mean_of(values, kept, weights, 0.9)
    expected = np.quantile(resampled(values, kept, weights), [0.05, 0.95])
    assert found.estimate.value == pytest.approx(values[kept].mean())
    assert (found.estimate.low, found.estimate.high) == pytest.approx(tuple(expected))
    assert (found.items, found.clusters) == (kept.sum(), kept.any(axis=1).sum())


def test_a_difference_is_paired_within_the_samples(drawn):
    values, kept = drawn
    weights = bootstrap_counts(40, 300, np.random.default_rng(1))
    found = difference_of_means(values, kept, ~kept, weights, 0.9)
    samples = resampled(values, kept, weights) - resampled(values, ~kept, weights)
    assert (found.estimate.low, found.estimate.high) == pytest.approx(
        tuple(np.quantile(samples, [0.05, 0.95]))
    )
    assert found.estimate.value == pytest.approx(values[kept].mean() - values[~kept].mean())


def test_the_interval_is_as_wide_as_premises_make_it(drawn):
    values, _ = drawn
    found = mean_of_all(values, bootstrap_counts(40, 4000, np.random.default_rng(2)), 0.95)
    # With equal sizes the mean is that of 40 premise means: 2 × 1.96 standard errors, CR0.
    means = values.mean(axis=1)
    width = 2 * 1.96 * means.std() / 40**0.5
    assert found.estimate.high - found.estimate.low == pytest.approx(width, rel=0.06)
    # Items taken as independent would have made it narrower.
    assert width > 1.3 * 2 * 1.96 * values.std() / values.size**0.5


def test_items_of_few_premises_have_no_interval():
    values = np.random.default_rng(0).random((30, 4))
    kept = np.zeros((30, 4), dtype=bool)
    weights = bootstrap_counts(30, 200, np.random.default_rng(0))
    assert mean_of(values, kept, weights, 0.95) is None
    assert difference_of_means(values, kept, ~kept, weights, 0.95) is None
    kept[:9] = True
    few = mean_of(values, kept, weights, 0.95)
    assert (few.estimate.low, few.clusters) == (None, 9)
    assert not few.estimate.above(-1)
    assert difference_of_means(values, kept, ~kept, weights, 0.95).estimate.low is None
    kept[9] = True
    assert mean_of(values, kept, weights, 0.95).estimate.low is not None


def test_a_constant_has_no_interval():
    weights = bootstrap_counts(30, 200, np.random.default_rng(0))
    assert mean_of_all(np.ones((30, 4)), weights, 0.95).estimate.low is None

import numpy as np
import pytest

from storyaudit.stats.clustered_proportion import difference, share, whole
from storyaudit.stats.estimate import resample_weights


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
    weights = resample_weights(40, 300, np.random.default_rng(1))
    found = share(values, kept, weights, 0.9)
    expected = np.quantile(resampled(values, kept, weights), [0.05, 0.95])
    assert found.value == pytest.approx(values[kept].mean())
    assert (found.low, found.high) == pytest.approx(tuple(expected))
    assert (found.items, found.premises) == (kept.sum(), kept.any(axis=1).sum())


def test_a_difference_is_paired_within_the_samples(drawn):
    values, kept = drawn
    weights = resample_weights(40, 300, np.random.default_rng(1))
    found = difference(values, kept, ~kept, weights, 0.9)
    samples = resampled(values, kept, weights) - resampled(values, ~kept, weights)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(samples, [0.05, 0.95])))
    assert found.value == pytest.approx(values[kept].mean() - values[~kept].mean())


def test_the_interval_is_as_wide_as_premises_make_it(drawn):
    values, _ = drawn
    found = whole(values, resample_weights(40, 4000, np.random.default_rng(2)), 0.95)
    # With equal sizes the mean is that of 40 premise means: 2 × 1.96 standard errors, CR0.
    means = values.mean(axis=1)
    width = 2 * 1.96 * means.std() / 40**0.5
    assert found.high - found.low == pytest.approx(width, rel=0.06)
    # Items taken as independent would have made it narrower.
    assert width > 1.3 * 2 * 1.96 * values.std() / values.size**0.5


def test_items_of_few_premises_have_no_interval():
    values = np.random.default_rng(0).random((30, 4))
    kept = np.zeros((30, 4), dtype=bool)
    weights = resample_weights(30, 200, np.random.default_rng(0))
    assert share(values, kept, weights, 0.95) is None
    assert difference(values, kept, ~kept, weights, 0.95) is None
    kept[:9] = True
    few = share(values, kept, weights, 0.95)
    assert (few.low, few.high, few.premises) == (None, None, 9)
    assert not few.above(-1)
    assert str(few).endswith("(its interval cannot be told)")
    assert difference(values, kept, ~kept, weights, 0.95).low is None
    kept[9] = True
    assert share(values, kept, weights, 0.95).low is not None


def test_a_constant_has_no_interval():
    weights = resample_weights(30, 200, np.random.default_rng(0))
    assert whole(np.ones((30, 4)), weights, 0.95).low is None

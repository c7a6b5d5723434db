import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.stats.bootstrap import bootstrap_counts, percentile_ci
from storyaudit.stats.krippendorff_alpha import (
    LEVELS,
    Level,
    alpha,
    bootstrap_alpha,
    label_counts,
)

NONE = np.nan
# Krippendorff 2011: four observers, twelve units.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
)


def table(observers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _, unit = np.nonzero(~np.isnan(observers))
    return label_counts(unit, observers[~np.isnan(observers)])


def once(units: tuple[np.ndarray, np.ndarray], level: Level) -> float:
    """Alpha by the bootstrap's way, of the sample that has every unit once."""
    count = len(units[0])
    (found,) = bootstrap_alpha(*units, level, np.arange(count), np.ones((1, count)))
    return float(found)


@pytest.mark.parametrize(
    ("level", "expected"),
    [("nominal", 904 / 1216), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_krippendorffs_example(level: Level, expected: float) -> None:
    assert alpha(*table(OBSERVERS), level) == pytest.approx(expected, abs=5e-4)
    assert once(table(OBSERVERS), level) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("level", LEVELS)
def test_the_binary_example(level: Level) -> None:
    # 0.095 of Krippendorff 2011 is nominal; with the labels 0 and 1 every level is nominal.
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    units = table(np.array([first, second], dtype=float))
    assert alpha(*units, level) == pytest.approx(0.095, abs=5e-4)
    assert once(units, level) == pytest.approx(0.095, abs=5e-4)


tables = st.tuples(st.integers(1, 4), st.integers(1, 10)).flatmap(
    lambda size: st.tuples(
        st.lists(
            st.lists(st.integers(0, 3), min_size=size[0], max_size=size[0]),
            min_size=size[1],
            max_size=size[1],
        ),
        st.lists(st.integers(0, 40), min_size=size[0], max_size=size[0], unique=True).map(sorted),
    )
)


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from(LEVELS), st.integers(0, 2**32))
def test_the_package_krippendorff_gives_the_same(
    drawn: tuple[list[list[int]], list[int]], level: Level, seed: int
) -> None:
    units, values = (np.array(part, dtype="float64") for part in drawn)
    counts = bootstrap_counts(len(units), 3, np.random.default_rng(seed))
    samples = bootstrap_alpha(units, values, level, np.arange(len(units)), counts)
    for sample, row in zip(samples, counts, strict=True):
        repeated = np.repeat(units, row.astype(int), axis=0)
        found = alpha(repeated, values, level)
        paired = repeated[repeated.sum(axis=1) > 1]
        if (paired.sum(axis=0) > 0).sum() < 2:
            assert found is None and np.isnan(sample)
            continue
        expected = krippendorff.alpha(
            value_counts=paired, value_domain=values, level_of_measurement=level
        )
        assert found == pytest.approx(expected, abs=1e-9)
        assert sample == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_clusters_of_units_are_drawn_whole(level: Level) -> None:
    rng = np.random.default_rng(3)
    ratings = rng.integers(1, 8, size=(3, 20)).astype(float)
    ratings[0, :5] = np.nan
    ratings[1:, 19] = np.nan  # a unit of one rating, which counts nowhere
    story = np.repeat(np.arange(10), 2)
    counts = bootstrap_counts(10, 15, rng)
    samples = bootstrap_alpha(*table(ratings), level, story, counts)
    for sample, row in zip(samples, counts, strict=True):
        drawn = np.repeat(np.arange(20), row[story].astype(int))
        expected = krippendorff.alpha(ratings[:, drawn], level_of_measurement=level)
        assert sample == pytest.approx(expected)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "observers",
    [
        np.full((2, 6), 7.0),
        np.array([[1.0, 2.0, 3.0], [NONE, NONE, NONE]]),
        np.array([[5.0, 5.0, 3.0], [5.0, 5.0, NONE]]),  # the 3 is paired with nothing
    ],
    ids=["one label", "one rater", "one label among pairs"],
)
def test_what_is_undefined_is_none(level: Level, observers: np.ndarray) -> None:
    units = table(observers)
    assert alpha(*units, level) is None
    assert np.isnan(once(units, level))


def test_a_ratio_scale_has_no_negative_labels() -> None:
    units = table(np.array([[-1.0, 2.0], [1.0, 2.0]]))
    with pytest.raises(ValueError, match="no negative labels"):
        alpha(*units, "ratio")


def test_the_interval_holds_a_planted_agreement() -> None:
    # Two annotators give one answer with probability 0.6, else each its own: alpha is 0.6.
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(150):
        first, own = (rng.random((2, 60)) < 0.3).astype(int)
        second = np.where(rng.random(60) < 0.6, first, own)
        units = np.zeros((60, 2))
        for side in (first, second):
            units[np.arange(60), side] += 1
        counts = bootstrap_counts(60, 300, rng)
        samples = bootstrap_alpha(units, np.arange(2.0), "nominal", np.arange(60), counts)
        low, high = percentile_ci(samples, 0.9)
        assert low is not None and high is not None
        covered += low <= 0.6 <= high
    assert 0.82 <= covered / 150 <= 0.96

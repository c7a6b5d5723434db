import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from storyaudit.stats.bootstrap import bootstrap_counts, percentile_ci
from storyaudit.stats.cohen_kappa import WEIGHTINGS, Weighting, band, bootstrap_kappa, kappa

# Raters 2 and 3 of the anxiety data of R's irr, which statsmodels tests against.
ANXIETY = [
    (3, 2), (6, 1), (4, 4), (6, 4), (2, 3), (4, 2), (1, 3), (3, 3), (3, 2), (1, 1),
    (2, 3), (2, 1), (6, 5), (5, 3), (2, 3), (1, 1), (4, 4), (2, 5), (1, 2), (5, 2),
]  # fmt: skip


def of_table(table: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of scores 1, 2, … that a confusion table counts."""
    pairs = [
        (row, column)
        for row, counts in enumerate(table, start=1)
        for column, count in enumerate(counts, start=1)
        for _ in range(count)
    ]
    first, second = zip(*pairs, strict=True)
    return np.array(first, dtype=float), np.array(second, dtype=float)


@pytest.mark.parametrize(
    ("table", "weighting", "expected"),
    [
        ([[20, 5], [10, 15]], "unweighted", 0.4),
        ([[45, 15], [25, 15]], "unweighted", 0.1304),
        ([[25, 35], [5, 35]], "unweighted", 0.2593),
        ([[0, 4, 1], [0, 8, 0], [0, 1, 5]], "unweighted", 0.4842),
        ([[0, 4, 1], [0, 8, 0], [0, 1, 5]], "linear", 0.4701),
    ],
)
def test_textbook_values(table: list[list[int]], weighting: Weighting, expected: float) -> None:
    found = kappa(*of_table(table), weighting, 0.95)
    assert found is not None and found.value == pytest.approx(expected, abs=5e-5)


def test_the_analytic_interval_of_the_sas_example() -> None:
    found = kappa(*of_table([[0, 4, 1], [0, 8, 0], [0, 1, 5]]), "unweighted", 0.95)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.2137, 0.7547), abs=5e-5)


def test_the_weights_of_the_anxiety_data_by_scikit_learn() -> None:
    first, second = (np.array(side, dtype=float) for side in zip(*ANXIETY, strict=True))
    for weighting in WEIGHTINGS:
        found = kappa(first, second, weighting, 0.95)
        weights = None if weighting == "unweighted" else weighting
        # Every label from 1 to 6 occurs, so that scikit-learn's ranks are the scores.
        expected = cohen_kappa_score(first, second, weights=weights)
        assert found is not None and found.value == pytest.approx(expected)


def test_weights_are_by_the_scores_and_not_by_their_ranks() -> None:
    # 1, 2 and 10: by ranks 10 would be as far from 2 as 1 is.
    first, second = np.array([1.0, 2, 10, 10, 1]), np.array([1.0, 2, 10, 2, 2])
    observed = (8 + 1) / 5
    expected = np.abs(first[:, None] - second[None, :]).mean()
    found = kappa(first, second, "linear", 0.95)
    assert found is not None and found.value == pytest.approx(1 - observed / expected)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_one_label_cannot_be_told(weighting: Weighting) -> None:
    five = np.full(8, 5.0)
    assert kappa(five, five, weighting, 0.95) is None
    assert kappa(five[:0], five[:0], weighting, 0.95) is None
    samples = bootstrap_kappa(five, five, np.arange(8), np.ones((3, 8)), weighting)
    assert np.isnan(samples).all() and percentile_ci(samples, 0.95) == (None, None)


def test_an_interval_without_a_standard_error_is_none() -> None:
    perfect = np.array([1.0, 2, 3, 1])
    found = kappa(perfect, perfect, "linear", 0.95)
    assert found is not None and (found.value, found.low, found.high) == (1.0, None, None)


scores = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=40)


@given(scores, st.sampled_from(WEIGHTINGS))
def test_kappa_is_symmetric_and_at_most_one(
    pairs: list[tuple[int, int]], weighting: Weighting
) -> None:
    first, second = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    one, other = kappa(first, second, weighting, 0.9), kappa(second, first, weighting, 0.9)
    if one is None or other is None:
        assert one is other and len({*first, *second}) == 1
        return
    assert one.value == pytest.approx(other.value)
    assert -1 - 1e-9 <= one.value <= 1 + 1e-9
    assert (one.value > 1 - 1e-9) == bool((first == second).all())
    shifted = kappa(2 * first + 3, 2 * second + 3, weighting, 0.9)
    assert shifted is not None and shifted.value == pytest.approx(one.value)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_resampling_is_kappa_of_the_drawn_stories(weighting: Weighting) -> None:
    rng = np.random.default_rng(2)
    story = np.repeat(np.arange(9), 4)
    first = rng.integers(1, 6, 36).astype(float)
    second = np.clip(first + rng.integers(-1, 2, 36), 1, 5)
    weights = bootstrap_counts(9, 20, rng)
    samples = bootstrap_kappa(first, second, story, weights, weighting)
    for sample, row in zip(samples, weights, strict=True):
        drawn = np.repeat(np.arange(36), row[story].astype(int))
        expected = kappa(first[drawn], second[drawn], weighting, 0.95)
        assert expected is not None and sample == pytest.approx(expected.value)


@pytest.mark.parametrize("clustered", [True, False])
def test_coverage_of_a_planted_agreement(clustered: bool) -> None:
    """60 stories of 5 items; where errors are a story's, only its bootstrap covers the truth."""
    rng = np.random.default_rng(5)

    def ratings(stories: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        story = np.repeat(np.arange(stories), 5)
        agreed = rng.random(stories if clustered else 5 * stories) < 0.6
        same = agreed[story] if clustered else agreed
        label = rng.integers(0, 2, stories)[story] if clustered else rng.integers(0, 2, 5 * stories)
        second = np.where(same, label, rng.integers(0, 2, 5 * stories))
        return label.astype(float), second.astype(float), story

    covered = analytic = 0
    for _ in range(150):
        first, second, story = ratings(60)  # the truth is 0.6 by construction
        samples = bootstrap_kappa(
            first, second, story, bootstrap_counts(60, 300, rng), "unweighted"
        )
        low, high = percentile_ci(samples, 0.9)
        assert low is not None and high is not None
        covered += low <= 0.6 <= high
        point = kappa(first, second, "unweighted", 0.9)
        assert point is not None and point.low is not None and point.high is not None
        analytic += point.low <= 0.6 <= point.high
    assert 0.8 <= covered / 150 <= 0.97
    assert (analytic / 150 < 0.75) == clustered


@pytest.mark.parametrize(
    ("value", "name"),
    [
        # Landis and Koch's table has 0.00–0.20, 0.21–0.40, … with two digits.
        (-0.01, "poor"),
        (0.01, "slight"), (0.2, "slight"),
        (0.21, "fair"), (0.4, "fair"),
        (0.41, "moderate"), (0.6, "moderate"),
        (0.61, "substantial"), (0.8, "substantial"),
        (0.81, "almost perfect"), (1.0, "almost perfect"),
    ],
)  # fmt: skip
def test_bands_are_landis_and_kochs(value: float, name: str) -> None:
    assert band(value) == name

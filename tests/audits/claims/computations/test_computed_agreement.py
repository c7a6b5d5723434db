import numpy as np
import pytest
from computed import Data, compute, drawn, otherwise, ratings
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

SKLEARN = {"unweighted": None, "linear": "linear", "quadratic": "quadratic"}


def two_raters(first: list[float], second: list[float], *, items: int = 1) -> Data:
    """Scores in the order of stories, and of items within them."""
    cells = []
    for n, pair in enumerate(zip(first, second, strict=True)):
        story, item = f"s{n // items:03}", str(n % items + 1)
        cells += [(r, story, "a", item, s) for r, s in zip(("9", "10"), pair, strict=True)]
    return ratings(cells)


def from_table(table: list[list[int]]) -> Data:
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    first, second = ([float(s) for s in side] for side in zip(*pairs, strict=True))
    return two_raters(first, second)


def test_textbook_tables() -> None:
    assert compute("cohens_kappa", from_table([[20, 5], [10, 15]]), weights="unweighted") == (
        pytest.approx(0.4)
    )
    # The SAS example of statsmodels' tests: ASE 0.1380, CI 0.2137 to 0.7547; linear 0.4701.
    sas = from_table([[0, 4, 1], [0, 8, 0], [0, 1, 5]])
    assert compute("cohens_kappa", sas, weights="unweighted") == pytest.approx(0.4842, abs=5e-5)
    ends = [
        compute("cohens_kappa_end", sas, weights="unweighted", end=end) for end in ("low", "high")
    ]
    assert ends == pytest.approx([0.2137, 0.7547], abs=5e-5)
    assert compute("cohens_kappa", sas, weights="linear") == pytest.approx(0.4701, abs=5e-5)


@pytest.mark.parametrize("weights", SKLEARN)
@pytest.mark.parametrize("seed", range(3))
def test_pooled_over_items_by_sklearn_and_statsmodels(weights: str, seed: int) -> None:
    data = drawn(seed, raters=2, stories=30)
    assert data.ratings is not None
    wide = data.ratings.pivot(index=["story_id", "item"], columns="rater", values="score")
    labels = sorted(set(wide.to_numpy().ravel()))
    assert labels == list(range(7))  # all are used, so that weights by label and by place agree
    expected = cohen_kappa_score(wide["1"], wide["2"], weights=SKLEARN[weights])
    assert compute("cohens_kappa", data, weights=weights) == pytest.approx(expected)
    table = np.zeros((7, 7))
    for first, second in wide.to_numpy(dtype=int):
        table[first, second] += 1
    result = cohens_kappa(table, wt=SKLEARN[weights])
    for end, value in (("low", result.kappa_low), ("high", result.kappa_upp)):
        assert compute("cohens_kappa_end", data, weights=weights, end=end) == pytest.approx(value)


@pytest.mark.parametrize("weights", SKLEARN)
def test_other_ways_by_sklearn(weights: str) -> None:
    data = drawn(7, raters=2, stories=40)
    assert data.ratings is not None
    wide = data.ratings.pivot(index=["story_id", "item"], columns="rater", values="score")
    first, second = wide["1"], wide["2"]

    def kappa(x: np.ndarray, y: np.ndarray) -> float:
        return float(cohen_kappa_score(x, y, weights=SKLEARN[weights], labels=range(7)))

    said = "no" if weights == "unweighted" else weights
    found = otherwise("cohens_kappa", data, weights="quadratic")
    assert found[f"the mean over criteria, {said} weights"] == pytest.approx(
        np.mean([kappa(p["1"], p["2"]) for _, p in wide.groupby("item")])
    )
    assert found[f"each pair in both orders, {said} weights"] == pytest.approx(
        kappa(np.r_[first, second], np.r_[second, first])
    )
    clipped = first.clip(lower=1), second.clip(lower=1)
    assert found[f"scores below 1 taken as 1, {said} weights"] == pytest.approx(kappa(*clipped))
    # What is stated is not among the others.
    stated = found[f"{said} weights"]
    assert (
        stated is None if weights == "quadratic" else stated == pytest.approx(kappa(first, second))
    )


def test_bootstrap_ends_are_near_those_of_plain_resampling() -> None:
    data = drawn(1, raters=2, stories=50)
    assert data.ratings is not None
    wide = data.ratings.pivot(index=["story_id", "item"], columns="rater", values="score")
    values = wide.to_numpy(dtype=int).reshape(50, 3, 2)
    rng = np.random.default_rng(5)
    found = {
        end: otherwise("cohens_kappa_end", data, weights="linear", end=end)
        for end in ("low", "high")
    }
    for unit, sampled in (("stories", values), ("pairs", values.reshape(150, 1, 2))):
        samples = []
        for _ in range(1500):
            drawn_ = sampled[rng.integers(0, len(sampled), len(sampled))].reshape(-1, 2)
            apart = np.abs(drawn_[:, 0, None] - drawn_[None, :, 1]).mean()
            samples.append(1 - np.abs(drawn_[:, 0] - drawn_[:, 1]).mean() / apart)
        for end, percentile in (("low", 2.5), ("high", 97.5)):
            value = found[end][f"a bootstrap of {unit}, linear weights"]
            assert value == pytest.approx(np.percentile(samples, percentile), abs=0.03)


def test_the_same_samples_are_drawn_every_time() -> None:
    data = drawn(1, raters=2)
    twice = [otherwise("cohens_kappa_end", data, weights="linear", end="low") for _ in range(2)]
    assert twice[0] == twice[1]


def test_which_rater_is_first_is_by_number() -> None:
    # Raters 9 and 10: as texts, 10 would come first. Kappa's table is then not the same, and the
    # pairs tell.
    data = two_raters([1, 2, 3, 3], [2, 2, 3, 1])
    assert data.pairs["first"].tolist() == [1, 2, 3, 3]


def test_words_for_kappa() -> None:
    for table, word in (
        ([[20, 5], [10, 15]], "fair"),  # 0.40
        ([[45, 15], [25, 15]], "slight"),  # 0.13
        ([[9, 0], [0, 9]], "almost perfect"),
        ([[0, 9], [9, 0]], "poor"),  # −1
    ):
        assert compute("cohens_kappa_band", from_table(table), weights="unweighted") == word


def test_where_it_is_undefined() -> None:
    same = two_raters([3, 3], [3, 3])
    single = ratings([("1", "p", "a", "1", 3), ("1", "q", "a", "1", 4)])
    for data in (same, single):
        assert compute("cohens_kappa", data, weights="linear") is None
        assert compute("cohens_kappa_end", data, weights="linear", end="low") is None
        assert compute("cohens_kappa_band", data, weights="linear") is None

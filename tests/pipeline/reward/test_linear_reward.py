import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from pipeline.reward.linear import FORMAT, LinearReward, features, fit, load, terms
from storyaudit.errors import InputError

COLUMNS = 8


def planted(count: int, seed: int = 0) -> tuple[np.ndarray, csr_matrix, csr_matrix]:
    """Strengths of eight features, and pairs chosen by Bradley and Terry's law."""
    rng = np.random.default_rng(seed)
    strengths = np.linspace(-3, 4, COLUMNS)
    left, right = rng.random((2, count, COLUMNS))
    prefers_left = rng.random(count) < 1 / (1 + np.exp(-(left - right) @ strengths))
    chosen = np.where(prefers_left[:, None], left, right)
    return strengths, csr_matrix(chosen), csr_matrix(left + right - chosen)


def fitted(chosen: csr_matrix, rejected: csr_matrix, **changes: float) -> LinearReward:
    settings = {"buckets_log2": 3, "ngrams": 1, "epochs": 20, "l2": 1e-3, "seed": 1, **changes}
    return fit(chosen, rejected, **settings)


def objective(weights: np.ndarray, difference: np.ndarray, l2: float) -> float:
    return np.logaddexp(0, -difference @ weights).mean() + l2 / 2 * weights @ weights


@pytest.mark.parametrize("l2", [0.1, 0.01])
def test_the_fit_minimises_the_penalised_likelihood(l2: float) -> None:
    _, chosen, rejected = planted(400)
    difference = (chosen - rejected).toarray()
    best = minimize(objective, np.zeros(COLUMNS), args=(difference, l2), tol=1e-9)
    found = fitted(chosen, rejected, l2=l2, epochs=400).weights
    assert abs(objective(found, difference, l2) - best.fun) < 1e-6
    np.testing.assert_allclose(found, best.x, atol=0.01)


def test_planted_strengths_are_recovered() -> None:
    strengths, chosen, rejected = planted(4000)
    found = fitted(chosen, rejected, l2=1e-4, epochs=400).weights
    # The information of 4,000 pairs puts a standard error of about 0.13 on each.
    np.testing.assert_allclose(found, strengths, atol=0.45)
    assert np.corrcoef(found, strengths)[0, 1] > 0.99


def test_shuffled_labels_give_chance() -> None:
    _, chosen, rejected = planted(4000)
    rng = np.random.default_rng(1)
    turned = csr_matrix(rng.integers(0, 2, 4000)[:, None])
    swap = chosen - rejected
    first, second = chosen - swap.multiply(turned), rejected + swap.multiply(turned)
    model = fitted(first.tocsr()[:2000], second.tocsr()[:2000])
    right = model.score(first.tocsr()[2000:]) > model.score(second.tocsr()[2000:])
    assert abs(right.mean() - 0.5) < 3.3 * sqrt(0.25 / 2000)
    told = fitted(chosen[:2000], rejected[:2000])
    assert (told.score(chosen[2000:]) > told.score(rejected[2000:])).mean() > 0.7


def test_preferences_turned_round_turn_the_weights_round() -> None:
    _, chosen, rejected = planted(200)
    there, back = fitted(chosen, rejected), fitted(rejected, chosen)
    np.testing.assert_array_equal(there.weights, -back.weights)


def test_the_seed_decides_the_bytes() -> None:
    _, chosen, rejected = planted(300)
    same = {fitted(chosen, rejected, seed=4).to_json() for _ in range(2)}
    assert len(same) == 1
    assert fitted(chosen, rejected, seed=5).to_json() not in same


def test_a_saved_model_scores_as_before(tmp_path: Path) -> None:
    _, chosen, rejected = planted(300)
    model = fitted(chosen, rejected)
    path = tmp_path / "model.json"
    path.write_text(model.to_json(), encoding="utf-8")
    again = load(path)
    np.testing.assert_array_equal(again.score(chosen), model.score(chosen))
    assert again.to_json() == model.to_json()
    assert (again.buckets_log2, again.ngrams) == (3, 1)


def test_rewards_are_dot_products() -> None:
    model = LinearReward(2, 1, np.array([1.0, 0.0, -2.0, 0.5]))
    rows = csr_matrix([[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 4.0]])
    assert model.score(rows).tolist() == [-1.0, 2.0]


def good() -> dict[str, object]:
    return {"format": FORMAT, "buckets_log2": 3, "ngrams": 1, "weights": {"0": 1.5, "7": -2}}


def test_the_good_file_behind_the_broken_ones_loads(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(good()), encoding="utf-8")
    assert load(path).weights.tolist() == [1.5, 0, 0, 0, 0, 0, 0, -2]


BROKEN = {
    "not JSON": "{",
    "cut short": json.dumps(good())[:-20],
    "nested without end": "[" * 100_000,
    "a list": "[]",
    "a number": "3",
    "empty": "",
    "another format": json.dumps(good() | {"format": "other"}),
    "no format": json.dumps({"weights": {}}),
    "no weights": json.dumps({"format": FORMAT, "buckets_log2": 3, "ngrams": 1}),
    "weights in a list": json.dumps(good() | {"weights": [1.0]}),
    "a weight beyond the buckets": json.dumps(good() | {"weights": {"8": 1.0}}),
    "a weight before the buckets": json.dumps(good() | {"weights": {"-1": 1.0}}),
    "a weight of no number": json.dumps(good() | {"weights": {"0": "high"}}),
    "a weight that is null": json.dumps(good() | {"weights": {"0": None}}),
    "a weight that is NaN": json.dumps(good() | {"weights": {"0": float("nan")}}),
    "an infinite weight": json.dumps(good() | {"weights": {"0": float("inf")}}),
    "a huge weight": json.dumps(good() | {"weights": {"0": 10**400}}),
    "a bucket of no number": json.dumps(good() | {"weights": {"x": 1.0}}),
    "too many buckets": json.dumps(good() | {"buckets_log2": 60}),
    "no buckets": json.dumps(good() | {"buckets_log2": 0}),
    "infinitely many buckets": json.dumps(good() | {"buckets_log2": float("inf")}),
    "no n-grams": json.dumps(good() | {"ngrams": 0}),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_bad_input(tmp_path: Path, content: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"model\.json"):
        load(path)


def test_an_absent_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "model.json")


def test_terms_by_hand() -> None:
    found = terms("The lamp, lit.", "A lamp was lit. A lamp!", 2)
    one = ["a", "lamp", "was", "lit", "a", "lamp"]
    two = ["a lamp", "lamp was", "was lit", "lit a", "a lamp"]
    assert found == [*one, *two, "premise:lamp", "premise:lit", "premise:lamp"]
    assert terms("", "", 3) == []
    assert terms("x", "one two", 3) == ["one", "two", "one two"]


def test_features_are_of_unit_length_and_told_apart() -> None:
    premises = ["the lamp"] * 4
    stories = ["a lamp was lit", "a lamp was lit", "nobody saw the sea", ""]
    matrix = features(premises, stories, buckets_log2=14, ngrams=2).toarray()
    assert matrix.shape == (4, 2**14)
    assert np.linalg.norm(matrix, axis=1) == pytest.approx([1, 1, 1, 0])
    np.testing.assert_array_equal(matrix[0], matrix[1])
    # Four words, three couples of words, and one word, lamp or the, that the premise has as well.
    assert np.count_nonzero(matrix, axis=1).tolist() == [8, 8, 8, 0]


def test_features_need_a_premise_for_every_story() -> None:
    with pytest.raises(ValueError, match="zip"):
        features(["one"], ["a", "b"], buckets_log2=4, ngrams=1)

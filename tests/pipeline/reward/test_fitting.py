import numpy as np
import pytest
import sklearn.linear_model
from reward_samples import (
    PLAIN,
    STRENGTHS,
    STYLED,
    WORDS,
    exact_interval,
    fitted,
    fitted_to,
    injected,
    prose,
)
from scipy.optimize import minimize

from pipeline.reward.linear.features import features
from pipeline.reward.linear.fitting import fit, margins
from pipeline.reward.linear.ngrams import Hashes
from pipeline.reward.linear.pair_texts import pair_features
from pipeline.reward.linear.reward_settings import Settings
from storyaudit.errors import InputError


def objective(weights: np.ndarray, difference: np.ndarray, l2: float) -> float:
    return np.logaddexp(0, -difference @ weights).mean() + l2 / 2 * weights @ weights


def slope(weights: np.ndarray, difference: np.ndarray, l2: float) -> np.ndarray:
    return l2 * weights - difference.T @ (1 / (1 + np.exp(difference @ weights))) / len(difference)


def dense(texts, settings: Settings) -> np.ndarray:
    """The differences made apart: n-grams, then style in SDs over the root of their number."""
    left = features(texts[0], texts[1], settings, Hashes())
    right = features(texts[0], texts[2], settings, Hashes())
    both = np.concatenate([left.style, right.style])
    scale = np.nanstd(both, axis=0) * np.sqrt(both.shape[1])
    centre = np.nanmean(both, axis=0)
    z = [np.nan_to_num((side.style - centre) / scale) for side in (left, right)]
    return np.hstack([(left.ngrams - right.ngrams).toarray(), z[0] - z[1]])


@pytest.mark.parametrize("l2", [0.1, 0.01])
@pytest.mark.parametrize("style", [True, False])
def test_the_fit_minimises_the_penalised_likelihood(l2: float, style: bool) -> None:
    settings = STYLED.model_copy(update={"style": style})
    texts = prose(150)
    difference = dense(texts, settings)
    columns = difference.shape[1]
    best = minimize(
        objective,
        np.zeros(columns),
        args=(difference, l2),
        jac=slope,
        method="L-BFGS-B",
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-9},
    )
    model = fitted(texts, settings, l2=l2, epochs=2000)
    scaled = model.style.weights * np.sqrt(len(model.style.weights))
    found = np.concatenate([model.ngrams.astype("float64"), scaled])
    assert objective(found, difference, l2) - best.fun < 2e-6
    np.testing.assert_allclose(found, best.x, atol=0.01)
    assert np.abs(best.x).max() > 0.1


@pytest.mark.parametrize("epochs", [1, 2])
def test_equal_pairs_are_fitted_by_averaged_sgd(epochs: int) -> None:
    # One word a story: the difference of features is 1 in one bucket and −1 in another, so that
    # weights are a and −a, and the margin 2a. Equal pairs have one order only.
    l2, weight, path = 0.1, 0.0, []
    start = 1 / (l2 * l2**-0.25)  # Bottou's: the first step is the size of a typical weight
    for step in range(3 * epochs):
        rate = 1 / (l2 * (start + step))
        wrong = 1 / (1 + np.exp(2 * weight))
        weight = weight * (1 - rate * l2) + rate * wrong
        path.append(weight)
    expected = np.mean(path)
    assert abs(expected - path[-1]) > 0.01
    model = fitted((["p"] * 3, ["sun"] * 3, ["rain"] * 3), epochs=epochs, l2=l2)
    found = model.score(["p"] * 2, ["sun", "rain"])
    np.testing.assert_allclose(found, [expected, -expected], atol=2e-6)


def test_injected_strengths_are_recovered() -> None:
    model = fitted(injected(4000), l2=1e-4, epochs=200)
    found = model.score(["a premise"] * len(WORDS), list(WORDS))
    # The law knows strengths up to a constant: all words' counts hang together.
    centred = STRENGTHS - STRENGTHS.mean()
    np.testing.assert_allclose(found - found.mean(), centred, atol=0.6)
    assert np.corrcoef(found, STRENGTHS)[0, 1] > 0.98


def test_shuffled_labels_give_chance_and_true_ones_more() -> None:
    premises, chosen, rejected = injected(2000)
    turn = np.random.default_rng(1).random(2000) < 0.5
    left = [r if t else c for c, r, t in zip(chosen, rejected, turn, strict=True)]
    right = [c if t else r for c, r, t in zip(chosen, rejected, turn, strict=True)]
    half, rest = slice(1000), slice(1000, None)
    shares = {}
    for name, first, second in (("shuffled", left, right), ("true", chosen, rejected)):
        model = fitted((premises[half], first[half], second[half]))
        wins = model.score(premises[rest], first[rest]) > model.score(premises[rest], second[rest])
        shares[name] = exact_interval(int(wins.sum()), 1000, error=0.001)
    assert shares["shuffled"][0] < 0.5 < shares["shuffled"][1]
    assert shares["true"][0] > 0.6


def test_what_takes_up_its_premise_is_recognised_on_unseen_premises() -> None:
    rng = np.random.default_rng(0)
    names = [f"w{number}" for number in range(3000)]

    def texts(count: int):
        premises = [" ".join(rng.choice(names, 6)) for _ in range(count)]
        other = rng.permutation(count)
        chosen = [" ".join(rng.permutation([*p.split(), *rng.choice(names, 6)])) for p in premises]
        # The same chosen stories, on premises that are not theirs, are what is rejected.
        return premises, chosen, [chosen[o] for o in other]

    model = fitted(texts(300), STYLED)
    premises, chosen, rejected = texts(300)
    right = int((model.score(premises, chosen) > model.score(premises, rejected)).sum())
    assert exact_interval(right, 300, error=0.001)[0] > 0.8
    there, elsewhere = model.score(premises[:2], [chosen[0]] * 2)
    assert there > elsewhere


def test_preferences_turned_round_turn_the_weights_round() -> None:
    premises, chosen, rejected = prose(100)
    there = fitted((premises, chosen, rejected), STYLED)
    back = fitted((premises, rejected, chosen), STYLED)
    np.testing.assert_array_equal(there.ngrams, -back.ngrams)
    np.testing.assert_array_equal(there.style.weights, -back.style.weights)
    np.testing.assert_array_equal(there.style.sds, back.style.sds)


def test_margins_are_differences_of_rewards() -> None:
    texts = prose(60)
    pairs = pair_features(*texts, STYLED)
    model = fitted_to(pairs)
    expected = model.score(texts[0], texts[1]) - model.score(texts[0], texts[2])
    np.testing.assert_allclose(margins(model, pairs), expected, atol=1e-5)
    assert np.abs(expected).max() > 0.1


def test_only_the_given_rows_are_fitted_and_nothing_is_changed() -> None:
    texts = prose(80)
    pairs = pair_features(*texts, STYLED)
    rows = np.arange(0, 80, 2)
    apart = pair_features(*(side[::2] for side in texts), STYLED)
    for _ in range(2):  # a fit leaves the features as they were
        of_rows = fit(pairs, rows, epochs=5, l2=1e-3, seeds=[1])[0].model
        assert of_rows.files() == fitted_to(apart, epochs=5).files()


def test_a_seed_does_not_depend_on_the_others() -> None:
    pairs = pair_features(*prose(60), STYLED)
    rows = np.arange(60)
    both = [f.model.files() for f in fit(pairs, rows, epochs=3, l2=1e-3, seeds=[1, 2])]
    alone = fit(pairs, rows, epochs=3, l2=1e-3, seeds=[2])[0].model.files()
    assert both[1] == alone
    assert both[0]["weights.safetensors"] != both[1]["weights.safetensors"]


def test_a_feature_that_never_varies_counts_nothing() -> None:
    texts = (["p"] * 20, ["a b. c d."] * 20, ["b a. d c."] * 20)
    model = fitted(texts, STYLED)
    # Words, sentences and marks are the same on both sides: only bigrams distinguish them.
    assert not model.style.sds.any() and not model.style.weights.any()
    assert model.score(["p"], ["a b. c d."]) > model.score(["p"], ["b a. d c."])


def test_pairs_that_differ_in_nothing_have_no_preference() -> None:
    model = fitted((["p", "q"], ["a", ""], ["a", ""]), STYLED)
    assert not model.ngrams.any()
    assert model.score(["p"], ["a"]).tolist() == [0]


def test_weights_beyond_all_measure_are_bad_input() -> None:
    pairs = pair_features(*prose(20), STYLED)
    with pytest.raises(InputError, match=r"train\.linear\.l2"):
        fit(pairs, np.arange(20), epochs=3, l2=1e-200, seeds=[1])


def averaged_sgd(difference: np.ndarray, steps: int, l2: float) -> tuple[np.ndarray, np.ndarray]:
    """SGD on one pair again and again, and the mean of its weights (Xu 2011), by Bottou's rate.

    Rate 1 / (l2 (t + t0)), where the first one would take typical weights, 1 / l2 to the power of
    1/4, back to zero (Bottou 2012, section 5.2).
    """
    typical = np.sqrt(1 / np.sqrt(l2))
    start = typical / max(1.0, 1 / (1 + np.exp(-typical)))
    weights, total = np.zeros(len(difference)), np.zeros(len(difference))
    for step in range(steps):
        rate = 1 / (l2 * (1 / (start * l2) + step))
        pull = 1 / (1 + np.exp(weights @ difference))
        weights = weights * (1 - rate * l2) + rate * pull * difference
        total += weights
    return weights, total / steps


def test_weights_are_the_mean_over_all_steps() -> None:
    # With one pair again and again, the order that a seed draws does not matter.
    texts = (["a premise"] * 6, ["sun sun rain."] * 6, ["rain wind."] * 6)
    last, mean = averaged_sgd(dense(texts, PLAIN)[0], steps=4 * 6, l2=0.05)
    found = fitted(texts, epochs=4, l2=0.05).ngrams
    np.testing.assert_allclose(found, mean, atol=1e-6)
    assert np.abs(last - mean).max() > 1e-3


@pytest.mark.parametrize(
    ("changed", "logged"),
    [
        ({}, {"optimiser": "averaged SGD", "loss": "Bradley-Terry", "epochs": 3, "l2": 1e-3}),
        ({"average": False}, {"optimiser": "SGD"}),
        ({"loss": "hinge"}, {"loss": "hinge"}),
        ({"fit_intercept": True}, {"loss": "log_loss"}),
        ({"alpha": 0.5, "max_iter": 2}, {"epochs": 2, "l2": 0.5}),
        ({"learning_rate": "constant", "eta0": 0.1}, {"learning_rate": "constant"}),
        ({"penalty": "l1"}, {"l1": 1e-3}),
    ],
)
def test_the_solver_itself_says_what_is_logged(
    changed: dict[str, object], logged: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = sklearn.linear_model.SGDClassifier

    def changed_solver(**options: object) -> object:
        return made(**{**options, **changed})

    monkeypatch.setattr(sklearn.linear_model, "SGDClassifier", changed_solver)
    pairs = pair_features(*prose(20), PLAIN)
    solver = fit(pairs, np.arange(20), epochs=3, l2=1e-3, seeds=[1])[0].solver
    assert {name: solver.get(name) for name in logged} == logged

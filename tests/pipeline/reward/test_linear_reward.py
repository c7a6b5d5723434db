from pathlib import Path

import numpy as np
import pytest
from reward_samples import PLAIN, STYLED, fitted, prose

from pipeline.reward.folder import load, score_all
from pipeline.reward.linear.features import features
from pipeline.reward.linear.linear_reward import LinearReward, StyleWeights
from pipeline.reward.linear.ngrams import Hashes
from pipeline.reward.linear.reward_settings import Settings
from pipeline.reward.model import RewardModel

NO_STYLE = StyleWeights(np.empty(0), np.empty(0), np.empty(0))


def saved(model: LinearReward, folder: Path) -> Path:
    folder.mkdir(parents=True)
    model.save(folder)
    return folder


def test_rewards_are_dot_products() -> None:
    rng = np.random.default_rng(0)
    weights = rng.normal(size=2**6).astype("float32")
    style = StyleWeights(*rng.random((3, 9)))
    premises, stories, _ = prose(30)
    found = features(premises, stories, STYLED, Hashes())
    z = (found.style - style.means) / style.sds
    z[np.isnan(z)] = 0
    expected = found.ngrams.toarray() @ weights.astype("float64") + z @ style.weights
    rewards = LinearReward(STYLED, weights, style).score(premises, stories)
    np.testing.assert_allclose(rewards, expected, atol=1e-7)


@pytest.mark.parametrize("settings", [PLAIN, STYLED])
def test_a_saved_model_scores_exactly_as_before(tmp_path: Path, settings: Settings) -> None:
    premises, chosen, rejected = prose(60)
    model = fitted((premises, chosen, rejected), settings)
    again = load(saved(model, tmp_path / "model"))
    assert isinstance(again, LinearReward)
    np.testing.assert_array_equal(again.score(premises, chosen), model.score(premises, chosen))
    assert again.files() == model.files()
    assert again.settings == settings
    assert again.attributions(5) == model.attributions(5)


def test_the_seed_decides_the_bytes() -> None:
    texts = prose(60)
    one, same, other = (fitted(texts, STYLED, seed=seed).files() for seed in (4, 4, 5))
    assert one == same
    assert all(one[name] != other[name] for name in one)


def test_a_reward_does_not_depend_on_other_stories() -> None:
    premises, stories, rejected = prose(600)  # more than a chunk
    model = fitted((premises[:50], stories[:50], rejected[:50]), STYLED)
    together = model.score(premises, stories)
    for at in (0, 1, 511, 512, 599):
        assert model.score([premises[at]], [stories[at]])[0] == together[at]
    np.testing.assert_array_equal(model.score(premises[::-1], stories[::-1]), together[::-1])


def test_models_together_score_as_each_alone(tmp_path: Path) -> None:
    class Constant(RewardModel):
        """A model of another kind."""

        def score(self, premises: object, stories: list[str]) -> np.ndarray:
            return np.full(len(stories), 7.0)

        def save(self, folder: Path) -> None:
            raise NotImplementedError

    texts = prose(40)
    cut = STYLED.model_copy(update={"maximum_words": 3})
    models = {
        ("a", 1): fitted(texts, STYLED, seed=1),
        ("a", 2): fitted(tuple(side[:20] for side in texts), STYLED, seed=2),
        ("b", 1): fitted(texts, PLAIN),
        ("c", 1): fitted(texts, cut),
        "other": Constant(),
    }
    together = score_all(models, *texts[:2])
    assert list(together) == list(models)
    for key, model in models.items():
        np.testing.assert_array_equal(together[key], model.score(*texts[:2]))
    assert len({rewards.tobytes() for rewards in together.values()}) == len(models)
    assert score_all({}, *texts[:2]) == {}


def test_nothing_to_score_has_no_rewards() -> None:
    model = fitted(prose(20), STYLED)
    assert model.score([], []).tolist() == []


HOSTILE = {
    "nothing": "",
    "marks alone": "?!…",
    "a NUL": "\0a\0",
    "half a character": "\ud800 a",
    "right to left": "\u202eשלום עולם",
    "pictures": "🙂" * 50,
    "marks that combine": "e" + "\u0301" * 5000,
    "one endless word": "a" * 200_000,
    "endless quotes": "“\"'" * 20_000,
    "endless lines": "\n" * 100_000,
    "markup": "<script>{}</script>",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_has_a_finite_reward(text: str) -> None:
    model = fitted(prose(30), STYLED)
    assert np.isfinite(model.score([text, "a premise"], ["a story", text])).all()


@pytest.mark.parametrize("text", ["", " \n", "?!"])
def test_a_story_without_words_has_the_reward_0(text: str) -> None:
    assert fitted(prose(30), STYLED).score(["a premise"], [text]).tolist() == [0]


def test_every_story_needs_a_premise() -> None:
    with pytest.raises(ValueError, match="zip"):
        fitted(prose(20), STYLED).score(["one"], ["a", "b"])

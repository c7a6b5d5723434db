import numpy as np
import pandas as pd
import pytest

from pipeline.reward.linear import LinearReward, features
from pipeline.score import score
from storyaudit.tables import SCORES, require_sound

# The same story answers two premises, and one item's candidates stand apart.
CANDIDATES = pd.DataFrame(
    {
        "item_id": ["i1", "i2", "i1", "i2"],
        "story_id": ["s1", "s1", "s2", "s3"],
        "premise_id": ["p1", "p2", "p1", "p2"],
    },
    index=[9, 4, 7, 1],
)
PREMISES = pd.DataFrame({"premise_id": ["p2", "p1"], "text": ["the sea", "a lamp"]})
TEXTS = {"s3": "nobody saw the sea", "s1": "a lamp was lit", "s2": "a lamp"}
STORIES = pd.DataFrame({"story_id": list(TEXTS), "text": list(TEXTS.values())})
PREMISE = {"p1": "a lamp", "p2": "the sea"}


def model(seed: int, *, buckets_log2: int = 6, ngrams: int = 1) -> LinearReward:
    rng = np.random.default_rng(seed)
    return LinearReward(buckets_log2, ngrams, rng.normal(size=2**buckets_log2))


MODELS = {1: model(1), 2: model(2, buckets_log2=7, ngrams=2)}


def run(seed: int = 5) -> pd.DataFrame:
    streams = {n: np.random.default_rng([seed, n]) for n in (1, 2)}
    return score(CANDIDATES, PREMISES, STORIES, MODELS, streams)


def rewards(table: pd.DataFrame, variant: str, seed: int) -> dict[tuple[str, str], float]:
    of = table[(table["variant"] == variant) & (table["seed"] == seed)]
    return dict(zip(zip(of["item_id"], of["story_id"], strict=True), of["reward"], strict=True))


def test_every_run_scores_every_candidate() -> None:
    table = run()
    require_sound(table, SCORES, file="scores")
    runs = table.groupby(["variant", "model", "seed"]).size().to_dict()
    assert runs == {
        ("linear", "ngrams", 1): 4,
        ("linear", "ngrams", 2): 4,
        ("longest", "words", 0): 4,
        ("random", "uniform", 1): 4,
        ("random", "uniform", 2): 4,
    }


@pytest.mark.parametrize("seed", MODELS)
def test_a_linear_reward_is_that_of_the_story_for_its_own_premise(seed: int) -> None:
    found = rewards(run(), "linear", seed)
    for item, story, premise in CANDIDATES.itertuples(index=False, name=None):
        of = MODELS[seed]
        row = features(
            [PREMISE[premise]],
            [TEXTS[story]],
            buckets_log2=of.buckets_log2,
            ngrams=of.ngrams,
        )
        assert found[item, story] == of.score(row)[0]
    # A story's reward depends on the premise.
    assert found["i1", "s1"] != found["i2", "s1"]


def test_longest_is_the_number_of_words() -> None:
    found = rewards(run(), "longest", 0)
    assert found == {("i1", "s1"): 4, ("i2", "s1"): 4, ("i1", "s2"): 2, ("i2", "s3"): 4}


def test_random_rewards_hang_on_their_stream_alone() -> None:
    table = run()
    assert rewards(table, "random", 1) == rewards(run(), "random", 1)
    assert rewards(table, "random", 1) != rewards(table, "random", 2)
    assert rewards(table, "random", 1) != rewards(run(seed=6), "random", 1)

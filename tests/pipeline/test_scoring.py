from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.reward.linear.linear_reward import LinearReward, StyleWeights
from pipeline.reward.linear.reward_settings import Settings
from pipeline.reward.model import RewardModel
from pipeline.scoring.external_scores import scores_of_files, within
from pipeline.scoring.saved_models import run_of, saved_models
from pipeline.scoring.scored_candidates import baseline_scores, judges_mean, trained_scores
from pipeline.texts import texts_of
from storyaudit.data.tables import CANDIDATE_KEY, JUDGEMENTS, RUN_KEY, SCORES, validate
from storyaudit.errors import InputError
from storyaudit.vocabulary import MEASURES

CLONE = Path(__file__).parents[2]

# Story s1 answers two premises; the items' rows are mixed.
PLACES = [
    ("i1", 1, "s1", "p1"),
    ("i2", 2, "s1", "p2"),
    ("i1", 2, "s2", "p1"),
    ("i2", 1, "s3", "p2"),
]
PLACED = pd.DataFrame(PLACES, columns=["item_id", "position", "story_id", "premise_id"])
PREMISE = {"p2": "the sea", "p1": "a lamp"}
TEXT = {"s3": "nobody saw the sea", "s1": "a lamp was lit", "s2": "a lamp"}


def table(key: str, texts: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame({key: list(texts), "text": list(texts.values())})


TEXTS = texts_of(PLACED, table("premise_id", PREMISE), table("story_id", TEXT))


class Counting(RewardModel):
    """A model whose reward is a weight a character of the story, and one a character shared."""

    kind = "counting"

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def score(self, premises, stories):
        return np.array([self.of(*pair) for pair in zip(premises, stories, strict=True)])

    def save(self, folder):
        raise NotImplementedError

    def of(self, premise: str, story: str) -> float:
        return self.weight * len(story) + len(set(premise) & set(story))


def rewards(scores: pd.DataFrame, variant: str, seed: int = 0) -> dict[tuple[str, str], float]:
    of = scores[(scores["variant"] == variant) & (scores["seed"] == seed)]
    return dict(zip(zip(of["item_id"], of["story_id"], strict=True), of["reward"], strict=True))


def test_a_trained_model_scores_each_story_for_its_own_premise() -> None:
    models = {("full", 1): Counting(1.0), ("removal/rewriting", 2): Counting(-2.0)}
    scores = trained_scores(PLACED, TEXTS, models)
    validate(scores, SCORES, file="scores")
    assert set(scores["model"]) == {"counting"}
    assert len(scores) == 2 * len(PLACED)
    for (variant, seed), model in models.items():
        assert rewards(scores, variant, seed) == {
            (item, story): model.of(PREMISE[premise], TEXT[story])
            for item, _, story, premise in PLACES
        }


def test_models_scored_together_score_as_each_alone() -> None:
    none = StyleWeights(np.zeros(0), np.zeros(0), np.zeros(0))
    models = {}
    for number, ngrams in enumerate((1, 2, 2)):
        settings = Settings(buckets_log2=6, ngrams=ngrams, style=False, maximum_words=None)
        weights = np.random.default_rng(number).normal(size=2**6).astype("float32")
        models["full", number] = LinearReward(settings, weights, none)
    scores = trained_scores(PLACED, TEXTS, models)
    for (variant, seed), model in models.items():
        alone = model.score(TEXTS.premises, TEXTS.stories)
        assert list(rewards(scores, variant, seed).values()) == alone.tolist()
    # A story's reward depends on the premise.
    assert rewards(scores, "full", 1)["i1", "s1"] != rewards(scores, "full", 1)["i2", "s1"]


def streams(seed: int = 5) -> dict[int, np.random.Generator]:
    return {number: np.random.default_rng([seed, number]) for number in (1, 2)}


def test_every_baseline_scores_every_candidate() -> None:
    scores = baseline_scores(PLACED, TEXTS, streams())
    validate(scores, SCORES, file="scores")
    assert scores.groupby(RUN_KEY).size().to_dict() == {
        ("longest", "words", 0): 4,
        ("shortest", "words", 0): 4,
        ("burstiness", "sentences", 0): 4,
        ("premise_overlap", "words", 0): 4,
        ("random", "uniform", 1): 4,
        ("random", "uniform", 2): 4,
    }
    longest = rewards(scores, "longest")
    assert longest == {("i1", "s1"): 4, ("i2", "s1"): 4, ("i1", "s2"): 2, ("i2", "s3"): 4}
    shortest = rewards(scores, "shortest")
    assert shortest["i1", "s2"] > shortest["i1", "s1"] == shortest["i2", "s1"]
    # 'a', 'lamp' are both in s1 and in s2; of 'the', 'sea' s1 has none and s3 both.
    overlap = rewards(scores, "premise_overlap")
    assert overlap["i1", "s1"] == overlap["i1", "s2"] == overlap["i2", "s3"]
    assert overlap["i2", "s1"] < overlap["i2", "s3"]


def test_random_rewards_depend_on_their_stream_alone() -> None:
    scores, again, other = (baseline_scores(PLACED, TEXTS, streams(seed)) for seed in (5, 5, 6))
    assert rewards(scores, "random", 1) == rewards(again, "random", 1)
    assert rewards(scores, "random", 1) != rewards(scores, "random", 2)
    assert rewards(scores, "random", 1) != rewards(other, "random", 1)


def judged(scores: dict[tuple[str, str, str], float], variant: str = "1") -> pd.DataFrame:
    """Judgements by (item, judge, story); on dimensions the points are others than overall."""
    rows = [
        (item, story, judge, variant, 1, measure, points if measure == "overall" else 10 - points)
        for (item, judge, story), points in scores.items()
        for measure in MEASURES
    ]
    return pd.DataFrame(rows, columns=JUDGEMENTS.names)


POINTS = {
    ("i1", "j1", "s1"): 4,
    ("i1", "j2", "s1"): 7,
    ("i1", "j1", "s2"): 5,
    ("i1", "j2", "s2"): 5,
    ("i2", "j1", "s3"): 9,
}


def test_the_judges_mean_is_over_the_overall_scores_of_the_prompt_that_counts() -> None:
    both = pd.concat([judged(POINTS), judged(dict.fromkeys(POINTS, 1), "2")])
    scores = judges_mean(PLACED, both.sample(frac=1, random_state=1), "1")
    validate(scores, SCORES, file="scores")
    # i1: (4 + 7) / 2 and (5 + 5) / 2; nobody scored s1 in item i2.
    assert rewards(scores, "judges_mean") == {
        ("i1", "s1"): 5.5,
        ("i1", "s2"): 5.0,
        ("i2", "s3"): 9.0,
    }
    assert set(judges_mean(PLACED, both, "2")["reward"]) == {1.0}
    assert judges_mean(PLACED, both, "3").empty


def test_a_judge_of_some_of_an_items_stories_does_not_count_in_it() -> None:
    # j2 is lenient and scored s1 alone: with it s1 would have 5.5, more than s2.
    points = {place: score for place, score in POINTS.items() if place != ("i1", "j2", "s2")}
    scores = judges_mean(PLACED, judged(points), "1")
    assert rewards(scores, "judges_mean")["i1", "s1"] == 4.0


def save(models: Path, *runs: str) -> None:
    for run in runs:
        (models / run).mkdir(parents=True)
        (models / run / "model.json").write_text("{}")


def test_models_are_found_by_variant_and_seed(tmp_path) -> None:
    save(tmp_path, "full/seed-1", "full/seed-12", "removal/rewriting/seed-1")
    save(tmp_path, "removal/rewriting/seed-12")
    assert saved_models(tmp_path, [12, 1]) == {
        ("full", 1): tmp_path / "full/seed-1",
        ("full", 12): tmp_path / "full/seed-12",
        ("removal/rewriting", 1): tmp_path / "removal/rewriting/seed-1",
        ("removal/rewriting", 12): tmp_path / "removal/rewriting/seed-12",
    }


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        ([], "'full' with the seeds 1, 2, found none"),
        (["removal/x/seed-1", "removal/x/seed-2"], "'full' .* found none"),
        (["full/seed-1"], "'full' .* found 1"),
        (["full/seed-1", "full/seed-2", "full/seed-3"], "'full' .* found 1, 2, 3"),
        (["full/seed-1", "full/seed-2", "extra/seed-2"], "'extra' .* found 2"),
        (["full/seed-1", "full/seed-2", "extra"], "'extra' .* found 0"),
    ],
)
def test_models_of_other_seeds_are_refused(tmp_path, runs: list[str], found: str) -> None:
    save(tmp_path, *runs)
    with pytest.raises(InputError, match=found):
        saved_models(tmp_path, [1, 2])


@pytest.mark.parametrize(
    ("folder", "run"),
    [
        ("/x/models/full/seed-3", ("full", 3)),
        ("/x/models/removal/a b/seed-0", ("removal/a b", 0)),
        ("/x/models/seed-3", ("models", 3)),
        ("/y/mine/seed-3", ("mine", 3)),
        ("/y/mine", ("mine", 0)),
        ("/y/seed-x", ("seed-x", 0)),
        ("/y/my-seed-3", ("my-seed-3", 0)),
        ("/", ("model", 0)),
    ],
)
def test_a_folder_names_its_run(folder: str, run: tuple[str, int]) -> None:
    assert run_of(Path(folder), Path("/x/models")) == run


GOLD = pd.DataFrame({"item_id": ["i1", "i2"], "chosen_id": ["s1", "s3"]})


def score_file(folder: Path, name: str, **columns: object) -> Path:
    path = folder / name
    scores = PLACED[CANDIDATE_KEY].assign(reward=[1.0, 2.0, 3.0, 4.0], **columns)
    scores.to_csv(path, index=False)
    return path


def test_files_bring_their_own_variants(tmp_path) -> None:
    files = [
        (score_file(tmp_path, "a.csv"), None),
        (score_file(tmp_path, "b.csv", seed=1), "theirs"),
        (score_file(tmp_path, "c.csv", seed=2), "theirs"),
    ]
    scores, sources = scores_of_files(files, PLACED, GOLD, taken={"full"})
    assert set(sources) == {("a", 0), ("theirs", 1), ("theirs", 2)}
    assert "c.csv" in sources["theirs", 2]
    assert rewards(scores, "a")["i2", "s3"] == 4.0
    assert len(scores) == 12


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("a.csv", "full", {})], "'full' is another one's"),
        ([("full.csv", None, {})], "'full' is another one's"),
        ([("a.csv", "x", {}), ("b.csv", "x", {})], "'x' has two runs of seed 0"),
        ([("a.csv", "x", {"model": ["m", "n", "m", "n"]})], "'x' has two runs of seed 0"),
    ],
)
def test_variants_with_ambiguous_names_are_refused(tmp_path, files, message: str) -> None:
    written = [(score_file(tmp_path, name, **more), variant) for name, variant, more in files]
    with pytest.raises(InputError, match=message) as error:
        scores_of_files(written, PLACED, GOLD, taken={"full"})
    assert error.value.file == written[-1][0]


def test_a_run_covers_a_pool_wholly_or_not_at_all(tmp_path) -> None:
    path = score_file(tmp_path, "a.csv")
    scores, _ = scores_of_files([(path, None)], PLACED, GOLD, taken=())
    first = PLACED.iloc[:3]
    assert within(scores, first)["reward"].tolist() == [1.0, 2.0, 3.0]


def test_a_seed_that_is_written_otherwise_names_no_run_of_that_seed(tmp_path: Path) -> None:
    assert run_of(tmp_path / "full/seed-1", tmp_path) == ("full", 1)
    assert run_of(tmp_path / "full/seed-01", tmp_path) == ("seed-01", 0)

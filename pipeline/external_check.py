"""An automatic judge of another make, which scores stories by itself and trains nothing.

StoryAlign, appendix H.3, lets CreativeWriting v3 score the stories that reward models pick, having
first seen how often it is right on StoryRMB: 94 % of LLM–LLM items, 54 % of Human–LLM ones. So
every candidate of the benchmark and of the pools gets a reward here: the former say what the judge
is worth, the latter what it thinks of the picks.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.requests.rewarding import score_questions
from pipeline.world.judges import worth_of
from pipeline.world.pool import POOL_QUALITIES, POOL_WORLD
from pipeline.world.tables import QUALITIES, WORLD
from storyaudit.errors import InputError
from storyaudit.language_models.params import ModelParams
from storyaudit.language_models.question import Ask, counts, replaying
from storyaudit.params import Deviation, Params
from storyaudit.stage import POOL, Stage
from storyaudit.tables import (
    BENCHMARK,
    CANDIDATES,
    FURTHER_SCORES,
    POOL_CANDIDATES,
    POOL_PREMISES,
    POOL_STORIES,
    PREMISES,
    STORIES,
    human_stories,
)

EXTERNAL = Path("data/external")
RECORD = Path("data/records/external_check.jsonl")
VARIANT, SIMULATED = "external_check", "simulated"


class ExternalCheckParams(Params):
    """The ``external_check`` section of ``params.yaml``.

    Attributes:
        noise: SD of the simulated judge's error on a story's overall worth, in points of the
            judges' scale.
        human_penalty: points that it takes from people's stories.
        model: a language model in its place, by its record; null for the simulated one, or for
            none where judges are not simulated.
    """

    noise: Deviation
    human_penalty: Deviation
    model: ModelParams | None


class Shown(NamedTuple):
    """What the judge sees: of the benchmark, or of the pools."""

    candidates: pd.DataFrame
    premises: pd.DataFrame
    stories: pd.DataFrame


def require_texts(part: Shown) -> None:
    """Refuse candidates whose story or premise is lacking.

    Raises:
        InputError: the first one by name.
    """
    for name, known in (("story_id", part.stories), ("premise_id", part.premises)):
        strays = part.candidates[~part.candidates[name].isin(known[name])]
        if len(strays):
            first = strays.sort_values(["item_id", name]).iloc[0]
            table = "stories" if name == "story_id" else "premises"
            raise InputError(
                f"item {first['item_id']}: expected the {name} {first[name]} in the table "
                f"'{table}', found none ({strays[name].nunique()} such).",
                "Add it.",
            )


def simulated_rewards(
    part: Shown, qualities: pd.DataFrame, params: ExternalCheckParams, rng: np.random.Generator
) -> pd.DataFrame:
    """Return the simulated judge's rewards: item_id, story_id, reward in points.

    A reward is the mean of the story's hidden qualities in points, plus an error, less
    ``human_penalty`` where a person wrote it. A story has the same one in every item.

    Raises:
        InputError: a candidate without text, premise or qualities.
    """
    require_texts(part)
    shown = part.candidates.drop_duplicates("story_id").sort_values("story_id")
    worth = worth_of(shown, qualities).mean(axis=1).to_numpy()
    human = shown["story_id"].isin(human_stories(part.stories)).to_numpy()
    rewards = worth + rng.normal(0, params.noise, len(shown)) - params.human_penalty * human
    by_story = pd.Series(rewards.round(6), index=shown["story_id"])
    rewarded = part.candidates["story_id"].map(by_story).to_numpy()
    return part.candidates[["item_id", "story_id"]].assign(reward=rewarded)


def recorded_rewards(
    part: Shown, model: ModelParams, ask: Ask
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return a language model's rewards, and what became of the requests: one a story and item.

    A story whose answer is malformed, refused or truncated has no reward.

    Raises:
        InputError: see ``ask``; a candidate without text or premise; not one answer with a score.
    """
    require_texts(part)
    texts = dict(zip(part.stories["story_id"], part.stories["text"], strict=True))
    premises = dict(zip(part.premises["premise_id"], part.premises["text"], strict=True))
    questions = []
    for row in part.candidates.sort_values(["item_id", "position"]).itertuples():
        item, story = str(row.item_id), str(row.story_id)
        asked = score_questions(item, premises[row.premise_id], {story: texts[story]}, model)
        questions += [(item, question) for question in asked]
    results = ask([question for _, question in questions], attempts=model.attempts)
    rows = [
        (item, story, reward)
        for (item, _), result in zip(questions, results, strict=True)
        for story, reward in (result.value or {}).items()
    ]
    if questions and not rows:
        raise InputError(
            "not one answer holds a score.", "Look at the answers: are they refused?", file=RECORD
        )
    return pd.DataFrame(rows, columns=["item_id", "story_id", "reward"]), counts(results)


def shown_parts(stage: Stage) -> tuple[Shown, Shown]:
    """Return the benchmark's items, without candidates that made none, and the pools."""
    candidates, benchmark = stage.read(CANDIDATES), stage.read(BENCHMARK)
    candidates = candidates[candidates["item_id"].isin(benchmark["item_id"])]
    items = Shown(candidates, stage.read(PREMISES), stage.read(STORIES))
    tables = (POOL_CANDIDATES, POOL_PREMISES, POOL_STORIES)
    return items, Shown(*(stage.read(table, POOL) for table in tables))


def main(ask: Ask | None = None) -> None:
    """Run the stage: simulate the judge, take over a recorded one, or write an empty table.

    Args:
        ask: gets answers of the model; from the record if None.
    """
    with Stage("external_check") as stage:
        params = stage.params("external_check", ExternalCheckParams)
        rewards = pd.DataFrame(columns=["item_id", "story_id", "reward"])
        if params.model is not None:
            rewards, became = recorded_rewards(
                Shown(*(pd.concat(both) for both in zip(*shown_parts(stage), strict=True))),
                params.model,
                ask or replaying(RECORD, "storyaudit record external_check"),
            )
            stage.reads(RECORD)
            stage.metrics(**became)
        elif "judges" in stage.simulated:
            items, pools = shown_parts(stage)
            of_items, of_pools = (
                stage.read(QUALITIES, WORLD),
                stage.read(POOL_QUALITIES, POOL_WORLD),
            )
            rewards = pd.concat(
                [
                    simulated_rewards(items, of_items, params, stage.stream("benchmark")),
                    simulated_rewards(pools, of_pools, params, stage.stream("pools")),
                ]
            )
        model = SIMULATED if params.model is None else params.model.model
        scores = rewards.assign(variant=VARIANT, model=model, seed=0)
        stage.write(FURTHER_SCORES, scores, EXTERNAL)
        stage.metrics(scores=len(scores))


if __name__ == "__main__":
    main()

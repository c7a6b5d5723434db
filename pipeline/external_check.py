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

from pipeline.recorded_rewards import RecordedRewards, recorded_rewards
from pipeline.simulation.judges import worth_of
from pipeline.simulation.truth_tables import (
    GROUND_TRUTH,
    POOL_GROUND_TRUTH,
    POOL_QUALITIES,
    QUALITIES,
)
from pipeline.texts import texts_of
from storyaudit.data.tables import (
    BENCHMARK,
    CANDIDATE_KEY,
    CANDIDATES,
    FURTHER_SCORES,
    POOL_CANDIDATES,
    POOL_PREMISES,
    POOL_STORIES,
    PREMISES,
    STORIES,
    human_stories,
)
from storyaudit.llm.model_params import ModelParams
from storyaudit.llm.question import Ask, replaying
from storyaudit.runs.params import Deviation, Params
from storyaudit.runs.stage import EXTERNAL, POOL, Stage
from storyaudit.vocabulary import JUDGES

RECORD = Path("data/records/external_check/external_check.jsonl")
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


def simulated_rewards(
    part: Shown, qualities: pd.DataFrame, params: ExternalCheckParams, rng: np.random.Generator
) -> pd.DataFrame:
    """Return the simulated judge's rewards: item_id, story_id, reward in points.

    A reward is the mean of the story's hidden qualities in points, plus an error, less
    ``human_penalty`` where a person wrote it. A story has the same one in every item.

    Raises:
        InputError: a candidate without text, premise or qualities.
    """
    texts_of(*part)
    shown = part.candidates.drop_duplicates("story_id").sort_values("story_id")
    worth = worth_of(shown, qualities).mean(axis=1).to_numpy()
    human = shown["story_id"].isin(human_stories(part.stories)).to_numpy()
    rewards = worth + rng.normal(0, params.noise, len(shown)) - params.human_penalty * human
    by_story = pd.Series(rewards.round(6), index=shown["story_id"])
    rewarded = part.candidates["story_id"].map(by_story).to_numpy()
    return part.candidates[CANDIDATE_KEY].assign(reward=rewarded)


def asked_rewards(part: Shown, model: ModelParams, ask: Ask) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return a language model's rewards by its record, and what became of the requests.

    Each story is scored by itself, see ``pipeline.recorded_rewards``.

    Raises:
        InputError: see ``ask``; a candidate without text or premise; not one answer with a score.
    """
    candidates, texts = part.candidates, texts_of(*part)
    return recorded_rewards(
        candidates,
        dict(zip(candidates["premise_id"], texts.premises, strict=True)),
        dict(zip(candidates["story_id"], texts.stories, strict=True)),
        RecordedRewards(models=[model], method="scores", both_orders=False),
        ask,
        RECORD,
    )


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
        rewards = pd.DataFrame(columns=[*CANDIDATE_KEY, "reward"])
        if params.model is not None:
            rewards, became = asked_rewards(
                Shown(*(pd.concat(both) for both in zip(*shown_parts(stage), strict=True))),
                params.model,
                ask or replaying(RECORD, "storyaudit record external_check"),
            )
            stage.reads(RECORD)
            stage.metrics(**became)
        elif JUDGES in stage.simulated:
            items, pools = shown_parts(stage)
            of_items = stage.read(QUALITIES, GROUND_TRUTH)
            of_pools = stage.read(POOL_QUALITIES, POOL_GROUND_TRUTH)
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

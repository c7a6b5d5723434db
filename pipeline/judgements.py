"""Judges' scores of the candidates. The judges of the embedded study are simulated."""

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from pipeline.corpora import QUALITIES, WORLD
from storyaudit.protocol.judging import OVERALL
from storyaudit.stage import Deviation, Params, Stage
from storyaudit.tables import CANDIDATES, DIMENSIONS, JUDGEMENTS, STORIES

LOWEST, HIGHEST = 1, 10


class JudgementsParams(Params):
    """How many judges, and how they err."""

    judges: Annotated[int, Field(ge=2)]
    judge_human_story: bool
    noise: Deviation
    bias: Deviation


def points(qualities: pd.DataFrame) -> pd.DataFrame:
    """Return qualities in [0, 1] as points of the judges' scale."""
    return LOWEST + (HIGHEST - LOWEST) * qualities


def simulate_judgements(
    candidates: pd.DataFrame,
    qualities: pd.DataFrame,
    human_stories: set[str],
    params: JudgementsParams,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return the judgements table: whole points from 1 to 10 on five dimensions and overall.

    A judge's score is the story's hidden quality, the judge's lenience on that dimension and an
    error; 'overall' is the mean of its unrounded dimension scores, rounded.
    """
    judged = candidates
    if not params.judge_human_story:
        judged = candidates[~candidates["story_id"].isin(human_stories)]
    worth = points(
        judged[["story_id"]].merge(qualities, on="story_id", validate="m:1")[list(DIMENSIONS)]
    ).to_numpy()
    tables = []
    for number in range(1, params.judges + 1):
        lenience = rng.normal(0, params.bias, size=len(DIMENSIONS))
        scores = worth + lenience + rng.normal(0, params.noise, size=worth.shape)
        everything = np.column_stack([scores, scores.mean(axis=1)])
        wide = pd.DataFrame(
            np.clip(np.rint(everything), LOWEST, HIGHEST), columns=[*DIMENSIONS, OVERALL]
        )
        keys = judged[["item_id", "story_id", "position"]].reset_index(drop=True)
        wide = pd.concat([keys, wide], axis=1)
        long = wide.melt(
            id_vars=["item_id", "story_id", "position"], var_name="dimension", value_name="score"
        )
        tables.append(long.assign(judge=f"simulated-judge-{number}", prompt_variant="1"))
    return pd.concat(tables, ignore_index=True)


def main() -> None:
    """Run the stage."""
    with Stage("judgements") as stage:
        stories = stage.read(STORIES)
        judgements = simulate_judgements(
            stage.read(CANDIDATES),
            stage.read(QUALITIES, WORLD),
            set(stories.loc[stories["author_kind"] == "human", "story_id"]),
            stage.params("judgements", JudgementsParams),
            stage.stream("judgements"),
        )
        stage.write(JUDGEMENTS, judgements)
        stage.metrics(judgements=len(judgements))


if __name__ == "__main__":
    main()

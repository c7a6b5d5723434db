"""Judges' scores of the candidates. The judges of the embedded study are simulated."""

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from pipeline.world.tables import HIGHEST, LOWEST, QUALITIES, WORLD, points
from storyaudit.params import Deviation, Params
from storyaudit.protocol.judging import OVERALL
from storyaudit.stage import Stage
from storyaudit.tables import CANDIDATES, DIMENSIONS, JUDGEMENTS, STORIES, human_stories


class JudgementsParams(Params):
    """How many judges, and how they err."""

    judges: Annotated[int, Field(ge=2, le=1000)]
    judge_human_story: bool
    noise: Deviation
    bias: Deviation


def simulate_judgements(
    candidates: pd.DataFrame,
    qualities: pd.DataFrame,
    humans: set[str],
    params: JudgementsParams,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return the judgements table: whole points from 1 to 10 on five dimensions and overall.

    A judge's score is the story's hidden quality, the judge's lenience on that dimension and an
    error; 'overall' is the mean of its unrounded dimension scores, rounded.
    """
    judged = candidates
    if not params.judge_human_story:
        judged = candidates[~candidates["story_id"].isin(humans)]
    worth = points(qualities).loc[judged["story_id"]].to_numpy()
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
            human_stories(stories),
            stage.params("judgements", JudgementsParams),
            stage.stream("judgements"),
        )
        stage.write(JUDGEMENTS, judgements)
        stage.metrics(judgements=len(judgements))


if __name__ == "__main__":
    main()

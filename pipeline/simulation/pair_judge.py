"""A simulated judge of two models' stories, so that pairs can be made."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pipeline.pairing.contests import Contest, Judge
from pipeline.pairing.pair import Story
from pipeline.simulation.truth_tables import GROUND_TRUTH, QUALITIES, points
from storyaudit.errors import InputError


def simulated_judge(qualities: pd.DataFrame, noise: float, rng: np.random.Generator) -> Judge:
    """Return a judge who sees each story's mean quality, in points, with a normal error.

    Args:
        qualities: the qualities table.
        noise: SD of the error.
        rng: draws it.

    Raises:
        InputError: when judging, a story without qualities.
    """
    worth = points(qualities).mean(axis=1).to_dict()

    def seen(story: Story) -> float:
        if story.story_id not in worth:
            raise InputError(
                f"the story {story.story_id} has no qualities, which the simulated judge needs.",
                "Build the stage 'corpora' again, or name a judge: pairs.recorded.judge.",
                file=GROUND_TRUTH / f"{QUALITIES.name}.parquet",
            )
        return float(worth[story.story_id] + rng.normal(0, noise))

    def judge(contests: Sequence[Contest]) -> list[int | None]:
        verdicts: list[int | None] = []
        for contest in contests:
            first, second = map(seen, contest.stories)
            verdicts.append(None if first == second else int(second > first))
        return verdicts

    return judge

"""Scores tables of trained models, content-blind rules and judges, from candidates and texts."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.reward.baselines import at_random, burstiness, longest, premise_overlap, shortest
from pipeline.reward.folder import score_all
from pipeline.reward.model import RewardModel
from pipeline.texts import Texts
from storyaudit.data.tables import CANDIDATE_KEY, SCORES
from storyaudit.protocol.judge_scores import scores_by_item
from storyaudit.vocabulary import (
    BURSTINESS,
    JUDGES_MEAN,
    LONGEST,
    PREMISE_OVERLAP,
    RANDOM,
    SHORTEST,
)

Run = tuple[str, int]
"""A variant and a seed."""
BASELINES = {
    LONGEST: "words",
    SHORTEST: "words",
    BURSTINESS: "sentences",
    PREMISE_OVERLAP: "words",
    RANDOM: "uniform",
}
"""Variants that do not read a story for its worth, and what stands in the column 'model'."""


def trained_scores(
    candidates: pd.DataFrame, texts: Texts, models: Mapping[Run, RewardModel]
) -> pd.DataFrame:
    """Return the scores table of trained models, each under its variant and seed."""
    if candidates.empty:
        return as_scores([])
    rewards = score_all(models, texts.premises, texts.stories)
    return as_scores(
        _run(candidates, variant, model.kind, seed, rewards[variant, seed])
        for (variant, seed), model in models.items()
    )


def baseline_scores(
    candidates: pd.DataFrame, texts: Texts, streams: Mapping[int, np.random.Generator]
) -> pd.DataFrame:
    """Return the scores table of the content-blind rules; ``random`` once a stream, by seed."""
    if candidates.empty:
        return as_scores([])
    rewards = {
        LONGEST: longest(texts.stories),
        SHORTEST: shortest(texts.stories),
        BURSTINESS: burstiness(texts.stories),
        PREMISE_OVERLAP: premise_overlap(texts.premises, texts.stories),
    }
    runs = [_run(candidates, name, BASELINES[name], 0, rewards[name]) for name in rewards]
    for seed, rng in streams.items():
        drawn = at_random(len(candidates), rng)
        runs.append(_run(candidates, RANDOM, BASELINES[RANDOM], seed, drawn))
    return as_scores(runs)


def judges_mean(
    candidates: pd.DataFrame, judgements: pd.DataFrame, prompt_variant: str
) -> pd.DataFrame:
    """Return the judges' mean overall score as a reward, where there is one.

    As in the protocol, a judge who did not score all of an item's judged stories is left out of it.
    The gold follows the judges where people confirm them: beside it this is an upper bound,
    not a model's result.
    """
    judged = judgements[judgements["prompt_variant"] == prompt_variant]
    means = {
        (item, story): mean
        for item, scores in scores_by_item(judged).items()
        if scores.judges
        # Rounded: means that are equal on paper can differ in the last bit.
        for story, mean in zip(
            scores.stories, np.round(scores.overall.mean(axis=0), 9), strict=True
        )
    }
    keys = list(candidates[CANDIDATE_KEY].itertuples(index=False, name=None))
    scored = candidates[[key in means for key in keys]]
    rewards = np.array([means[key] for key in keys if key in means], dtype="float64")
    return as_scores([_run(scored, JUDGES_MEAN, "judges", 0, rewards)])


def _run(
    candidates: pd.DataFrame, variant: str, model: str, seed: int, rewards: NDArray[np.float64]
) -> pd.DataFrame:
    return candidates[CANDIDATE_KEY].assign(variant=variant, model=model, seed=seed, reward=rewards)


def as_scores(runs: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return runs as one scores table, which is empty where there is none."""
    tables = [run[SCORES.names] for run in runs]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=SCORES.names)

"""Rewards of the candidates: by trained models, content-blind rules, judges, and others' files."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pandas as pd

from pipeline.recorded_rewards import RECORD, RecordedRewards, recorded_rewards
from pipeline.reward.folder import load
from pipeline.reward.model import RewardModel
from pipeline.scoring.external_scores import FileOfScores, scores_of_files, within
from pipeline.scoring.saved_models import saved_models
from pipeline.scoring.scored_candidates import (
    BASELINES,
    Run,
    as_scores,
    baseline_scores,
    judges_mean,
    trained_scores,
)
from pipeline.texts import Texts, texts_of
from pipeline.train import MODELS, TRAIN_SECTION
from storyaudit.data.tables import (
    BENCHMARK,
    CANDIDATES,
    FURTHER_SCORES,
    JUDGEMENTS,
    POOL_CANDIDATES,
    POOL_PREMISES,
    POOL_STORIES,
    PREMISES,
    SCORES,
    STORIES,
)
from storyaudit.errors import InputError
from storyaudit.llm.question import Ask, replaying
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.runs.params import Params
from storyaudit.runs.stage import EXPERIMENTS, PARAMS, POOL, Stage
from storyaudit.vocabulary import FULL, JUDGES_MEAN


class ScoreParams(Params):
    """The ``score`` section of ``params.yaml``.

    Attributes:
        recorded: language models whose answers are recorded.
        files: rewards by others.
    """

    recorded: RecordedRewards
    files: list[FileOfScores]


def refuse_taken(names: Collection[str], taken: Collection[str]) -> None:
    """Refuse language models that bear another variant's name.

    Raises:
        InputError: one does.
    """
    both = sorted(set(names) & set(taken))
    if both:
        raise InputError(
            f"score.recorded: the model '{both[0]}' bears the name of another variant.",
            "Give it another name at its endpoint.",
            file=PARAMS,
        )


def missing_rewards(scores: pd.DataFrame, candidates: int) -> dict[Run, int]:
    """Return how many of so many candidates each run gives no reward, by variant and seed."""
    rewarded = scores.groupby(["variant", "seed"], as_index=False).size()
    return {
        (str(variant), int(seed)): candidates - int(number)
        for variant, seed, number in rewarded.to_numpy().tolist()
    }


def read_models(stage: Stage, seeds: Collection[int]) -> dict[Run, RewardModel]:
    """Return the trained models by variant and seed."""
    folders = saved_models(MODELS, seeds)
    for folder in folders.values():
        stage.reads_all(folder)
    return {run: load(folder) for run, folder in folders.items()}


def asked_scores(
    stage: Stage, candidates: pd.DataFrame, texts: Texts, params: RecordedRewards, ask: Ask
) -> pd.DataFrame:
    """Return the scores of language models by their record; what became of requests is noted."""
    scores, counts = recorded_rewards(
        candidates,
        dict(zip(candidates["premise_id"], texts.premises, strict=True)),
        dict(zip(candidates["story_id"], texts.stories, strict=True)),
        params,
        ask,
    )
    stage.reads(RECORD)
    stage.metrics(**counts)
    return scores


def pool_scores(
    stage: Stage, pool: pd.DataFrame, models: Mapping[Run, RewardModel], seeds: Collection[int]
) -> list[pd.DataFrame]:
    """Return the scores that the full model and the content-blind rules give the pools."""
    texts = texts_of(pool, stage.read(POOL_PREMISES, POOL), stage.read(POOL_STORIES, POOL))
    full = {run: model for run, model in models.items() if run[0] == FULL}
    streams = {seed: stage.stream(f"random {seed}, pool") for seed in seeds}
    return [trained_scores(pool, texts, full), baseline_scores(pool, texts, streams)]


def main(ask: Ask | None = None) -> None:
    """Run the stage.

    Args:
        ask: gets answers of language models; from the record if None.
    """
    with Stage("score") as stage:
        params = stage.params("score", ScoreParams)
        seeds = stage.params("train", TRAIN_SECTION).seeds
        prompt_variant = stage.params("protocol", ProtocolParams).prompt_variant
        benchmark = stage.read(BENCHMARK)
        everything = stage.read(CANDIDATES).sort_values(["item_id", "position"])
        candidates = everything[everything["item_id"].isin(benchmark["item_id"])]
        pool = stage.read(POOL_CANDIDATES, POOL).sort_values(["item_id", "position"])
        texts = texts_of(candidates, stage.read(PREMISES), stage.read(STORIES))
        models = read_models(stage, seeds)
        taken = {variant for variant, _ in models} | {*BASELINES, JUDGES_MEAN}

        others = [judges_mean(candidates, stage.read(JUDGEMENTS), prompt_variant)]
        if params.recorded.models:
            names = {model.model for model in params.recorded.models}
            refuse_taken(names, taken)
            taken |= names
            get = ask or replaying(RECORD, "storyaudit record score")
            others.append(asked_scores(stage, candidates, texts, params.recorded, get))
        files = [(stage.reads(Path(file.path)), file.variant) for file in params.files]
        of_files, sources = scores_of_files(files, pd.concat([everything, pool]), benchmark, taken)
        others.append(within(of_files, candidates))
        missing = missing_rewards(as_scores(others), len(candidates))
        for variant, seed in sorted({*missing, *sources}):
            source = {"rewards": sources[variant, seed]} if (variant, seed) in sources else {}
            number = missing.get((variant, seed), len(candidates))  # of pools alone, it lacks all
            stage.run(variant, seed, params=source, metrics={"missing_rewards": number})

        streams = {seed: stage.stream(f"random {seed}") for seed in seeds}
        trained = trained_scores(candidates, texts, models)
        full = trained["variant"] == FULL
        baselines = baseline_scores(candidates, texts, streams)
        scores = as_scores([trained[full], baselines, *others])
        in_pool = [*pool_scores(stage, pool, models, seeds), within(of_files, pool)]
        stage.write(SCORES, scores)
        stage.write(FURTHER_SCORES, trained[~full], EXPERIMENTS)
        stage.write(FURTHER_SCORES, as_scores(in_pool), POOL)
        stage.metrics(scores=len(scores), ablations=int((~full).sum()))


if __name__ == "__main__":
    main()

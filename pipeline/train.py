"""Train the reward model on the training pairs and on variants of them, once a seed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field, field_validator

from pipeline.reward.linear.drivers import bucket_names, with_drivers
from pipeline.reward.linear.fitting import OPTIMISER, Fitted, fit, margins
from pipeline.reward.linear.linear_reward import LinearReward
from pipeline.reward.linear.pair_texts import PairFeatures, pair_features
from pipeline.reward.linear.reward_settings import Settings
from pipeline.reward.variants import FULL, Rows, Variants, variants
from pipeline.texts import texts
from storyaudit.data.decontamination import drop_overlapping
from storyaudit.data.tables import (
    FURTHER_PAIRS,
    OVERLAPS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    STORIES,
)
from storyaudit.runs.stage import EXPERIMENTS, Stage

MODELS = Path("models")
KEY = ["premise_id", "method", "pair_id"]


class TrainParams(Settings, Variants):
    """Features, solver, seeds and variants.

    Attributes:
        drop_overlaps_from: containment from which a pair that overlaps the benchmark is left out;
            None trains on all.
    """

    seeds: Annotated[list[Annotated[int, Field(ge=0, lt=2**32)]], Field(min_length=1)]
    epochs: Annotated[int, Field(ge=1, le=10_000)]
    l2: Annotated[float, Field(ge=1e-8, le=100)]
    drop_overlaps_from: Annotated[float, Field(gt=0, le=1)] | None

    @field_validator("seeds")
    @classmethod
    def _different_seeds(cls, seeds: list[int]) -> list[int]:
        if len(set(seeds)) != len(seeds):
            raise ValueError("a seed stands twice")
        return seeds

    def settings(self) -> Settings:
        """Return the features' settings alone."""
        return Settings(**{name: getattr(self, name) for name in Settings.model_fields})


@dataclass(frozen=True)
class Trained:
    """A model of one variant and seed, with metrics of its run."""

    variant: str
    seed: int
    model: LinearReward
    metrics: dict[str, float]


def all_pairs(study: pd.DataFrame, further: pd.DataFrame) -> pd.DataFrame:
    """Return the study's pairs and the experiments' own, which ``further`` marks, in one order.

    The full model's pairs come first, so that a fit to them needs no copy of their features.
    """
    both = [study.assign(further=False), further.assign(further=True)]
    pairs = pd.concat([table for table in both if len(table)])
    pairs["held_out"] = pairs["split"] != "train"
    return pairs.sort_values(["held_out", "further", *KEY], ignore_index=True)


def train(
    pairs: pd.DataFrame,
    premises: list[str],
    chosen: list[str],
    rejected: list[str],
    params: TrainParams,
    stream: Callable[[str], np.random.Generator],
) -> Iterator[Trained]:
    """Yield a model for each variant and seed, with its accuracy on the pairs of both splits.

    Accuracy of a pair: the chosen story's reward is higher than the rejected one's. Validation
    pairs are the study's, the same for all variants.

    Args:
        pairs: from ``all_pairs``; texts come in the same order.
        premises: the pairs' premises.
        chosen: the chosen stories.
        rejected: the rejected stories.
        params: of the stage.
        stream: returns the random stream of a purpose.

    Raises:
        InputError: too few pairs for a variant.
    """
    which = variants(
        pairs,
        params,
        orders={seed: stream(f"learning curve {seed}") for seed in params.seeds},
        draw=stream("replacement"),
    )
    features = pair_features(premises, chosen, rejected, params.settings())
    fitted = {
        (name, seed): model
        for name, by_seed in which.items()
        for seed, model in _fits(features, by_seed, params).items()
    }
    training = np.flatnonzero(~pairs["held_out"]).tolist()
    names = bucket_names(
        {bucket for model in fitted.values() for bucket in model.buckets},
        [premises[row] for row in training for _ in range(2)],
        [side[row] for row in training for side in (chosen, rejected)],
        params.settings(),
    )
    held_out = (pairs["held_out"] & ~pairs["further"]).to_numpy()
    for (name, seed), model in fitted.items():
        rows = which[name][seed]
        right = margins(model.model, features) > 0
        metrics = _counts(pairs, rows, features)
        metrics["pair_accuracy.train"] = float(right[rows].mean())
        if held_out.any():
            metrics["pairs.validation"] = int(held_out.sum())
            metrics["pair_accuracy.validation"] = float(right[held_out].mean())
        yield Trained(name, seed, with_drivers(model, names), metrics)


def _fits(features: PairFeatures, rows: dict[int, Rows], params: TrainParams) -> dict[int, Fitted]:
    """Fit once for all seeds that train on the same pairs."""
    first, *others = rows.values()
    if all(of_seed is first for of_seed in others):
        models = fit(features, first, epochs=params.epochs, l2=params.l2, seeds=list(rows))
        return dict(zip(rows, models, strict=True))
    return {
        seed: fit(features, of_seed, epochs=params.epochs, l2=params.l2, seeds=[seed])[0]
        for seed, of_seed in rows.items()
    }


def _counts(pairs: pd.DataFrame, rows: Rows, features: PairFeatures) -> dict[str, float]:
    some, cut = pairs.iloc[rows], features.truncated[:, rows]
    truncated = {*some["chosen_id"][cut[0]], *some["rejected_id"][cut[1]]}
    methods = some["method"].value_counts().sort_index()
    return {
        "pairs": len(rows),
        **{f"pairs.{method}": int(number) for method, number in methods.items()},
        "truncated_stories": len(truncated),
    }


def of_experiment(variant: str) -> dict[str, str]:
    """Return the param by which a variant's runs are found among the experiments; none for full."""
    if variant == FULL:
        return {}
    kind = variant.split("/")[0]
    return {"experiment": "ablation" if kind in ("removal", "replacement") else kind}


def main() -> None:
    """Run the stage."""
    with Stage("train") as stage:
        params = stage.params("train", TrainParams)
        stage.owns(MODELS)
        study, further = stage.read(PAIRS), stage.read(FURTHER_PAIRS, EXPERIMENTS)
        overlaps = pd.concat([stage.read(OVERLAPS), stage.read(OVERLAPS, EXPERIMENTS)])
        if params.drop_overlaps_from is not None:
            study, dropped = drop_overlapping(study, overlaps, params.drop_overlaps_from)
            further, apart = drop_overlapping(further, overlaps, params.drop_overlaps_from)
            lost = (dropped | apart).items()
            stage.metrics(**{f"dropped.{method}": number for method, number in lost})
        pairs = all_pairs(study, further)
        premises = (stage.read(PREMISES), stage.read(PAIR_PREMISES))
        stories = (stage.read(STORIES), stage.read(PAIR_STORIES))
        solver = params.model_dump(include={"epochs", "l2", *Settings.model_fields})
        needed = pairs.set_index("pair_id")
        for trained in train(
            pairs,
            texts(needed["premise_id"], "premise_id", *premises),
            texts(needed["chosen_id"], "story_id", *stories),
            texts(needed["rejected_id"], "story_id", *stories),
            params,
            stage.stream,
        ):
            folder = MODELS / trained.variant / f"seed-{trained.seed}"
            for name, content in trained.model.files().items():
                stage.write_file(folder / name, content)
            params_of_run = OPTIMISER | solver | of_experiment(trained.variant)
            stage.run(trained.variant, trained.seed, params=params_of_run, metrics=trained.metrics)
        stage.metrics(pairs=int((~pairs["held_out"] & ~pairs["further"]).sum()))


if __name__ == "__main__":
    main()

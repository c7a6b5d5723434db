"""Train the reward model on the training pairs, once a seed."""

from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from pydantic import Field, field_validator

from pipeline.reward.linear import LinearReward, features, fit
from storyaudit.errors import InputError
from storyaudit.params import Params
from storyaudit.stage import Stage
from storyaudit.tables import PAIRS, PREMISES, STORIES

MODELS = Path("models")
VARIANT = "linear"


class TrainParams(Params):
    """Features, solver and seeds."""

    seeds: Annotated[list[Annotated[int, Field(ge=0, lt=2**32)]], Field(min_length=1)]
    buckets_log2: Annotated[int, Field(ge=1, le=26)]
    ngrams: Annotated[int, Field(ge=1, le=10)]
    epochs: Annotated[int, Field(ge=1, le=10_000)]
    l2: Annotated[float, Field(gt=0, le=100)]

    @field_validator("seeds")
    @classmethod
    def _different(cls, seeds: list[int]) -> list[int]:
        if len(set(seeds)) != len(seeds):
            raise ValueError("a seed stands twice")
        return seeds


def train(
    pairs: pd.DataFrame, premises: pd.DataFrame, stories: pd.DataFrame, params: TrainParams
) -> dict[int, tuple[LinearReward, dict[str, float]]]:
    """Return a model a seed, with its accuracy on the training and validation pairs.

    Accuracy of a pair: the chosen story's reward is higher than the rejected one's.

    Raises:
        InputError: fewer than two training pairs.
    """
    premise_text = premises.set_index("premise_id")["text"]
    story_text = stories.set_index("story_id")["text"]

    def side(column: str) -> Any:
        return features(
            premise_text[pairs["premise_id"]].tolist(),
            story_text[pairs[column]].tolist(),
            buckets_log2=params.buckets_log2,
            ngrams=params.ngrams,
        )

    chosen, rejected = side("chosen_id"), side("rejected_id")
    training = (pairs["split"] == "train").to_numpy()
    if training.sum() < 2:
        raise InputError(
            f"expected two training pairs or more, found {training.sum()}.",
            "Make more pairs, or hold fewer out for validation.",
        )
    models = {}
    for seed in params.seeds:
        model = fit(
            chosen[training],
            rejected[training],
            buckets_log2=params.buckets_log2,
            ngrams=params.ngrams,
            epochs=params.epochs,
            l2=params.l2,
            seed=seed,
        )
        right = model.score(chosen) > model.score(rejected)
        splits = {"train": training, "validation": ~training}
        models[seed] = (
            model,
            {f"pair_accuracy.{n}": float(right[of].mean()) for n, of in splits.items() if of.any()},
        )
    return models


def main() -> None:
    """Run the stage."""
    with Stage("train") as stage:
        pairs = stage.read(PAIRS)
        params = stage.params("train", TrainParams)
        models = train(pairs, stage.read(PREMISES), stage.read(STORIES), params)
        for seed, (model, metrics) in models.items():
            content = model.to_json().encode()
            stage.write_file(MODELS / VARIANT / f"seed-{seed}.json", content)
            stage.run(VARIANT, seed, params=params.model_dump(exclude={"seeds"}), metrics=metrics)
        stage.metrics(pairs=int((pairs["split"] == "train").sum()))


if __name__ == "__main__":
    main()

"""Train the reward model on the training pairs and on variants of them, once a seed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field, create_model, field_validator, model_validator

from pipeline.reward.model import Fit, PairTexts, Rows
from pipeline.reward.reward_kinds import KINDS
from pipeline.reward.variants import Variants, variants
from pipeline.texts import texts
from storyaudit.data.tables import (
    FURTHER_PAIRS,
    OVERLAPS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    STORIES,
)
from storyaudit.overlap.decontamination import drop_overlapping
from storyaudit.runs.params import Params
from storyaudit.runs.stage import EXPERIMENTS, Stage
from storyaudit.vocabulary import FULL, REMOVAL, REPLACEMENT, TRAIN, family_of

MODELS = Path("models")
KEY = ["premise_id", "method", "pair_id"]


class TrainParams(Variants):
    """The section ``train`` but for its kinds' own sections; ``TRAIN_SECTION`` is all of it.

    Attributes:
        seeds: of the models of every variant.
        kind: of the models; its parameters stand in a section of that name.
        drop_overlaps_from: containment from which a pair that overlaps the benchmark is left out;
            None trains on all.
    """

    seeds: Annotated[list[Annotated[int, Field(ge=0, lt=2**32)]], Field(min_length=1)]
    kind: str
    drop_overlaps_from: Annotated[float, Field(gt=0, le=1)] | None

    @field_validator("kind")
    @classmethod
    def _known_kind(cls, kind: str) -> str:
        if kind not in KINDS:
            raise ValueError(f"the kinds are {', '.join(KINDS)}")
        return kind

    @field_validator("seeds")
    @classmethod
    def _different_seeds(cls, seeds: list[int]) -> list[int]:
        if len(set(seeds)) != len(seeds):
            raise ValueError("a seed stands twice")
        return seeds

    @model_validator(mode="after")
    def _own_section(self) -> Self:
        if getattr(self, self.kind, None) is None:
            raise ValueError(f"the section '{self.kind}' is missing")
        return self

    def of_kind(self) -> Params:
        """Return the parameters of the kind."""
        section: Params = getattr(self, self.kind)
        return section


_SECTIONS: dict[str, Any] = {name: (kind.params | None, None) for name, kind in KINDS.items()}
TRAIN_SECTION: type[TrainParams] = create_model("TrainSection", __base__=TrainParams, **_SECTIONS)
"""The section ``train``, with the sections of all kinds; that of its own kind must be there."""


@dataclass(frozen=True)
class Trained:
    """A model of one variant and seed, with metrics of its run."""

    variant: str
    seed: int
    fit: Fit
    metrics: dict[str, float]


def all_pairs(study: pd.DataFrame, further: pd.DataFrame) -> pd.DataFrame:
    """Return the study's pairs and the experiments' own, which ``further`` marks, in one order.

    The full model's pairs come first, so that a fit to them needs no copy of their features.
    """
    both = [study.assign(further=False), further.assign(further=True)]
    pairs = pd.concat([table for table in both if len(table)])
    pairs["held_out"] = pairs["split"] != TRAIN
    return pairs.sort_values(["held_out", "further", *KEY], ignore_index=True)


def train(
    pairs: pd.DataFrame,
    texts: PairTexts,
    params: TrainParams,
    stream: Callable[[str], np.random.Generator],
) -> Iterator[Trained]:
    """Yield a model for each variant and seed, with its accuracy on the pairs of both splits.

    Accuracy of a pair: the chosen story's reward is higher than the rejected one's. Validation
    pairs are the study's, the same for all variants.

    Args:
        pairs: from ``all_pairs``.
        texts: of the pairs, in the same order.
        params: of the stage.
        stream: returns the random stream of a purpose.

    Raises:
        InputError: too few pairs for a variant.
    """
    which = variants(
        pairs,
        params,
        orders={seed: stream(f"learning curve {seed}") for seed in params.seeds},
        draw=stream(REPLACEMENT),
    )
    kind = KINDS[params.kind]
    training = np.flatnonzero(~pairs["held_out"])
    held_out = (pairs["held_out"] & ~pairs["further"]).to_numpy()
    for name, seed, fit in kind.fit(texts, which, training, params.of_kind()):
        rows = which[name][seed]
        right = fit.margins > 0
        metrics = _counts(pairs, rows, fit.truncated)
        metrics["pair_accuracy.train"] = float(right[rows].mean())
        if held_out.any():
            metrics["pairs.validation"] = int(held_out.sum())
            metrics["pair_accuracy.validation"] = float(right[held_out].mean())
        yield Trained(name, seed, fit, metrics)


def _counts(pairs: pd.DataFrame, rows: Rows, truncated: NDArray[np.bool_]) -> dict[str, float]:
    some, cut = pairs.iloc[rows], truncated[:, rows]
    stories = {*some["chosen_id"][cut[0]], *some["rejected_id"][cut[1]]}
    methods = some["method"].value_counts().sort_index()
    return {
        "pairs": len(rows),
        **{f"pairs.{method}": int(number) for method, number in methods.items()},
        "truncated_stories": len(stories),
    }


def of_experiment(variant: str) -> dict[str, str]:
    """Return the param by which a variant's runs are found among the experiments; none for full."""
    if variant == FULL:
        return {}
    family = family_of(variant)
    return {"experiment": "ablation" if family in (REMOVAL, REPLACEMENT) else family}


def main() -> None:
    """Run the stage."""
    with Stage("train") as stage:
        params = stage.params("train", TRAIN_SECTION)
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
        needed = pairs.set_index("pair_id")
        of_pairs = PairTexts(
            texts(needed["premise_id"], "premise_id", *premises),
            texts(needed["chosen_id"], "story_id", *stories),
            texts(needed["rejected_id"], "story_id", *stories),
        )
        for trained in train(pairs, of_pairs, params, stage.stream):
            fit = trained.fit
            folder = MODELS / trained.variant / f"seed-{trained.seed}"
            stage.write_folder(folder, fit.model.save)
            params_of_run = {**fit.log, **of_experiment(trained.variant)}
            stage.run(trained.variant, trained.seed, params=params_of_run, metrics=trained.metrics)
        stage.metrics(pairs=int((~pairs["held_out"] & ~pairs["further"]).sum()))


if __name__ == "__main__":
    main()

"""Training pairs: of two models' stories for one premise, one is chosen and one rejected."""

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from pipeline.world.authors import MODELS
from pipeline.world.tables import QUALITIES, WORLD, points
from storyaudit.errors import InputError
from storyaudit.params import Deviation, Params
from storyaudit.stage import Stage
from storyaudit.tables import PAIRS, PREMISES, STORIES


class PairsParams(Params):
    """How many pairs a premise gives, and how the pairs' judge errs."""

    judged_per_premise: Annotated[int, Field(ge=1, le=6)]
    sized_per_premise: Annotated[int, Field(ge=0, le=5)]
    judge_noise: Deviation
    validation_share: Annotated[float, Field(gt=0, lt=1)]


def build_pairs(
    premises: pd.DataFrame,
    stories: pd.DataFrame,
    qualities: pd.DataFrame,
    params: PairsParams,
    *,
    pairs_rng: np.random.Generator,
    judge_rng: np.random.Generator,
    split_rng: np.random.Generator,
) -> pd.DataFrame:
    """Return the pairs table, of two LLM–LLM methods (StoryAlign, section 3.1).

    ``llm_llm_judged``: a (simulated) judge chooses. ``llm_llm_size``: the larger model's story is
    chosen over the smaller's, where the sizes of both are known. Premises are split, so that no
    premise stands on both sides.

    Raises:
        InputError: no training premise has two stories by language models.
    """
    size = {model.name: model.billions for model in MODELS}
    worth = points(qualities).mean(axis=1)
    for_training = premises.loc[premises["use"] == "training"].set_index("premise_id")
    training = sorted(for_training.index)
    held_out = round(len(training) * params.validation_share)
    validation = set(split_rng.permutation(training)[:held_out].tolist())
    by_models = stories[stories["author_kind"] == "llm"]
    by_premise = dict(list(by_models.groupby("premise_id", sort=True)))
    rows: list[dict[str, str]] = []
    for premise_id in training:
        if premise_id not in by_premise:
            continue
        authors = dict(
            zip(by_premise[premise_id]["story_id"], by_premise[premise_id]["author"], strict=True)
        )
        ids = sorted(authors)
        couples = [(a, b) for number, a in enumerate(ids) for b in ids[number + 1 :]]
        order = pairs_rng.permutation(len(couples)).tolist()
        for method, couple in [
            *(("llm_llm_judged", couples[i]) for i in order[: params.judged_per_premise]),
            *(
                ("llm_llm_size", couples[i])
                for i in order[params.judged_per_premise :][: params.sized_per_premise]
                if {authors[story] for story in couples[i]} <= set(size)
            ),
        ]:
            if method == "llm_llm_judged":
                seen = worth[list(couple)].to_numpy() + judge_rng.normal(0, params.judge_noise, 2)
                swap = seen[1] > seen[0]
            else:
                swap = size[authors[couple[1]]] > size[authors[couple[0]]]
            chosen, rejected = couple[::-1] if swap else couple
            rows.append(
                {
                    "method": method,
                    "source": for_training["source"][premise_id],
                    "split": "validation" if premise_id in validation else "train",
                    "premise_id": premise_id,
                    "chosen_id": chosen,
                    "rejected_id": rejected,
                    "language": for_training["language"][premise_id],
                }
            )
    if not rows:
        raise InputError(
            f"none of {len(training)} training premises has two stories by language models.",
            "Pairs are made of such stories so far.",
        )
    table = pd.DataFrame(rows)
    table["pair_id"] = [f"t{number:06d}" for number in range(1, len(table) + 1)]
    return table


def main() -> None:
    """Run the stage."""
    with Stage("pairs") as stage:
        pairs = build_pairs(
            stage.read(PREMISES),
            stage.read(STORIES),
            stage.read(QUALITIES, WORLD),
            stage.params("pairs", PairsParams),
            pairs_rng=stage.stream("pairs"),
            judge_rng=stage.stream("judge"),
            split_rng=stage.stream("split"),
        )
        stage.write(PAIRS, pairs)
        sizes = {f"pairs.{m}": int(n) for m, n in pairs["method"].value_counts().items()}
        splits = {f"pairs.{s}": int(n) for s, n in pairs["split"].value_counts().items()}
        stage.metrics(pairs=len(pairs), **sizes, **splits)


if __name__ == "__main__":
    main()

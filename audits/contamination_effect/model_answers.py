"""What each model of a results table answered, item by item, and whether it was trained here."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.data.tables import RUN_KEY
from storyaudit.results.outcomes import common_outcomes
from storyaudit.stats.estimate import Array
from storyaudit.vocabulary import CONTENT_BLIND, UNTRAINED

Role = Literal["trained", "control", "unknown"]


@dataclass(frozen=True)
class Answers:
    """The outcomes on the items that every run answered.

    Attributes:
        names: of the models.
        keys: variant and model of each.
        roles: the models' roles: trained on the study's pairs, on none, or not known.
        items: IDs.
        origins: each item's origin.
        by_model: each model's outcomes; one row an item, one column a seed; 1 right, 0 wrong.
        strata: each item's dimension, as a number; −1 where it counts in none.
        dimensions: their names.
        left_out: items that some run lacks, or that have no gold.
    """

    names: list[str]
    keys: list[tuple[str, str]]
    roles: list[Role]
    items: NDArray[np.str_]
    origins: NDArray[np.str_]
    by_model: list[Array]
    strata: NDArray[np.int64]
    dimensions: list[str]
    left_out: int

    @property
    def variants(self) -> list[str]:
        """The models' variants."""
        return [variant for variant, _ in self.keys]

    def among(self, items: Collection[str]) -> NDArray[np.bool_]:
        """Return which of the items are among some."""
        return np.isin(self.items, sorted(items))

    def of_role(self, *roles: Role) -> list[int]:
        """Return the models of some roles, as numbers."""
        return [number for number, role in enumerate(self.roles) if role in roles]

    def rules(self) -> Array | None:
        """Return the mean outcome of the content-blind rules, one column; None without any."""
        rules = [
            outcomes.mean(axis=1)
            for outcomes, variant in zip(self.by_model, self.variants, strict=True)
            if variant in CONTENT_BLIND
        ]
        return np.mean(rules, axis=0)[:, None] if rules else None


def answers(results: pd.DataFrame, gold: pd.DataFrame, trained: Collection[str]) -> Answers | None:
    """Return what the models answered; None if no item has an outcome of every run.

    Args:
        results: valid rows of the results table.
        gold: item_id and origin, each item once.
        trained: the variants that were trained on the study's pairs.
    """
    runs = len(results[RUN_KEY].drop_duplicates())
    answered = results.groupby("item_id").size()
    origin = gold.set_index("item_id")["origin"]
    items = sorted(set(answered[answered == runs].index) & set(origin.index))
    if not items:
        return None
    outcomes = common_outcomes(results[results["item_id"].isin(items)])
    columns = [results[name].astype("str") for name in RUN_KEY[:2]]
    keys = sorted(set(zip(*columns, strict=True)))
    return Answers(
        names=outcomes.models,
        keys=keys,
        roles=[_role(variant, trained) for variant, _ in keys],
        items=np.array(items),
        origins=origin[items].to_numpy(dtype=str),
        by_model=outcomes.by_seed,
        strata=outcomes.strata,
        dimensions=outcomes.dimensions,
        left_out=len(answered) - len(items),
    )


def _role(variant: str, trained: Collection[str]) -> Role:
    if variant in trained:
        return "trained"
    return "control" if variant in UNTRAINED else "unknown"

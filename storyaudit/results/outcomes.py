"""The models' outcomes on the items that all of them answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.data.tables import RUN_KEY
from storyaudit.results.selection import NO_DIMENSION, model_names
from storyaudit.stats.estimate import Array

DIMENSIONS_NAMED = 3
"""Dimensions that a sentence lists."""


class Common(NamedTuple):
    """The items that every run answered.

    Attributes:
        correct: one row an item, one column a run; 1 is right, 0 wrong.
        about: the further columns of the results, one row an item in the same order.
        strata: each item's dimension, as a number; −1 where it has none and others have one.
        dimensions: the dimensions' names.
        lost: items that some run lacks.
        lost_dimensions: dimensions of which no item is left.
    """

    correct: pd.DataFrame
    about: pd.DataFrame
    strata: NDArray[np.int64]
    dimensions: list[str]
    lost: list[str]
    lost_dimensions: list[str]


@dataclass(frozen=True)
class Outcomes:
    """The models' outcomes on the items that all of them answered.

    Attributes:
        models: names of the models.
        variants: the variant of each model.
        by_seed: each model's outcomes, one row an item, one column a seed.
        tied: for each model, on how many items the highest reward was shared with some seed.
        correct: one row an item, one column a model: the proportion of seeds that were right.
        credit: the same of the credit, which breaks ties at random.
        strata: each item's dimension, as a number; −1 where it has none and others have one.
        dimensions: the dimensions' names.
        protocols: each item's annotation route; None where the results do not name it.
        lost: items that some run lacks.
        lost_dimensions: dimensions of which no item is left.
    """

    models: list[str]
    variants: list[str]
    by_seed: list[Array]
    tied: list[int]
    correct: Array
    credit: Array
    strata: NDArray[np.int64]
    dimensions: list[str]
    protocols: NDArray[np.str_] | None
    lost: list[str]
    lost_dimensions: list[str]

    @property
    def in_macro(self) -> int:
        """Return how many items count in macro accuracy."""
        return int((self.strata >= 0).sum())


def common_items(results: pd.DataFrame) -> Common:
    """Return the outcomes on the items that every run has.

    Items without a dimension are in no stratum, so that they count in micro accuracy and not in
    macro; where no item has any, all are one stratum.

    Args:
        results: valid rows.
    """
    wide = results.pivot(index="item_id", columns=RUN_KEY, values="correct").sort_index()
    common = wide.dropna().astype("float64")
    ordered = results.sort_values(["item_id", *RUN_KEY])
    of_items = ordered.drop_duplicates("item_id").set_index("item_id")
    about = of_items.loc[common.index]
    dimensions, strata = _strata(about["dimension"].to_numpy(dtype=str))
    lost = wide.index.difference(common.index).astype("str").tolist()
    gone = set(of_items["dimension"]) - set(about["dimension"]) - set(NO_DIMENSION)
    return Common(common, about, strata, dimensions, lost, sorted(gone))


def remaining(dimensions: Sequence[str], lost: Sequence[str]) -> str:
    """Return what macro accuracy is over where dimensions are lost, a sentence unended; or ''.

    Args:
        dimensions: names of those that are left.
        lost: names of those of which no item is left.
    """
    if not lost:
        return ""
    named = [name for name in dimensions if name not in NO_DIMENSION]
    over = _listed(named) if named else "items without a dimension"
    return f"No item of {_listed(lost)} is left; macro accuracy is over {over} alone"


def _listed(dimensions: Sequence[str]) -> str:
    if len(dimensions) <= DIMENSIONS_NAMED:
        return ", ".join(dimensions)
    return f"{len(dimensions)} dimensions"


def common_outcomes(results: pd.DataFrame) -> Outcomes:
    """Return the models' outcomes on the items that every run has."""
    common = common_items(results)
    items, runs = common.correct.index, common.correct.columns
    of_item = results[results["item_id"].isin(items)]
    credit = of_item.pivot(index="item_id", columns=RUN_KEY, values="credit")
    credit = credit.reindex(index=items, columns=runs).astype("float64")
    names = [runs.get_level_values(name).astype("str") for name in RUN_KEY[:2]]
    models = list(zip(*names, strict=True))
    keys = sorted(set(models))
    ties = of_item[of_item["ties"] > 0].groupby(RUN_KEY[:2])["item_id"].nunique()
    seeds = [[model == key for model in models] for key in keys]
    by_seed = [common.correct.loc[:, of_model].to_numpy() for of_model in seeds]
    known = "annotation_route" in common.about
    return Outcomes(
        models=model_names(keys),
        variants=[variant for variant, _ in keys],
        by_seed=by_seed,
        tied=[int(ties.get(key, 0)) for key in keys],
        correct=np.array([of_model.mean(axis=1) for of_model in by_seed]).T,
        credit=np.array([credit.loc[:, of_model].mean(axis=1) for of_model in seeds]).T,
        strata=common.strata,
        dimensions=common.dimensions,
        protocols=common.about["annotation_route"].to_numpy(dtype=str) if known else None,
        lost=common.lost,
        lost_dimensions=common.lost_dimensions,
    )


def _strata(dimension: NDArray[np.str_]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the dimensions' names and each item's place among them; one if no item has any."""
    absent = np.isin(dimension, NO_DIMENSION)
    if absent.all():
        return sorted(set(dimension.tolist()))[:1], np.zeros(len(dimension), dtype="int64")
    names, strata = np.unique(dimension[~absent], return_inverse=True)
    placed = np.full(len(dimension), -1, dtype="int64")
    placed[~absent] = strata
    return names.tolist(), placed

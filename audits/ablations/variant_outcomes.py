"""The outcomes of trained variants on the items that all of them answered."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.results.outcomes import common_items
from storyaudit.stats.estimate import Array


@dataclass(frozen=True)
class VariantOutcomes:
    """Outcomes on common items.

    Attributes:
        by_variant: one row an item, one column a seed.
        strata: each item's dimension, as a number; −1 where it has none and others have one.
        dimensions: the dimensions' names.
        lost_dimensions: those of which every item lacks some run.
        origins: each item's origin.
        left_out: items that some run lacks.
    """

    by_variant: dict[str, Array]
    strata: NDArray[np.int64]
    dimensions: list[str]
    lost_dimensions: list[str]
    origins: NDArray[np.str_]
    left_out: int


def together(results: pd.DataFrame, further: pd.DataFrame) -> pd.DataFrame:
    """Return two results tables as one; either may have no rows."""
    parts = [table for table in (results, further) if len(table)]
    return pd.concat(parts, ignore_index=True) if parts else results


def of_variants(results: pd.DataFrame, variants: Sequence[str]) -> VariantOutcomes:
    """Return the outcomes of variants on the items that every run of theirs answered.

    Args:
        results: valid rows, of one model a variant.
        variants: names; each has rows.
    """
    common = common_items(results[results["variant"].isin(variants)])
    named = common.correct.columns.get_level_values("variant")
    return VariantOutcomes(
        by_variant={name: common.correct.loc[:, named == name].to_numpy() for name in variants},
        strata=common.strata,
        dimensions=common.dimensions,
        lost_dimensions=common.lost_dimensions,
        origins=common.about["origin"].to_numpy(dtype=str),
        left_out=len(common.lost),
    )

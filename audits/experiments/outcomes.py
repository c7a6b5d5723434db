"""The outcomes of trained variants on the items that all of them answered."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.experiments.crossed import Array
from storyaudit.findings import Finding, evidence
from storyaudit.selection import RUN

RUN_ITEM = [*RUN, "item_id"]


@dataclass(frozen=True)
class Outcomes:
    """Outcomes on common items.

    Attributes:
        by_variant: one row an item, one column a seed.
        strata: each item's dimension, as a number.
        origins: each item's origin.
        left_out: items that some run lacks.
    """

    by_variant: dict[str, Array]
    strata: NDArray[np.int64]
    origins: NDArray[np.str_]
    left_out: int


def together(results: pd.DataFrame, further: pd.DataFrame) -> pd.DataFrame:
    """Return two results tables as one; either may have no rows."""
    parts = [table for table in (results, further) if len(table)]
    return pd.concat(parts, ignore_index=True) if parts else results


def sound_rows(results: pd.DataFrame, command: str) -> tuple[pd.DataFrame, list[Finding]]:
    """Return the rows that can be used, and a finding on each kind of the others."""
    complete = results.dropna(subset=[*RUN_ITEM, "dimension", "origin", "correct", "ties"])
    twice = complete.duplicated(RUN_ITEM, keep=False)
    labels = complete.groupby("item_id")[["dimension", "origin"]].nunique()
    doubtful = complete["item_id"].isin(labels[(labels > 1).any(axis=1)].index)
    impossible = complete["correct"].astype("bool") & (complete["ties"] != 0)
    problems = (
        (
            "rows-complete",
            results.loc[~results.index.isin(complete.index)],
            "lack a run, an item, its dimension or origin, or an outcome",
        ),
        ("rows-once", complete[twice], "give a run's outcome on an item more than once"),
        (
            "rows-labels",
            complete[doubtful],
            "belong to items that stand under different dimensions or origins",
        ),
        ("rows-ties", complete[impossible], "are called right though another story ties"),
    )
    findings = [
        Finding(
            id=name,
            severity="fail",
            statement=f"{len(rows)} of {len(results)} rows of results {problem}; they are left "
            f"out.",
            numbers={"rows": len(rows)},
            evidence=evidence(rows.sort_values(RUN_ITEM)[[*RUN_ITEM, "dimension", "origin"]]),
            command=command,
        )
        for name, rows, problem in problems
        if len(rows)
    ]
    return complete[~twice & ~doubtful & ~impossible], findings


def of_variants(results: pd.DataFrame, variants: Sequence[str]) -> Outcomes:
    """Return the outcomes of variants on the items that every run of theirs answered.

    Args:
        results: sound rows, of one model a variant.
        variants: names; each has rows.
    """
    rows = results[results["variant"].isin(variants)]
    wide = rows.pivot(index="item_id", columns=RUN, values="correct").sort_index()
    common = wide.dropna().astype("float64")
    labels = rows.drop_duplicates("item_id").set_index("item_id").loc[common.index]
    named = common.columns.get_level_values("variant")
    return Outcomes(
        by_variant={name: common.loc[:, named == name].to_numpy() for name in variants},
        strata=np.unique(labels["dimension"].to_numpy(dtype=str), return_inverse=True)[1],
        origins=labels["origin"].to_numpy(dtype=str),
        left_out=len(wide) - len(common),
    )

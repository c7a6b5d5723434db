"""The rows of a results table that can be used, and the models' outcomes on the same items."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.findings import Finding, evidence
from storyaudit.selection import NO_DIMENSION, RUN, model_names

FEWEST = 5
"""A dimension of fewer items shows too little of its spread to resample it."""
RUN_ITEM = [*RUN, "item_id"]


@dataclass(frozen=True)
class Outcomes:
    """The models' outcomes on the items that all of them answered.

    Attributes:
        models: names of the models.
        by_seed: each model's outcomes, one row an item, one column a seed.
        tied: for each model, on how many items the highest reward was shared with some seed.
        correct: one row an item, one column a model: the share of seeds in which it was right.
        credit: the same of the credit, which breaks ties at random.
        strata: each item's dimension, as a number; −1 where it has none and others have one.
        dimensions: the dimensions' names.
    """

    models: list[str]
    by_seed: list[NDArray[np.float64]]
    tied: list[int]
    correct: NDArray[np.float64]
    credit: NDArray[np.float64]
    strata: NDArray[np.int64]
    dimensions: list[str]

    @property
    def in_macro(self) -> int:
        """Return how many items count in macro accuracy."""
        return int((self.strata >= 0).sum())

    def unspread(self, values: NDArray[np.float64]) -> str:
        """Return why resampling cannot tell the spread of values, one an item; '' if it can.

        A dimension with a handful of items, or with one value on all of them, looks as if it had
        no spread, and an interval over it would be too narrow.
        """
        sizes = np.bincount(self.strata[self.strata >= 0])
        few = [name for name, n in zip(self.dimensions, sizes, strict=True) if n < FEWEST]
        if few:
            return f"{', '.join(few)}: fewer than {FEWEST} items"
        constant = [
            name
            for stratum, name in enumerate(self.dimensions)
            if np.ptp(values[self.strata == stratum]) == 0
        ]
        return f"{', '.join(constant)}: the same on every item" if constant else ""


def sound_rows(results: pd.DataFrame, command: str) -> tuple[list[Finding], pd.DataFrame]:
    """Return findings on the table itself, and the rows that can be used."""
    findings = []
    complete = results.dropna(subset=[*RUN_ITEM, "dimension", "correct"])
    twice = complete.duplicated(RUN_ITEM)
    right = complete["correct"].astype("bool")
    lacking = complete["missing"].fillna(0) > 0 if "missing" in complete else False
    impossible = (
        (right & (complete["ties"] != 0))
        | (right & (complete["credit"] != 1))
        | (right & lacking)
        | (complete["ties"] < 0)
        | ~complete["credit"].between(0, 1)
    )
    disagree = complete.groupby("item_id")["dimension"].nunique()
    wrong = set(disagree[disagree > 1].index)
    for name, rows, problem in (
        (
            "results-complete",
            results.loc[~results.index.isin(complete.index)],
            "lack a run, an item, a dimension or an outcome",
        ),
        ("results-once", complete[twice], "repeat a run's outcome on an item"),
        (
            "results-consistent",
            complete[impossible],
            "contradict themselves (an item is right only without ties and with every reward; "
            "credit is 1 if it is right, and lies between 0 and 1)",
        ),
        (
            "dimension-agrees",
            complete[complete["item_id"].isin(wrong)],
            "belong to items that stand under different dimensions",
        ),
    ):
        if len(rows):
            findings.append(
                Finding(
                    id=name,
                    severity="fail",
                    statement=f"{len(rows)} of {len(results)} rows {problem}; they are left out.",
                    numbers={"rows": len(rows)},
                    evidence=evidence(rows[[*RUN_ITEM, "dimension"]]),
                    command=command,
                )
            )
    usable = ~twice & ~impossible & ~complete["item_id"].isin(wrong)
    return findings, complete[usable]


def common_outcomes(results: pd.DataFrame) -> tuple[Outcomes, int]:
    """Return the outcomes on the items that every run has, and how many items some run lacks."""
    wide = results.pivot(index="item_id", columns=RUN, values="correct").sort_index()
    common = wide.dropna().astype("float64")
    of_item = results[results["item_id"].isin(common.index)]
    credit = of_item.pivot(index="item_id", columns=RUN, values="credit")
    credit = credit.reindex(index=common.index, columns=common.columns).astype("float64")
    dimension = of_item.drop_duplicates("item_id").set_index("item_id")["dimension"]
    dimensions, strata = _strata(dimension[common.index].to_numpy(dtype=str))
    names = [common.columns.get_level_values(name).astype("str") for name in RUN[:2]]
    models = list(zip(*names, strict=True))
    keys = sorted(set(models))
    ties = of_item[of_item["ties"] > 0].groupby(RUN[:2])["item_id"].nunique()
    seeds = [[model == key for model in models] for key in keys]
    by_seed = [common.loc[:, of_model].to_numpy() for of_model in seeds]
    outcomes = Outcomes(
        models=model_names(keys),
        by_seed=by_seed,
        tied=[int(ties.get(key, 0)) for key in keys],
        correct=np.array([of_model.mean(axis=1) for of_model in by_seed]).T,
        credit=np.array([credit.loc[:, of_model].mean(axis=1) for of_model in seeds]).T,
        strata=strata,
        dimensions=dimensions,
    )
    return outcomes, len(wide) - len(common)


def _strata(dimension: NDArray[np.str_]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the dimensions' names and each item's place among them; one if no item has any."""
    absent = np.isin(dimension, NO_DIMENSION)
    if absent.all():
        return sorted(set(dimension.tolist()))[:1], np.zeros(len(dimension), dtype="int64")
    names, strata = np.unique(dimension[~absent], return_inverse=True)
    placed = np.full(len(dimension), -1, dtype="int64")
    placed[~absent] = strata
    return names.tolist(), placed

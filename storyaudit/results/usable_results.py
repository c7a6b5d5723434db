"""The rows of a results table that can be used."""

import pandas as pd

from storyaudit.data.tables import RUN_KEY
from storyaudit.findings import Finding, left_out

RUN_ITEM = [*RUN_KEY, "item_id"]
LABELLED = [*RUN_ITEM, "dimension", "origin"]


def valid_results(results: pd.DataFrame) -> tuple[list[Finding], pd.DataFrame]:
    """Return findings on the table itself, and the rows that can be used.

    A row twice counts once; where two rows give one run's item different outcomes, the run has
    none there.
    """
    complete = results.dropna(subset=[*LABELLED, "correct"])
    again = complete.duplicated(RUN_ITEM)
    distinct = complete.drop_duplicates()
    contradicted = distinct.duplicated(RUN_ITEM, keep=False)
    right = complete["correct"].astype("bool")
    lacking = complete["missing"].fillna(0) > 0 if "missing" in complete else False
    impossible = (
        (right & (complete["ties"] != 0))
        | (right & (complete["credit"] != 1))
        | (right & lacking)
        | (complete["ties"] < 0)
        | ~complete["credit"].between(0, 1)
    )
    labels = complete.groupby("item_id")[["dimension", "origin"]].nunique() > 1
    doubtful = {
        name: complete["item_id"].isin(labels.index[labels[name]]) for name in labels.columns
    }
    findings = [
        finding
        for name, rows, problem in (
            (
                "results-complete",
                results.loc[~results.index.isin(complete.index)],
                "lack a run, an item, a dimension, an origin or an outcome; they are left out",
            ),
            (
                "results-once",
                complete[again],
                "duplicate a run's outcome on an item and are left out; where the outcomes "
                "conflict, all are",
            ),
            (
                "results-consistent",
                complete[impossible],
                "are inconsistent and are left out. An item counted as right must have no ties, "
                "no missing reward and credit 1 (credit: the expected score when ties are broken "
                "at random, 0 to 1)",
            ),
            *(
                (
                    f"{name}-agrees",
                    complete[of_name],
                    f"belong to items with conflicting {name}s; they are left out",
                )
                for name, of_name in doubtful.items()
            ),
        )
        for finding in left_out(
            name,
            f"rows of results {problem}",
            rows[LABELLED].sort_values(LABELLED),
            len(results),
        )
    ]
    bad = impossible | doubtful["dimension"] | doubtful["origin"]
    return findings, distinct[~contradicted & ~bad[distinct.index]]

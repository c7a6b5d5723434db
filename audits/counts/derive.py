"""Columns that suites ask for, and counts that identities ask for, derived from a study's tables.

Great Expectations looks at one table of one batch at a time. What depends on several rows or on two
tables (is the chosen story among the candidates?) becomes a column of the first; what is counted
over several tables becomes a table of one row. Of a row that a column cannot judge, for want of an
ID or a known value, it finds no fault: that is for other expectations.
"""

from collections.abc import Callable

import pandas as pd

from audits.counts.columns import item_columns as items
from audits.counts.columns import label_columns as labels
from audits.counts.columns import run_columns as runs
from audits.counts.columns import training_columns as training
from audits.counts.columns.key_columns import Tables
from storyaudit.vocabulary import (
    BY_CONFIRMATION,
    BY_RANKING,
    DIMENSIONS,
    HUMAN_LLM,
    ORIGINS,
    UNSCORED,
    UNSURE,
)


def with_references(name: str, tables: Tables) -> pd.DataFrame:
    """Return a table with the columns its suite needs; those of absent tables are left out."""
    derive = _REFERENCES.get(name)
    return derive(tables[name].copy(), tables) if derive else tables[name]


_REFERENCES: dict[str, Callable[[pd.DataFrame, Tables], pd.DataFrame]] = {
    "annotations": labels.annotations,
    "benchmark": items.benchmark,
    "candidates": items.candidates,
    "judgements": labels.judgements,
    "overlaps": training.overlaps,
    "pair_premises": training.pair_premises,
    "pair_stories": training.pair_stories,
    "pairs": training.pairs,
    "results": runs.results,
    "scores": runs.scores,
    "stories": items.stories,
}


def count(tables: Tables) -> dict[str, int]:
    """Return every count that the tables at hand allow, by the names of ``identities.yaml``."""
    counts: dict[str, int] = {}
    if "benchmark" in tables:
        benchmark = tables["benchmark"]
        counts["items"] = len(benchmark)
        for origin in ORIGINS:
            counts[f"{origin}_items"] = int((benchmark["origin"] == origin).sum())
        for name, route in (
            ("ranked_items", BY_RANKING),
            ("confirmed_items", BY_CONFIRMATION),
        ):
            counts[name] = int((benchmark["annotation_route"] == route).sum())
        for dimension in (*DIMENSIONS, UNSCORED):
            counts[f"{dimension}_items"] = int((benchmark["dimension"] == dimension).sum())
    if "candidates" in tables:
        drawn = tables["candidates"].dropna(subset="item_id").drop_duplicates("item_id")
        for origin in ORIGINS:
            counts[f"{origin}_drawn"] = int((drawn["origin"] == origin).sum())
        if "annotations" in tables:
            annotations = tables["annotations"]
            unsure = annotations.loc[annotations["kind"] == UNSURE, "item_id"]
            human = drawn.loc[drawn["origin"] == HUMAN_LLM, "item_id"]
            counts["unsure_items"] = int(human.isin(unsure).sum())
    if "pairs" in tables:
        counts["pairs"] = len(tables["pairs"])
        counts["pairs_of_all_methods"] = int(tables["pairs"]["method"].notna().sum())
    return counts

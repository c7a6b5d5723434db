"""Columns of what reward models gave and got: scores and results."""

import pandas as pd

from audits.counts.columns.key_columns import Tables, differs, is_candidate
from storyaudit.data.tables import RUN_KEY

TOLERANCE = 0.005
"""A credit of 1/3 may have been rounded to two decimals."""


def scores(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the scores' suite."""
    if "candidates" in tables:
        frame["is_candidate"] = is_candidate(frame, tables)
        needed = tables["candidates"].groupby("item_id")["story_id"].nunique()
        run_item = [*RUN_KEY, "item_id"]
        scored = frame[frame["is_candidate"]].groupby(run_item)["story_id"].nunique()
        have = frame[run_item].join(scored.rename("have"), on=run_item)["have"].fillna(0)
        frame["item_complete"] = have >= frame["item_id"].map(needed).fillna(0)
    return frame


def results(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the results' suite."""
    frame["run_named"] = frame[RUN_KEY].notna().all(axis=1)
    credit, ties = frame["credit"], frame["ties"]
    gained = (credit - 1 / (ties + 1)).abs() <= TOLERANCE
    frame["credit_fits_ties"] = (credit.abs() <= TOLERANCE) | gained | credit.isna() | ties.isna()
    alone = (credit >= 1 - TOLERANCE) & (ties == 0)
    known = frame[["correct", "credit", "ties"]].notna().all(axis=1)
    frame["correct_fits_credit"] = ~known | (frame["correct"].fillna(False).astype(bool) == alone)
    if "benchmark" in tables:
        items = tables["benchmark"]["item_id"].dropna().unique()
        frame["item_known"] = frame["item_id"].isin(items)
        frame["dimension_as_gold"] = ~differs(frame, "dimension", tables, "benchmark")
        frame["origin_as_gold"] = ~differs(frame, "origin", tables, "benchmark")
        known_items = frame["item_id"].where(frame["item_known"])
        have = known_items.groupby([frame[name] for name in RUN_KEY]).transform("nunique")
        frame["run_complete"] = (have == len(items)) | have.isna()
    return frame

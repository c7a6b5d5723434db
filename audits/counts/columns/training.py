"""Columns of the training pairs, and of what overlaps between them and the benchmark."""

import pandas as pd

from audits.counts.columns.keys import Tables
from storyaudit.tables import among


def pairs(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the pairs' suite."""
    frame["chosen_is_rejected"] = frame["chosen_id"] == frame["rejected_id"]
    frame["stated_in_reverse"] = (
        among(frame[["chosen_id", "rejected_id"]], frame[["rejected_id", "chosen_id"]])
        & ~frame["chosen_is_rejected"]
    )
    splits = frame.groupby("premise_id")["split"].transform("nunique")
    # A missing premise or split is for other expectations to find.
    frame["splits_of_premise"] = splits.fillna(1).clip(lower=1).astype("int64")
    sides = frame.melt(id_vars="split", value_vars=["chosen_id", "rejected_id"])
    splits_of_story = sides.groupby("value")["split"].nunique()
    torn = splits_of_story.index[splits_of_story > 1]
    frame["story_in_two_splits"] = frame["chosen_id"].isin(torn) | frame["rejected_id"].isin(torn)
    if "candidates" in tables:
        items = tables["candidates"]["story_id"].dropna()
        frame["holds_candidate"] = frame["chosen_id"].isin(items) | frame["rejected_id"].isin(items)
    if "stories" in tables:
        known = _ids(tables, ["stories", "pair_stories"], "story_id")
        frame["chosen_known"] = frame["chosen_id"].isin(known)
        frame["rejected_known"] = frame["rejected_id"].isin(known)
    if "premises" in tables:
        known = _ids(tables, ["premises", "pair_premises"], "premise_id")
        frame["premise_known"] = frame["premise_id"].isin(known)
    return frame


def _ids(tables: Tables, names: list[str], column: str) -> pd.Series:
    """Return the IDs in those of the named tables that are there."""
    ids: pd.Series = pd.concat([tables[name][column] for name in names if name in tables])
    return ids


def pair_stories(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the suite of stories that were made for pairs."""
    frame["text_blank"] = frame["text"].str.strip() == ""
    if "stories" in tables:
        frame["also_in_corpora"] = frame["story_id"].isin(tables["stories"]["story_id"].dropna())
    if "pairs" in tables:
        sides = pd.concat([tables["pairs"]["chosen_id"], tables["pairs"]["rejected_id"]])
        frame["in_a_pair"] = frame["story_id"].isin(sides)
    return frame


def pair_premises(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the column of the suite of premises that were made for pairs."""
    if "premises" in tables:
        known = tables["premises"]["premise_id"].dropna()
        frame["also_in_corpora"] = frame["premise_id"].isin(known)
    return frame


def overlaps(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the overlaps' suite."""
    above = frame["jaccard"] > frame["containment"]
    frame["jaccard_within_containment"] = ~above
    story = frame["level"] == "story"
    premise = frame["level"] == "premise"
    if "candidates" in tables:
        left = frame["left_id"]
        frame["left_in_benchmark"] = (
            (story & left.isin(tables["candidates"]["story_id"]))
            | (premise & left.isin(tables["candidates"]["premise_id"]))
            | ~(story | premise)
        )
    if "pairs" in tables:
        right = frame["right_id"]
        trained_on = pd.concat([tables["pairs"]["chosen_id"], tables["pairs"]["rejected_id"]])
        frame["right_in_training"] = (
            (story & right.isin(trained_on))
            | (premise & right.isin(tables["pairs"]["premise_id"]))
            | ~(story | premise)
        )
    return frame

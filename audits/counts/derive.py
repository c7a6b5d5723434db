"""Columns and counts that suites and identities ask for, derived from a study's tables.

Great Expectations looks at one table of one batch at a time. What hangs on two tables (is the
chosen story among the candidates?) becomes a column of the first, and what is counted over several
becomes a table of one row.
"""

from collections.abc import Callable, Mapping

import pandas as pd

from storyaudit.tables import DIMENSIONS

Tables = Mapping[str, pd.DataFrame]


def with_references(name: str, tables: Tables) -> pd.DataFrame:
    """Return a table with the columns its suite needs; those of absent tables are left out."""
    derive = _REFERENCES.get(name)
    return derive(tables[name].copy(), tables) if derive else tables[name]


def _benchmark(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    if "candidates" in tables:
        candidates = tables["candidates"]
        count = candidates.groupby("item_id")["story_id"].nunique()
        frame["candidates"] = frame["item_id"].map(count).fillna(0).astype("int64")
        frame["chosen_among_candidates"] = _pairs_in(
            frame, ["item_id", "chosen_id"], candidates, ["item_id", "story_id"]
        )
        both = candidates.merge(frame[["item_id", "premise_id"]], on="item_id", how="inner")
        differs = both["premise_id_x"] != both["premise_id_y"]
        frame["same_premise"] = ~frame["item_id"].isin(both.loc[differs, "item_id"])
        origins = candidates.merge(frame[["item_id", "origin"]], on="item_id", how="inner")
        differs = origins["origin_x"] != origins["origin_y"]
        frame["same_origin"] = ~frame["item_id"].isin(origins.loc[differs, "item_id"])
    if "premises" in tables:
        frame["premise_known"] = frame["premise_id"].isin(tables["premises"]["premise_id"])
    return frame


def _candidates(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    if "stories" in tables:
        frame["story_known"] = frame["story_id"].isin(tables["stories"]["story_id"])
    return frame


def _pairs(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    frame["chosen_is_rejected"] = frame["chosen_id"] == frame["rejected_id"]
    frame["stated_in_reverse"] = (
        _pairs_in(frame, ["chosen_id", "rejected_id"], frame, ["rejected_id", "chosen_id"])
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
        known = tables["stories"]["story_id"]
        frame["chosen_known"] = frame["chosen_id"].isin(known)
        frame["rejected_known"] = frame["rejected_id"].isin(known)
    if "premises" in tables:
        frame["premise_known"] = frame["premise_id"].isin(tables["premises"]["premise_id"])
    return frame


def _scores(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    if "candidates" in tables:
        candidates = tables["candidates"]
        place = ["item_id", "story_id"]
        frame["is_candidate"] = _pairs_in(frame, place, candidates, place)
        needed = candidates.groupby("item_id")["story_id"].nunique()
        run_item = ["variant", "model", "seed", "item_id"]
        scored = frame[frame["is_candidate"]].groupby(run_item)["story_id"].nunique()
        have = frame[run_item].join(scored.rename("have"), on=run_item)["have"].fillna(0)
        frame["item_complete"] = have >= frame["item_id"].map(needed).fillna(0)
    return frame


def _pairs_in(
    frame: pd.DataFrame, columns: list[str], other: pd.DataFrame, other_columns: list[str]
) -> pd.Series:
    known = pd.MultiIndex.from_frame(other[other_columns])
    return pd.Series(pd.MultiIndex.from_frame(frame[columns]).isin(known), index=frame.index)


_REFERENCES: dict[str, Callable[[pd.DataFrame, Tables], pd.DataFrame]] = {
    "benchmark": _benchmark,
    "candidates": _candidates,
    "pairs": _pairs,
    "scores": _scores,
}


def count(tables: Tables) -> dict[str, int]:
    """Return every count that the tables at hand allow, by the names of ``identities.yaml``."""
    counts: dict[str, int] = {}
    if "benchmark" in tables:
        benchmark = tables["benchmark"]
        counts["items"] = len(benchmark)
        for origin in ("llm_llm", "human_llm"):
            counts[f"{origin}_items"] = int((benchmark["origin"] == origin).sum())
        for name, protocol in (
            ("ranked_items", "complete_ranking"),
            ("confirmed_items", "confirmation"),
        ):
            counts[name] = int((benchmark["protocol"] == protocol).sum())
        for dimension in DIMENSIONS:
            counts[f"{dimension}_items"] = int((benchmark["dimension"] == dimension).sum())
    if "candidates" in tables:
        items = tables["candidates"].dropna(subset="item_id").drop_duplicates("item_id")
        for origin in ("llm_llm", "human_llm"):
            counts[f"{origin}_drawn"] = int((items["origin"] == origin).sum())
        if "annotations" in tables:
            unsure = tables["annotations"].query("kind == 'unsure'")["item_id"]
            human = items.loc[items["origin"] == "human_llm", "item_id"]
            counts["unsure_items"] = int(human.isin(unsure).sum())
    if "pairs" in tables:
        counts["pairs"] = len(tables["pairs"])
        counts["pairs_of_all_methods"] = int(tables["pairs"].groupby("method").size().sum())
    return counts

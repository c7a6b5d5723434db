"""Columns of the training pairs, and of what overlaps between them and the benchmark."""

import pandas as pd

from audits.counts.columns.key_columns import Tables
from storyaudit.data.tables import among
from storyaudit.vocabulary import (
    BENCHMARK_BENCHMARK,
    TRAIN,
    TRAIN_BENCHMARK,
    TRAIN_TRAIN,
    TRAIN_VALIDATION,
)


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
    """Add the columns of the overlaps' suite, and the comparison where it is not named."""
    if "comparison" not in frame:
        frame["comparison"] = TRAIN_BENCHMARK
    relation = frame["relation"] if "relation" in frame else pd.Series(None, index=frame.index)
    frame["relation_known"] = relation.isna() | relation.isin(["item", "pair", "derived"])
    above = frame["jaccard"] > frame["containment"]
    frame["jaccard_within_containment"] = ~above
    sides = frame["comparison"]
    one_side = sides.isin([BENCHMARK_BENCHMARK, TRAIN_TRAIN])
    ordered = [
        not (isinstance(left, str) and isinstance(right, str)) or left < right
        for left, right in zip(frame["left_id"], frame["right_id"], strict=True)
    ]
    frame["left_before_right"] = ~one_side | pd.Series(ordered, index=frame.index, dtype=bool)
    left_is = {"story": "story", "premise": "premise", "premise_in_story": "premise"}
    right_is = {"story": "story", "premise": "premise", "premise_in_story": "story"}
    left = frame["left_id"], frame["level"].map(left_is)
    right = frame["right_id"], frame["level"].map(right_is)
    if "candidates" in tables:
        known = {kind: tables["candidates"][f"{kind}_id"] for kind in ("story", "premise")}
        of_benchmark = sides.isin([TRAIN_BENCHMARK, BENCHMARK_BENCHMARK])
        frame["left_in_benchmark"] = ~of_benchmark | _known(*left, known)
        frame["right_in_benchmark"] = (sides != BENCHMARK_BENCHMARK) | _known(*right, known)
    if "pairs" in tables:
        pairs = tables["pairs"]
        train = pairs["split"] == TRAIN
        every, trained, held_out = (
            _of_pairs(pairs),
            _of_pairs(pairs[train]),
            _of_pairs(pairs[~train]),
        )
        frame["left_in_pairs"] = ((sides != TRAIN_TRAIN) | _known(*left, trained)) & (
            (sides != TRAIN_VALIDATION) | _known(*left, held_out)
        )
        frame["right_in_training"] = ((sides != TRAIN_BENCHMARK) | _known(*right, every)) & (
            ~sides.isin([TRAIN_TRAIN, TRAIN_VALIDATION]) | _known(*right, trained)
        )
    return frame


def _of_pairs(pairs: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the IDs of the stories and of the premises of pairs."""
    stories = pd.concat([pairs["chosen_id"], pairs["rejected_id"]])
    return {"story": stories, "premise": pairs["premise_id"]}


def _known(ids: pd.Series, kinds: pd.Series, known: dict[str, pd.Series]) -> pd.Series:
    """Return whether each ID is known among those of its kind; True for one of no known kind."""
    found = ~kinds.isin(list(known))
    for kind, of_kind in known.items():
        found |= (kinds == kind) & ids.isin(of_kind)
    return found

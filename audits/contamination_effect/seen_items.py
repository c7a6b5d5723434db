"""Which benchmark items hold a text that was trained on, and which way that would push a model."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import pandas as pd

from storyaudit.data.tables import OVERLAPS
from storyaudit.vocabulary import SIDES, TRAIN

LEVELS = ("story", "premise")
"""The levels of overlap between a benchmark and what was trained on."""
GROUPS = ("overlapping", "chosen", "rejected", "premise", "toward", "against")
"""Kinds of items, see ``groups``."""
ROWS = (
    "item_id",
    "origin",
    "part",
    "benchmark_id",
    "training_id",
    "containment",
    "taught",
    "direction",
)


class Seen(NamedTuple):
    """The overlaps of benchmark items with texts of the split 'train'.

    Attributes:
        rows: a row an item, text of it and training text. ``part`` is the benchmark text's: chosen,
            rejected or premise. ``taught`` is what the training pairs made of theirs: chosen,
            rejected, both in different pairs, or premise. ``direction`` is 'toward' the gold where
            the two agree on chosen or rejected, 'against' it where they disagree, else 'open'.
        validation: items that overlap with the validation split alone.
        unused: items that overlap with texts alone that no pair has.
        invalid: overlaps that lack a value, or whose containment is not between 0 and 1.
    """

    rows: pd.DataFrame
    validation: int
    unused: int
    invalid: int

    def items(self, least: float = 0.0) -> set[str]:
        """Return the items with an overlap of at least this containment."""
        return set(self.rows.loc[self.rows["containment"] >= least, "item_id"])


def golds(benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return item_id, origin and chosen_id of the items that have one gold."""
    labelled = benchmark.dropna(subset=["item_id", "origin", "chosen_id"])
    labelled = labelled.drop_duplicates("item_id", keep=False)
    return labelled[["item_id", "origin", "chosen_id"]].reset_index(drop=True)


def seen_texts(
    overlaps: pd.DataFrame, pairs: pd.DataFrame, candidates: pd.DataFrame, gold: pd.DataFrame
) -> Seen:
    """Return the items that overlap with what was trained on.

    Args:
        overlaps: of ``storyaudit.overlap.decontamination.with_training``; levels other than
            ``LEVELS`` are left out.
        pairs: the pairs table.
        candidates: the candidates table.
        gold: as ``golds`` returns it.
    """
    known = overlaps[overlaps["level"].isin(LEVELS) | overlaps["level"].isna()]
    valid = known.dropna(subset=[*(set(OVERLAPS.key) & set(known)), "containment"])
    valid = valid[valid["containment"].between(0, 1)]
    if "comparison" in valid:
        valid = valid[valid["comparison"].isin(SIDES)]
    names = ["item_id", "story_id", "premise_id"]
    places = candidates[names].dropna(subset=["item_id"]).merge(gold, on="item_id")
    texts = _texts(places)
    rows = texts.merge(
        valid.rename(columns={"left_id": "benchmark_id", "right_id": "training_id"}),
        on=["level", "benchmark_id"],
    )
    rows["taught"] = _taught(rows, pairs[pairs["split"] == TRAIN])
    elsewhere = _taught(rows, pairs[pairs["split"] != TRAIN])
    trained = rows["taught"] != ""
    items = set(rows.loc[trained, "item_id"])
    held_out = set(rows.loc[~trained & (elsewhere != ""), "item_id"]) - items
    rows["direction"] = np.select(
        [rows["part"] == rows["taught"], _opposed(rows)], ["toward", "against"], "open"
    )
    rows.loc[rows["part"] == "premise", "direction"] = "open"
    kept = rows.loc[trained, [*ROWS]].sort_values(
        ["item_id", "part", "benchmark_id", "training_id"], ignore_index=True
    )
    unused = set(rows["item_id"]) - items - held_out
    return Seen(kept, len(held_out), len(unused), len(known) - len(valid))


def _texts(places: pd.DataFrame) -> pd.DataFrame:
    """Return every text of every item, with its level and part."""
    stories = places.dropna(subset=["story_id"]).rename(columns={"story_id": "benchmark_id"})
    is_chosen = stories["benchmark_id"] == stories["chosen_id"]
    stories = stories.assign(level="story", part=np.where(is_chosen, "chosen", "rejected"))
    premises = places.dropna(subset=["premise_id"]).rename(columns={"premise_id": "benchmark_id"})
    premises = premises.assign(level="premise", part="premise")
    names = ["item_id", "origin", "level", "part", "benchmark_id"]
    return pd.concat([stories[names], premises[names]], ignore_index=True).drop_duplicates()


def _taught(rows: pd.DataFrame, pairs: pd.DataFrame) -> pd.Series:
    """Return what pairs make of each training text; '' where none of them has it."""
    story = rows["level"] == "story"
    chosen = story & rows["training_id"].isin(pairs["chosen_id"].dropna())
    rejected = story & rows["training_id"].isin(pairs["rejected_id"].dropna())
    premise = ~story & rows["training_id"].isin(pairs["premise_id"].dropna())
    names = np.select(
        [chosen & rejected, chosen, rejected, premise],
        ["both", "chosen", "rejected", "premise"],
        "",
    )
    return pd.Series(names, index=rows.index, dtype="str")


def _opposed(rows: pd.DataFrame) -> pd.Series:
    return ((rows["part"] == "chosen") & (rows["taught"] == "rejected")) | (
        (rows["part"] == "rejected") & (rows["taught"] == "chosen")
    )


def groups(rows: pd.DataFrame, least: float) -> dict[str, set[str]]:
    """Return the items of each kind, with overlaps of at least ``least`` alone.

    ``overlapping`` has all of them; ``chosen`` and ``rejected`` those where stories of that part
    alone overlap, ``premise`` those where no story does; ``toward`` and ``against`` those all of
    whose overlapping stories push the model that way.
    """
    kept = rows[rows["containment"] >= least]
    stories = kept[kept["part"] != "premise"]
    found = {
        "overlapping": set(kept["item_id"]),
        "premise": set(kept["item_id"]) - set(stories["item_id"]),
    }
    for column, values in (("part", ("chosen", "rejected")), ("direction", ("toward", "against"))):
        for value in values:
            others = set(stories.loc[stories[column] != value, "item_id"])
            found[value] = set(stories["item_id"]) - others
    return {name: found[name] for name in GROUPS}


def rejected_seen(
    seen: Seen, candidates: pd.DataFrame, least: float, taught: Collection[str]
) -> pd.DataFrame:
    """Return the items of which some, and not all, rejected stories overlap.

    Args:
        seen: of the items.
        candidates: the candidates table.
        least: containment.
        taught: what training pairs made of the texts that count.

    Returns:
        item_id; ``stories``, a set of the overlapping rejected stories; ``proportion``,
        theirs of all the item's rejected stories.
    """
    rows = seen.rows
    rows = rows[(rows["containment"] >= least) & (rows["part"] == "rejected")]
    rows = rows[rows["taught"].isin(taught)]
    stories = {str(item): set(texts) for item, texts in rows.groupby("item_id")["benchmark_id"]}
    places = candidates[["item_id", "story_id"]].dropna().drop_duplicates()
    sizes = places["item_id"].value_counts()
    proportions = {item: len(seen) / (int(sizes[item]) - 1) for item, seen in stories.items()}
    kept = [item for item, proportion in proportions.items() if proportion < 1]
    return pd.DataFrame(
        {
            "item_id": kept,
            "stories": [stories[item] for item in kept],
            "proportion": [proportions[item] for item in kept],
        }
    )

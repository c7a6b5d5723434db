"""Read a benchmark as somebody has it: a file of items, or a folder with tables by name."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from storyaudit.data.table_files import find_tables, read_valid_table
from storyaudit.data.tables import (
    CANDIDATE_KEY,
    CANDIDATES,
    PREMISES,
    STORIES,
    Column,
    Table,
    among,
)
from storyaudit.errors import InputError
from storyaudit.io.files import file_name
from storyaudit.layouts.benchmark_items import read_items
from storyaudit.protocol.gold import CANDIDATES_PER_ITEM
from storyaudit.vocabulary import UNKNOWN

SOURCE = "benchmark"
"""Part of every ID of a file of items, whatever the file is called."""

TOLD = ("origin", "dimension", "annotation_route")
"""What a gold may say of an item; 'unknown' where it does not."""

GOLD = Table(
    "benchmark",
    ("item_id",),
    (
        Column("item_id"),
        Column("chosen_id"),
        *(Column(name, optional=True, nullable=True) for name in TOLD),
    ),
)
"""What is needed of a folder's benchmark table."""


class BenchmarkFile(NamedTuple):
    """A benchmark's items and their texts.

    Attributes:
        candidates: the candidates table; of a folder, also of items that are not in its gold.
        premises: the premises table.
        stories: the stories table.
        gold: item_id, premise_id, chosen_id, origin, dimension, protocol, language (that of the
            premise), a row an item; None where a folder has no benchmark table.
        found: what was taken from where, as a sentence's part.
    """

    candidates: pd.DataFrame
    premises: pd.DataFrame
    stories: pd.DataFrame
    gold: pd.DataFrame | None
    found: str


def read_benchmark(path: Path) -> BenchmarkFile:
    """Read a benchmark; the same items have the same IDs from every file of items.

    Args:
        path: a file of items (``storyaudit.layouts.benchmark_items``), or a folder with the
            tables candidates, stories and premises, and benchmark where the gold is known.

    Raises:
        InputError: no such file or folder, a table missing or unsound, an ID that leads nowhere,
            an empty text, a story twice in an item, an item in the gold without four candidates.
    """
    return _read_folder(path) if path.is_dir() else _read_file(path)


def _read_file(path: Path) -> BenchmarkFile:
    items = read_items(path, source=SOURCE, use="benchmark")
    premises, stories = items.corpus.premises, items.corpus.stories
    gold = _told(items.gold, items.candidates, premises)
    return BenchmarkFile(items.candidates, premises, stories, gold, items.found)


def _read_folder(folder: Path) -> BenchmarkFile:
    needed = (CANDIDATES, STORIES, PREMISES)
    paths = find_tables(folder, (*needed, GOLD))
    absent = [table.name for table in needed if table.name not in paths]
    if absent:
        raise InputError(
            f"expected the tables candidates, stories and premises, found "
            f"{', '.join(sorted(paths)) or 'none of them'}.",
            "Name the files after the tables (candidates.csv, .jsonl, .parquet, …), or give a "
            "file of items.",
            file=folder,
        )
    candidates = read_valid_table(paths[CANDIDATES.name], CANDIDATES)
    candidates = candidates.sort_values(["item_id", "position"], ignore_index=True)
    stories = read_valid_table(paths[STORIES.name], STORIES)
    premises = read_valid_table(paths[PREMISES.name], PREMISES)
    _refuse_misplaced(candidates, paths[CANDIDATES.name])
    _refuse_without_text(candidates, stories, "story_id", paths[STORIES.name])
    _refuse_without_text(candidates, premises, "premise_id", paths[PREMISES.name])
    gold = None
    if GOLD.name in paths:
        gold = read_valid_table(paths[GOLD.name], GOLD)
        _refuse_unplaced(gold, candidates, paths[GOLD.name])
        gold = _told(gold, candidates, premises)
    names = ", ".join(f"{name} from {file_name(path)}" for name, path in paths.items())
    return BenchmarkFile(candidates, premises, stories, gold, f"{folder.name or folder}: {names}")


def _told(gold: pd.DataFrame, candidates: pd.DataFrame, premises: pd.DataFrame) -> pd.DataFrame:
    """Return the gold with what is told of each item, by itself or by its candidates."""
    items = candidates.drop_duplicates("item_id").set_index("item_id")
    gold = gold.sort_values("item_id", ignore_index=True)
    told = gold[["item_id", "chosen_id"]].copy()
    told.insert(1, "premise_id", gold["item_id"].map(items["premise_id"]))
    for name in TOLD:
        told[name] = gold[name].fillna(UNKNOWN) if name in gold else UNKNOWN
    if "origin" not in gold:
        told["origin"] = gold["item_id"].map(items["origin"])
    languages = premises.set_index("premise_id")["language"]
    told["language"] = told["premise_id"].map(languages)
    return told.astype("str")


def _refuse_misplaced(candidates: pd.DataFrame, file: Path) -> None:
    """Refuse a story twice in an item, and an item on several premises."""
    twice = candidates.duplicated(CANDIDATE_KEY)
    if twice.any():
        item, story = candidates.loc[twice, CANDIDATE_KEY].iloc[0]
        raise InputError(
            f"expected every story once in an item, found {story} again in item {item}.",
            "Keep one of them.",
            file=file,
        )
    premises = candidates.groupby("item_id")["premise_id"].nunique()
    if (premises > 1).any():
        raise InputError(
            f"expected one premise an item, found {premises.max()} in item {premises.idxmax()}.",
            "Give all its candidates one premise.",
            file=file,
        )


def _refuse_without_text(
    candidates: pd.DataFrame, table: pd.DataFrame, key: str, file: Path
) -> None:
    """Refuse candidates whose story or premise is not in its table, or is an empty text there."""
    texts = candidates[key].map(table.set_index(key)["text"])
    empty = texts.isna() | (texts.str.strip() == "")
    if empty.any():
        name = candidates.loc[empty, key].iloc[0]
        found = "an empty text" if name in set(table[key]) else "no such row"
        raise InputError(
            f"expected the text of {key} {name}, which item "
            f"{candidates.loc[empty, 'item_id'].iloc[0]} needs, found {found} "
            f"({candidates.loc[empty, key].nunique()} such texts).",
            "Add it, or remove the item.",
            file=file,
        )


def _refuse_unplaced(gold: pd.DataFrame, candidates: pd.DataFrame, file: Path) -> None:
    """Refuse an item without four candidates, or whose chosen story is none of them."""
    numbers = gold["item_id"].map(candidates["item_id"].value_counts()).fillna(0).astype("int64")
    wrong = numbers != CANDIDATES_PER_ITEM
    if wrong.any():
        raise InputError(
            f"expected {CANDIDATES_PER_ITEM} candidates of every item, found "
            f"{numbers[wrong].iloc[0]} of item {gold.loc[wrong, 'item_id'].iloc[0]} "
            f"({wrong.sum()} such items).",
            "Complete its candidates, or remove the item.",
            file=file,
        )
    stray = ~among(gold[["item_id", "chosen_id"]], candidates[CANDIDATE_KEY])
    if stray.any():
        item, chosen = gold.loc[stray, ["item_id", "chosen_id"]].iloc[0]
        raise InputError(
            f"expected the chosen story among the candidates, found {chosen} in item {item}, "
            f"which is none of them ({stray.sum()} such items).",
            "Check that both tables are of one benchmark.",
            file=file,
        )

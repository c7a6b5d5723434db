"""Read rewards that others gave a benchmark's candidates, every ID checked."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from storyaudit.data.table_files import read_table
from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY, SCORES, Column, Table, among, holds
from storyaudit.errors import InputError
from storyaudit.io.files import file_name
from storyaudit.io.formats.json_document import is_list, read_json
from storyaudit.io.records import read_records
from storyaudit.io.streams import ending
from storyaudit.layouts.reward_bench import read_reward_bench
from storyaudit.vocabulary import UNKNOWN

AS_GIVEN = Table(
    "scores",
    SCORES.key,
    (
        *(Column(name, SCORES.column(name).kind, optional=True, nullable=True) for name in RUN_KEY),
        Column("item_id"),
        Column("story_id"),
        Column("reward", "float", nullable=True),
    ),
)
"""A scores table as others write it: one run need not name itself, and rewards may be missing."""


class ScoreFile(NamedTuple):
    """What a file of rewards holds.

    Attributes:
        scores: the scores table, without the rows that have no reward.
        found: what was taken, and what was assumed, as a sentence's part.
    """

    scores: pd.DataFrame
    found: str


def read_score_file(
    path: Path, candidates: pd.DataFrame, gold: pd.DataFrame, *, variant: str | None = None
) -> ScoreFile:
    """Read a scores table, or a result file of RewardBench's (``reward_bench``).

    A table has item_id, story_id and reward, and may have variant, model and seed. What it does not
    say is: the ``variant`` given, or else the file's name; 'unknown'; 0.

    RewardBench's files name items and no stories. The first reward is the chosen story's; the
    others are taken for the rejected stories' by position, which decides nothing about right and
    wrong. Their ids must be item IDs; a subset in front of them is left out.

    Args:
        path: CSV, TSV, JSON, JSONL, Parquet or XLSX; JSON of RewardBench's.
        candidates: the candidates that may be scored, with item_id, story_id and position.
        gold: item_id and chosen_id; needed for RewardBench's files.
        variant: for rows that do not name theirs.

    Raises:
        InputError: neither layout, a candidate that is unknown or scored twice by one run, an
            infinite reward, no reward at all; of RewardBench's, an item that is not in the gold,
            stands twice, or has not one chosen story and the others rejected. With the row.
    """
    names = _names(path)
    if names & {"story_id", "reward"}:
        scores, _, rows = read_table(path, AS_GIVEN)
        found = f"{file_name(path)}: {', '.join(scores.columns)}"
    else:
        scores, rows, found = _read_result(path, names, candidates, gold)
    for name, value in (
        ("variant", variant or file_name(path, ending=False)),
        ("model", UNKNOWN),
        ("seed", 0),
    ):
        scores[name] = scores[name].fillna(value) if name in scores else value
    scores = scores.astype({"seed": "int64"})
    for name in CANDIDATE_KEY:
        _refuse(scores[name].isna(), scores, rows, path, f"expected {name}, found nothing")
    known = among(scores[CANDIDATE_KEY], candidates[CANDIDATE_KEY])
    _refuse(~known, scores, rows, path, "expected candidates of this benchmark, found another")
    twice = scores.duplicated([*RUN_KEY, *CANDIDATE_KEY])
    _refuse(twice, scores, rows, path, "expected one reward a run and candidate, found a second")
    infinite = np.isinf(scores["reward"])
    _refuse(infinite, scores, rows, path, "expected a finite reward, found an infinite one")
    scores = scores[scores["reward"].notna()]
    if scores.empty:
        raise InputError("expected rewards, found none.", "Check how the file was made.", file=path)
    return ScoreFile(scores[SCORES.names], found)


def _refuse(
    bad: "pd.Series | np.ndarray", scores: pd.DataFrame, rows: np.ndarray, file: Path, problem: str
) -> None:
    if not bad.any():
        return
    first = int(np.flatnonzero(bad)[0])
    item, story = scores[CANDIDATE_KEY].iloc[first]
    raise InputError(
        f"{problem}: item_id {item}, story_id {story} ({int(bad.sum())} of {len(scores)} rows).",
        "Correct or remove these rows.",
        file=file,
        row=int(rows[first]),
    )


def _names(path: Path) -> set[str]:
    """Return the names of the file's columns."""
    if ending(path) == ".json" and not is_list(path):
        content = read_json(path)
        return set(content) if isinstance(content, dict) else set()
    return set(map(str, read_records(path, holds(AS_GIVEN)).frame.columns))


def _read_result(
    path: Path, names: set[str], candidates: pd.DataFrame, gold: pd.DataFrame
) -> tuple[pd.DataFrame, np.ndarray, str]:
    """Return a result file's scores, and the number of each row's item in the file."""
    read = read_reward_bench(path)
    if not names & {"id", "item_id"}:
        raise InputError(
            "expected ids of items beside the rewards, found none.",
            "Add them: rewards are not lined up with a benchmark by their order.",
            file=path,
        )
    if read.repeated:
        raise InputError(
            f"expected every item once, found {read.repeated[0]} again.",
            "Keep one of each.",
            file=path,
        )
    ids = list(dict.fromkeys(read.rewards["item_id"]))
    items = dict(zip(ids, _item_ids(ids, set(gold["item_id"]), path), strict=True))
    order = _responses(candidates, gold)
    parts = []
    for number, (name, rewards) in enumerate(read.rewards.groupby("item_id", sort=False), start=1):
        item = items[str(name)]
        chosen = int(rewards["chosen"].sum())
        if chosen != 1 or len(rewards) != len(order[item]):
            raise InputError(
                f"expected one chosen story and {len(order[item]) - 1} rejected ones of item "
                f"{item}, found {chosen} and {len(rewards) - chosen}.",
                "Score the item's candidates, each once.",
                file=path,
                row=number,
            )
        parts.append(rewards.assign(item_id=item, story_id=order[item], row=number))
    scores = pd.concat(parts, ignore_index=True)
    found = f"{read.found}; the rejected stories are assumed in the order of their positions"
    return scores.assign(model=read.model or UNKNOWN), scores["row"].to_numpy(), found


def _responses(candidates: pd.DataFrame, gold: pd.DataFrame) -> dict[str, list[str]]:
    """Return each item's stories, the chosen one first, then the others by position."""
    placed = candidates.merge(gold[["item_id", "chosen_id"]], on="item_id")
    placed["rejected"] = placed["story_id"] != placed["chosen_id"]
    placed = placed.sort_values(["item_id", "rejected", "position"])
    return {str(item): group.tolist() for item, group in placed.groupby("item_id")["story_id"]}


def _item_ids(names: list[str], items: set[str], file: Path) -> list[str]:
    """Return the items' IDs: the names as they are, or without a subset in front.

    Raises:
        InputError: neither are IDs of this benchmark, or without the subset two are the same.
    """
    for ids in (names, [name.partition("/")[2] for name in names]):
        if set(ids) <= items and len(set(ids)) == len(ids):
            return ids
    strays = [
        number
        for number, name in enumerate(names, start=1)
        if not {name, name.partition("/")[2]} & items
    ]
    first = strays[0] if strays else 1
    raise InputError(
        f"expected items of this benchmark, each once, found {names[first - 1]} "
        f"({len(strays)} of {len(names)} are none of them).",
        "Write the benchmark's item_id as id.",
        file=file,
        row=first,
    )

"""Read per-item rewards as RewardBench and RewardBench 2 write them (Lambert et al.; Malik et al.).

Three layouts are known, from the code of allenai/reward-bench:

- ``eval-set-scores/MODEL.json``: one object of parallel lists (``scores_chosen`` and
  ``scores_rejected`` beside ``subset`` and ``id``);
- the same of RewardBench 2: ``scores``, a list an item with the ``num_correct`` chosen ones first;
- ``MODEL_outputs.jsonl`` and ``MODEL_all.jsonl``: one item a line, the latter with ``chosen`` and
  ``rejected`` alone.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from storyaudit.data.tables import encodable
from storyaudit.errors import InputError
from storyaudit.io.files import file_name
from storyaudit.io.formats.json_document import is_list, read_json
from storyaudit.io.records import read_records
from storyaudit.io.streams import ending

_PAIRS = (("scores_chosen", "scores_rejected"), ("chosen", "rejected"))


class ItemRewards(NamedTuple):
    """What a result file holds.

    Attributes:
        rewards: item_id, response (from 1, chosen ones first), chosen (bool), reward (missing
            where the file has none).
        model: the model that the file names, if any.
        repeated: items that stand more than once. Published files have such (reward-bench issue
            273: ten IDs twice in 179 of 188): an ID does not tell them apart, so they cannot be
            joined to other files.
        found: where IDs and rewards come from, as a sentence.
    """

    rewards: pd.DataFrame
    model: str | None
    repeated: list[str]
    found: str


def read_reward_bench(path: Path) -> ItemRewards:
    """Read a result file. An item's ID is 'subset/id', as an id counts within its subset.

    Without ids, an item's number in the file stands for it: then only files with the same items in
    the same order may be compared.

    Raises:
        InputError: none of the layouts, lists of different lengths, or a reward that is no number,
            with the item's number.
    """
    columns, model = _load(path)
    pair = next((names for names in _PAIRS if set(names) <= set(columns)), None)
    if "scores" in columns:
        number = len(columns["scores"])
        counts = columns.get("num_correct", [1] * number)
        items = [
            _split(scores, count, path, row)
            for row, (scores, count) in enumerate(
                zip(columns["scores"], counts, strict=True), start=1
            )
        ]
        source = "'scores', chosen first"
    elif pair is not None:
        chosen, rejected = (columns[name] for name in pair)
        items = [
            (_numbers(good, path, row, pair[0]), _numbers(bad, path, row, pair[1]))
            for row, (good, bad) in enumerate(zip(chosen, rejected, strict=True), start=1)
        ]
        source = f"'{pair[0]}' and '{pair[1]}'"
    else:
        raise InputError(
            "expected scores_chosen and scores_rejected, chosen and rejected, or scores, found "
            f"{', '.join(columns) or 'none'}.",
            "Give RewardBench's file of scores, not that of accuracies.",
            file=path,
        )
    if not items:
        raise InputError("expected items, found none.", "Check how it was made.", file=path)
    names, by = _ids(columns, len(items))
    for row, name in enumerate(names, start=1):
        if not encodable(name):
            raise InputError(
                f"expected an ID, found {name!r}, which no encoding has.",
                "Correct it.",
                file=path,
                row=row,
            )
    rewards = pd.DataFrame(
        [
            (name, response, response <= len(good), reward)
            for name, (good, bad) in zip(names, items, strict=True)
            for response, reward in enumerate((*good, *bad), start=1)
        ],
        columns=["item_id", "response", "chosen", "reward"],
    )
    series = pd.Series(names)
    repeated = sorted(series[series.duplicated()].unique())
    return ItemRewards(
        rewards, model, repeated, f"{file_name(path)}: rewards from {source}, items {by}"
    )


def _load(path: Path) -> tuple[dict[str, list[Any]], str | None]:
    """Return the file's lists by name, and the model."""
    if ending(path) != ".json" or is_list(path):
        frame = read_records(path).frame
        return {str(name): frame[name].tolist() for name in frame.columns}, None
    content = read_json(path)
    if not isinstance(content, dict):
        raise InputError(
            "expected one object of lists, found something else.",
            "Give RewardBench's file of scores; one item a line needs the ending .jsonl.",
            file=path,
        )
    lists = {name: value for name, value in content.items() if isinstance(value, list)}
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            "expected lists of one length, found "
            + ", ".join(f"{number} {name}" for name, number in lengths.items())
            + ".",
            "Check how the file was made: its items cannot be lined up.",
            file=path,
        )
    model = content.get("model")
    return lists, model if isinstance(model, str) and encodable(model) else None


def _split(scores: Any, count: Any, file: Path, row: int) -> tuple[list[float], list[float]]:
    """Return the rewards of an item's chosen and rejected responses."""
    numbers = _numbers(scores, file, row, "scores")
    whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
    if not whole or not 0 < count < len(numbers):
        raise InputError(
            f"expected chosen and rejected responses, found {len(numbers)} scores of which "
            f"{count!r} are correct.",
            "Check the item.",
            file=file,
            row=row,
            column="num_correct",
        )
    return numbers[:count], numbers[count:]


def _numbers(value: Any, file: Path, row: int, column: str) -> list[float]:
    """Return one reward or a list of them, each alone or in a list of one, as some models write."""
    values = value.tolist() if isinstance(value, np.ndarray) else value
    numbers = []
    for entry in values if isinstance(values, list) else [values]:
        number = entry[0] if isinstance(entry, list) and len(entry) == 1 else entry
        if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
            raise InputError(
                f"expected a reward, found {str(number)[:40]!r}.",
                "Give the file of scores.",
                file=file,
                row=row,
                column=column,
            )
        numbers.append(_finite_or_not(number))
    if not numbers:
        raise InputError(
            "expected a reward, found none.", "Check the item.", file=file, row=row, column=column
        )
    return numbers


def _finite_or_not(number: float | None) -> float:
    """Return a reward as a float; a missing one is NaN, a whole number beyond floats infinite."""
    try:
        return float("nan") if number is None else float(number)
    except OverflowError:
        return float("inf")


def _ids(columns: dict[str, list[Any]], number: int) -> tuple[list[str], str]:
    ids = columns.get("id", columns.get("item_id"))
    if ids is None:
        return [str(row) for row in range(1, number + 1)], "by their place in the file"
    if "subset" not in columns:
        return [str(name) for name in ids], "by id"
    pairs = zip(columns["subset"], ids, strict=True)
    return [f"{subset}/{name}" for subset, name in pairs], "by subset and id"

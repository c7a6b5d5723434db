"""Read items of StoryRMB's kind: a premise, a chosen story and three rejected ones."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from storyaudit.data.corpus import Corpus, content_id
from storyaudit.errors import InputError
from storyaudit.io.columns import taken
from storyaudit.io.files import file_name
from storyaudit.io.records import read_mapped
from storyaudit.layouts.preferences import NAMES as PAIR_NAMES
from storyaudit.layouts.preferences import read_row, stories_of
from storyaudit.vocabulary import UNKNOWN

NAMES: dict[str, tuple[str, ...]] = {
    **PAIR_NAMES,
    "origin": ("origin",),
    "dimension": ("dimension",),
}
"""Our columns and the names by which they are guessed."""

REJECTED = 3


class Items(NamedTuple):
    """What a file of items holds.

    Attributes:
        corpus: its premises and stories, by unknown authors.
        candidates: the candidates table; positions follow the stories' IDs, which do not depend on
            which story was chosen. ``origin`` is 'unknown' where the file does not name it.
        gold: item_id, premise_id, chosen_id, and dimension where the file has it.
        found: the columns that were taken, as a sentence.
    """

    corpus: Corpus
    candidates: pd.DataFrame
    gold: pd.DataFrame
    found: str


def read_items(
    path: Path,
    *,
    source: str,
    use: str,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Items:
    """Read items; stories are text or messages of a chat (``storyaudit.layouts.chat``).

    An item's ID comes from its premise and stories, whatever their order.

    Args:
        path: JSON, JSONL or Parquet, with ``rejected`` a list; ``chosen`` may be a list of one.
        source: see ``as_corpus``; so are ``use`` and ``language``.
        columns: {our column: their column} for those of ``NAMES`` that bear other names.

    Raises:
        InputError: a column not found; a row without premise, with another number of rejected
            stories, with a story twice, or that repeats an earlier item.
    """
    records, found = read_mapped(path, NAMES, columns, required=("chosen", "rejected"))
    rows = records.rows.tolist()
    texts = [
        _read_item(record, found, path, row)
        for record, row in zip(records.frame.to_dict("records"), rows, strict=True)
    ]
    corpus = stories_of(texts, rows, source=source, use=use, language=language, file=path)
    further = {
        name: records.frame[found[name]].fillna(UNKNOWN).astype("str").tolist()
        for name in ("origin", "dimension")
        if name in found
    }
    gold, candidates = [], []
    first_rows: dict[str, int] = {}
    for place, ((premise, *stories), row) in enumerate(zip(texts, rows, strict=True)):
        premise_id = content_id("p", premise, source)
        chosen_id, *_ = ids = [content_id("s", story, source) for story in stories]
        item_id = content_id("i", "\0".join([premise, *sorted(stories)]), source)
        if (first := first_rows.setdefault(item_id, row)) != row:
            raise InputError(
                f"expected every item once, found that of row {first} again.",
                "Keep one of them, with one chosen story.",
                file=path,
                row=row,
            )
        gold.append((item_id, premise_id, chosen_id))
        origin = further["origin"][place] if "origin" in further else UNKNOWN
        candidates += [
            (item_id, position, story_id, premise_id, origin)
            for position, story_id in enumerate(sorted(ids), start=1)
        ]
    golden = pd.DataFrame(gold, columns=["item_id", "premise_id", "chosen_id"])
    if "dimension" in further:
        golden["dimension"] = further["dimension"]
    names = ["item_id", "position", "story_id", "premise_id", "origin"]
    placed = pd.DataFrame(candidates, columns=names)
    return Items(
        corpus._replace(counts=corpus.counts | {"items": len(golden)}),
        placed.sort_values(["item_id", "position"], ignore_index=True),
        golden.sort_values("item_id", ignore_index=True),
        f"{file_name(path)}: {taken(found)}",
    )


def _read_item(
    record: Mapping[Any, Any], found: Mapping[str, str], file: Path, row: int
) -> tuple[str, ...]:
    """Return premise, chosen story and rejected stories."""
    chosen, rejected = (_as_list(record[found[name]]) for name in ("chosen", "rejected"))
    for name, stories, number in (("chosen", chosen, 1), ("rejected", rejected, REJECTED)):
        if len(stories) != number:
            raise InputError(
                f"expected {number} {name} {'story' if number == 1 else 'stories'}, "
                f"found {len(stories)}.",
                "An item has one chosen and three rejected stories.",
                file=file,
                row=row,
                column=found[name],
            )
    cells = {"premise": record[found["premise"]]} if "premise" in found else {}
    cells["chosen"] = chosen[0]
    cells |= {f"rejected {place}": story for place, story in enumerate(rejected, start=1)}
    theirs = {name: found[name.split()[0]] for name in cells}
    premise, *stories = read_row(cells, theirs, file, row)
    if len(set(stories)) < len(stories):
        among = "the chosen story" if stories[0] in stories[1:] else "a rejected story"
        raise InputError(
            f"expected four different stories, found {among} twice.",
            "Replace or remove the item.",
            file=file,
            row=row,
        )
    return (premise, *stories)


def _as_list(value: Any) -> list[Any]:
    """Return a cell as a list of stories; messages of one chat are one story."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list):
        return [] if value is None or value != value else [value]
    return [value] if value and isinstance(value[0], dict) else value

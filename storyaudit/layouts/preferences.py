"""Read preference files: a premise, a chosen story and a rejected one a row."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from storyaudit.data.corpus import Corpus, as_corpus, content_id
from storyaudit.errors import InputError
from storyaudit.io.columns import taken
from storyaudit.io.files import file_name
from storyaudit.io.records import read_mapped
from storyaudit.layouts.chat import NotATurnError, read_turn
from storyaudit.vocabulary import UNKNOWN

NAMES: dict[str, tuple[str, ...]] = {
    "premise": ("premise", "prompt"),
    "chosen": ("chosen", "chosen_story", "chosen_response"),
    "rejected": ("rejected", "rejected_story", "rejected_response"),
}
"""Our columns and the names by which they are guessed."""


class Preferences(NamedTuple):
    """What a preference file holds.

    Attributes:
        corpus: its premises and stories. Such files do not say who wrote a story: author and
            author_kind are 'unknown', never guessed.
        pairs: premise_id, chosen_id, rejected_id; each pair once, in the file's order.
        found: the columns that were taken, as a sentence.
    """

    corpus: Corpus
    pairs: pd.DataFrame
    found: str


def read_preferences(
    path: Path,
    *,
    source: str,
    use: str,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Preferences:
    """Read pairs whose stories are text, or messages of a chat (``storyaudit.layouts.chat``).

    The premise is the column of that name, or the user's message where chosen and rejected are
    messages; where both are there they must agree.

    Args:
        path: CSV, TSV, JSON, JSONL, Parquet or XLSX.
        source: see ``as_corpus``; so are ``use`` and ``language``.
        columns: {our column: their column} for those of ``NAMES`` that bear other names.

    Returns:
        The counts hold ``pairs_read``, ``repeated_pairs`` (dropped) and ``contradicting_pairs``
        (kept: of two stories each is preferred once).

    Raises:
        InputError: a column not found, or a row that has no premise, no story, two premises, or
            the same story as chosen and rejected.
    """
    records, found = read_mapped(path, NAMES, columns, required=("chosen", "rejected"))
    texts = [
        read_row({ours: record[theirs] for ours, theirs in found.items()}, found, path, int(row))
        for record, row in zip(records.frame.to_dict("records"), records.rows, strict=True)
    ]
    for (_, chosen, rejected), row in zip(texts, records.rows, strict=True):
        if chosen == rejected:
            raise InputError(
                "expected two stories, found the same text as chosen and rejected.",
                "Remove the pair: it prefers nothing.",
                file=path,
                row=int(row),
            )
    corpus = stories_of(
        texts, records.rows.tolist(), source=source, use=use, language=language, file=path
    )
    read = pd.DataFrame(
        [
            (content_id("p", premise, source), *(content_id("s", text, source) for text in stories))
            for premise, *stories in texts
        ],
        columns=["premise_id", "chosen_id", "rejected_id"],
    )
    pairs = read.drop_duplicates(ignore_index=True)
    turned = pairs.rename(columns={"chosen_id": "rejected_id", "rejected_id": "chosen_id"})
    counts = {
        "pairs_read": len(read),
        "repeated_pairs": len(read) - len(pairs),
        "contradicting_pairs": len(pairs.merge(turned, on=list(pairs.columns))),
    }
    corpus = corpus._replace(counts=corpus.counts | counts)
    return Preferences(corpus, pairs, f"{file_name(path)}: {taken(found)}")


def read_row(
    cells: Mapping[str, Any], theirs: Mapping[str, str], file: Path, row: int
) -> tuple[str, ...]:
    """Return the premise and the stories of a row whose cells are text or messages.

    Args:
        cells: by name: 'premise', which may be absent, and one or more stories.
        theirs: the file's column for each name, for errors.
        file: named in errors.
        row: named in errors.

    Raises:
        InputError: see ``read_preferences``.
    """
    premises, stories = {}, []
    for name, value in cells.items():
        column = theirs[name]
        try:
            request, answer = read_turn(value)
        except NotATurnError as error:
            raise InputError(
                f"expected a text, or one request and one answer, found {error}.",
                "Keep one message of the user and one of the assistant.",
                file=file,
                row=row,
                column=column,
            ) from None
        if name == "premise":
            request, answer = request if request is not None else answer, None
        elif not answer:
            raise InputError(
                "expected a story, found an empty text.",
                "Remove the row, or complete it.",
                file=file,
                row=row,
                column=column,
            )
        else:
            stories.append(answer)
        if request:
            premises[request] = column
    if len(premises) != 1:
        raise InputError(
            "expected one premise, found "
            + (f"different ones in {', '.join(premises.values())}." if premises else "none."),
            "Give each row one premise, in a column of its own or in the user's message.",
            file=file,
            row=row,
        )
    return (*premises, *stories)


def stories_of(
    texts: list[tuple[str, ...]],
    rows: list[int],
    *,
    source: str,
    use: str,
    language: str | None,
    file: Path,
) -> Corpus:
    """Return the corpus of rows (premise, story, story, …) by unknown authors."""
    stories = [
        (story, premise, row)
        for (premise, *stories), row in zip(texts, rows, strict=True)
        for story in stories
    ]
    frame = pd.DataFrame(
        {  # objects: half a surrogate pair, which as_corpus refuses, is no pandas string
            "text": pd.Series([story for story, _, _ in stories], dtype="object"),
            "premise": pd.Series([premise for _, premise, _ in stories], dtype="object"),
            "author": UNKNOWN,
            "author_kind": UNKNOWN,
            "provenance": [f"{file_name(file)}:{row}" for _, _, row in stories],
        }
    )
    numbers = [row for _, _, row in stories]
    return as_corpus(frame, source=source, use=use, language=language, file=file, rows=numbers)

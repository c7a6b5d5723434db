"""Read stories from any table, with a map of its columns."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import RAW, Corpus, as_corpus
from storyaudit.errors import InputError
from storyaudit.io.files import file_name
from storyaudit.io.records import read_mapped

_GUESSES = {"text": ("story", "content"), "premise": ("prompt",)}
NAMES: dict[str, tuple[str, ...]] = {
    column.name: (column.name, *_GUESSES.get(column.name, ()))
    for column in RAW.columns
    if column.name != "provenance"
}
"""Our columns and the names by which they are guessed."""


def read_story_table(
    path: Path,
    *,
    source: str,
    use: str,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
    author_kind: str | None = None,
) -> Corpus:
    """Read one story a row: text, author, author_kind ('human', 'llm'), and what else is there.

    Args:
        path: CSV, TSV, JSON, JSONL, Parquet or XLSX.
        source: see ``as_corpus``; so are ``use`` and ``language``.
        columns: {our column: their column} for those of ``NAMES`` that bear other names.
        author_kind: of all stories, where no column says it.

    Raises:
        InputError: a name of the map that is not in the file, a required column that is not found,
            or see ``as_corpus``.
    """
    required = ("text", "author", *(("author_kind",) if author_kind is None else ()))
    records, found = read_mapped(path, NAMES, columns, required=required)
    frame = pd.DataFrame({ours: records.frame[theirs] for ours, theirs in found.items()})
    if author_kind is not None:
        if "author_kind" in found:
            raise InputError(
                f"the column '{found['author_kind']}' says who wrote a story, and so does "
                f"author_kind '{author_kind}'.",
                "Leave one of them out.",
                file=path,
            )
        frame["author_kind"] = author_kind
    frame["provenance"] = [f"{file_name(path)}:{row}" for row in records.rows]
    return as_corpus(frame, source=source, use=use, language=language, file=path, rows=records.rows)

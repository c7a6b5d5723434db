"""Texts with an ID from any table that has them."""

from pathlib import Path

import pandas as pd

from storyaudit.data.tables import Column, Table, conform
from storyaudit.errors import InputError
from storyaudit.io.files import file_name
from storyaudit.io.records import read_records

TEXT_NAMES = ("text", "story", "content")
ID_NAMES = ("story_id", "id", "premise_id")


def read_texts(
    path: Path, *, text_column: str | None = None, id_column: str | None = None
) -> tuple[pd.DataFrame, str]:
    """Return the texts of a file, with columns ``id`` and ``text``, and how they were found.

    Columns that are not given are guessed by name; without an ID column a text's ID is the file's
    name and row.

    Raises:
        InputError: no such column, or none that could be the texts.
    """
    guesses = [text_column] if text_column is not None else TEXT_NAMES
    records = read_records(path, lambda names: not set(guesses).isdisjoint(names))
    frame = records.frame
    text = _column(frame, text_column, TEXT_NAMES, path)
    if text is None:
        raise InputError(
            f"expected a column of texts ({', '.join(TEXT_NAMES)}), found "
            f"{', '.join(map(str, frame.columns)) or 'none'}.",
            "Name it with --text-column.",
            file=path,
        )
    name = _column(frame, id_column, ID_NAMES, path)
    names = dict.fromkeys([text] if name is None else [text, name])
    schema = Table("texts", (), tuple(Column(column) for column in names))
    typed, _ = conform(frame, schema, file=path, rows=records.rows)
    by_row = pd.Series([f"{path}:{row}" for row in records.rows], dtype="str")
    ids = by_row if name is None else typed[name].fillna(by_row)
    found = f"{file_name(path)}: texts from '{text}', IDs from " + (
        f"'{name}'" if name else "the rows"
    )
    return pd.DataFrame({"id": ids, "text": typed[text]}), found


def _column(
    frame: pd.DataFrame, given: str | None, names: tuple[str, ...], path: Path
) -> str | None:
    if given is None:
        return next((name for name in names if name in frame.columns), None)
    if given not in frame.columns:
        raise InputError(
            f"expected the column '{given}', found {', '.join(map(str, frame.columns))}.",
            "Check the name.",
            file=path,
        )
    return given

"""JSON lines: one object a line; blank lines do not count."""

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from storyaudit.errors import InputError
from storyaudit.io.rewriting import copy_records
from storyaudit.io.row_batches import Fits, RowFile, Rows, gather
from storyaudit.io.streams import empty_file, lines


def open_json_lines(path: Path, _: Fits | None = None) -> RowFile:
    """Open a file of one JSON object a line.

    Raises:
        InputError: no object; a line that is not one, has a name twice, half a surrogate pair in a
            name, or is longer than ``bounds.LINE``; then with its row.
    """
    first = next((record for _, _, record in objects(path) if record is not None), None)
    if first is None:
        raise empty_file(path)
    return RowFile(
        path,
        list(first),
        None,
        lambda columns=None, needed=(): json_rows(path, objects(path), columns, needed),
        lambda left_out, out: copy_records(
            path,
            ((row, line, record is not None) for row, line, record in objects(path)),
            left_out,
            out,
        ),
    )


def objects(path: Path) -> Iterator[tuple[int, str, dict[str, Any] | None]]:
    """Yield each line with its number, its text and its object; None where it is blank.

    Raises:
        InputError: see ``open_json_lines``.
    """
    for row, line in lines(path):
        if not line.strip():
            yield row, line, None
            continue
        try:
            record = json.loads(line, object_pairs_hook=unique)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"expected one JSON object on the line, found text that does not parse ({error}).",
                "Mend or remove this line; a last line cut short means an interrupted write.",
                file=path,
                row=row,
            ) from None
        if not isinstance(record, dict):
            raise InputError(
                f"expected a JSON object, found {type(record).__name__}.",
                "Write one object with the column names on each line.",
                file=path,
                row=row,
            )
        yield row, line, record


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON.

    Raises:
        ValueError: a name twice, or half a surrogate pair in one.
    """
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice in one object")
    "".join(record).encode()
    return record


def json_rows(
    path: Path,
    records: Iterator[tuple[int, str, dict[str, Any] | None]],
    columns: Sequence[str] | None,
    needed: Collection[str],
) -> Iterator[Rows]:
    """Yield rows of objects; see ``row_batches.ReadRows``."""

    def complete() -> Iterator[tuple[int, dict[str, Any], int]]:
        for row, text, record in records:
            if record is None:
                continue
            for column in needed:
                if column not in record:
                    raise InputError(
                        f"expected '{column}' as in the first object, found "
                        f"{', '.join(record) or 'nothing'}.",
                        "Write null where there is no text.",
                        file=path,
                        row=row,
                    )
            yield row, record, len(text)

    return gather(path, complete(), columns)

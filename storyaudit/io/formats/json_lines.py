"""JSON lines: one object a line; blank lines do not count."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from storyaudit.errors import InputError
from storyaudit.io.row_batches import Fits, Record, RowFile
from storyaudit.io.streams import empty_file, lines


def open_json_lines(path: Path, _: Fits | None = None) -> RowFile:
    """Open a file of one JSON object a line.

    Raises:
        InputError: no object; a line that is not one, has a name twice, half a surrogate pair in a
            name, or is longer than ``bounds.LINE``; then with its row.
    """
    first = next((cells for _, _, cells in _objects(path) if cells is not None), None)
    if first is None:
        raise empty_file(path)
    return RowFile(path, list(first), lambda: _objects(path))


def _objects(path: Path) -> Iterator[Record]:
    for row, line in lines(path):
        if not line.strip():
            yield Record(row, line, None)
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
        yield Record(row, line, record)


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

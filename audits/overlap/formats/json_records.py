"""JSON: one object a line, or a list of objects."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from audits.overlap.formats.rows import File, Rows, empty_file, gather, to_batches
from audits.overlap.layouts import find_layout
from audits.overlap.streams import blocks, lines
from storyaudit.errors import InputError


def open_json_lines(path: Path, given: Mapping[str, str]) -> File:
    """Open a file of one JSON object a line; blank lines do not count.

    Raises:
        InputError: no object, or no column of texts; while reading, a line that is not one object,
            has a name twice, or has no such column.
    """
    first = next(_json_records(path), None)
    if first is None:
        raise empty_file(path)
    layout = find_layout(list(first[1]), given, path)
    wanted = list(layout.texts.values())

    def complete() -> Iterator[tuple[int, Mapping[str, Any], int]]:
        for row, record, size in _json_records(path):
            for column in wanted:
                if column not in record:
                    raise InputError(
                        f"expected '{column}' as on the first line, found "
                        f"{', '.join(record) or 'nothing'}.",
                        "Write null where there is no text.",
                        file=path,
                        row=row,
                    )
            yield row, record, size

    return File(
        path,
        layout.said(),
        None,
        lambda: to_batches(path, layout, gather(complete(), layout.columns)),
    )


def _json_records(path: Path) -> Iterator[tuple[int, dict[str, Any], int]]:
    for row, line in lines(path):
        if not line.strip():
            continue
        try:
            record = json.loads(line, object_pairs_hook=_object)
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
        yield row, record, len(line)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice")
    return record


def open_json(path: Path, given: Mapping[str, str]) -> File:
    """A list of objects, or one object a line under the ending of JSON."""
    opening = b""
    for block in blocks(path):
        opening = block.removeprefix(b"\xef\xbb\xbf").lstrip()
        if opening:
            break
    if not opening.startswith(b"["):
        return open_json_lines(path, given)
    records = _json_list(path)
    layout = find_layout(list(dict.fromkeys(n for r in records for n in r)), given, path)
    count = len(records)
    del records

    def rows() -> Iterator[Rows]:
        numbered = ((n, record, 1 << 12) for n, record in enumerate(_json_list(path), start=1))
        yield from gather(numbered, layout.columns)

    return File(
        path,
        layout.said(),
        count if len(layout.texts) == 1 else None,
        lambda: to_batches(path, layout, rows()),
    )


def _json_list(path: Path) -> list[dict[str, Any]]:
    text = "".join(line for _, line in lines(path))
    try:
        content = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"expected JSON, found text that does not parse ({error}).",
            "Check that it is complete.",
            file=path,
        ) from None
    if not all(isinstance(entry, dict) for entry in content):
        raise InputError(
            "expected a list of JSON objects, found something else.",
            "Write [{…}, {…}], or one object a line in a .jsonl file.",
            file=path,
        )
    if not content:
        raise empty_file(path)
    return list(content)

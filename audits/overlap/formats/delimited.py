"""Tables of text: CSV, TSV and XLSX."""

import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from audits.overlap.formats.rows import File, Rows, check_header, empty_file, gather, to_batches
from audits.overlap.layouts import find_layout
from audits.overlap.streams import ending, lines
from storyaudit.errors import InputError


def open_csv(path: Path, given: Mapping[str, str]) -> File:
    """Open a file whose first row is the header; rows are counted with it.

    Raises:
        InputError: a header that cannot be used; while reading, quotes or fields that do not fit.
    """
    header = next(_csv_records(path), None)
    if header is None:
        raise empty_file(path)
    names = header[1]
    check_header(names, path)
    layout = find_layout(names, given, path)

    def records() -> Iterator[tuple[int, Mapping[str, Any], int]]:
        rows = _csv_records(path)
        next(rows)
        for row, fields in rows:
            if not fields:
                continue  # a blank line
            if len(fields) != len(names):
                raise InputError(
                    f"expected {len(names)} fields as in the header, found {len(fields)}.",
                    "Quote a field that holds the separator or a line break.",
                    file=path,
                    row=row,
                )
            yield row, dict(zip(names, fields, strict=True)), sum(map(len, fields))

    return File(
        path,
        layout.said(),
        None,
        lambda: to_batches(path, layout, gather(records(), layout.columns)),
    )


def _csv_records(path: Path) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(sys.maxsize)
    delimiter = "\t" if ending(path) == ".tsv" else ","
    reader = csv.reader((line for _, line in lines(path)), delimiter=delimiter, strict=True)
    row = 0
    try:
        for row, fields in enumerate(reader, start=1):
            yield row, fields
    except csv.Error as error:
        raise InputError(
            f"not well-formed: {error}.", "Check the quotes.", file=path, row=row + 1
        ) from None


def open_xlsx(path: Path, given: Mapping[str, str]) -> File:
    """Open a workbook's first sheet, which is read as a whole."""
    from storyaudit.io.records import read_records

    records = read_records(path)
    layout = find_layout([str(name) for name in records.frame.columns], given, path)
    columns = records.frame[layout.columns].astype(object)
    cells = {
        name: [None if cell != cell else cell for cell in columns[name].tolist()]
        for name in layout.columns
    }
    rows = Rows(records.rows.tolist(), cells)
    return File(
        path,
        layout.said(),
        len(columns) * len(layout.texts),
        lambda: to_batches(path, layout, iter([rows])),
    )

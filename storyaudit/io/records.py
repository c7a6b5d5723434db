"""Read the records of a Parquet, CSV, TSV, JSONL or XLSX file, untyped."""

import csv
import io
import json
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from storyaudit.errors import InputError
from storyaudit.io.files import read_text


@dataclass(frozen=True)
class Records:
    """A file's records as they stand there.

    Attributes:
        frame: one row a record; strings where the format has no types.
        rows: each record's row as a person counts it: with the header as row 1 in CSV, TSV and
            XLSX; lines in JSONL; records from 1 in Parquet.
    """

    frame: pd.DataFrame
    rows: np.ndarray


def read_records(path: Path) -> Records:
    """Read a file by its ending; a byte-order mark is accepted.

    Raises:
        InputError: no such file, an ending that is not known, an encoding other than UTF-8, or
            content that is not what the ending says.
    """
    if not path.is_file():
        raise InputError(
            "expected a file, found a folder." if path.is_dir() else "there is no such file.",
            "Check the path.",
            file=path,
        )
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"expected a file ending in {', '.join(sorted(_READERS))}, found '{path.suffix}'.",
            "Convert it, or give it the ending of its format.",
            file=path,
        )
    if path.stat().st_size == 0:
        raise InputError("the file is empty.", "Check how it was made.", file=path)
    return reader(path)


def _read_csv(path: Path, delimiter: str = ",") -> Records:
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    records, rows = [], []
    row = 0
    try:
        for row, fields in enumerate(reader, start=1):
            if row == 1:
                header = fields
                _check_header(header, path)
                if len(header) == 1 and ";" in header[0] and delimiter == ",":
                    raise InputError(
                        "expected commas between the columns, found semicolons.",
                        "Save it with commas.",
                        file=path,
                        row=1,
                    )
            elif not fields:
                continue  # a blank line
            elif len(fields) != len(header):
                raise InputError(
                    f"expected {len(header)} fields as in the header, found {len(fields)}.",
                    "Quote a field that holds the separator or a line break.",
                    file=path,
                    row=row,
                )
            else:
                records.append(fields)
                rows.append(row)
    except csv.Error as error:
        raise InputError(
            f"not well-formed: {error}.", "Check the quotes.", file=path, row=row + 1
        ) from None
    return Records(pd.DataFrame(records, columns=header, dtype="str"), np.array(rows, dtype=int))


def _check_header(header: list[str], path: Path, row: int | None = 1) -> None:
    if not any(name.strip() for name in header):
        raise InputError(
            "expected the names of the columns, found a blank row.",
            "Put the header first.",
            file=path,
            row=row,
        )
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise InputError(
            f"expected every column once, found '{twice[0]}' again.",
            "Rename or drop one of them.",
            file=path,
            row=row,
        )


def _read_jsonl(path: Path) -> Records:
    records, rows = [], []
    for row, line in enumerate(read_text(path).split("\n"), start=1):
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
        records.append(record)
        rows.append(row)
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {
        name: pd.Series([record.get(name) for record in records], dtype="object") for name in names
    }
    return Records(pd.DataFrame(columns), np.array(rows, dtype=int))


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice")
    "".join(record).encode()  # raises ValueError for half a surrogate pair
    return record


def _read_parquet(path: Path) -> Records:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as file:
            table = pq.ParquetFile(file).read()
        table.validate(full=True)  # otherwise text that is not UTF-8 fails on its first use
        _check_header(table.column_names, path, row=None)
        # Whole numbers with gaps would become floats, and IDs such as 9189 no IDs any more.
        frame = table.to_pandas(ignore_metadata=True, integer_object_nulls=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"not a readable Parquet file ({str(error).partition(chr(10))[0]}).",
            "Check that it is complete.",
            file=path,
        ) from None
    return Records(frame, np.arange(1, len(frame) + 1))


def _read_xlsx(path: Path) -> Records:
    import openpyxl

    try:
        with closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # some programs state a size that leaves cells out
            cells = list(sheet.iter_rows(values_only=True))
    except Exception:  # a broken archive or its XML raises nearly anything
        raise InputError(
            "not a readable XLSX workbook.", "Save it again as .xlsx or as CSV.", file=path
        ) from None
    header = ["" if name is None else str(name) for name in cells[0]] if cells else []
    while header and not header[-1]:
        header.pop()
    _check_header(header, path)
    records, rows = [], []
    for row, values in enumerate(cells[1:], start=2):
        if any(value is not None for value in values):
            filled = [*values, *[None] * len(header)]
            records.append(filled[: len(header)])
            rows.append(row)
    return Records(pd.DataFrame(records, columns=header, dtype="object"), np.array(rows, dtype=int))


_READERS: dict[str, Callable[[Path], Records]] = {
    ".csv": _read_csv,
    ".tsv": lambda path: _read_csv(path, "\t"),
    ".jsonl": _read_jsonl,
    ".ndjson": _read_jsonl,
    ".parquet": _read_parquet,
    ".xlsx": _read_xlsx,
}
SUFFIXES = tuple(sorted(_READERS))

"""Delimited text: CSV with commas, semicolons or tabs, and TSV."""

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.rewriting import copy_records
from storyaudit.io.row_batches import Fits, RowFile, check_header, gather
from storyaudit.io.streams import empty_file, ending, lines, too_long

DELIMITERS = (",", ";", "\t")
_TOLD = "sep="
"""Begins the line by which Excel is told the delimiter."""


class DelimiterFaultError(InputError):
    """Text that is not well-formed with one delimiter; another may read it."""


def open_delimited(path: Path, _: Fits | None = None) -> RowFile:
    """Open a file whose first row is the header; rows are counted with it, blank ones too.

    The delimiter of CSV is the first of ``DELIMITERS`` by which the header has several columns, or
    the one that a line 'sep=;' names.

    Raises:
        InputError: a header that cannot be used; while reading, quotes or fields that do not fit, a
            record longer than ``bounds.LINE``.
    """
    delimiter, head, names = _header(path)
    check_header(names, path, head)
    return RowFile(
        path,
        names,
        None,
        lambda columns=None, needed=(): gather(
            path, _cells(path, delimiter, head, names), names if columns is None else columns
        ),
        lambda left_out, out: copy_records(
            path,
            (
                (row, text, bool(fields) and row != head)
                for row, fields, text in delimited_records(path, delimiter)
            ),
            left_out,
            out,
        ),
        untyped=True,
    )


def _header(path: Path) -> tuple[str, int, list[str]]:
    """Return the delimiter, and the header's row and names."""
    if ending(path) == ".tsv":
        return "\t", *_first(path, "\t")
    single: tuple[str, int, list[str]] | None = None
    fault: DelimiterFaultError | None = None
    for delimiter in _delimiters(path):
        try:
            row, names = _first(path, delimiter)
        except DelimiterFaultError as error:
            fault = fault or error
            continue
        if len(names) > 1:
            return delimiter, row, names
        single = single or (delimiter, row, names)
    if fault is not None or single is None:
        raise fault or empty_file(path)
    return single


def _delimiters(path: Path) -> tuple[str, ...]:
    """Return those to try: the one that the file's first line names, or all."""
    _, first = next(lines(path), (0, ""))
    told = first.strip().lower().removeprefix(_TOLD) if _tells(first) else ""
    return (told,) if told in DELIMITERS else DELIMITERS


def _tells(line: str) -> bool:
    return line[: len(_TOLD)].lower() == _TOLD


def _first(path: Path, delimiter: str) -> tuple[int, list[str]]:
    for row, fields, text in delimited_records(path, delimiter):
        if not (row == 1 and _tells(text)):
            return row, fields
    raise empty_file(path)


def delimited_records(path: Path, delimiter: str) -> Iterator[tuple[int, list[str], str]]:
    """Yield every record with its number from 1, its fields and its text; a blank one has none.

    A line 'sep=;' at the top counts as a blank one.

    Raises:
        DelimiterFaultError: quotes that do not fit.
        InputError: what ``lines`` refuses; a record longer than ``bounds.LINE``.
    """
    csv.field_size_limit(sys.maxsize)
    taken: list[str] = []
    row = held = 0

    def watched() -> Iterator[str]:
        nonlocal held
        for number, line in lines(path):
            # A carriage return alone ends a row to old programs.
            alone = line.find("\r", 0, -2) >= 0
            for part in io.StringIO(line, newline="") if alone else (line,):
                taken.append(part)
                held += len(part)
                if held > bounds.LINE:
                    raise too_long(path, "a record", row + 1)
                yield "\n" if number == 1 and _tells(line) else part

    try:
        for row, fields in enumerate(
            csv.reader(watched(), delimiter=delimiter, strict=True), start=1
        ):
            yield row, fields, "".join(taken)  # the reader takes a record's lines and no more
            taken.clear()
            held = 0
    except csv.Error as error:
        raise DelimiterFaultError(
            f"not well-formed: {error}.", "Check the quotes.", file=path, row=row + 1
        ) from None


def _cells(
    path: Path, delimiter: str, head: int, names: list[str]
) -> Iterator[tuple[int, dict[str, Any], int]]:
    for row, fields, text in delimited_records(path, delimiter):
        if row <= head or not fields:
            continue
        if len(fields) != len(names):
            raise InputError(
                f"expected {len(names)} fields as in the header, found {len(fields)}.",
                "Quote a field that holds the separator or a line break.",
                file=path,
                row=row,
            )
        yield row, dict(zip(names, fields, strict=True)), len(text)

"""Read a filled sheet, XLSX or CSV, into a grid of cells; what programs add on saving is borne."""

import csv
import io
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from storyaudit.errors import InputError
from storyaudit.forms.archive import MAX_ROWS, check_size, check_workbook, too_many_rows
from storyaudit.forms.form_layout import ID, SHEET
from storyaudit.io.files import read_text

_MAX_COLUMNS = 100
_HEADER_WITHIN = 20
"""Rows among which the header is looked for: people put notes above it."""
_DELIMITERS = ",;\t"
_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0*)?")
Cells = list[Any]


class Grid(NamedTuple):
    """The cells below the header.

    Attributes:
        columns: each column's name, in small letters, and its place from 0.
        rows: each row's number as a person counts it, and its cells.
    """

    columns: dict[str, int]
    rows: list[tuple[int, Cells]]

    def at(self, cells: Cells, name: str) -> Any:
        """Return the cell of a row in the column of that name; None where there is none."""
        column = self.columns.get(name.casefold(), len(cells))
        return cells[column] if column < len(cells) else None

    def place(self, row: int, name: str) -> str:
        """Return what a spreadsheet program calls the cell."""
        letters, left = "", self.columns[name.casefold()] + 1
        while left:
            left, rest = divmod(left - 1, 26)
            letters = chr(ord("A") + rest) + letters
        return f"cell {letters}{row}"


def read_grid(path: Path) -> Grid:
    """Read a filled sheet.

    Rows and columns may stand in another order, with empty ones between them and further ones
    beside them; a CSV may have commas, semicolons or tabs.

    Raises:
        InputError: no file, another format, macros, links, too large; not UTF-8; quotes that do
            not close; no header with the columns 'id' and 'sheet', or a column twice.
    """
    check_size(path)
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        check_workbook(path)
        return _read_xlsx(path)
    if suffix in (".csv", ".tsv", ".txt"):
        return _read_csv(path)
    raise InputError(
        f"expected a filled sheet ending in .xlsx, .csv or .json, found '{path.suffix}'.",
        "Save it as .xlsx (no macros), or as CSV UTF-8.",
        file=path,
    )


def blank(value: object) -> bool:
    """Return whether a cell is empty to a person."""
    return value is None or (isinstance(value, str) and not value.strip())


def shown(value: object) -> str:
    """Return a cell as a person reads it; a number that a program made of '3' is '3' again."""
    number = whole(value)
    return str(value).strip()[:40] if number is None else str(number)


def whole(value: object) -> int | None:
    """Return the whole number that a cell says, as 3, 3.0, ' 3 ', '3,0' or '3.0'; else None."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    if not isinstance(value, str):
        return None
    found = _WHOLE.fullmatch(unicodedata.normalize("NFKC", value).strip())
    return int(found[1]) if found else None


def _read_xlsx(path: Path) -> Grid:
    import openpyxl

    try:
        # Formulas stay formulas: what a program computed is nobody's answer.
        with closing(openpyxl.load_workbook(path, read_only=True, keep_links=False)) as book:
            first: Cells = []
            for sheet in book.worksheets:
                sheet.reset_dimensions()  # some programs state a size that leaves cells out
                rows = enumerate(sheet.iter_rows(max_col=_MAX_COLUMNS, values_only=True), start=1)
                found = _grid(((row, list(cells)) for row, cells in rows), path)
                if isinstance(found, Grid):
                    return found
                first = first or found
    except InputError:
        raise
    except Exception:  # a broken archive or its XML raises nearly anything
        raise InputError(
            "not a readable XLSX workbook.", "Save it again as .xlsx or as CSV UTF-8.", file=path
        ) from None
    raise _no_header(first, path)


def _read_csv(path: Path) -> Grid:
    text = read_text(path)
    csv.field_size_limit(sys.maxsize)
    if text[:4].lower() == "sep=":  # a line by which Excel is told the separator
        text = "\n" + text.partition("\n")[2]
    first: Cells = []
    faults: list[CsvFaultError] = []
    for delimiter in _DELIMITERS:
        try:
            found = _grid(_csv_rows(text, delimiter, path), path)
        except CsvFaultError as fault:  # another delimiter may read it
            faults.append(fault)
            continue
        if isinstance(found, Grid):
            return found
        first = first or found
    if faults and not first:
        raise faults[0]
    raise _no_header(first, path)


class CsvFaultError(InputError):
    """Text that is no CSV with one delimiter."""


def _csv_rows(text: str, delimiter: str, path: Path) -> Iterator[tuple[int, Cells]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    row = 0
    try:
        for row, cells in enumerate(reader, start=1):
            yield row, list(cells)
    except csv.Error as error:
        raise CsvFaultError(
            f"not well-formed: {error}.", "Check the quotes.", file=path, row=row + 1
        ) from None


def _grid(rows: Iterable[tuple[int, Cells]], path: Path) -> Grid | Cells:
    """Return the grid below the header, or the first row that is not empty."""
    columns: dict[str, int] = {}
    first: Cells = []
    kept: list[tuple[int, Cells]] = []
    for count, (row, cells) in enumerate(rows):
        if count > MAX_ROWS:
            raise too_many_rows(path)
        if cells.count(None) == len(cells):
            continue
        if columns:
            if not all(map(blank, cells)):
                kept.append((row, cells))
            continue
        if count >= _HEADER_WITHIN:
            break
        names = [_name(value) for value in cells]
        if ID in names and SHEET in names:
            twice = [name for name in names if name and names.count(name) > 1]
            if twice:
                raise InputError(
                    f"expected the column '{twice[0]}' once, found it again.",
                    "Remove one of them.",
                    file=path,
                    row=row,
                )
            columns = {name: place for place, name in enumerate(names) if name}
        first = first or [value for value in cells if not blank(value)]
    return Grid(columns, kept) if columns else first


def _name(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""


def _no_header(first: Cells, path: Path) -> InputError:
    found = ", ".join(repr(str(value)[:30]) for value in first[:12])
    return InputError(
        f"expected a header with the columns '{ID}' and '{SHEET}', found {found or 'nothing'}.",
        "Give the sheet that went out, with its header as it was.",
        file=path,
    )

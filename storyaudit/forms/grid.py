"""Read a filled form, XLSX or CSV, into a grid of cells; what programs add on saving is borne."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from storyaudit.errors import InputError
from storyaudit.forms.archive import check_size, check_workbook
from storyaudit.forms.form_layout import ID, SHEET
from storyaudit.io import bounds
from storyaudit.io.formats.delimited import DELIMITERS, DelimiterFaultError, delimited_records
from storyaudit.io.formats.xlsx import cell_name, worksheets

_MAX_COLUMNS = 100
_HEADER_WITHIN = 20
"""Rows among which the header is looked for: people put notes above it."""
_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0*)?")
Cells = list[Any]


class Grid(NamedTuple):
    """The cells below the header.

    Attributes:
        columns: each column's name, in small letters, and its number from 0.
        rows: each row's number as a person counts it, and its cells.
    """

    columns: dict[str, int]
    rows: list[tuple[int, Cells]]

    def at(self, cells: Cells, name: str) -> Any:
        """Return the cell of a row in the column of that name; None where there is none."""
        column = self.columns.get(name.casefold(), len(cells))
        return cells[column] if column < len(cells) else None

    def location(self, row: int, name: str) -> str:
        """Return what a spreadsheet program calls the cell."""
        return f"cell {cell_name(row, self.columns[name.casefold()])}"


def read_grid(path: Path) -> Grid:
    """Read a filled form.

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
        f"expected a filled annotation form ending in .xlsx, .csv or .json, found '{path.suffix}'.",
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
    first: Cells = []
    # Formulas stay formulas: what a program computed is no annotator's answer.
    for worksheet in worksheets(path, formulas=True):
        found = _grid(((row, list(cells[:_MAX_COLUMNS])) for row, cells in worksheet.rows), path)
        if isinstance(found, Grid):
            return found
        first = first or found
    raise _no_header(first, path)


def _read_csv(path: Path) -> Grid:
    first: Cells = []
    faults: list[DelimiterFaultError] = []
    for delimiter in DELIMITERS:
        rows = ((row, list(cells)) for row, cells, _ in delimited_records(path, delimiter))
        try:
            found = _grid(rows, path)
        except DelimiterFaultError as fault:  # another delimiter may read it
            faults.append(fault)
            continue
        if isinstance(found, Grid):
            return found
        first = first or found
    if faults and not first:
        raise faults[0]
    raise _no_header(first, path)


def _grid(rows: Iterable[tuple[int, Cells]], path: Path) -> Grid | Cells:
    """Return the grid below the header, or the first row that is not empty."""
    columns: dict[str, int] = {}
    first: Cells = []
    kept: list[tuple[int, Cells]] = []
    for count, (row, cells) in enumerate(rows):
        if count > bounds.WORKBOOK_ROWS:
            raise InputError(
                f"expected at most {bounds.WORKBOOK_ROWS} rows, found more.",
                "Remove rows that do not belong to the form, empty ones too.",
                file=path,
            )
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
            columns = {name: column for column, name in enumerate(names) if name}
        first = first or [value for value in cells if not blank(value)]
    return Grid(columns, kept) if columns else first


def _name(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""


def _no_header(first: Cells, path: Path) -> InputError:
    found = ", ".join(repr(str(value)[:30]) for value in first[:12])
    return InputError(
        f"expected a header with the columns '{ID}' and '{SHEET}', found {found or 'nothing'}.",
        "Give the annotation form with its original header.",
        file=path,
    )

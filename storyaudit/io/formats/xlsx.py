"""XLSX workbooks: their archive is looked at before anything of it is parsed."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.row_batches import Fits, RowFile, check_header, gather

SAVE_AGAIN = "Save it again as an ordinary .xlsx workbook, or as CSV UTF-8."
_CHUNK = 1 << 16
_LARGE_PART = 1 << 20
"""Bytes from which a part of the archive is held against ``bounds.EXPANSION``."""


class Worksheet(NamedTuple):
    """A worksheet: its title, and its rows with their numbers, which are read once, in order."""

    title: str
    rows: Iterator[tuple[int, tuple[Any, ...]]]


def open_workbook(path: Path, fits: Fits | None = None) -> RowFile:
    """Open the first worksheet whose header fits, or else the first; it is read as a whole.

    Raises:
        InputError: no workbook, one that is too large, or a header that cannot be used.
    """
    numbers, records = [], []
    names: list[str] = []
    for sheet in worksheets(path):
        names = _names(next(sheet.rows, (1, ()))[1])
        if fits is None or fits(names):
            break
    else:
        if fits is not None:
            return open_workbook(path)
        raise _not_readable(path)
    check_header(names, path)
    for row, cells in sheet.rows:
        if any(value is not None for value in cells):
            numbers.append(row)
            records.append(dict(zip(names, cells, strict=False)))
    fault = InputError(
        "expected a file whose rows can be copied as they are, found a workbook.",
        "Save it as CSV to write it without the overlapping rows.",
        file=path,
    )

    def refuse(*_: object) -> int:
        raise fault

    return RowFile(
        path,
        names,
        len(records),
        lambda columns=None, needed=(): gather(
            path,
            zip(numbers, records, [0] * len(records), strict=True),
            names if columns is None else columns,
        ),
        refuse,
        no_copy=fault,
    )


def headers(path: Path) -> list[list[str]]:
    """Return the names in the first row of each worksheet, of which there is at least one.

    Raises:
        InputError: see ``worksheets``; no worksheet.
    """
    found = [_names(next(sheet.rows, (1, ()))[1]) for sheet in worksheets(path)]
    if not found:
        raise _not_readable(path)
    return found


def _names(cells: tuple[Any, ...]) -> list[str]:
    names = ["" if name is None else str(name) for name in cells]
    while names and not names[-1]:
        names.pop()
    return names


def worksheets(path: Path, *, formulas: bool = False) -> Iterator[Worksheet]:
    """Yield the worksheets of a workbook; each is read before the next.

    Args:
        path: of the file.
        formulas: whether a cell with a formula is the formula, not what a program computed.

    Raises:
        InputError: see ``check_archive``; a broken archive or its XML; more rows or cells than
            ``bounds`` allows.
    """
    check_archive(path)
    left = bounds.WORKBOOK_CELLS

    def rows(sheet: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
        nonlocal left
        with _readable(path):
            sheet.reset_dimensions()  # some programs state a size that leaves cells out
            for row, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
                left -= len(cells) + 1
                if left < 0 or row > bounds.WORKBOOK_ROWS:
                    raise _too_many(path, row)
                yield row, cells

    with _readable(path):
        import openpyxl

        with closing(
            openpyxl.load_workbook(path, read_only=True, data_only=not formulas, keep_links=False)
        ) as book:
            for sheet in book.worksheets:
                yield Worksheet(sheet.title, rows(sheet))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except Exception:  # a broken archive or its XML raises nearly anything
        raise _not_readable(path) from None


def _not_readable(path: Path) -> InputError:
    return InputError("not a readable XLSX workbook.", SAVE_AGAIN, file=path)


def _too_many(path: Path, row: int | None = None) -> InputError:
    return InputError(
        f"expected at most {bounds.WORKBOOK_ROWS} rows and {bounds.WORKBOOK_CELLS} cells, found "
        "more.",
        "Remove what is not of the table, empty rows too, or save it as CSV UTF-8.",
        file=path,
        row=row,
    )


def check_archive(path: Path) -> list[str]:
    """Look at a workbook's archive, and return the names of its parts.

    Raises:
        InputError: no ZIP archive; parts that unpack to too much, too many parts or rows; a
            document type declaration in its XML, which could name other files.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            _check_parts(parts, path)
            for part in parts:
                if part.filename.lower().endswith((".xml", ".rels")):
                    _check_xml(archive, part, path)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, NotImplementedError):
        raise _not_readable(path) from None
    except (RuntimeError, EOFError, ValueError, OSError):  # encrypted, cut short, on a bad disk
        raise _not_readable(path) from None
    return [part.filename for part in parts]


def _check_parts(parts: list[zipfile.ZipInfo], path: Path) -> None:
    unpacked = sum(part.file_size for part in parts)
    packed = any(
        part.file_size > max(_LARGE_PART, bounds.EXPANSION * part.compress_size) for part in parts
    )
    if packed or unpacked > bounds.WORKBOOK_BYTES or len(parts) > bounds.WORKBOOK_PARTS:
        raise InputError(
            f"the workbook unpacks to {unpacked / 1e6:.0f} MB in {len(parts)} parts, more than "
            f"{bounds.WORKBOOK_BYTES // 1_000_000} MB, {bounds.WORKBOOK_PARTS} parts or "
            f"{bounds.EXPANSION} times its size.",
            SAVE_AGAIN,
            file=path,
        )
    if not any(part.filename == "xl/workbook.xml" for part in parts):
        raise _not_readable(path)


def _check_xml(archive: zipfile.ZipFile, part: zipfile.ZipInfo, path: Path) -> None:
    """Look for declarations in an XML part, and count the rows and cells of a worksheet."""
    counted = part.filename.startswith("xl/worksheets/")
    rows = cells = 0
    tail = b""
    with archive.open(part) as content:
        while chunk := content.read(_CHUNK):
            window = tail + chunk
            if b"<!DOCTYPE" in window or b"<!ENTITY" in window:
                raise InputError(
                    f"{part.filename} declares a document type, which no workbook needs.",
                    SAVE_AGAIN,
                    file=path,
                )
            if counted:
                rows += window.count(b"<row") - tail.count(b"<row")
                cells += window.count(b"<c ") - tail.count(b"<c ")
                if rows > bounds.WORKBOOK_ROWS or cells > bounds.WORKBOOK_CELLS:
                    raise _too_many(path)
            tail = window[-16:]


def cell_name(row: int, column: int) -> str:
    """Return what a spreadsheet program calls the cell in a row from 1 and a column from 0."""
    letters, left = "", column + 1
    while left:
        left, rest = divmod(left - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"

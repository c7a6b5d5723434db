"""Look at a workbook's archive before anything of it is parsed: it comes from outside."""

import zipfile
import zlib
from pathlib import Path

from storyaudit.errors import InputError

MAX_BYTES = 200_000_000
"""Of a filled sheet: the file itself, and what its archive holds when unpacked."""
MAX_ROWS = 200_000
"""Of a sheet; all 1,133 items of StoryRMB need some 30,000."""
MAX_RATIO = 200
MAX_ENTRIES = 2_000
_CHUNK = 1 << 16
_SAVE_AGAIN = "Save the sheet again as an ordinary .xlsx workbook, or as CSV UTF-8."
_FOREIGN = ("xl/externallinks/", "xl/connections", "xl/querytables/", "xl/embeddings/")


def check_size(path: Path) -> None:
    """Refuse what is no file, is empty, or is larger than any filled sheet.

    Raises:
        InputError: see above.
    """
    if not path.is_file():
        problem = "expected a file, found a folder." if path.is_dir() else "there is no such file."
        raise InputError(problem, "Check the path.", file=path)
    size = path.stat().st_size
    if size == 0:
        raise InputError("the file is empty.", "Check how it was saved.", file=path)
    if size > MAX_BYTES:
        raise InputError(
            f"expected at most {MAX_BYTES // 1_000_000} MB, found {size // 1_000_000} MB.",
            "Give the filled sheet itself.",
            file=path,
        )


def check_workbook(path: Path) -> None:
    """Refuse a workbook that is no harmless sheet, by its archive's directory where possible.

    Raises:
        InputError: not a ZIP archive; macros; links to other files or data; entries that unpack to
            too much; too many rows; a document type declaration in its XML.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check_entries(entries, path)
            for entry in entries:
                if entry.filename.lower().endswith((".xml", ".rels")):
                    _check_xml(archive, entry, path)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError):
        raise _broken(path) from None
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror}).", "Check the file.", file=path
        ) from None


def _check_entries(entries: list[zipfile.ZipInfo], path: Path) -> None:
    unpacked = sum(entry.file_size for entry in entries)
    packed = [e for e in entries if e.file_size > MAX_RATIO * max(e.compress_size, 5_000)]
    if unpacked > MAX_BYTES or packed or len(entries) > MAX_ENTRIES:
        raise InputError(
            f"the workbook unpacks to {unpacked / 1e6:.0f} MB in {len(entries)} parts, more than "
            "any filled sheet.",
            _SAVE_AGAIN,
            file=path,
        )
    for entry in entries:
        name = entry.filename.lower()
        if name.endswith("vbaproject.bin") or "macrosheets/" in name:
            raise InputError(
                f"the workbook holds macros ({entry.filename}).", _SAVE_AGAIN, file=path
            )
        if name.startswith(_FOREIGN):
            raise InputError(
                f"the workbook links to other files or data ({entry.filename}).",
                _SAVE_AGAIN,
                file=path,
            )
    if not any(entry.filename == "xl/workbook.xml" for entry in entries):
        raise _broken(path)


def _check_xml(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
    """Look for declarations in an XML part, and count the rows of a worksheet."""
    counted = entry.filename.startswith("xl/worksheets/")
    rows, tail = 0, b""
    try:
        with archive.open(entry) as part:
            while chunk := part.read(_CHUNK):
                window = tail + chunk
                if b"<!DOCTYPE" in window or b"<!ENTITY" in window:
                    raise InputError(
                        f"{entry.filename} declares a document type, which no sheet needs.",
                        _SAVE_AGAIN,
                        file=path,
                    )
                rows += window.count(b"<row") - tail.count(b"<row") if counted else 0
                if rows > MAX_ROWS:
                    raise too_many_rows(path)
                tail = window[-16:]
    except zlib.error:
        raise _broken(path) from None


def too_many_rows(path: Path) -> InputError:
    """Return the refusal of a sheet with more rows than any that went out."""
    return InputError(
        f"expected at most {MAX_ROWS} rows, found more.",
        "Remove what is not of the sheet; empty rows too.",
        file=path,
    )


def _broken(path: Path) -> InputError:
    return InputError("not a readable XLSX workbook.", _SAVE_AGAIN, file=path)

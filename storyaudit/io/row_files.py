"""Open a file of rows by its ending."""

from collections.abc import Callable
from pathlib import Path

from storyaudit.errors import InputError
from storyaudit.io.formats.delimited import open_delimited
from storyaudit.io.formats.json_document import open_json
from storyaudit.io.formats.json_lines import open_json_lines
from storyaudit.io.formats.parquet import open_parquet
from storyaudit.io.formats.plain_text import open_document, open_text_lines
from storyaudit.io.formats.xlsx import open_workbook
from storyaudit.io.row_batches import Fits, RowFile
from storyaudit.io.streams import COMPRESSIONS, check_file, ending

Opener = Callable[[Path, Fits | None], RowFile]

PREMISES, STORIES, DOCUMENT = ".wp_source", ".wp_target", ".txt"
"""Endings of text without columns: WritingPrompts' premises and stories, and documents."""
TABLES: dict[str, Opener] = {
    ".parquet": open_parquet,
    ".jsonl": open_json_lines,
    ".ndjson": open_json_lines,
    ".json": open_json,
    ".csv": open_delimited,
    ".tsv": open_delimited,
    ".xlsx": open_workbook,
}
FORMATS: dict[str, Opener] = TABLES | {
    PREMISES: open_text_lines,
    STORIES: open_text_lines,
    DOCUMENT: open_document,
}
PACKED = (".parquet", ".xlsx")
"""Formats that compress by themselves."""


def open_rows(path: Path, fits: Fits | None = None, *, formats: dict[str, Opener]) -> RowFile:
    """Open a file.

    Args:
        path: of the file.
        fits: says which columns are wanted, where a workbook has several worksheets.
        formats: ``TABLES`` or ``FORMATS``.

    Raises:
        InputError: no such file, an empty one, an ending that is not known, or content that is not
            what the ending says.
    """
    kind = ending(path)
    packed = path.suffix.lower() in COMPRESSIONS
    if (kind not in formats or (packed and kind in PACKED)) and not path.is_dir():
        raise InputError(
            f"expected a file ending in {', '.join(sorted(formats))} (text also with "
            f"{' or '.join(COMPRESSIONS)}), found '{path.name}'.",
            "Convert it, or give it the ending of its format.",
            file=path,
        )
    check_file(path)
    return formats[kind](path, fits)

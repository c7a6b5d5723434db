"""Text without columns: one text a line, or one a file."""

from collections.abc import Collection, Iterator
from pathlib import Path

from storyaudit.io.files import read_text
from storyaudit.io.row_batches import Fits, Record, RowFile
from storyaudit.io.streams import lines

TEXT = "text"
"""The one column."""


def open_text_lines(path: Path, _: Fits | None = None) -> RowFile:
    """Open a file whose every line is a text, blank ones too.

    Raises:
        InputError: while reading, see ``lines``.
    """

    def records() -> Iterator[Record]:
        for row, line in lines(path):
            yield Record(row, line, {TEXT: line.removesuffix("\n").removesuffix("\r")})

    return RowFile(path, [TEXT], records, untyped=True)


def open_document(path: Path, _: Fits | None = None) -> RowFile:
    """Open a file that is one text; left out, it is not written.

    Raises:
        InputError: while reading, see ``read_text``.
    """

    def records() -> Iterator[Record]:
        text = read_text(path)
        yield Record(1, text, {TEXT: text})

    return _Document(path, [TEXT], records, size=1, untyped=True)


class _Document(RowFile):
    def copy(self, left_out: Collection[int], out: Path) -> int:
        return 0 if 1 in left_out else super().copy(left_out, out)

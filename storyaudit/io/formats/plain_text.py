"""Text without columns: one text a line, or one a file."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from storyaudit.io.files import read_text
from storyaudit.io.rewriting import copy_records, writing
from storyaudit.io.row_batches import Fits, RowFile, gather
from storyaudit.io.streams import blocks, lines

TEXT = "text"
"""The one column."""


def open_text_lines(path: Path, _: Fits | None = None) -> RowFile:
    """Open a file whose every line is a text, blank ones too.

    Raises:
        InputError: while reading, see ``lines``.
    """

    def records() -> Iterator[tuple[int, dict[str, Any], int]]:
        for row, line in lines(path):
            yield row, {TEXT: line.removesuffix("\n").removesuffix("\r")}, len(line)

    return RowFile(
        path,
        [TEXT],
        None,
        lambda columns=None, needed=(): gather(path, records(), [TEXT]),
        lambda left_out, out: copy_records(
            path, ((row, line, True) for row, line in lines(path)), left_out, out
        ),
        untyped=True,
    )


def open_document(path: Path, _: Fits | None = None) -> RowFile:
    """Open a file that is one text; left out, it is not written.

    Raises:
        InputError: while reading, see ``read_text``.
    """

    def records() -> Iterator[tuple[int, dict[str, Any], int]]:
        text = read_text(path)
        yield 1, {TEXT: text}, len(text)

    def copy(left_out: Collection[int], out: Path) -> int:
        if 1 in left_out:
            return 0
        with writing(out) as sink:
            for block in blocks(path):
                sink.write(block)
        return 1

    return RowFile(
        path,
        [TEXT],
        1,
        lambda columns=None, needed=(): gather(path, records(), [TEXT]),
        copy,
        untyped=True,
    )

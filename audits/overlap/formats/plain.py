"""Texts without columns: the lines of WritingPrompts, and documents."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from audits.overlap.formats.rows import File, gather, to_batches
from audits.overlap.layouts import Layout
from audits.overlap.scan import Batch
from audits.overlap.streams import ending, lines
from storyaudit.errors import InputError
from storyaudit.io.layouts.writing_prompts import STORIES, TAGS, line_text


def open_writing_prompts(path: Path, given: Mapping[str, str]) -> File:
    """Open stories or premises of WritingPrompts, put right as ``storyaudit.io.layouts`` do."""
    _refuse_columns(path, given)
    stories = ending(path) == STORIES

    def records() -> Iterator[tuple[int, Mapping[str, Any], int]]:
        for row, line in lines(path):
            line = line.removesuffix("\n").removesuffix("\r")
            yield row, {"text": line_text(line if stories else TAGS.sub("", line))}, len(line)

    layout = Layout({"": "text"}, {}, None)
    said = f"{'stories' if stories else 'premises'}, one a line, IDs from the lines"
    return File(path, said, None, lambda: to_batches(path, layout, gather(records(), ["text"])))


def open_document(path: Path, given: Mapping[str, str]) -> File:
    """Open a file that is one text."""
    _refuse_columns(path, given)

    def read() -> Iterator[Batch]:
        import pyarrow as pa

        text = "".join(line for _, line in lines(path))
        yield Batch([str(path)], pa.array([text], pa.large_string()))

    return File(path, "one document, ID from the path", 1, read)


def _refuse_columns(path: Path, given: Mapping[str, str]) -> None:
    if given:
        raise InputError(
            f"expected a file with columns, since '{next(iter(given.values()))}' was named.",
            "Leave the names of columns out.",
            file=path,
        )

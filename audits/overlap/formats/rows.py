"""What every format gives: a file that is opened, its rows, and batches of their texts."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from audits.overlap.layouts import Layout, NoTextError, id_of, texts_of
from audits.overlap.scan import Batch
from storyaudit.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

LEAST_BYTES, MOST_BYTES = 4 << 20, 16 << 20
"""Of text in a batch, but for the last of a source and for a text that is longer by itself."""


class File(NamedTuple):
    """A file that can be read.

    Attributes:
        path: of the file.
        said: what is taken from it, as a part of a sentence.
        rows: how many texts it holds, where it says so.
        read: yields its texts from the first.
    """

    path: Path
    said: str
    rows: int | None
    read: Callable[[], Iterator[Batch]]


class Rows(NamedTuple):
    """Some rows: their numbers as a person counts them, and the cells of each column needed."""

    numbers: range | list[int]
    cells: "Mapping[str, pa.ChunkedArray | list[Any]]"


def empty_file(path: Path) -> InputError:
    """Return the error that says that a file holds nothing."""
    return InputError("the file is empty.", "Check how it was made, or remove it.", file=path)


def check_header(names: list[str], path: Path) -> None:
    """Refuse columns without names, and two of one name.

    Raises:
        InputError: as said.
    """
    if not any(name.strip() for name in names):
        problem = "expected the names of the columns, found a blank row."
    elif len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        problem = f"expected every column once, found '{twice}' again."
    else:
        return
    raise InputError(problem, "Correct the header.", file=path, row=1)


def to_batches(path: Path, layout: Layout, rows: Iterator[Rows]) -> Iterator[Batch]:
    """Yield the texts of rows with their IDs, one batch or more for some rows.

    Raises:
        InputError: a cell that is no text or no ID, with its row.
    """
    for chunk in rows:
        for part, column in layout.texts.items():
            own = layout.ids.get(part)
            ids = _ids(path, chunk, own or layout.row_id, "" if own else part)
            yield _batch(path, chunk, column, ids)


def _ids(path: Path, chunk: Rows, column: str | None, part: str) -> list[str]:
    import pyarrow as pa

    suffix = f":{part}" if part else ""
    if column is None:
        return [f"{path}:{row}{suffix}" for row in chunk.numbers]
    cells = chunk.cells[column]
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.to_pylist()
    ids = []
    for row, cell in zip(chunk.numbers, cells, strict=True):
        try:
            own = id_of(cell)
            (own or "").encode()
        except (NoTextError, UnicodeEncodeError, OverflowError) as error:
            raise InputError(
                f"expected an ID, text or a whole number, found {_what(error)}.",
                "Correct it, or name another column with --id-column.",
                file=path,
                row=row,
                column=column,
            ) from None
        ids.append(f"{path}:{row}{suffix}" if own is None else own + suffix)
    return ids


def _what(error: Exception) -> str:
    return str(error) if isinstance(error, NoTextError) else "half a surrogate pair"


def _batch(path: Path, chunk: Rows, column: str, ids: list[str]) -> Batch:
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = chunk.cells[column]
    if isinstance(cells, pa.ChunkedArray):
        plain = pa.types.is_large_string(cells.type)
        if plain and not pc.any(pc.match_substring_regex(cells, r"\A\s*\[\{")).as_py():
            return Batch(ids, cells.combine_chunks())
        cells = cells.to_pylist()
    all_ids, all_texts = [], []
    for row, name, cell in zip(chunk.numbers, ids, cells, strict=True):
        try:
            texts = texts_of(cell)
            for text in texts:
                if text is not None:
                    text.encode()
        except (NoTextError, UnicodeEncodeError) as error:
            raise InputError(
                f"expected a text, messages, or a list of either, found {_what(error)}.",
                "Correct it, or name another column with --text-column.",
                file=path,
                row=row,
                column=column,
            ) from None
        several = len(texts) > 1
        all_ids += [f"{name}:{n}" if several else name for n in range(1, len(texts) + 1)]
        all_texts += texts
    return Batch(all_ids, pa.array(all_texts, pa.large_string()))


def gather(
    records: Iterator[tuple[int, Mapping[str, Any], int]], columns: list[str]
) -> Iterator[Rows]:
    """Yield rows by some mebibytes of (row number, record, size)."""
    numbers: list[int] = []
    cells: dict[str, list[Any]] = {column: [] for column in columns}
    held = 0
    for row, record, size in records:
        numbers.append(row)
        for column in columns:
            cells[column].append(record.get(column))
        held += size
        if held >= LEAST_BYTES:
            yield Rows(numbers, cells)
            numbers, cells, held = [], {column: [] for column in columns}, 0
    if numbers:
        yield Rows(numbers, cells)

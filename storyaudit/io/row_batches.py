"""What every format gives: a file of rows that is opened, and some of its rows at once."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from storyaudit.errors import InputError
from storyaudit.io import bounds

if TYPE_CHECKING:
    import pyarrow as pa

Fits = Callable[[list[str]], bool]
"""Says of the names of columns whether they are those of the table that is wanted."""


class Rows(NamedTuple):
    """Some rows: their numbers as a person counts them, and the cells of each column needed."""

    numbers: range | list[int]
    cells: "Mapping[str, pa.ChunkedArray | list[Any]]"


class Batch(NamedTuple):
    """Some texts.

    Attributes:
        ids: one a text.
        texts: strings or large strings; a null is a text without tokens.
    """

    ids: list[str]
    texts: "pa.Array | pa.ChunkedArray"


class ReadRows(Protocol):
    """Reads a file's rows from the first."""

    def __call__(
        self, columns: Sequence[str] | None = None, needed: Collection[str] = ()
    ) -> Iterator[Rows]:
        """Yield rows by some mebibytes.

        Args:
            columns: whose cells are wanted; all if None.
            needed: those that every row must have, where rows name their cells themselves.

        Raises:
            InputError: what is damaged or beyond a bound, with its row.
        """


class RowFile(NamedTuple):
    """A file of rows.

    Attributes:
        path: of the file.
        names: of its columns; where each row names its cells itself, those of the first.
        size: how many rows it has, where it says so.
        rows: reads them.
        copy: writes the file without some rows to a path, and returns how many it kept.
        types: of the columns, where the format has types and they are known before reading.
        untyped: whether all cells are text, since the format has no types.
        no_copy: why rows cannot be copied as they are, if they cannot.
    """

    path: Path
    names: list[str]
    size: int | None
    rows: ReadRows
    copy: Callable[[Collection[int], Path], int]
    types: "Mapping[str, pa.DataType] | None" = None
    untyped: bool = False
    no_copy: InputError | None = None


def check_header(names: Sequence[str], path: Path, row: int | None = 1) -> None:
    """Refuse columns without names, two of one name, and more than ``bounds.COLUMNS``.

    Raises:
        InputError: as said.
    """
    if not any(name.strip() for name in names):
        problem = "expected the names of the columns, found a blank row."
        remedy = "Put the header first."
    elif len(names) > bounds.COLUMNS:
        problem = f"expected at most {bounds.COLUMNS} columns, found {len(names)}."
        remedy = "Check the separator, or leave out what is not needed."
    else:
        twice = next((name for name, number in Counter(names).items() if number > 1), None)
        if twice is None:
            return
        problem = f"expected every column once, found '{twice}' again."
        remedy = "Rename or drop one of them."
    raise InputError(problem, remedy, file=path, row=row)


def gather(
    path: Path,
    records: Iterator[tuple[int, Mapping[str, Any], int]],
    columns: Sequence[str] | None,
) -> Iterator[Rows]:
    """Yield rows by some mebibytes of (row number, cells by column, size).

    Args:
        path: named in errors.
        records: of the file.
        columns: whose cells are wanted; all that a record of the batch has if None.

    Raises:
        InputError: records with so many different names that they make too large a table.
    """
    numbers: list[int] = []
    held: list[Mapping[str, Any]] = []
    size = 0
    for row, record, own in records:
        numbers.append(row)
        held.append(record)
        size += own
        if size >= bounds.LEAST_BATCH:
            yield Rows(numbers, _cells(path, held, columns))
            numbers, held, size = [], [], 0
    if numbers:
        yield Rows(numbers, _cells(path, held, columns))


def _cells(
    path: Path, records: list[Mapping[str, Any]], columns: Sequence[str] | None
) -> dict[str, list[Any]]:
    if columns is None:
        columns = list(dict.fromkeys(name for record in records for name in record))
        check_size(path, len(records), len(columns))
    return {name: [record.get(name) for record in records] for name in columns}


def check_size(path: Path, rows: int, columns: int) -> None:
    """Refuse a table that is too large for its file to hold honestly.

    Raises:
        InputError: more columns or cells than ``bounds`` allows.
    """
    if columns > bounds.COLUMNS:
        problem = f"expected at most {bounds.COLUMNS} columns, found {columns}."
    elif rows * columns > bounds.frame_cells(path):
        problem = (
            f"expected at most {bounds.frame_cells(path)} cells in a file of this size, found "
            f"{rows} rows of {columns} columns."
        )
    else:
        return
    raise InputError(problem, "Leave out the columns that are not needed.", file=path)

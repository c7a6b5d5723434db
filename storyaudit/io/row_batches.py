"""What every format gives: a file of rows that is opened, and some of its rows at once."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.checked import repeated
from storyaudit.io.row_copies import opening, writing

if TYPE_CHECKING:
    import pyarrow as pa

Fits = Callable[[list[str]], bool]
"""Says of the names of columns whether they are those of the table that is wanted."""


def accepted_by(find: Callable[[list[str]], object]) -> Fits:
    """Return what says whether ``find`` takes names without an error."""

    def fits(names: list[str]) -> bool:
        try:
            find(names)
        except InputError:
            return False
        return True

    return fits


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


class Record(NamedTuple):
    """A row of a text format: its number, its text as it stands there, and its cells.

    A header and a blank line have no cells.
    """

    row: int
    text: str
    cells: Mapping[str, Any] | None


@dataclass(frozen=True)
class RowFile:
    """A file of rows; this is one of text, other formats differ in what they override.

    Attributes:
        path: of the file.
        names: of its columns; where each row names its cells itself, those of the first.
        records: yields its records from the first.
        size: how many rows it has, where it says so.
        types: of the columns, where the format has types.
        untyped: whether all cells are text, since the format has no types.
        no_copy: why rows cannot be copied as they are, if they cannot.
    """

    path: Path
    names: list[str]
    records: Callable[[], Iterator[Record]] = field(repr=False)
    size: int | None = None
    types: "Mapping[str, pa.DataType] | None" = None
    untyped: bool = False
    no_copy: InputError | None = None

    def rows(
        self, columns: Sequence[str] | None = None, needed: Collection[str] = ()
    ) -> Iterator[Rows]:
        """Yield rows by some mebibytes.

        Args:
            columns: whose cells are wanted; all if None.
            needed: those that every row must have, where rows name their cells themselves.

        Raises:
            InputError: what is damaged or beyond a bound, with its row.
        """
        numbers: list[int] = []
        held: list[Mapping[str, Any]] = []
        size = 0
        for row, text, cells in self.records():
            if cells is None:
                continue
            for column in needed:
                if column not in cells:
                    raise InputError(
                        f"expected '{column}' as in the first object, found "
                        f"{', '.join(cells) or 'nothing'}.",
                        "Write null where there is no text.",
                        file=self.path,
                        row=row,
                    )
            numbers.append(row)
            held.append(cells)
            size += len(text)
            if size >= bounds.LEAST_BATCH:
                yield Rows(numbers, self._by_column(held, columns))
                numbers, held, size = [], [], 0
        if numbers:
            yield Rows(numbers, self._by_column(held, columns))

    def _by_column(
        self, records: list[Mapping[str, Any]], columns: Sequence[str] | None
    ) -> dict[str, list[Any]]:
        if columns is None:
            columns = list(dict.fromkeys(name for record in records for name in record))
            check_size(self.path, len(records), len(columns))
        return {name: [record.get(name) for record in records] for name in columns}

    def copy(self, left_out: Collection[int], out: Path) -> int:
        """Write the file without some rows, and return how many rows were kept.

        Every other byte stays as it was; what was compressed is compressed again.

        Raises:
            InputError: what cannot be read; ``no_copy``.
            OSError: it cannot be written.
        """
        if self.no_copy is not None:
            raise self.no_copy
        kept = 0
        with writing(out) as sink:
            sink.write(opening(self.path))
            for row, text, cells in self.records():
                if row not in left_out:
                    sink.write(text.encode())
                    kept += cells is not None
        return kept


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
        twice = repeated(names)
        if twice is None:
            return
        problem = f"expected every column once, found '{twice}' again."
        remedy = "Rename or drop one of them."
    raise InputError(problem, remedy, file=path, row=row)


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

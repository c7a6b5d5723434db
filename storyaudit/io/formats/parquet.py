"""Parquet, by row groups and only the columns that are needed; checksums are verified."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.row_batches import Fits, RowFile, Rows, check_header
from storyaudit.io.streams import too_large

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


def open_parquet(path: Path, _: Fits | None = None) -> RowFile:
    """Open a Parquet file; while reading, memory holds about a batch.

    Raises:
        InputError: not readable; while reading, damaged pages, bytes that are not UTF-8, with their
            row, or a column that decodes to more than ``bounds.expanded``.
    """
    import pyarrow.parquet as pq

    with _readable(path), path.open("rb") as stream:
        file = pq.ParquetFile(stream)
        schema, metadata = file.schema_arrow, file.metadata
    check_header(schema.names, path, row=None)
    return _Parquet(
        path,
        list(schema.names),
        lambda: iter(()),
        size=metadata.num_rows,
        types={column.name: column.type for column in schema},
    )


class _Parquet(RowFile):
    def rows(
        self, columns: Sequence[str] | None = None, needed: Collection[str] = ()
    ) -> Iterator[Rows]:
        import pyarrow as pa

        first = 1
        names = self.names if columns is None else list(columns)
        for _, batch in _batches(self.path, names):
            numbers = range(first, first + batch.num_rows)
            first += batch.num_rows
            cells = {name: _valid(self.path, name, numbers, batch[name]) for name in names}
            yield Rows(numbers, cells)
        if first == 1 and self.types is not None:
            nothing = {name: pa.chunked_array([], self.types[name]) for name in names}
            yield Rows(range(1, 1), nothing)

    def copy(self, left_out: Collection[int], out: Path) -> int:
        return _copy(self.path, left_out, out)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"not a readable Parquet file ({str(error).partition(chr(10))[0]}).",
            "Check that it is complete.",
            file=path,
        ) from None


def decoded_bytes(cells: "pa.Array") -> int:
    """Return how many bytes cells take that do not share equal values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(cells.type):
        return int(cells.nbytes)
    if not is_text(cells.type.value_type):
        return int(cells.indices.nbytes)
    lengths = pc.binary_length(cells.dictionary).cast(pa.int64()).take(cells.indices)
    return int(cells.indices.nbytes) + (pc.sum(lengths).as_py() or 0)


def is_text(kind: "pa.DataType") -> bool:
    """Return whether a type is one of texts, or of bytes that may be texts."""
    import pyarrow as pa

    tests = ("string", "large_string", "string_view", "binary", "large_binary")
    return any(getattr(pa.types, f"is_{test}")(kind) for test in tests)


def _valid(path: Path, column: str, numbers: range, cells: "pa.Array") -> "pa.ChunkedArray":
    """Return cells once their text is seen to be UTF-8."""
    import pyarrow as pa

    try:
        cells.validate(full=True)
    except (pa.ArrowException, UnicodeDecodeError):
        raise not_utf8(path, column, numbers, cells) from None
    return pa.chunked_array([cells])


def not_utf8(
    path: Path, column: str, numbers: Sequence[int], cells: "pa.Array | pa.ChunkedArray"
) -> InputError:
    """Return the error about cells of which one is no UTF-8."""
    row = next((row for row, cell in zip(numbers, cells, strict=True) if _wrong(cell)), None)
    return InputError(
        "expected UTF-8, found bytes that are not.",
        "Write the file again from texts in UTF-8.",
        file=path,
        row=row,
        column=column,
    )


def _wrong(cell: "pa.Scalar") -> bool:
    try:
        value = cell.as_py()
        if isinstance(value, bytes):
            value.decode()
    except UnicodeDecodeError:
        return True
    return False


def _batches(path: Path, columns: list[str] | None) -> "Iterator[tuple[int, pa.RecordBatch]]":
    """Yield the number of each batch's row group, and the batch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _readable(path), path.open("rb") as stream:
        file = pq.ParquetFile(stream, buffer_size=1 << 20, page_checksum_verification=True)
        leaves = [file.metadata.schema.column(n).path for n in range(file.metadata.num_columns)]
        wanted = file.schema_arrow.names if columns is None else columns
        texts = pq.ParquetFile(
            stream,
            metadata=file.metadata,
            read_dictionary=leaves,
            page_checksum_verification=True,
        )
        left = bounds.expanded(path)
        for group in range(file.num_row_groups):
            rows = _rows_at_once(path, texts, group, wanted)
            for batch in file.iter_batches(
                rows, row_groups=[group], columns=columns, use_threads=False
            ):
                if absent := set(wanted) - set(batch.schema.names):
                    raise pa.ArrowInvalid(f"column '{min(absent)}' is named and not there")
                left -= sum(decoded_bytes(cells) for cells in batch.columns)
                if left < 0:
                    raise too_large(path, "its columns decode")
                yield group, batch


def _rows_at_once(path: Path, texts: "pq.ParquetFile", number: int, wanted: Sequence[str]) -> int:
    """Return how many rows of a row group are decoded at once: a batch by their mean size, or less.

    Parquet keeps equal values once, in a column's dictionary: a value of a megabyte that stands in
    every row takes a few bytes there, and gigabytes when it is decoded.

    Args:
        path: of the file.
        texts: the file, read without decoding dictionaries.
        number: of the row group.
        wanted: columns.

    Raises:
        InputError: a nested column, of which one row may hold any number of values, decodes to more
            than ``bounds.expanded``.
    """
    _require_whole(texts, number, wanted)
    group = texts.metadata.row_group(number)
    count = max(int(group.num_rows), 1)
    fitting = bounds.LEAST_BATCH * count // max(int(group.total_byte_size), 1)
    rows = max(1, min(bounds.BATCH_ROWS, fitting))
    for place in range(len(texts.metadata.schema)):
        leaf = str(texts.metadata.schema.column(place).path)
        flat = leaf in wanted
        if not (flat or leaf.partition(".")[0] in wanted):
            continue
        chunk = group.column(place)
        if not chunk.has_dictionary_page or chunk.physical_type != "BYTE_ARRAY":
            continue
        values = rows if flat else int(chunk.num_values)
        if values * int(chunk.total_uncompressed_size) <= bounds.DECODED:
            continue
        longest = _longest(texts, number, leaf)
        if flat:
            rows = min(rows, max(1, bounds.DECODED // longest))
        elif values * longest > bounds.expanded(path):
            size = sum(decoded_bytes(cells) for cells in _leaves(texts, number, leaf))
            if size > bounds.expanded(path):
                raise too_large(path, "its columns decode")
    return rows


def _require_whole(file: "pq.ParquetFile", number: int, columns: Sequence[str] | None) -> None:
    """Read a row from columns of a row group, which fails where what is told of them is damaged.

    Looked at through pyarrow before anything is read, such a column ends the whole program.
    """
    next(file.iter_batches(1, row_groups=[number], columns=columns, use_threads=False), None)


def _longest(texts: "pq.ParquetFile", number: int, leaf: str) -> int:
    """Return the bytes of the longest value in a column's dictionary, 1 or more."""
    import pyarrow.compute as pc

    for cells in _leaves(texts, number, leaf):
        if len(cells.dictionary):
            return max(1, pc.max(pc.binary_length(cells.dictionary)).as_py() or 0)
    return 1


def _leaves(texts: "pq.ParquetFile", number: int, leaf: str) -> "Iterator[pa.DictionaryArray]":
    """Yield the values of a row group's column, without the lists and objects around them."""
    import pyarrow as pa

    for batch in texts.iter_batches(
        bounds.BATCH_ROWS, row_groups=[number], columns=[leaf], use_threads=False
    ):
        cells = batch.column(0)
        while not pa.types.is_dictionary(cells.type):
            cells = cells.field(0) if pa.types.is_struct(cells.type) else cells.flatten()
        yield cells


def _copy(path: Path, left_out: Collection[int], out: Path) -> int:
    """Write the rows that are not left out; schema, compression and row groups stay."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _readable(path), path.open("rb") as stream:
        file = pq.ParquetFile(stream)
        for group in range(min(1, file.num_row_groups)):
            _require_whole(file, group, None)
        schema, compression = file.schema_arrow, _compression(file.metadata)
    kept = size = current = 0
    row = 1
    held: list[pa.RecordBatch] = []
    with (
        out.open("wb") as sink,  # pyarrow takes no name that is not UTF-8
        pq.ParquetWriter(sink, schema, compression=compression) as writer,
    ):

        def write() -> None:
            nonlocal size
            if rows := sum(batch.num_rows for batch in held):
                writer.write_table(pa.Table.from_batches(held, schema), row_group_size=rows)
            held.clear()
            size = 0

        for group, batch in _batches(path, None):
            if group != current or size >= bounds.ROW_GROUP:
                write()
                current = group
            numbers = range(row, row + batch.num_rows)
            row += batch.num_rows
            if any(number in left_out for number in numbers):
                batch = batch.filter(pa.array([number not in left_out for number in numbers]))
            held.append(batch)
            size += batch.nbytes
            kept += batch.num_rows
        write()
    return kept


def _compression(metadata: Any) -> str | dict[str, str]:
    """Return the compression of all columns, or by column where they differ."""
    if not metadata.num_row_groups:
        return "zstd"
    group = metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    codecs = {
        column.path_in_schema: column.compression.lower().replace("uncompressed", "none")
        for column in columns
    }
    same = set(codecs.values())
    return same.pop() if len(same) == 1 else codecs

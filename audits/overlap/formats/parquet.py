"""Parquet, by row groups and only the columns that are needed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audits.overlap.formats.rows import LEAST_BYTES, File, Rows, check_header, to_batches
from audits.overlap.layouts import Layout, find_layout
from storyaudit.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1024  # read at once at most


def open_parquet(path: Path, given: Mapping[str, str]) -> File:
    """Open a Parquet file; while reading, memory holds about a batch.

    Raises:
        InputError: not readable, or the columns hold neither text nor messages; while reading,
            damaged pages, or bytes that are not UTF-8, with their row.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as stream:
            file = pq.ParquetFile(stream)
            schema, metadata = file.schema_arrow, file.metadata
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _not_parquet(path, error) from None
    check_header(schema.names, path)
    layout = find_layout(schema.names, given, path)
    types = [schema.field(column).type for column in layout.texts.values()]
    for column, kind in zip(layout.texts.values(), types, strict=True):
        _check_type(path, column, kind)
    single = all(not pa.types.is_nested(kind) for kind in types)
    return File(
        path,
        layout.said(),
        metadata.num_rows * len(types) if single else None,
        lambda: to_batches(path, layout, _parquet_rows(path, layout)),
    )


def _not_parquet(path: Path, error: Exception) -> InputError:
    return InputError(
        f"not a readable Parquet file ({str(error).partition(chr(10))[0]}).",
        "Check that it is complete.",
        file=path,
    )


def _check_type(path: Path, column: str, kind: "pa.DataType") -> None:
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not (_is_text(inner) or pa.types.is_list(inner) or pa.types.is_large_list(inner)):
        found = "no value at all" if pa.types.is_null(kind) else kind
        raise InputError(
            f"expected text or messages, found {found}.",
            "Name the column of the texts with --text-column.",
            file=path,
            column=column,
        )


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    tests = ("string", "large_string", "string_view", "binary", "large_binary")
    return any(getattr(pa.types, f"is_{test}")(kind) for test in tests)


def _parquet_rows(path: Path, layout: Layout) -> Iterator[Rows]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = 1
    try:
        with path.open("rb") as stream:
            file = pq.ParquetFile(stream, buffer_size=1 << 20, page_checksum_verification=True)
            for batch in file.iter_batches(
                _rows_at_once(file.metadata), columns=layout.columns, use_threads=False
            ):
                numbers = range(first, first + batch.num_rows)
                first += batch.num_rows
                yield Rows(
                    numbers,
                    {
                        name: _sound(path, name, numbers, pa.chunked_array([batch[name]]))
                        for name in layout.columns
                    },
                )
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _not_parquet(path, error) from None


def _rows_at_once(metadata: Any) -> int:
    """Return how many rows make a batch, as far as their mean size tells."""
    groups = range(metadata.num_row_groups)
    size = sum(int(metadata.row_group(group).total_byte_size) for group in groups)
    return max(1, min(_ROWS, LEAST_BYTES * int(metadata.num_rows) // max(size, 1)))


def _sound(path: Path, column: str, numbers: range, cells: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return text as large strings, and anything else as it is, once it is seen to be UTF-8."""
    import pyarrow as pa

    kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
    try:
        if _is_text(kind):
            cells = cells.cast(kind).cast(pa.large_string())
        cells.validate(full=True)
    except (pa.ArrowException, UnicodeDecodeError):
        row = next((row for row, cell in zip(numbers, cells, strict=True) if _wrong(cell)), None)
        raise InputError(
            "expected UTF-8, found bytes that are not.",
            "Write the file again from texts in UTF-8.",
            file=path,
            row=row,
            column=column,
        ) from None
    return cells


def _wrong(cell: "pa.Scalar") -> bool:
    try:
        value = cell.as_py()
        if isinstance(value, bytes):
            value.decode()
    except UnicodeDecodeError:
        return True
    return False

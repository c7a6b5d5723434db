"""Files of texts, row by row: where the texts of each stand, and the file without some rows.

A copy has the same bytes but for the rows that are left out, where the format has rows of bytes:
lines of JSON and of WritingPrompts, records of CSV, objects of a JSON list. Parquet keeps its
schema, compression and row groups. What was compressed is compressed again, always to the same
bytes.
"""

import csv
import json
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from audits.overlap.formats.rows import LEAST_BYTES, Rows, gather, to_batches
from audits.overlap.layouts import Layout, find_layout
from audits.overlap.scan import Batch
from audits.overlap.sources import open_source
from audits.overlap.streams import COMPRESSIONS, blocks, ending, lines
from storyaudit.errors import InputError
from storyaudit.io.layouts.writing_prompts import PREMISES, STORIES

if TYPE_CHECKING:
    import pyarrow as pa

GROUP_BYTES = 64 << 20
"""Of a Parquet row group in memory; a larger one is parted."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ROWS = 1024
_GAP = re.compile(r"[\s,]*")


class RowTexts(NamedTuple):
    """The texts of some rows.

    Attributes:
        rows: the row of each, as a person counts them.
        batch: the texts, with IDs as ``sources.open_source`` gives them.
    """

    rows: list[int]
    batch: Batch


class Copyable(NamedTuple):
    """A file whose rows can be left out.

    Attributes:
        texts: yields its texts from the first.
        copy: writes it without some rows to a path; returns how many rows it kept. A file that is
            one document, and is left out, is not written.
        beside: a file of the same rows that belongs to it, None if there is none.
    """

    texts: Callable[[], Iterator[RowTexts]]
    copy: Callable[[Collection[int], Path], int]
    beside: Path | None = None


def open_copyable(path: Path, given: Mapping[str, str]) -> Copyable:
    """Open a file that ``sources.open_source`` can open.

    Args:
        path: of the file.
        given: {our column: their column}, of ``audits.overlap.layouts.NAMES``.

    Raises:
        InputError: a workbook; what ``open_source`` refuses.
    """
    kind = ending(path)
    if kind == ".xlsx":
        raise InputError(
            "expected a file whose rows can be copied as they are, found a workbook.",
            "Save it as CSV to write it without the overlapping rows.",
            file=path,
        )
    if kind == ".json" and _is_list(path):
        return _open_json_list(path, given)
    if kind in (PREMISES, STORIES, ".txt"):
        return _open_plain(path, given, kind)
    if kind == ".parquet":
        return _open_parquet(path, given)
    return _open_records(path, given, _csv_records if kind in (".csv", ".tsv") else _json_records)


def _open_records(
    path: Path, given: Mapping[str, str], records: "Callable[[Path], Iterator[_Record]]"
) -> Copyable:
    first: dict[str, Any] = next((record for _, _, record in records(path) if record), {})
    layout = find_layout(list(first), given, path)

    def texts() -> Iterator[RowTexts]:
        told = ((row, record, len(raw)) for row, raw, record in records(path) if record)
        if records is _csv_records:
            next(told)
        yield from _row_texts(path, layout, gather(told, layout.columns))

    def copy(left_out: Collection[int], out: Path) -> int:
        kept = 0
        with writing(out) as sink:
            sink.write(_opening(path))
            for row, raw, record in records(path):
                if row not in left_out:
                    sink.write(raw.encode())
                    kept += bool(record)
        return kept - (records is _csv_records)

    return Copyable(texts, copy)


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file to write, compressed by its ending, without a name or a time in it.

    Raises:
        OSError: it cannot be written, or not to its end.
    """
    import pyarrow as pa

    compression = COMPRESSIONS.get(path.suffix.lower())
    with pa.output_stream(str(path), compression=compression, buffer_size=1 << 20) as sink:
        yield sink


def _row_texts(path: Path, layout: Layout, chunks: Iterator[Rows]) -> Iterator[RowTexts]:
    """Yield the texts twice over: with rows for IDs, and with the IDs that they have."""
    by_row = Layout(layout.texts, {}, None)
    begin = len(f"{path}:")
    for chunk in chunks:
        placed = to_batches(path, by_row, iter([chunk]))
        named = to_batches(path, layout, iter([chunk]))
        for places, batch in zip(placed, named, strict=True):
            yield RowTexts([int(name[begin:].partition(":")[0]) for name in places.ids], batch)


def _opening(path: Path) -> bytes:
    """Return the byte-order mark with which a file begins, if it does."""
    first = next(blocks(path), b"")
    return _BYTE_ORDER_MARK if first.startswith(_BYTE_ORDER_MARK) else b""


_Record = tuple[int, str, dict[str, Any]]
"""A row's number, its text with the line's end, and its cells; none where it is blank."""


def _json_records(path: Path) -> Iterator[_Record]:
    for row, line in lines(path):
        try:
            record = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"expected one JSON object on the line, found text that does not parse ({error}).",
                "Mend or remove this line; a last line cut short means an interrupted write.",
                file=path,
                row=row,
            ) from None
        yield row, line, _object(record, path, row)


def _object(record: Any, path: Path, row: int) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise InputError(
            f"expected a JSON object, found {type(record).__name__}.",
            "Write objects with the column names.",
            file=path,
            row=row,
        )
    return record


def _csv_records(path: Path) -> Iterator[_Record]:
    """Yield the header and the records; the reader takes a record's lines before it yields it."""
    csv.field_size_limit(sys.maxsize)
    taken: list[str] = []

    def watched() -> Iterator[str]:
        for _, line in lines(path):
            taken.append(line)
            yield line

    delimiter = "\t" if ending(path) == ".tsv" else ","
    names: list[str] | None = None
    row = 0
    try:
        for row, fields in enumerate(
            csv.reader(watched(), delimiter=delimiter, strict=True), start=1
        ):
            names = fields if names is None else names
            yield row, "".join(taken), dict(zip(names, fields, strict=False))
            taken.clear()
    except csv.Error as error:
        raise InputError(
            f"not well-formed: {error}.", "Check the quotes.", file=path, row=row + 1
        ) from None


def _is_list(path: Path) -> bool:
    for block in blocks(path):
        if opening := block.removeprefix(_BYTE_ORDER_MARK).lstrip():
            return opening.startswith(b"[")
    return False


def _open_json_list(path: Path, given: Mapping[str, str]) -> Copyable:
    open_source(path, columns=given)  # refuses what is no list of objects

    def elements() -> Iterator[_Record]:
        text = "".join(line for _, line in lines(path))
        decoder = json.JSONDecoder()
        place = text.index("[") + 1
        row = 0
        while text[place := _after(_GAP, text, place)] != "]":
            start = place
            record, place = decoder.raw_decode(text, start)
            row += 1
            yield row, text[start:place], record

    layout = find_layout(
        list(dict.fromkeys(name for _, _, record in elements() for name in record)), given, path
    )

    def texts() -> Iterator[RowTexts]:
        told = ((row, record, len(raw)) for row, raw, record in elements())
        yield from _row_texts(path, layout, gather(told, layout.columns))

    def copy(left_out: Collection[int], out: Path) -> int:
        kept = [raw for row, raw, _ in elements() if row not in left_out]
        with writing(out) as sink:
            sink.write(_opening(path) + ("[\n" + ",\n".join(kept) + "\n]\n").encode())
        return len(kept)

    return Copyable(texts, copy)


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return place if found is None else found.end()


def _open_plain(path: Path, given: Mapping[str, str], kind: str) -> Copyable:
    (file,) = open_source(path, columns=given).files

    def texts() -> Iterator[RowTexts]:
        begin = len(f"{path}:")
        for batch in file.read():
            rows = [int(name[begin:]) if kind != ".txt" else 1 for name in batch.ids]
            yield RowTexts(rows, batch)

    def copy(left_out: Collection[int], out: Path) -> int:
        if kind == ".txt":
            if 1 in left_out:
                return 0
            with writing(out) as sink:
                for block in blocks(path):
                    sink.write(block)
            return 1
        return _copy_lines(path, left_out, out)

    beside = path.with_name(path.name.replace(STORIES, PREMISES))
    return Copyable(texts, copy, beside if beside != path and beside.is_file() else None)


def _copy_lines(path: Path, left_out: Collection[int], out: Path) -> int:
    kept = 0
    with writing(out) as sink:
        sink.write(_opening(path))
        for row, line in lines(path):
            if row not in left_out:
                sink.write(line.encode())
                kept += 1
    return kept


def copy_beside(path: Path, left_out: Collection[int], out: Path) -> None:
    """Write the lines of the file beside another without those rows."""
    _copy_lines(path, left_out, out)


def _open_parquet(path: Path, given: Mapping[str, str]) -> Copyable:
    import pyarrow.parquet as pq

    open_source(path, columns=given)  # refuses what is no Parquet, and columns of other types
    layout = find_layout(pq.read_schema(path).names, given, path)

    def texts() -> Iterator[RowTexts]:
        yield from _row_texts(path, layout, _parquet_rows(path, layout.columns))

    return Copyable(texts, lambda left_out, out: _copy_parquet(path, left_out, out))


def _parquet_rows(path: Path, columns: list[str]) -> Iterator[Rows]:
    import pyarrow as pa

    first = 1
    for _, batch in _parquet_batches(path, columns):
        numbers = range(first, first + batch.num_rows)
        first += batch.num_rows
        yield Rows(numbers, {name: _as_text(pa.chunked_array([batch[name]])) for name in columns})


def _parquet_batches(
    path: Path, columns: list[str] | None
) -> "Iterator[tuple[int, pa.RecordBatch]]":
    """Yield the number of each batch's row group, and the batch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as stream:
            file = pq.ParquetFile(stream, buffer_size=1 << 20)
            for group in range(file.num_row_groups):
                told = file.metadata.row_group(group)
                fitting = LEAST_BYTES * told.num_rows // max(told.total_byte_size, 1)
                for batch in file.iter_batches(
                    max(1, min(_ROWS, fitting)),
                    row_groups=[group],
                    columns=columns,
                    use_threads=False,
                ):
                    yield group, batch
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"not a readable Parquet file ({str(error).partition(chr(10))[0]}).",
            "Check that it is complete.",
            file=path,
        ) from None


def _as_text(cells: "pa.ChunkedArray") -> "pa.ChunkedArray":
    import pyarrow as pa

    kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
    if pa.types.is_nested(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return cells
    return cells.cast(kind).cast(pa.large_string())


def _copy_parquet(path: Path, left_out: Collection[int], out: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with path.open("rb") as stream:
        file = pq.ParquetFile(stream)
        schema, compression = file.schema_arrow, _compression(file.metadata)
    kept = 0
    row = 1
    held: list[pa.RecordBatch] = []
    size = current = 0
    with pq.ParquetWriter(out, schema, compression=compression) as writer:

        def write() -> None:
            nonlocal size
            if rows := sum(batch.num_rows for batch in held):
                writer.write_table(pa.Table.from_batches(held, schema), row_group_size=rows)
            held.clear()
            size = 0

        for group, batch in _parquet_batches(path, None):
            if group != current or size >= GROUP_BYTES:
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

"""What is beyond a bound is refused with its place and a remedy, before it takes the memory."""

import gzip
import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.files import read_text
from storyaudit.io.formats.json_document import read_json
from storyaudit.io.records import read_records
from storyaudit.layouts.text_source import open_source

MIB = 1 << 20


def texts(path: Path) -> int:
    return sum(len(batch.ids) for batch in open_source(path).batches())


def table(path: Path) -> int:
    return len(read_records(path).rows)


def refused(read: Callable[[Path], object], path: Path, problem: str) -> InputError:
    with pytest.raises(InputError, match=problem) as caught:
        read(path)
    assert caught.value.file == path
    assert caught.value.remedy.endswith(".")
    return caught.value


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that small files reach."""
    for name, value in {
        "LINE": 2 * MIB, "TEXT": 2 * MIB, "EXPANDED": 4 * MIB, "DECODED": MIB,
        "WORKBOOK_CELLS": 5000, "WORKBOOK_ROWS": 1000, "JSON_VALUES": 1000,
        "FRAME_CELLS": 10_000, "COLUMNS": 100,
    }.items():  # fmt: skip
        monkeypatch.setattr(bounds, name, value)


LONG = "x" * (3 * MIB)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("read", [texts, table])
@pytest.mark.parametrize(
    ("name", "content", "row"),
    [
        ("x.jsonl", f'{{"text": "a"}}\n{{"text": "{LONG}"}}\n', 2),
        ("x.json", f'[{{"text": "a"}}, {{"text": "{LONG}"}}]', 2),
        ("x.csv", f"text,b\na,b\n{LONG},c\n", 3),
        ("x.csv", 'text,b\na,b\n"' + "line\n" * MIB, 3),  # a quote that does not close
        ("x.tsv", "text\tb\n" + '"\n"\t' * MIB, 2),
    ],
)
def test_lines_records_and_objects(
    tmp_path: Path, read: Callable[[Path], int], name: str, content: str, row: int
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert refused(read, path, "of at most 2 million characters").row == row
    path.write_text(content.replace(LONG, LONG[:MIB]).replace("line\n" * MIB, 'line"')[: 2 * MIB])
    if LONG in content:
        assert read(path) == 2


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("read", [texts, table])
@pytest.mark.parametrize("name", ["x.jsonl.gz", "x.json.gz", "x.csv.gz"])
def test_small_files_that_unpack_to_large_ones(
    tmp_path: Path, read: Callable[[Path], int], name: str
) -> None:
    row = {"text": "word " * 100, "id": 1}
    content = {
        "x.jsonl.gz": (json.dumps(row) + "\n") * 20_000,
        "x.json.gz": json.dumps([row] * 20_000),
        "x.csv.gz": "text,id\n" + f"{row['text']},1\n" * 20_000,
    }[name]
    path = tmp_path / name
    path.write_bytes(gzip.compress(content.encode()))
    assert path.stat().st_size * bounds.EXPANSION < len(content)
    refused(read, path, "unpack to more than .* 200 times the file")


@pytest.mark.usefixtures("small")
def test_texts_that_are_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(LONG)
    refused(texts, path, "at most 2 million characters")
    refused(read_text, path, "at most 2 million characters")
    path = tmp_path / "x.json"
    path.write_text("[" + "[]," * 1000 + "[]]")
    refused(read_json, path, "at most 1000 values")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("read", [texts, table])
def test_columns(tmp_path: Path, read: Callable[[Path], int]) -> None:
    names = ["text", *(f"c{n}" for n in range(100))]
    (tmp_path / "x.csv").write_text(",".join(names) + "\n")
    assert refused(read, tmp_path / "x.csv", "at most 100 columns, found 101").row == 1
    pq.write_table(pa.table({name: ["a"] for name in names}), tmp_path / "x.parquet")
    refused(read, tmp_path / "x.parquet", "at most 100 columns, found 101")
    book = openpyxl.Workbook()
    book.active.append(names)
    book.save(tmp_path / "x.xlsx")
    refused(read, tmp_path / "x.xlsx", "at most 100 columns")


def test_a_header_of_many_names_is_looked_at_once(tmp_path: Path) -> None:
    import time

    (tmp_path / "x.csv").write_text(",".join(f"c{n}" for n in range(9_999)) + ",c17\n")
    began = time.process_time()
    refused(table, tmp_path / "x.csv", "found 'c17' again")
    assert time.process_time() - began < 1


@pytest.mark.usefixtures("small")
def test_objects_of_ever_new_names(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f'{{"n{n}": 1}}\n' for n in range(101)))
    refused(table, path, "at most 100 columns")
    path.write_text("".join(f'{{"n{n % 90}":1}}\n' for n in range(1000)))
    refused(table, path, "at most .* cells in a file of this size, found 1000 rows of 90 columns")


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("read", [texts, table])
@pytest.mark.usefixtures("small")
def test_parquet_columns_that_decode_to_much(
    tmp_path: Path, read: Callable[[Path], int], nested: bool, dictionary: bool
) -> None:
    path = tmp_path / "x.parquet"
    value = "v" * 900_000
    cells = pa.array([value]).dictionary_encode()
    cells = pa.DictionaryArray.from_arrays(pa.array([0] * 3000, pa.int32()), cells.dictionary)
    column: pa.Array = cells
    if nested:
        column = pa.ListArray.from_arrays(pa.array([0, 3000], pa.int32()), cells)
    options = {} if dictionary else {"store_schema": False}
    pq.write_table(pa.table({"text": column}), path, compression="zstd", **options)
    assert path.stat().st_size < 10_000
    before = pa.total_allocated_bytes()
    pool = pa.default_memory_pool()
    refused(read, path, "decode to more than")
    assert pool.max_memory() - before < 400 * MIB


@pytest.mark.usefixtures("small")
def test_parquet_values_of_ordinary_repetition_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"text": ["a story " * 50] * 5000}), path)
    assert texts(path) == table(path) == 5000


def sheet_xml(content: str) -> bytes:
    """A workbook whose sheet has this XML for its rows."""
    book = openpyxl.Workbook()
    book.active.append(["text"])
    out = io.BytesIO()
    book.save(out)
    changed = io.BytesIO()
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                start, end = part.index(b"<sheetData>"), part.index(b"</sheetData>")
                part = part[: start + 11] + content.encode() + part[end:]
            new.writestr(name, part)
    return changed.getvalue()


HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>text</t></is></c></row>'


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("read", [texts, table])
@pytest.mark.parametrize(
    "rows",
    [
        '<row r="2"><c r="A2"><v>1</v></c></row>' * 1001,
        '<row r="2">' + '<c r="A2"><v>1</v></c>' * 5001 + "</row>",
        '<row r="1048576"><c r="A1048576"><v>1</v></c></row>',  # a million empty ones before it
        '<row r="2"><c r="ZZZ2"><v>1</v></c></row>',  # 18,277 empty cells before it
    ],
)
def test_workbooks_of_many_rows_and_cells(
    tmp_path: Path, read: Callable[[Path], int], rows: str
) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(sheet_xml(HEAD + rows))
    refused(read, path, "at most 1000 rows and 5000 cells")


@pytest.mark.parametrize("read", [texts, table])
def test_workbooks_that_unpack_to_much_or_declare_entities(
    tmp_path: Path, read: Callable[[Path], int]
) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(sheet_xml(HEAD + " " * 8_000_000))
    refused(read, path, "the workbook unpacks to 8 MB")
    content = sheet_xml(HEAD)
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                part = b'<!DOCTYPE x [<!ENTITY a "b">]>' + part
            new.writestr(name, part)
    path.write_bytes(changed.getvalue())
    refused(read, path, "declares a document type")


def test_a_bomb_of_a_line_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "' + b"a" * (200 * MIB)))
    tracemalloc.start()
    refused(texts, path, "of at most 32 million characters")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 * MIB

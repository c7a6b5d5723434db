"""Every format, read into a table, as texts and rewritten, says the same of the same rows."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from storyaudit.errors import InputError
from storyaudit.io.records import SUFFIXES, read_records
from storyaudit.io.row_files import TABLES, open_rows
from storyaudit.layouts.text_file import open_text_file

Rows = list[dict[str, str]]
BOM = "\ufeff"


def delimited(rows: Rows, delimiter: str, line_end: str = "\n", start: str = "") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, list(rows[0]), delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL
    )
    writer.writeheader()
    writer.writerows(rows)
    return (start + out.getvalue()).encode()


def lines(rows: Rows) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def parquet(rows: Rows) -> bytes:
    out = io.BytesIO()
    table = pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in rows[0]]))
    pq.write_table(table, out, row_group_size=3, write_page_checksum=True)
    return out.getvalue()


def workbook(rows: Rows) -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Read me first"])
    sheet = book.create_sheet("Rows")
    for number, values in enumerate([list(rows[0]), *map(dict.values, rows)], start=1):
        for place, value in enumerate(values, start=1):
            sheet.cell(number, place, value).data_type = "s"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def zstd(content: bytes) -> bytes:
    return bytes(pa.compress(content, codec="zstd", asbytes=True))


FORMS: dict[str, tuple[str, Callable[[Rows], bytes], int]] = {
    "csv": (".csv", lambda rows: delimited(rows, ","), 2),
    "csv with semicolons": (".csv", lambda rows: delimited(rows, ";"), 2),
    "csv with tabs": (".csv", lambda rows: delimited(rows, "\t", "\r\n", BOM), 2),
    "csv of Excel": (".csv", lambda rows: delimited(rows, ";", "\r\n", f"{BOM}sep=;\r\n"), 3),
    "csv of old programs": (".csv", lambda rows: delimited(rows, ",", "\r"), 2),
    "tsv": (".tsv", lambda rows: delimited(rows, "\t"), 2),
    "csv.gz": (".csv.gz", lambda rows: gzip.compress(delimited(rows, ",")), 2),
    "jsonl": (".jsonl", lines, 1),
    "ndjson.zst": (".ndjson.zst", lambda rows: zstd(BOM.encode() + lines(rows)), 1),
    "json lines": (".json", lines, 1),
    "json list": (".json", lambda rows: json.dumps(rows, indent=1).encode(), 1),
    "json.gz": (".json.gz", lambda rows: gzip.compress(json.dumps(rows).encode()), 1),
    "parquet": (".parquet", parquet, 1),
    "xlsx": (".xlsx", workbook, 2),
}
IN_XML = st.characters(
    exclude_categories=["Cs", "Cc"], include_characters="\n", exclude_characters="\ufffe\uffff"
)
TEXT = st.text(IN_XML, min_size=1).filter(lambda text: not text.lstrip().startswith("[{"))
ROWS = st.lists(st.builds(lambda text, note: {"text": text, "note": note}, TEXT, TEXT), min_size=1)
few = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def has_text(names: list[str]) -> bool:
    return "text" in names


def in_table(path: Path) -> tuple[list[int], Rows]:
    records = read_records(path, has_text)
    return records.rows.tolist(), records.frame.to_dict("records")


def as_texts(path: Path) -> tuple[list[int], list[str]]:
    found = list(open_text_file(path, {}).texts())
    assert [name for f in found for name in f.batch.ids] == [
        f"{path}:{row}" for f in found for row in f.rows
    ]
    return [row for f in found for row in f.rows], [
        text for f in found for text in f.batch.texts.to_pylist()
    ]


@pytest.mark.parametrize("form", FORMS)
@few
@given(rows=ROWS, chosen=st.sets(st.integers(0, 9)))
@example(rows=[{"text": 'a;b,c\t"d"\n\ne', "note": "[]{},:\\"}] * 3, chosen={1})
def test_tables_texts_and_copies_agree(
    tmp_path: Path, form: str, rows: Rows, chosen: set[int]
) -> None:
    ending, write, first = FORMS[form]
    path, out = tmp_path / f"x{ending}", tmp_path / f"out{ending}"
    path.write_bytes(write(rows))
    numbers = list(range(first, first + len(rows)))
    assert in_table(path) == (numbers, rows)
    assert as_texts(path) == (numbers, [row["text"] for row in rows])
    file = open_text_file(path, {})
    left_out = {first + place for place in chosen}
    if file.file.no_copy is not None:
        with pytest.raises(InputError, match="workbook"):
            file.copy(left_out, out)
        return
    kept = [row for place, row in enumerate(rows) if place not in chosen]
    assert file.copy(left_out, out) == len(kept)
    if kept or ending.startswith((".csv", ".tsv", ".parquet")):
        assert in_table(out)[1] == kept
    if kept:
        assert as_texts(out)[1] == [row["text"] for row in kept]


def test_every_ending_of_tables_is_tried_here() -> None:
    assert {f".{ending.split('.')[1]}" for ending, _, _ in FORMS.values()} == set(TABLES)
    assert {ending for ending, _, _ in FORMS.values()} <= set(SUFFIXES)


@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_objects_name_their_cells_themselves(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    records = [{"text": "a", "n": 1}, {"text": "b", "more": [1]}, {"n": 3}]
    text = "\n".join(map(json.dumps, records)) if ending == ".jsonl" else json.dumps(records)
    path.write_text(text)
    frame = read_records(path).frame
    assert list(frame.columns) == ["text", "n", "more"]
    assert frame["n"].tolist() == [1, None, 3]
    with pytest.raises(InputError, match="expected 'text' as in the first object") as error:
        as_texts(path)
    assert error.value.row == 3


@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_json_list_is_read_in_pieces_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    records = [{"text": f'é"]}}, [{{ {n}', "more": {"deep": [1, {"x": None}]}} for n in range(20)]
    path = tmp_path / "x.json"
    path.write_text(" \n" + json.dumps(records, ensure_ascii=False, indent=2) + "\n ", "utf-8")
    monkeypatch.setattr("storyaudit.io.streams._BLOCK", size)
    assert read_records(path).frame.to_dict("records") == records


BAD_LISTS = {
    '[{"a": 1}': (1, "ends before"),
    '[{"a": 1},]': (2, "does not parse"),
    '[{"a": 1} {"a": 2}]': (1, "does not parse"),
    '[{"a": 1}] x': (1, "does not parse"),
    '[{"a": 1, "a": 2}]': (1, "twice"),
    '[{"a": 1}, 3]': (2, "found int"),
    '[{"a": 1}, {"a": ]': (2, "does not parse"),
    '[{"a": 1}, {"\\ud800": 1}]': (2, "surrogates"),
    "[" * 100_000: (1, "does not parse"),
    '[{"a": ' + "1" * 5000 + "}]": (1, "does not parse"),
}


@pytest.mark.parametrize("content", BAD_LISTS, ids=range(len(BAD_LISTS)))
def test_a_list_that_is_none_is_refused_with_the_objects_number(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    row, problem = BAD_LISTS[content]
    with pytest.raises(InputError, match=problem) as error:
        read_records(path)
    assert (error.value.file, error.value.row) == (path, row)


def test_a_csv_whose_header_has_one_column_keeps_its_commas_outside(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('"a;b",c\n1,2\n')  # a comma parts the header: semicolons are text
    assert read_records(path).frame.to_dict("list") == {"a;b": ["1"], "c": ["2"]}
    path.write_text("text\none; two\n")
    assert read_records(path).frame["text"].tolist() == ["one; two"]
    path.write_text("sep=|\na;b\n1;2\n")
    assert read_records(path).frame.to_dict("list") == {"a": ["1"], "b": ["2"]}


def test_the_first_worksheet_is_read_where_none_has_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(workbook([{"text": "a", "note": "b"}]))
    assert list(read_records(path).frame.columns) == ["Read me first"]
    assert list(read_records(path, lambda _: False).frame.columns) == ["Read me first"]
    assert open_rows(path, has_text, formats=TABLES).names == ["text", "note"]


# Checksums


def damaged(folder: Path, column: str) -> Path:
    table = pa.table({name: [f"{name} {n:04} of it" for n in range(200)] for name in "ab"})
    path = folder / "x.parquet"
    pq.write_table(
        table.rename_columns(["text", "meta"]), path, compression="none", use_dictionary=False,
        write_page_checksum=True,
    )  # fmt: skip
    content = bytearray(path.read_bytes())
    place = content.find(f"{'a' if column == 'text' else 'b'} 0100".encode())
    assert place > 0
    content[place + 3] ^= 1
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("column", ["text", "meta"])
def test_a_flipped_bit_is_refused_in_every_column_that_is_read_or_copied(
    tmp_path: Path, column: str
) -> None:
    path = damaged(tmp_path, column)
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read_records(path)
    file = open_text_file(path, {})
    with pytest.raises(InputError, match="not a readable Parquet file"):
        file.copy({1}, tmp_path / "out.parquet")
    if column == "text":
        with pytest.raises(InputError, match="not a readable Parquet file"):
            list(file.texts())
    else:  # a column that is not read is not looked at
        assert sum(len(found.rows) for found in file.texts()) == 200


@pytest.mark.parametrize("packed", [gzip.compress, zstd])
def test_compressed_tables_that_are_cut_short_are_refused(
    tmp_path: Path, packed: Callable[[bytes], bytes]
) -> None:
    content = packed(delimited([{"text": f"{n * n}", "note": ""} for n in range(5000)], ","))
    path = tmp_path / f"x.csv.{'gz' if packed is gzip.compress else 'zst'}"
    path.write_bytes(content[:-5])
    with pytest.raises(InputError, match="to its end"):
        read_records(path)


def test_frames_keep_the_types_that_a_format_has(tmp_path: Path) -> None:
    table = pa.table(
        {"id": pa.array([9189, None]), "x": [1.5, 2.0], "kind": pa.array(["a", "b"], pa.string())}
    )
    pq.write_table(table, tmp_path / "x.parquet")
    frame = read_records(tmp_path / "x.parquet").frame
    assert frame["id"].tolist() == [9189, None]
    assert pd.api.types.is_float_dtype(frame["x"])
    (tmp_path / "x.csv").write_text("id,x\n9189,1.5\n")
    assert read_records(tmp_path / "x.csv").frame.to_dict("list") == {"id": ["9189"], "x": ["1.5"]}

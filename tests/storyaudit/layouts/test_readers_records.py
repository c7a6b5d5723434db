import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from storyaudit.data.table_files import read_table
from storyaudit.data.tables import Column, Table
from storyaudit.errors import InputError
from storyaudit.io.files import read_text
from storyaudit.io.records import SUFFIXES, read_records

TABLE = Table(
    "t",
    ("id",),
    (Column("id"), Column("score", "float"), Column("note", optional=True, nullable=True)),
)
BOM = b"\xef\xbb\xbf"


def csv_bytes(rows, delimiter=","):
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def jsonl_bytes(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet_bytes(content):
    """Of records or of an Arrow table."""
    out = io.BytesIO()
    pq.write_table(content if isinstance(content, pa.Table) else pa.Table.from_pylist(content), out)
    return out.getvalue()


def book_bytes(book):
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def sheet_bytes(lines):
    """An XLSX workbook of lines of cells."""
    book = openpyxl.Workbook()
    for number, line in enumerate(lines, start=1):
        for place, value in enumerate(line, start=1):
            cell = book.active.cell(number, place, value)
            if isinstance(value, str):
                cell.data_type = "s"  # text that starts with '=' is no formula
    return book_bytes(book)


def xlsx_bytes(rows):
    return sheet_bytes([list(rows[0]), *[list(row.values()) for row in rows]])


def edited(archive, change, member="xl/worksheets/sheet1.xml"):
    """An archive with one member changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == member else old.read(name))
    return out.getvalue()


def chart_book():
    book = openpyxl.Workbook()
    book.create_chartsheet(index=0)
    return book_bytes(book)


WRITERS = {
    "csv": csv_bytes,
    "tsv": lambda rows: csv_bytes(rows, "\t"),
    "jsonl": jsonl_bytes,
    "ndjson": jsonl_bytes,
    "json": lambda rows: json.dumps(rows).encode(),
    "parquet": parquet_bytes,
    "xlsx": xlsx_bytes,
}
ROWS = [{"id": "a", "score": 1}, {"id": "b, c", "score": -2.5}]
GOOD = {suffix: write(ROWS) for suffix, write in WRITERS.items()}
XLSX = GOOD["xlsx"]


def read(folder, suffix, content):
    path = folder / f"x.{suffix}"
    path.write_bytes(content)
    return read_table(path, TABLE).frame


def test_every_known_ending_is_tried_here():
    plain = {suffix for suffix in SUFFIXES if not suffix.endswith((".gz", ".zst"))}
    assert {f".{suffix}" for suffix in WRITERS} == plain


@pytest.mark.parametrize("suffix", [*WRITERS, "CSV", "Parquet"])
def test_reads_every_format(tmp_path, suffix):
    frame = read(tmp_path, suffix, GOOD[suffix.lower()])
    assert frame.to_dict("list") == {"id": ["a", "b, c"], "score": [1.0, -2.5]}


# Each case: content, and the row and column that the error names. In CSV the header is row 1, a
# quoted line break starts no row, and a blank line is one.
BAD_CSV = {
    "empty": (b"", None, None),
    "only a byte-order mark": (BOM, None, None),
    "only a line end": (b"\n", 1, None),
    "header only": (b"id,score\n", None, None),
    "header and blank rows": (b"id,score\n\n\n", None, None),
    "column missing": (b"id,points\na,1\n", None, None),
    "text in a score": (b"id,score\na,1\nb,x\n", 3, "score"),
    "text after a blank line": (b"id,score\n\na,1\n\nb,x\n", 5, "score"),
    "text after a quoted line break": (b'id,score\n"a\nb",1\nb,x\n', 3, "score"),
    "cp1252": ("id,score\na,1\ncafé,2\n".encode("cp1252"), 3, None),
    "UTF-16 with a mark": ("id,score\na,1\n".encode("utf-16"), 1, None),
    "UTF-16 without one": ("id,score\na,1\n".encode("utf-16-le"), 1, None),
    "NUL": (b"id,score\na,1\n\0,2\n", 3, None),
    "unclosed quote": (b'id,score\na,1\n"b,2\nc,3\n', 3, None),
    "unclosed quote in the header": (b'id,"score\na,1\n', 1, None),
    "text after a quote": (b'id,score\n"a"b,1\n', 2, None),
    "too few fields": (b"id,score\na,1\nb\n", 3, None),
    "too many fields": (b"id,score\na,1\nb,2,3\n", 3, None),
    "column twice": (b"id,score,id\na,1,b\n", 1, None),
}
BAD_TSV = {
    "commas": (b"id,score\na,1\n", None, None),
    "too few fields": (b"id\tscore\na\n", 2, None),
}
BAD_JSONL = {
    "empty": (b"", None, None),
    "blank lines only": (b"\n \n", None, None),
    "half a line": (b'{"id": "a", "score": 1}\n{"id": "b", "sc', 2, None),
    "an array": (b'{"id": "a", "score": 1}\n\n["b", 2]\n', 3, None),
    "a text": (b'"a"\n', 1, None),
    "null": (b"null\n", 1, None),
    "two objects": (b'{"id": "a", "score": 1}{"id": "b", "score": 2}\n', 1, None),
    "deep nesting": (b"[" * 100_000 + b"\n", 1, None),
    "a number without end": (b'{"id": "a", "score": ' + b"1" * 5000 + b"}\n", 1, None),
    "a number beyond floats": (b'{"id":"a","score":1' + b"0" * 400 + b"}", 1, "score"),
    "a name twice": (b'{"id": "a", "score": 1, "score": 2}\n', 1, None),
    "half a surrogate pair": (b'\n{"id": "\\ud800", "score": 1}\n', 2, "id"),
    "half a surrogate pair in a name": (b'{"\\ud800": 1, "id": "a", "score": 1}', 1, None),
    "column missing": (b'{"id": "a"}\n', None, None),
    "text in a score": (b'\n{"id": "a", "score": "x"}\n', 2, "score"),
    "an object in a score": (b'{"id": "a", "score": {"x": 1}}\n', 1, "score"),
    "a list in a text": (b'{"id": ["a"], "score": 1}\n', 1, "id"),
    "NUL": (b'{"id": "a\0", "score": 1}\n', 1, None),
    "cp1252": ('\n{"id": "é", "score": 1}\n'.encode("cp1252"), 2, None),
}
NO_UTF8 = pa.table({"id": pa.array([b"\xff"]).view(pa.string()), "score": pa.array([1.0])})
TWICE = pa.Table.from_arrays([pa.array([1.0])] * 3, ["id", "score", "score"])
NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
BAD_PARQUET = {
    "empty": (b"", None, None),
    "truncated": (GOOD["parquet"][:-30], None, None),
    "no Parquet": (b"PAR1" + b"x" * 100 + b"PAR1", None, None),
    "CSV": (GOOD["csv"], None, None),
    "no row": (parquet_bytes(pa.table({"id": [], "score": []})), None, None),
    "no column": (parquet_bytes(pa.table({})), None, None),
    "column missing": (parquet_bytes([{"id": "a"}]), None, None),
    "column twice": (parquet_bytes(TWICE), None, None),
    "text that is not UTF-8": (parquet_bytes(NO_UTF8), 1, "id"),
    "bytes in a text": (parquet_bytes([{"id": b"a", "score": 1.0}]), 1, "id"),
    "text in a score": (
        parquet_bytes([{"id": "a", "score": None}, {"id": "b", "score": "x"}]), 2, "score"
    ),
    "list in a score": (parquet_bytes([{"id": "a", "score": [1.0]}]), 1, "score"),
    "time in a score": (parquet_bytes([{"id": "a", "score": NOON}]), 1, "score"),
}  # fmt: skip
BAD_XLSX = {
    "empty": (b"", None, None),
    "CSV": (GOOD["csv"], None, None),
    "an empty archive": (b"PK\5\6" + b"\0" * 18, None, None),
    "half a workbook": (XLSX[: len(XLSX) // 2], None, None),
    "half a sheet": (edited(XLSX, lambda xml: xml[:-60]), None, None),
    "no sheet": (edited(XLSX, lambda _: b""), None, None),
    "half a list of sheets": (edited(XLSX, lambda xml: xml[:99], "xl/workbook.xml"), None, None),
    "a chart first": (chart_book(), None, None),
    "empty sheet": (sheet_bytes([]), 1, None),
    "header only": (sheet_bytes([["id", "score"]]), None, None),
    "column missing": (sheet_bytes([["id"], ["a"]]), None, None),
    "column twice": (sheet_bytes([["id", "score", "id"], ["a", 1, "b"]]), 1, None),
    "text in a score": (sheet_bytes([["id", "score"], [], ["a", 1], [], ["b", "x"]]), 5, "score"),
    "truth in a score": (sheet_bytes([["id", "score"], ["a", True]]), 2, "score"),
    "time in a score": (
        sheet_bytes([["id", "score"], ["a", NOON.replace(tzinfo=None)]]), 2, "score"
    ),
}  # fmt: skip
OTHER = (GOOD["csv"], None, None)
BAD = [
    pytest.param(suffix, *case, id=f"{suffix}: {name}")
    for suffix, cases in (
        ("csv", BAD_CSV),
        ("tsv", BAD_TSV),
        ("jsonl", BAD_JSONL),
        ("parquet", BAD_PARQUET),
        ("xlsx", BAD_XLSX),
        ("txt", {"unknown ending": OTHER}),
        ("xls", {"old Excel": OTHER}),
        ("", {"no ending": OTHER}),
    )
    for name, case in cases.items()
]


@pytest.mark.parametrize(("suffix", "content", "row", "column"), BAD)
def test_bad_input_is_refused_with_its_place_and_a_remedy(tmp_path, suffix, content, row, column):
    with pytest.raises(InputError) as error:
        read(tmp_path, suffix, content)
    found = error.value
    assert (found.file, found.row, found.column) == (tmp_path / f"x.{suffix}", row, column)
    assert found.problem.endswith(".")
    assert found.remedy.endswith(".")
    assert len(str(found).splitlines()) == 1


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_folder_and_an_absent_file_are_bad_input(tmp_path, suffix):
    folder = tmp_path / f"x.{suffix}"
    with pytest.raises(InputError, match="there is no such file"):
        read_records(folder)
    folder.mkdir()
    with pytest.raises(InputError, match="found a folder"):
        read_records(folder)


CATEGORIES = pa.table({"id": pa.array(["a", "b"]).dictionary_encode(), "score": [1.0, 2.0]})
SHORT_ROWS = sheet_bytes([["id", "score", "note"], ["a", 1], ["b", 2]])
USUAL = {
    "a byte-order mark": ("csv", BOM + b"id,score\na,1\nb,2\n"),
    "semicolons": ("csv", b"id;score\na;1\nb;2\n"),
    "quoted semicolons": ("csv", b'"id";"score"\n"a";"1"\n"b";"2"\n'),
    "tabs": ("csv", b"id\tscore\na\t1\nb\t2\n"),
    "the separator told to Excel": ("csv", b"sep=;\r\nid;score\r\na;1\r\nb;2\r\n"),
    "Windows": ("csv", b"id,score\r\na,1\r\nb,2\r\n"),
    "mixed line ends and none at the end": ("csv", b"id,score\r\na,1\nb,2"),
    "old Macintosh": ("csv", b"id,score\ra,1\rb,2\r"),
    "blank lines": ("csv", b"id,score\n\na,1\n\nb,2\n\n\n"),
    "quotes and spaces": ("csv", b'"id","score"\n"a","1"\n"b"," 2 "\n'),
    "more columns": ("csv", b"score,more,id\n1,x,a\n2,,b\n"),
    "blank JSON lines": (
        "jsonl", BOM + b'{"id": "a", "score": 1}\r\n\n  \n{"score": 2.0, "id": "b"}'
    ),
    "more names": ("jsonl", b'{"id": "a", "score": "1"}\n{"id": "b", "score": 2, "more": [1]}\n'),
    "small integers": (
        "parquet", parquet_bytes(pa.table({"score": pa.array([1, 2], "int8"), "id": ["a", "b"]}))
    ),
    "categories": ("parquet", parquet_bytes(CATEGORIES)),
    "blank spreadsheet rows": (
        "xlsx", sheet_bytes([["id", "score", None], ["a", 1], [None, None], ["b", "2"]])
    ),
    "beside the table": ("xlsx", sheet_bytes([["id", "score"], ["a", 1, "x"], ["b", 2]])),
    "a sheet of unstated size": (
        "xlsx", edited(SHORT_ROWS, lambda xml: re.sub(rb"<dimension[^>]*/>", b"", xml))
    ),
    "a sheet of wrongly stated size": (
        "xlsx", edited(SHORT_ROWS, lambda xml: re.sub(rb'(?<=dimension ref=)"[^"]*"', b'"A1"', xml))
    ),
}  # fmt: skip


@pytest.mark.parametrize(("suffix", "content"), USUAL.values(), ids=USUAL)
def test_reads_what_programs_write(tmp_path, suffix, content):
    frame = read(tmp_path, suffix, content)
    assert frame[["id", "score"]].to_dict("list") == {"id": ["a", "b"], "score": [1.0, 2.0]}


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_field_of_ten_megabytes_is_read(tmp_path, suffix):
    text = "word " * 2_000_000
    assert read(tmp_path, suffix, WRITERS[suffix]([{"id": text, "score": 1}]))["id"][0] == text


@pytest.mark.parametrize("suffix", WRITERS)
def test_numbers_as_ids_stay_ids_beside_a_gap(tmp_path, suffix):
    content = WRITERS[suffix]([{"id": 9189, "score": 1}, {"id": None, "score": 1}])
    ids = read(tmp_path, suffix, content)["id"]
    assert ids[0] == "9189"
    assert pd.isna(ids[1])


def test_a_name_that_an_object_lacks_is_missing(tmp_path):
    frame = read(tmp_path, "jsonl", b'{"id": "a", "score": 1}\n{"id": "b"}\n{"score": 2}\n')
    assert frame.isna().to_numpy().tolist() == [[False, False], [False, True], [True, False]]


def test_json_scores_that_are_no_numbers_are_kept_for_the_audit(tmp_path):
    lines = b'{"id": "a", "score": NaN}\n{"id": "b", "score": 1e999}\n{"id": "c", "score": null}\n'
    scores = read(tmp_path, "jsonl", lines)["score"]
    assert scores.isna().tolist() == [True, False, True]
    assert scores[1] == float("inf")


def test_text_keeps_its_line_ends(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(BOM + "a\r\nb\rc\né".encode())
    assert read_text(path) == "a\r\nb\rc\né"


@pytest.mark.parametrize("name", ["", "absent"])
def test_text_that_cannot_be_read_is_bad_input(tmp_path, name):
    with pytest.raises(InputError, match="expected a file" if name == "" else "cannot be read"):
        read_text(tmp_path / name)


# Any text, written by the format's own library and read again

ANY = st.characters(exclude_categories=["Cs"])
NO_NUL = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
IN_XML = st.characters(
    exclude_categories=["Cs", "Cc"], include_characters="\t\n", exclude_characters="\ufffe\uffff"
)
repeatedly = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def texts(characters):
    note = st.none() | st.text(characters)
    return st.lists(st.tuples(st.text(characters, min_size=1), note), min_size=1)


def rows_of(pairs):
    return [{"id": f"i{text}", "score": 1.5, "note": note} for text, note in pairs]


def check(folder, suffix, content, rows):
    frame = read(folder, suffix, content)
    assert frame["id"].tolist() == [row["id"] for row in rows]
    notes = [None if pd.isna(note) else note for note in frame["note"]]
    assert notes == [row["note"] or None for row in rows]  # '' is how text formats write missing


@repeatedly
@given(
    texts(NO_NUL),
    st.sampled_from([(",", "csv"), ("\t", "tsv")]),
    st.sampled_from(["\r\n", "\n"]),
)
@example([("a\r\nb\rc\n", '"=,\t')], (",", "csv"), "\n")
def test_any_text_survives_csv(tmp_path, pairs, form, line_end):
    rows = rows_of(pairs)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, list(rows[0]), delimiter=form[0], lineterminator=line_end, quoting=csv.QUOTE_ALL
    )
    writer.writeheader()
    writer.writerows(rows)
    check(tmp_path, form[1], out.getvalue().encode(), rows)


@repeatedly
@given(texts(ANY), st.booleans())
@example([("\u2028\u0085\x0b", "\0")], False)
def test_any_text_survives_jsonl(tmp_path, pairs, ascii_only):
    rows = rows_of(pairs)
    lines = "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows)
    check(tmp_path, "jsonl", lines.encode(), rows)


@repeatedly
@given(texts(ANY))
def test_any_text_survives_parquet(tmp_path, pairs):
    rows = rows_of(pairs)
    schema = pa.schema([("id", pa.string()), ("score", pa.float64()), ("note", pa.string())])
    check(tmp_path, "parquet", parquet_bytes(pa.Table.from_pylist(rows, schema)), rows)


@settings(repeatedly, max_examples=50)
@given(texts(IN_XML))
@example([("=1+1", "_x0041_")])
@example([("a ", "  b\n")])
def test_any_text_that_xml_can_hold_survives_xlsx(tmp_path, pairs):
    rows = rows_of(pairs)
    check(tmp_path, "xlsx", xlsx_bytes(rows), rows)


# Damage: every outcome but another exception


@repeatedly
@given(
    st.sampled_from(sorted(GOOD)),
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(0, 10_000), st.binary(min_size=1, max_size=3)), max_size=3),
)
def test_a_damaged_file_is_read_or_refused(tmp_path, suffix, length, changes):
    content = bytearray(GOOD[suffix][: max(1, length % (len(GOOD[suffix]) + 1))])
    for place, change in changes:
        start = place % len(content)
        content[start : start + len(change)] = change
    try:
        frame = read(tmp_path, suffix, bytes(content))
    except InputError as error:
        assert error.file == tmp_path / f"x.{suffix}"
    else:
        assert list(frame.columns[:2]) == ["id", "score"]

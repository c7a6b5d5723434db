"""What must not be read is refused with its cell and a remedy, quickly, and before it is parsed."""

import datetime
import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from form_samples import csv_rows, draw, fill_csv, fill_xlsx, write_csv
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.errors import InputError
from storyaudit.forms.answers import read_answers
from storyaudit.forms.filled import read_filled
from storyaudit.forms.key import Key
from storyaudit.forms.questions import BEST, CONFIRMATION, RANKING, RUBRIC
from storyaudit.forms.workbook import csv_bytes, xlsx_bytes
from storyaudit.io.bounds import WORKBOOK_ROWS

(SHEET,), KEY = draw(RANKING, "anna")
IDS = [row.id for row in SHEET.key.rows]


def refused(path: Path, *named: str, keys: tuple[Key, ...] = (KEY,)) -> str:
    """Read a form that must be refused by one sentence with a remedy, and check what it names."""
    with pytest.raises(InputError) as error:
        read_answers([read_filled(path, list(keys))])
    message = str(error.value)
    assert message.startswith(str(path)), message
    for part in named:
        assert part in message
    assert error.value.problem.endswith(".")
    assert error.value.remedy.endswith(".")
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (5, "5"),
        (0, "0"),
        (1.5, "1.5"),
        ("1,5", "1,5"),
        ("first", "first"),
        ("1-2", "1-2"),
        (True, "True"),
        ("=RANK(E2,E2:E5)", "the formula =RANK(E2,E2:E5)"),
        ("#REF!", "#REF!"),
        (datetime.datetime(2024, 1, 2), "2024-01-02 00:00:00"),
        (10**12, "1000000000000"),
        ("九", "九"),
    ],
    ids=str,
)
def test_a_rank_that_is_none(value: object, found: str, tmp_path: Path) -> None:
    path = fill_xlsx(SHEET, tmp_path / "anna.xlsx", {(IDS[2], "rank"): value})
    refused(path, f"{path}, cell C4: expected a whole number from 1 to 4, found {found}.")
    if not isinstance(value, datetime.datetime):
        path = fill_csv(SHEET, tmp_path / "anna.csv", {(IDS[2], "rank"): value})
        refused(path, f"{path}, cell C4: expected a whole number from 1 to 4, found ")


@pytest.mark.parametrize(
    ("task", "column", "value", "expected"),
    [
        (BEST, "best", "E", "A, B, C, D or unsure, found E"),
        (BEST, "best", 1, "A, B, C, D or unsure, found 1"),
        (BEST, "best", "A, B", "A, B, C, D or unsure, found A, B"),
        (CONFIRMATION, "confirm", "maybe", "yes, no or unsure, found maybe"),
        (RUBRIC, "fluency", 11, "a whole number from 1 to 10, found 11"),
        (RUBRIC, "coherence", "8/10", "a whole number from 1 to 10, found 8/10"),
    ],
)
def test_an_answer_that_its_question_does_not_allow(
    task: str, column: str, value: object, expected: str, tmp_path: Path
) -> None:
    forms, key = draw(task, "anna")
    path = fill_xlsx(forms[0], tmp_path / "a.xlsx", {(forms[0].key.rows[0].id, column): value})
    refused(path, "cell ", f"expected {expected}.", keys=(key,))


def test_every_faulty_cell_is_named_at_once(tmp_path: Path) -> None:
    given = {(IDS[0], "rank"): 9, (IDS[1], "rank"): "x", (IDS[3], "rank"): 0}
    refused(
        fill_csv(SHEET, tmp_path / "a.csv", given), "cell C2", "Also at fault: cell C3, cell C5."
    )


def test_a_tie_is_named_with_both_cells(tmp_path: Path) -> None:
    given = {(IDS[0], "rank"): 2, (IDS[3], "rank"): "2"}
    path = fill_xlsx(SHEET, tmp_path / "a.xlsx", given)
    refused(path, f"{path}, cell C5: rank 2 occurs twice in item 1, also in cell C2.")


def test_a_confirmation_that_its_ranking_contradicts(tmp_path: Path) -> None:
    forms, key = draw(CONFIRMATION, "anna", items=1)
    rows = forms[0].key.rows
    asked = next(row for row in rows if row.asked)
    others = [row for row in rows if not row.asked]
    for said, first in (("no", True), ("yes", False)):
        order = [asked, *others] if first else [*others, asked]
        given: dict[tuple[str, str], object] = {
            (row.id, "rank"): rank for rank, row in enumerate(order, start=1)
        }
        given[asked.id, "confirm"] = said
        path = fill_xlsx(forms[0], tmp_path / f"{said}.xlsx", given)
        named = f"the answer is '{said}', but the proposed story is {'' if first else 'not '}ranked"
        refused(path, "cell D", named, keys=(key,))


def test_two_answers_to_one_question(tmp_path: Path) -> None:
    forms, key = draw(BEST, "anna", items=1)
    rows = csv_rows(forms[0], {})
    rows[1][2], rows[3][2] = "A", "B"
    path = write_csv(tmp_path / "a.csv", rows)
    refused(path, "cell C4: expected one answer in item 1, also found cell C2.", keys=(key,))
    rows = csv_rows(SHEET, {(IDS[0], "rank"): 1})
    path = write_csv(tmp_path / "b.csv", [*rows, rows[1]])
    refused(path, "cell C10: expected one answer, found another in cell C2.")


def test_a_form_of_another_key(tmp_path: Path) -> None:
    other, _ = draw(RANKING, "anna", seed=2)
    path = tmp_path / "a.xlsx"
    path.write_bytes(xlsx_bytes(other[0]))
    message = refused(
        path, "cell G2: the annotation form '", "is not among this key's (study embedded)"
    )
    assert "Give the key that was written with the form." in message


def test_rows_of_two_forms(tmp_path: Path) -> None:
    forms, key = draw(RANKING, "anna", "ben")
    rows = csv_rows(forms[0], {}) + csv_rows(forms[1], {})[1:]
    refused(
        write_csv(tmp_path / "a.csv", rows), "cell G10: expected the annotation form", keys=(key,)
    )


def test_the_same_form_twice(tmp_path: Path) -> None:
    paths = [fill_csv(SHEET, tmp_path / name, {}) for name in ("a.csv", "a (1).csv")]
    with pytest.raises(
        InputError, match=r"a \(1\)\.csv: the same annotation form as .*a\.csv \(anna, ranking\)"
    ):
        read_answers([read_filled(path, [KEY]) for path in paths])


def test_an_item_by_one_person_on_two_forms(tmp_path: Path) -> None:
    drawn = [draw(RANKING, "anna", seed=seed, items=1) for seed in (1, 2)]
    filled = []
    for forms, key in drawn:
        ranks = {(row.id, "rank"): "ABCD".index(row.letter) + 1 for row in forms[0].key.rows}
        path = fill_csv(forms[0], tmp_path / f"{forms[0].key.seed}.csv", ranks)
        filled.append(read_filled(path, [key]))
    with pytest.raises(InputError, match="anna answered about i-first-item on two forms"):
        read_answers(filled)


@pytest.mark.parametrize("old", ["rank", "id", "sheet"])
def test_a_renamed_column(old: str, tmp_path: Path) -> None:
    rows = csv_rows(SHEET, {})
    rows[0] = [f"my {name}" if name == old else name for name in rows[0]]
    refused(write_csv(tmp_path / "a.csv", rows), "expected ", old, "found ", "story", "premise")


def test_a_column_twice(tmp_path: Path) -> None:
    rows = [[*row, row[2]] for row in csv_rows(SHEET, {})]
    refused(write_csv(tmp_path / "a.csv", rows), "row 1: expected the column 'rank' once")


def test_an_id_that_was_changed_and_an_answer_without_one(tmp_path: Path) -> None:
    rows = csv_rows(SHEET, {(IDS[0], "rank"): 1})
    place = rows[0].index("id")
    rows[1][place] = "ABCDEFG"
    refused(
        write_csv(tmp_path / "a.csv", rows),
        "cell F2: expected an ID of this form, found 'ABCDEFG'",
    )
    rows[1][place] = ""
    refused(write_csv(tmp_path / "b.csv", rows), "cell F2: expected an ID of this form, found ''")


@pytest.mark.parametrize("column", ["item", "story", "text"])
def test_a_column_that_was_sorted_by_itself(column: str, tmp_path: Path) -> None:
    rows = csv_rows(SHEET, {})
    place = rows[0].index(column)
    moved = [row[place] for row in rows[:0:-1]]
    for row, value in zip(rows[1:], moved, strict=True):
        row[place] = value
    message = refused(write_csv(tmp_path / "a.csv", rows), f"cell {'ABCDEFG'[place]}2: ")
    assert "Sort whole rows or none" in message


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("a.xlsm", b"PK", "'.xlsm'"),
        ("a.xls", b"\xd0\xcf", "'.xls'"),
        ("a.ods", b"PK", "'.ods'"),
        ("a.xlsx", b"", "the file is empty"),
        ("a.xlsx", b"PK\x03\x04 not a workbook", "not a readable XLSX"),
        ("a.csv", b"", "the file is empty"),
        ("a.csv", b"just,some,table\n1,2,3\n", "found 'just', 'some', 'table'"),
        ("a.csv", b'id,sheet\n"open', "not well-formed"),
        ("a.csv", "id,sheet\nä,ö\n".encode("latin-1"), "UTF-8"),
        ("a.csv", "id,sheet\n".encode("utf-16"), "UTF-8"),
        ("a.csv", b"\n\n\n", "found nothing"),
        ("a.csv", b"id,sheet,rank\n", "expected rows below the header"),
    ],
)
def test_a_file_that_is_no_form(name: str, content: bytes, named: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    refused(path, named)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    refused(tmp_path / "none.csv", "no such file")
    refused(tmp_path, "found a folder")


def repacked(path: Path, change: Callable[[dict[str, bytes]], Any]) -> Path:
    """Write SHEET's workbook with parts changed or added."""
    with zipfile.ZipFile(io.BytesIO(xlsx_bytes(SHEET))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ("xl/vbaProject.bin", "macros (xl/vbaProject.bin)"),
        ("xl/VBAPROJECT.BIN", "macros"),
        ("xl/macrosheets/sheet1.xml", "macros"),
        ("xl/externalLinks/externalLink1.xml", "links to other files"),
        ("xl/connections.xml", "links to other files"),
    ],
)
def test_macros_and_links(part: str, named: str, tmp_path: Path) -> None:
    path = repacked(tmp_path / "a.xlsx", lambda parts: parts.update({part: b"<x/>"}))
    message = refused(path, named)
    assert "Save it again as an ordinary .xlsx workbook" in message


def test_an_archive_without_a_workbook(tmp_path: Path) -> None:
    path = repacked(tmp_path / "a.xlsx", lambda parts: parts.pop("xl/workbook.xml"))
    refused(path, "not a readable XLSX")


def test_a_bomb_is_refused_by_the_archives_directory(tmp_path: Path) -> None:
    def bomb(parts: dict[str, bytes]) -> None:
        parts["xl/worksheets/sheet9.xml"] = bytes(50_000_000)

    path = repacked(tmp_path / "a.xlsx", bomb)
    assert path.stat().st_size < 200_000
    started = time.process_time()
    refused(path, "unpacks to 50 MB")
    assert time.process_time() - started < 1


@pytest.mark.parametrize("declared", ['<!ENTITY a "ha"><!ENTITY b "&a;&a;">', ""])
def test_declarations_in_xml(declared: str, tmp_path: Path) -> None:
    laughs = f'<?xml version="1.0"?><!DOCTYPE l [{declared}]><x>&b;</x>'.encode()

    def change(parts: dict[str, bytes]) -> None:
        parts["xl/sharedStrings.xml"] = laughs

    refused(repacked(tmp_path / "a.xlsx", change), "declares a document type")


def test_a_million_rows(tmp_path: Path) -> None:
    started = time.process_time()
    path = tmp_path / "a.csv"
    path.write_bytes(csv_bytes(SHEET) + b",,,,,,\n" * 1_000_000)
    refused(path, f"expected at most {WORKBOOK_ROWS} rows")

    def change(parts: dict[str, bytes]) -> None:
        name = "xl/worksheets/sheet1.xml"
        rows = b"".join(b'<row r="%d"/>' % row for row in range(100, 300_100))
        parts[name] = parts[name].replace(b"</sheetData>", rows + b"</sheetData>")

    refused(repacked(tmp_path / "a.xlsx", change), f"expected at most {WORKBOOK_ROWS} rows")

    def far(parts: dict[str, bytes]) -> None:
        name = "xl/worksheets/sheet1.xml"
        row = b'<row r="999999999"><c r="A999999999" t="n"><v>1</v></c></row>'
        parts[name] = parts[name].replace(b"</sheetData>", row + b"</sheetData>")

    refused(repacked(tmp_path / "b.xlsx", far), f"expected at most {WORKBOOK_ROWS} rows")
    assert time.process_time() - started < 8


@settings(max_examples=30)
@given(st.data())
def test_a_damaged_workbook_is_refused_or_read_and_nothing_else(data: st.DataObject) -> None:
    content = bytearray(xlsx_bytes(SHEET))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.xlsx"
        path.write_bytes(bytes(content[: data.draw(st.integers(1, len(content)))]))
        try:
            read_answers([read_filled(path, [KEY])])
        except InputError as error:
            assert error.remedy

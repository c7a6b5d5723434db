"""What people and their programs do to a form on its way back, and it is still read."""

import csv
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest
from form_samples import answer, csv_rows, draw, fill_csv, fill_xlsx, write_csv

from storyaudit.forms.answers import read_answers
from storyaudit.forms.draw import Form
from storyaudit.forms.filled import read_filled
from storyaudit.forms.key import Key
from storyaudit.forms.questions import RANKING

FIRST = {
    f"s-0-{place}-of-{name}": rank
    for place, name, rank in (
        (0, "quillbert-9000", 3),
        (1, "zorba-model", 1),
        (2, "Ursula", 4),
        (3, "human", 2),
    )
}
WANT = {"i-first-item": {"rank": FIRST}}


@pytest.fixture
def form() -> Form:
    return draw(RANKING, "anna")[0][0]


@pytest.fixture
def key(form: Form) -> Key:
    return Key(sheets=(form.key,))


def ranks(path: Path, key: Key) -> dict[str, float]:
    answers = read_answers([read_filled(path, [key])])
    assert set(answers.annotations["item_id"]) <= {"i-first-item"}
    assert answers.counts["finished"].tolist() == [1]
    table = answers.annotations
    return dict(zip(table["story_id"], table["value"], strict=True))


@pytest.mark.parametrize(
    "written", ["{}", " {} ", "{}.0", "{},0", "{},00", "{}.", "0{}", "+{}", "\u00a0{}"]
)
def test_a_number_as_programs_write_it(written: str, form: Form, key: Key, tmp_path: Path) -> None:
    given = {place: written.format(value) for place, value in answer(form, WANT).items()}
    assert ranks(fill_csv(form, tmp_path / "a.csv", given), key) == FIRST
    assert ranks(fill_xlsx(form, tmp_path / "a.xlsx", given), key) == FIRST


def test_a_number_of_chinese_keyboards_and_of_floats(form: Form, key: Key, tmp_path: Path) -> None:
    wide = {place: chr(0xFF10 + int(str(v))) for place, v in answer(form, WANT).items()}
    assert ranks(fill_csv(form, tmp_path / "a.csv", wide), key) == FIRST
    floats = {place: float(str(v)) for place, v in answer(form, WANT).items()}
    assert ranks(fill_xlsx(form, tmp_path / "a.xlsx", floats), key) == FIRST


@pytest.mark.parametrize("bom", [True, False])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_other_separators_with_and_without_a_byte_order_mark(
    delimiter: str, bom: bool, form: Form, key: Key, tmp_path: Path
) -> None:
    rows = csv_rows(form, answer(form, WANT))
    assert ranks(write_csv(tmp_path / "a.csv", rows, delimiter, bom), key) == FIRST


def test_a_line_that_names_the_separator(form: Form, key: Key, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", csv_rows(form, answer(form, WANT)), ";", bom=False)
    path.write_text("sep=;\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert ranks(path, key) == FIRST


def test_rows_and_columns_in_another_order(form: Form, key: Key, tmp_path: Path) -> None:
    rows = csv_rows(form, answer(form, WANT))
    turned = [row[::-1] for row in [rows[0], *rows[:0:-1]]]
    assert ranks(write_csv(tmp_path / "a.csv", turned), key) == FIRST


def test_empty_rows_and_columns_notes_and_capitals(form: Form, key: Key, tmp_path: Path) -> None:
    rows = csv_rows(form, answer(form, WANT))
    head = [f" {name.upper()} " for name in rows[0]]
    width = len(head) + 2
    padded = [["", *row, "" if n else "my notes"] for n, row in enumerate([head, *rows[1:]])]
    notes = [["I like it"] + [""] * (width - 1), [""] * width]
    blank = [" "] * width
    out = [*notes, padded[0], blank, *padded[1:3], blank, *padded[3:], blank, blank, notes[0]]
    assert ranks(write_csv(tmp_path / "a.csv", out), key) == FIRST


def test_rows_cut_at_their_last_cell(form: Form, key: Key, tmp_path: Path) -> None:
    rows = csv_rows(form, answer(form, WANT))
    order = [rows[0].index(n) for n in ("id", "sheet", "rank", "item", "story", "premise", "text")]
    short = [[row[column] for column in order][:3] for row in rows]
    assert ranks(write_csv(tmp_path / "a.csv", short), key) == FIRST


def test_a_second_worksheet_in_front_and_rows_above_the_header(
    form: Form, key: Key, tmp_path: Path
) -> None:
    path = fill_xlsx(form, tmp_path / "a.xlsx", answer(form, WANT), lambda c: c.insert_rows(1, 3))
    book = openpyxl.load_workbook(path)
    book.create_sheet("notes", 0)["A1"] = "id"
    book.save(path)
    assert ranks(path, key) == FIRST


def test_a_text_that_another_encoding_spoilt(form: Form, key: Key, tmp_path: Path) -> None:
    rows = csv_rows(form, answer(form, WANT))
    text = rows[0].index("text")
    spoilt = [rows[0], *([*row[:text], "????", *row[text + 1 :]] for row in rows[1:])]
    assert ranks(write_csv(tmp_path / "a.csv", spoilt), key) == FIRST


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_a_form_saved_by_libreoffice(form: Form, key: Key, tmp_path: Path) -> None:
    book = fill_xlsx(form, tmp_path / "anna.xlsx", answer(form, WANT))
    table = fill_csv(form, tmp_path / "ben.csv", answer(form, WANT))

    def save(path: Path, written: str) -> Path:
        profile = f"-env:UserInstallation=file://{tmp_path}/profile"
        out = ["--outdir", str(tmp_path / "out")]
        command = ["soffice", profile, "--headless", "--convert-to", written, *out, str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return tmp_path / "out" / f"{path.stem}.{written.partition(':')[0]}"

    assert ranks(save(book, "xlsx:Calc MS Excel 2007 XML"), key) == FIRST
    # separator ';', quote '"', UTF-8
    assert ranks(save(book, "csv:Text - txt - csv (StarCalc):59,34,76"), key) == FIRST
    assert ranks(save(table, "xlsx:Calc MS Excel 2007 XML"), key) == FIRST
    assert ranks(save(table, "csv:Text - txt - csv (StarCalc):44,34,76"), key) == FIRST


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_any_separator_is_read_whatever_the_stories_quote(
    tmp_path: Path, delimiter: str, quoting: int
) -> None:
    forms, key = draw(
        RANKING, "anna", texts=lambda i, n: f'"Go," she said; "now {i} {n}".\tThen: "no, never".'
    )
    rows = csv_rows(forms[0], answer(forms[0], WANT))
    path = tmp_path / "anna.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=delimiter, quoting=quoting).writerows(rows)
    assert ranks(path, key) == FIRST

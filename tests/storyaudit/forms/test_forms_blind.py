"""Nothing of a form says who wrote a story; the key does, and nobody can mistake it."""

import csv
import io
import json
import zipfile
from collections import Counter

import numpy as np
import openpyxl
import pytest
from form_samples import (
    AUTHORS,
    ITEM_IDS,
    STUDY,
    draw,
    tasks,
)
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.errors import InputError
from storyaudit.forms.draw import draw_forms
from storyaudit.forms.form_files import FORMATS, rendered_forms
from storyaudit.forms.form_layout import layout
from storyaudit.forms.key import key_text, read_key
from storyaudit.forms.parts import LINES, TEXT_WIDTH, lines, parts
from storyaudit.forms.questions import BEST, BEST_OF, CONFIRMATION, RANKING, RUBRIC
from storyaudit.forms.workbook import csv_bytes, xlsx_bytes
from storyaudit.text.words import words

ALL = (RANKING, CONFIRMATION, BEST, BEST_OF, RUBRIC)
TELLING = [*AUTHORS, *ITEM_IDS, STUDY, "s-0-", "human", "llm", "origin", "author", "openpyxl"]


def contents(name: str, content: bytes) -> list[str]:
    """Return all that is in a file, archives unpacked, with their parts' names."""
    if not name.endswith(".xlsx"):
        return [name, content.decode()]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [name, archive.comment.decode()] + [
            text
            for entry in archive.infolist()
            for text in (entry.filename, entry.comment.decode(), archive.read(entry).decode())
        ]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("task", ALL)
def test_no_file_that_annotators_get_names_an_author_an_origin_or_an_id(
    task: str, kind: str
) -> None:
    forms, key = draw(task, "anna", "ben", items=1)
    for name, content in rendered_forms(forms, kind).items():
        for text in contents(name, content):
            folded = text.casefold()
            assert not [word for word in TELLING if word.casefold() in folded], name
    assert all(word in key_text(key) for word in (*AUTHORS, "s-0-", STUDY))


@pytest.mark.parametrize("task", ALL)
def test_who_wrote_a_story_moves_nothing_on_the_form(task: str) -> None:
    rng = np.random.default_rng
    table = tasks(task, stories=16 if task == BEST_OF else 4)
    other = table.assign(author=table["author"].iloc[::-1].to_numpy())
    forms = [draw_forms(t, ["anna"], rng(3), study="s", seed=3)[0] for t in (table, other)]
    cells = [layout(form).cells.drop(columns="sheet") for form in forms]
    assert cells[0].equals(cells[1])
    assert forms[0].key.fingerprint != forms[1].key.fingerprint


def test_every_annotator_has_orders_and_ids_of_its_own() -> None:
    forms, _ = draw(RANKING, "anna", "ben", items=3)
    anna, ben = (form.key.rows for form in forms)
    assert {row.story_id for row in anna} == {row.story_id for row in ben}
    assert [row.story_id for row in anna] != [row.story_id for row in ben]
    assert not {row.id for row in anna} & {row.id for row in ben}
    assert len({row.id for row in anna}) == 12
    assert [row.number for row in anna] == [1] * 4 + [2] * 4 + [3] * 4
    assert "".join(row.letter for row in anna) == "ABCD" * 3


def test_a_further_annotator_changes_no_other_form() -> None:
    assert draw(RANKING, "anna", "ben")[0] == draw(RANKING, "anna", "ben", "carla")[0][:2]
    assert draw(RANKING, "anna", seed=1)[0] != draw(RANKING, "anna", seed=2)[0]


def test_the_story_in_question_stands_anywhere() -> None:
    letters, first = Counter[str](), Counter[str]()
    for seed in range(100):
        (form,), _ = draw(BEST, "anna", seed=seed, items=2)
        letters.update(row.letter for row in form.key.rows if row.asked)
        first[form.key.rows[0].item_id] += 1
    # 200 draws of 1/4: SD 6.1, and 100 of 1/2: SD 5; within four of them.
    assert all(abs(letters[letter] - 50) < 25 for letter in "ABCD")
    assert abs(first["i-first-item"] - 50) < 20


def test_the_question_says_nothing_of_a_human_story() -> None:
    forms, _ = draw(BEST, "anna")
    cells = layout(forms[0]).cells
    assert list(cells.columns) == ["item", "story", "best", "premise", "text", "id", "sheet"]
    confirmed = layout(draw(CONFIRMATION, "anna")[0][0]).cells
    assert confirmed["proposed"].notna().sum() == 2  # one an item: that it is proposed is asked


def test_a_workbook_is_locked_but_for_checked_answers() -> None:
    (form,), _ = draw(CONFIRMATION, "anna", items=1)
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(form)))
    cells = book["answers"]
    names = [cell.value for cell in cells[1]]
    assert names == [
        "item",
        "story",
        "proposed",
        "confirm",
        "rank",
        "premise",
        "text",
        "id",
        "sheet",
    ]
    assert cells.freeze_panes == "C2"
    assert cells.protection.sheet
    unlocked = {cell.coordinate for row in cells for cell in row if not cell.protection.locked}
    asked = next(place for place, row in enumerate(form.key.rows, start=2) if row.asked)
    assert unlocked == {f"D{asked}", "E2", "E3", "E4", "E5"}
    checks = {check.type: check for check in cells.data_validations.dataValidation}
    assert checks["list"].formula1 == '"yes,no,unsure"'
    assert str(checks["list"].sqref) == "D2:D5"
    assert (checks["whole"].formula1, checks["whole"].formula2) == ("1", "4")
    assert all(check.showErrorMessage and check.error for check in checks.values())
    assert cells["G2"].alignment.wrap_text
    assert "yes" in book["how to"]["A1"].value


def test_a_story_is_text_to_every_program() -> None:
    starts = ("=1+1", "+A1", "-2", "@SUM(A1)")
    (form,), _ = draw(RANKING, "anna", items=1, texts=lambda _, place: f"{starts[place]} cmd")
    with zipfile.ZipFile(io.BytesIO(xlsx_bytes(form))) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in xml and 't="e"' not in xml
    assert all(f"<t>{start} cmd</t>" in xml for start in starts)
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(form)))["answers"]
    assert all(book.cell(row, 5).quotePrefix for row in range(2, 6))
    rows = csv.DictReader(io.StringIO(csv_bytes(form).decode("utf-8-sig"), newline=""))
    assert {row["text"] for row in rows} == {f"'{start} cmd" for start in starts}


def test_a_form_is_the_same_bytes_every_time() -> None:
    for kind in FORMATS:
        one, other = (rendered_forms(draw(CONFIRMATION, "anna", "ben")[0], kind) for _ in range(2))
        assert one == other


def test_a_csv_is_known_as_utf_8() -> None:
    (form,), _ = draw(RANKING, "anna", items=1, texts=lambda *_: "走吧。")
    assert csv_bytes(form).startswith(b"\xef\xbb\xbfitem,story,rank,premise,text,id,sheet\n")


@given(
    st.lists(
        st.text("ab 中", max_size=3000) | st.text("word ", max_size=9000), min_size=1, max_size=4
    )
)
def test_every_part_of_a_long_story_can_be_read_and_none_is_lost(paragraphs: list[str]) -> None:
    text = "\n\n".join(p for p in (" ".join(p.split()) for p in paragraphs) if p)
    cut = parts(text)
    assert all(lines(part, TEXT_WIDTH) <= LINES for part in cut)
    assert "".join("".join(cut).split()) == "".join(text.split())
    if max(map(len, text.split() or [""])) < 100:  # no word was longer than a line
        assert [word for part in cut for word in words(part)] == words(text)


def test_a_long_story_goes_on_below_with_its_id_and_one_answer() -> None:
    # Twelve paragraphs of one line and the lines between them are 23, a further one makes 25,
    # and a row shows 24: 61 paragraphs need six rows.
    long = "\n\n".join(f"Paragraph {n}." for n in range(61))
    (form,), _ = draw(
        RANKING, "anna", items=1, texts=lambda _, place: long if place == 2 else "Short."
    )
    content = layout(form)
    story = next(row for row in form.key.rows if row.story_id.startswith("s-0-2"))
    of_story = content.cells["id"] == story.id
    assert of_story.sum() == 6
    assert len(content.cells) == 6 + 3
    assert "\n\n".join(content.cells.loc[of_story, "text"]) == long
    assert content.open[of_story.to_numpy(), 0].tolist() == [True] + [False] * 5


def test_no_form_goes_out_that_could_not_be_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storyaudit.io.bounds.WORKBOOK_ROWS", 8)
    assert len(layout(draw(RANKING, "anna", items=1)[0][0]).cells) == 4
    with pytest.raises(InputError, match="an annotation form of 8 stories has 8 rows"):
        layout(draw(RANKING, "anna", items=2)[0][0])


def test_a_story_of_which_nothing_can_be_seen_is_refused() -> None:
    with pytest.raises(InputError, match="story s-0-0-of-quillbert-9000 has no text"):
        draw(RANKING, "anna", texts=lambda i, place: "\u200b" if i + place == 0 else "A story.")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda key: key["sheets"][0]["rows"][0].update(story_id="other"), "was changed"),
        (lambda key: key["sheets"][0].update(annotator="eve"), "was changed"),
        (lambda key: key.update(version=2), "version"),
        (lambda key: key["sheets"][0].pop("rows"), "sheets.0.rows"),
        (lambda key: key.update(extra=1), "extra"),
    ],
)
def test_a_key_that_was_changed_is_refused(change, named: str, tmp_path) -> None:
    content = json.loads(key_text(draw(RANKING, "anna")[1]))
    change(content)
    path = tmp_path / "key.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=f"not a key of annotation forms .*{named}") as refused:
        read_key(path)
    assert str(path) in str(refused.value)

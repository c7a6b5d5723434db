"""Partly filled forms: what counts, and what is still to do."""

from pathlib import Path

import pytest
from form_samples import draw, fill_csv, fill_xlsx, rows_by_number

from storyaudit.forms.answers import Answers, read_answers
from storyaudit.forms.draw import Form
from storyaudit.forms.filled import read_filled
from storyaudit.forms.key import Key, KeyRow
from storyaudit.forms.questions import BEST, CONFIRMATION, RANKING
from storyaudit.protocol.human_decisions import read_decision


def read(form: Form, key: Key, folder: Path, given: dict[tuple[str, str], object]) -> Answers:
    answers = [
        read_answers([read_filled(fill(form, folder / name, given), [key])])
        for fill, name in ((fill_xlsx, "anna.xlsx"), (fill_csv, "anna.csv"))
    ]
    assert answers[0].annotations.equals(answers[1].annotations)
    assert (
        answers[0]
        .unfinished.drop(columns="file")
        .equals(answers[1].unfinished.drop(columns="file"))
    )
    return answers[0]


def ranked(rows: list[KeyRow]) -> dict[tuple[str, str], object]:
    return {(row.id, "rank"): rank for rank, row in enumerate(rows, start=1)}


def test_a_begun_ranking_is_left_out_and_its_empty_cells_are_named(tmp_path: Path) -> None:
    (form,), key = draw(RANKING, "anna", items=3)
    items = rows_by_number(form)
    given = {**ranked(items[2]), **ranked(items[3][:2])}
    answers = read(form, key, tmp_path, given)
    assert answers.annotations["item_id"].unique().tolist() == [items[2][0].item_id]
    assert answers.annotations["value"].sum() == 1 + 2 + 3 + 4
    assert answers.unfinished.to_dict("records") == [
        {
            "file": str(tmp_path / "anna.xlsx"),
            "annotator": "anna",
            "task": "ranking",
            "item_id": items[number][0].item_id,
            "number": number,
            "cells": cells,
        }
        for number, cells in ((1, "cell C2, C3, C4, C5"), (3, "cell C12, C13"))
    ]
    assert answers.counts[["items", "finished"]].values.tolist() == [[3, 1]]


def test_an_empty_form_is_all_unfinished(tmp_path: Path) -> None:
    for task in (RANKING, CONFIRMATION, BEST):
        (form,), key = draw(task, "anna", items=2)
        answers = read(form, key, tmp_path, {})
        assert answers.annotations.empty
        assert len(answers.unfinished) == 2


def test_rows_that_were_deleted_are_named_by_their_story(tmp_path: Path) -> None:
    (form,), key = draw(RANKING, "anna", items=1)
    given = ranked(list(form.key.rows))
    path = fill_xlsx(form, tmp_path / "a.xlsx", given, lambda cells: cells.delete_rows(3))
    answers = read_answers([read_filled(path, [key])])
    assert answers.unfinished["cells"].tolist() == ["the missing row of story B"]


@pytest.mark.parametrize(
    ("said", "ranks", "kinds", "lacking"),
    [
        ("yes", 0, ["confirmation"], None),
        ("unsure", 0, ["unsure"], None),
        ("no", 0, [], 4),
        ("no", 3, [], 1),
        ("no", 4, ["confirmation"] + ["ranking"] * 4, None),
        ("unsure", 4, ["ranking"] * 4 + ["unsure"], None),
        ("yes", 2, [], 2),  # a ranking that was begun is to be finished
        (None, 4, [], 1),
    ],
)
def test_a_confirmation(said, ranks: int, kinds: list[str], lacking, tmp_path: Path) -> None:
    (form,), key = draw(CONFIRMATION, "anna", items=1)
    rows = list(form.key.rows)
    asked = next(row for row in rows if row.asked)
    others = [row for row in rows if row is not asked]
    given = ranked([*others[:2], asked, others[2]][:ranks])
    if said:
        given[asked.id, "confirm"] = said
    answers = read(form, key, tmp_path, given)
    assert sorted(answers.annotations["kind"]) == kinds
    if lacking is None:
        decision = read_decision(answers.annotations)  # the protocol's own reader
        assert decision.story == asked.story_id
        assert len(decision.ranking) == (4 if "ranking" in kinds else 0)
    else:
        assert answers.unfinished["cells"].str.count(",").tolist() == [lacking - 1]


def test_the_best_may_be_any_story_and_unsure_is_about_the_one_asked(tmp_path: Path) -> None:
    (form,), key = draw(BEST, "anna", items=2)
    one, two = rows_by_number(form).values()
    model = next(row for row in one if not row.asked)
    given: dict[tuple[str, str], object] = {
        (one[0].id, "best"): model.letter.lower(),
        (two[0].id, "best"): " UNSURE ",
    }
    table = read(form, key, tmp_path, given).annotations.set_index("item_id")
    assert table.loc[one[0].item_id, ["kind", "story_id"]].tolist() == ["best", model.story_id]
    human = next(row.story_id for row in two if row.asked)
    assert table.loc[two[0].item_id, ["kind", "story_id"]].tolist() == ["unsure", human]


def test_one_answer_for_an_item_may_stand_beside_any_of_its_stories(tmp_path: Path) -> None:
    (form,), key = draw(BEST, "anna", items=1)
    rows = form.key.rows
    answers = read(form, key, tmp_path, {(rows[2].id, "best"): "B"})
    assert answers.annotations["story_id"].tolist() == [rows[1].story_id]
    assert answers.unfinished.empty

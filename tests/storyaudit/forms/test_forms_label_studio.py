"""Label Studio: its import format, its configuration, and exports as they come back."""

import copy
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from form_samples import answer, draw, export, fill_label_studio, rows_by_number

from storyaudit.errors import InputError
from storyaudit.forms.answers import read_answers
from storyaudit.forms.label_studio import config_xml, read_export, tasks_json
from storyaudit.forms.questions import BEST, CONFIRMATION, RANKING, RUBRIC

TASKS = (RANKING, CONFIRMATION, BEST, RUBRIC)


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("task", TASKS)
def test_every_variable_of_the_configuration_is_in_every_task(task: str) -> None:
    (form,), _ = draw(task, "anna")
    root = ElementTree.fromstring(config_xml(form))  # noqa: S314
    variables = {e.get("value", "")[1:] for e in root.iter() if e.get("value", "").startswith("$")}
    tasks = tasks_json(form)
    assert variables == {"premise", "stories"} | ({"proposed"} if task == CONFIRMATION else set())
    assert all(variables <= set(entry["data"]) for entry in tasks)
    assert len(tasks) == len(rows_by_number(form))
    names = [e.get("name") for e in root.iter() if e.get("name")]
    assert len(set(names)) == len(names)
    assert {e.get("toName") for e in root.iter() if e.get("toName")} == {"stories"}


@pytest.mark.parametrize("task", TASKS)
def test_label_studios_own_toolkit_accepts_configuration_tasks_and_results(task: str) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface").LabelInterface
    (form,), _ = draw(task, "anna", items=1)
    study = interface(config_xml(form))
    study.validate()
    rows = list(rows_by_number(form)[1])
    stories = [row.story_id for row in rows]
    want: dict[str, Any] = {
        RANKING: {"rank": {story: n for n, story in enumerate(stories, start=1)}},
        CONFIRMATION: {"confirm": "unsure"},
        BEST: {"best": stories[-1]},
        RUBRIC: {name: {stories[0]: 7} for name in form.key.rubric},
    }
    for entry in export(form, answer(form, {rows[0].item_id: want[task]}))[:1]:
        assert study.validate_task({"data": entry["data"]})
        assert entry["annotations"][0]["result"]
        annotation = entry["annotations"][0]
        assert study.validate_annotation(annotation)
        annotation["result"][0]["from_name"] = "other"  # so it does look
        assert not study.validate_annotation(annotation)


def test_an_untouched_a_skipped_and_a_half_ranked_item_are_unfinished(tmp_path: Path) -> None:
    (form,), key = draw(RANKING, "anna", items=3)
    items = rows_by_number(form)
    given: dict[tuple[str, str], object] = {
        (row.id, "rank"): rank
        for number in (1, 2)
        for rank, row in enumerate(items[number][: 5 - number], start=1)
    }
    content = export(form, given)
    content[2]["annotations"] = []
    content[0]["annotations"].append({"was_cancelled": True, "result": []})
    (filled,) = read_export(write(tmp_path / "a.json", content), [key])
    answers = read_answers([filled])
    assert answers.annotations["item_id"].unique().tolist() == [items[1][0].item_id]
    assert answers.unfinished[["number", "cells"]].values.tolist() == [
        [2, "task 42"],
        [3, "task 43"],
    ]


def test_tasks_of_two_annotators_in_one_project(tmp_path: Path) -> None:
    forms, key = draw(BEST, "anna", "ben", items=1)
    content = [
        entry
        for form, letter in zip(forms, "AB", strict=True)
        for entry in export(form, {(form.key.rows[0].id, "best"): letter})
    ]
    answers = read_answers(read_export(write(tmp_path / "a.json", content), [key]))
    assert answers.annotations["annotator"].tolist() == ["anna", "ben"]
    named = {form.key.annotator: form.key.rows[n].story_id for n, form in enumerate(forms)}
    assert dict(answers.annotations[["annotator", "story_id"]].values.tolist()) == named


def damage(content: list[dict[str, Any]], path: str, value: Any) -> Any:
    """Return the export with one value replaced, by a path such as '0.annotations.0.result'."""
    content = copy.deepcopy(content)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place: Any = content
    for part in way:
        place = place[part]
    place[last] = value
    return content


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("0.data.sheet", "QQQQ", "task 41: the annotation form 'QQQQ' is not among this key's"),
        ("0.data.sheet", 7, "task 41: expected the data of a form"),
        ("0.data", None, "task 41: expected the data of a form"),
        ("0.data.item", 99, "task 41: the item is not on the form"),
        ("0.data.item", "1", "task 41: the item is not on the form"),
        ("1.data.item", 1, "task 42: item 1 is in two tasks"),
        ("0.annotations", 3, "expected Label Studio's JSON export"),
        ("0.annotations.0.result", {}, "task 41: expected a list of results"),
        ("0.annotations.0.result.0.from_name", "other", "one result of each of rank, found other"),
        ("0.annotations.0.result.0.from_name", [1], "expected one result of each of rank"),
        ("0.annotations.0.result.0.value", {"ranker": {"rank": []}}, None),
        ("0.annotations.0.result.0.value", [], "expected a ranking of the item's stories"),
        ("0.annotations.0.result.0.value.ranker.ranking.0", "QQQ", "expected a ranking of"),
        ("0.annotations.0.result.0.value.ranker.ranking", "twice", "a story occurs twice"),
        ("0.annotations.0.result.0.value.ranker.ranking.0", {"a": 1}, "expected a ranking of"),
    ],
)
def test_a_damaged_export(path: str, value: Any, named: str | None, tmp_path: Path) -> None:
    (form,), key = draw(RANKING, "anna", items=2)
    ranks = {(row.id, "rank"): "ABCD".index(row.letter) + 1 for row in form.key.rows}
    value = [form.key.rows[0].id] * 2 if value == "twice" else value
    file = write(tmp_path / "a.json", damage(export(form, ranks), path, value))
    if named is None:  # nothing is in our bucket: unfinished
        assert len(read_answers(read_export(file, [key])).unfinished) == 1
        return
    with pytest.raises(InputError, match=r"a\.json.*" + named) as refused:
        read_answers(read_export(file, [key]))
    assert refused.value.remedy


def test_results_and_annotations_too_many(tmp_path: Path) -> None:
    (form,), key = draw(BEST, "anna", items=1)
    content = export(form, {(form.key.rows[0].id, "best"): "A"})
    annotation = content[0]["annotations"][0]
    for change, named in (
        (
            lambda: annotation["result"].append(annotation["result"][0]),
            "one result of each of best",
        ),
        (
            lambda: content[0]["annotations"].append({"result": []}),
            "expected one annotation, found 2",
        ),
    ):
        change()
        with pytest.raises(InputError, match="task 41: .*" + named):
            read_export(write(tmp_path / "a.json", content), [key])
        annotation["result"] = annotation["result"][:1]
    content[0]["annotations"] = [annotation]
    annotation["result"][0]["value"]["choices"] = ["A", "B"]
    with pytest.raises(InputError, match="task 41: expected A, B, C, D or unsure, found A, B"):
        read_answers(read_export(write(tmp_path / "a.json", content), [key]))


@pytest.mark.parametrize(
    "content", ["[]", "{}", "[1]", '[{"best": "A", "id": 1}]', "not json", "["]
)
def test_another_json(content: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="JSON"):
        read_export(path, [draw(BEST, "anna")[1]])


def test_a_scale_outside_its_range(tmp_path: Path) -> None:
    (form,), key = draw(RUBRIC, "anna", items=1)
    path = fill_label_studio(form, tmp_path / "a.json", {(form.key.rows[0].id, "fluency"): 11})
    with pytest.raises(InputError, match="task 41: expected a whole number from 1 to 10, found 11"):
        read_answers(read_export(path, [key]))

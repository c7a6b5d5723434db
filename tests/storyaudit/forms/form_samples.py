"""Small task tables, and ways to fill forms in as people and programs do."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd

from storyaudit.forms.draw import Form, draw_forms
from storyaudit.forms.key import Key, KeyRow
from storyaudit.forms.questions import BEST, BEST_OF, CONFIRMATION, RUBRIC
from storyaudit.forms.workbook import csv_bytes, xlsx_bytes

AUTHORS = ("quillbert-9000", "zorba-model", "Ursula Nightingale", "human")
ITEM_IDS = ("i-first-item", "i-second-item", "i-third-item")
STUDY = "embedded"


def tasks(task: str, items: int = 2, stories: int = 4, texts: Any = None) -> pd.DataFrame:
    """Return a task table with made-up texts."""
    rows = []
    for item in range(items):
        for place in range(stories):
            story = f"s-{item}-{place}-of-{AUTHORS[place % 4].split()[0]}"
            rows.append(
                {
                    "task": task,
                    "item_id": story if task == RUBRIC else ITEM_IDS[item],
                    "story_id": story,
                    "asked": task in (CONFIRMATION, BEST) and place == 1,
                    "author": AUTHORS[place % 4],
                    "premise": f"A ferry, the {item}th.",
                    "text": texts(item, place) if texts else f"=Story {place} of item {item}.",
                }
            )
    return pd.DataFrame(rows)


def draw(task: str, *annotators: str, seed: int = 1, **of: Any) -> tuple[list[Form], Key]:
    """Draw forms of one task, and their key."""
    scale = of.pop("scale", (1, 10))
    forms = draw_forms(
        tasks(task, **({"stories": 16} if task == BEST_OF else {}) | of),
        annotators or ("anna",),
        np.random.default_rng(seed),
        study=STUDY,
        seed=seed,
        scale=scale,
    )
    return forms, Key(sheets=tuple(form.key for form in forms))


def fill_xlsx(
    form: Form,
    path: Path,
    answers: Mapping[tuple[str, str], object],
    change: Callable[[Any], None] | None = None,
) -> Path:
    """Write the form as XLSX with answers by (ID, column), each beside the ID's first row."""
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(form)))
    cells = book["answers"]
    names = [cell.value for cell in cells[1]]
    done = set()
    for row in range(2, cells.max_row + 1):
        story = cells.cell(row, names.index("id") + 1).value
        for name in names:
            if (story, name) in answers and (story, name) not in done:
                done.add((story, name))
                cells.cell(row, names.index(name) + 1).value = answers[story, name]
    assert done == set(answers)
    if change is not None:
        change(cells)
    book.save(path)
    return path


def csv_rows(form: Form, answers: Mapping[tuple[str, str], object]) -> list[list[str]]:
    """Return the form's CSV rows with answers by (ID, column), the header first."""
    rows = list(csv.reader(io.StringIO(csv_bytes(form).decode("utf-8-sig"), newline="")))
    names, done = rows[0], set()
    for row in rows[1:]:
        for column, name in enumerate(names):
            place = (row[names.index("id")], name)
            if place in answers and place not in done:
                done.add(place)
                row[column] = str(answers[place])
    assert done == set(answers)
    return rows


def write_csv(path: Path, rows: list[list[str]], delimiter: str = ",", bom: bool = True) -> Path:
    """Write rows as a spreadsheet program does."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8-sig" if bom else "utf-8", newline="")
    return path


def fill_csv(form: Form, path: Path, answers: Mapping[tuple[str, str], object]) -> Path:
    """Write the form as CSV with answers by (ID, column)."""
    return write_csv(path, csv_rows(form, answers))


def rows_by_number(form: Form) -> dict[int, list[KeyRow]]:
    """Return a form's stories by item."""
    found: dict[int, list[KeyRow]] = {}
    for row in form.key.rows:
        found.setdefault(row.number, []).append(row)
    return found


def answer(form: Form, want: Mapping[str, Mapping[str, object]]) -> dict[tuple[str, str], object]:
    """Return the cells that say what a person wants, by item and story of the study.

    ``want[item]`` has ranks or scores by (story, column), 'best' (a story or 'unsure') and
    'confirm'.
    """
    cells: dict[tuple[str, str], object] = {}
    for stories in rows_by_number(form).values():
        wanted = want.get(stories[0].item_id, {})
        letters = {row.story_id: row.letter for row in stories}
        for row in stories:
            for name, values in wanted.items():
                if name == "best":
                    if row.letter == "A":
                        cells[row.id, "best"] = letters.get(str(values), values)
                elif name == "confirm":
                    if row.asked:
                        cells[row.id, "confirm"] = values
                elif isinstance(values, Mapping) and row.story_id in values:
                    cells[row.id, name] = values[row.story_id]
    return cells


def export(form: Form, answers: Mapping[tuple[str, str], object]) -> list[dict[str, Any]]:
    """Return Label Studio's JSON export of the form's tasks, as its documentation has it."""
    from storyaudit.forms.label_studio import tasks_json

    exported = []
    for number, task in enumerate(json.loads(json.dumps(tasks_json(form))), start=1):
        ids = [story["id"] for story in task["data"]["stories"]]
        result = []
        ranks = {story: answers[story, "rank"] for story in ids if (story, "rank") in answers}
        if ranks:
            ranked = sorted(ranks, key=lambda story: int(str(ranks[story])))
            rest = [story for story in ids if story not in ranks]
            value = {"ranker": {"ranking": ranked, "_": rest}}
            result.append(_result("rank", "ranker", value))
        for (story, name), given in answers.items():
            if story not in ids or name == "rank":
                continue
            if name in ("best", "confirm"):
                result.append(_result(name, "choices", {"choices": [given]}))
            else:
                control = f"scale_{form.key.rubric.index(name) + 1}"
                result.append(_result(control, "number", {"number": given}))
        annotation = {"id": 900 + number, "completed_by": 7, "was_cancelled": False}
        exported.append(
            {"id": 40 + number, **task, "annotations": [{**annotation, "result": result}]}
        )
    return exported


def _result(control: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": "x1", "from_name": control, "to_name": "stories", "type": kind, "value": value}


def fill_label_studio(form: Form, path: Path, answers: Mapping[tuple[str, str], object]) -> Path:
    """Write the form's tasks as Label Studio exports them."""
    path.write_text(json.dumps(export(form, answers)), encoding="utf-8")
    return path

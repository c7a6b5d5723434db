"""What people decide is what comes back, through every format and with any text."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from form_samples import (
    answer,
    draw,
    fill_csv,
    fill_label_studio,
    fill_xlsx,
    tasks,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.forms.answers import Answers, read_answers
from storyaudit.forms.filled import read_filled
from storyaudit.forms.key import key_text, read_key
from storyaudit.forms.label_studio import read_export
from storyaudit.forms.questions import BEST, BEST_OF, CONFIRMATION, RANKING, RUBRIC
from storyaudit.vocabulary import DIMENSIONS

FILLERS = {"xlsx": fill_xlsx, "csv": fill_csv, "json": fill_label_studio}
# Nothing of these may be lost, run, or break a cell; a text needs a letter to be one.
TEXTS = st.text(max_size=40).map(lambda text: f"a{text}") | st.sampled_from(
    [
        "=1+1",
        "+A1",
        "-2",
        "@SUM(A1)",
        "\t=cmd",
        "'=x",
        "#N/A",
        "1E5",
        "TRUE",
        "_x0041_",
        'a "b", c;d\n\ne',
    ]
)

Row = tuple[str, str, str, str, float]


@st.composite
def wanted(draw_: st.DrawFn, task: str, items: int) -> tuple[dict[str, Any], set[tuple[Any, ...]]]:
    """Draw what a person decides, and the rows that say so."""
    want: dict[str, Any] = {}
    rows: set[tuple[Any, ...]] = set()
    table = tasks(task, items=items, stories=16 if task == BEST_OF else 4)
    for item, stories in table.groupby("item_id"):
        ids = list(stories["story_id"])
        if task == RUBRIC:
            scores = {name: draw_(st.integers(1, 10)) for name in DIMENSIONS}
            want[item] = {name: {ids[0]: score} for name, score in scores.items()}
            rows |= {(item, name, ids[0], float(score)) for name, score in scores.items()}
            continue
        order = draw_(st.permutations(ids))
        ranks = {story: rank for rank, story in enumerate(order, start=1)}
        ranking = {(item, "ranking", story, float(rank)) for story, rank in ranks.items()}
        asked = ids[1]
        if task in (RANKING, BEST_OF):
            want[item], decided = {"rank": ranks}, ranking
        elif task == BEST:
            named = draw_(st.sampled_from([*ids, "unsure"]))
            want[item] = {"best": named}
            decided = {
                (item, "unsure", asked, 1.0) if named == "unsure" else (item, "best", named, 1.0)
            }
        else:
            said = draw_(st.sampled_from(["yes", "no", "unsure"]))
            want[item], decided = {"confirm": said}, {(item, "confirmation", asked, 1.0)}
            if said == "unsure":
                decided = {(item, "unsure", asked, 1.0)}
            if said == "no":
                if order[0] == asked:
                    order = order[::-1]
                    ranks = {story: rank for rank, story in enumerate(order, start=1)}
                want[item]["rank"] = ranks
                decided = {(item, "confirmation", asked, 0.0)}
                decided |= {(item, "ranking", story, float(rank)) for story, rank in ranks.items()}
        rows |= decided
    return want, rows


@st.composite
def cases(draw_: st.DrawFn, task: str) -> tuple[int, int, list[str], list[Any]]:
    items = draw_(st.integers(1, 2))
    texts = [draw_(TEXTS) for _ in range(6)]
    people = [draw_(wanted(task, items)) for _ in range(draw_(st.integers(1, 2)))]
    return draw_(st.integers(0, 2**32 - 1)), items, texts, people


def bring_back(kind: str, task: str, case: Any, folder: Path) -> Answers:
    seed, items, texts, people = case
    names = ["anna", "ben"][: len(people)]
    forms, key = draw(
        task, *names, seed=seed, items=items, texts=lambda i, place: texts[(i + place) % len(texts)]
    )
    (folder / "key.json").write_text(key_text(key), encoding="utf-8")
    read_back = read_key(folder / "key.json")
    assert read_back == key
    filled = []
    for form, (want, _) in zip(forms, people, strict=True):
        path = folder / f"{form.key.annotator}.{kind}"
        FILLERS[kind](form, path, answer(form, want))
        filled += read_export(path, [key]) if kind == "json" else [read_filled(path, [key])]
    return read_answers(filled)


@pytest.mark.parametrize("kind", FILLERS)
@pytest.mark.parametrize("task", [RANKING, CONFIRMATION, BEST, RUBRIC])
def test_out_filled_and_in_is_what_people_decided(kind: str, task: str) -> None:
    @settings(max_examples=5)
    @given(cases(task))
    def holds(case: Any) -> None:
        with TemporaryDirectory() as folder:
            answers = bring_back(kind, task, case, Path(folder))
        for name, (_, rows) in zip(["anna", "ben"], case[3], strict=False):
            if task == RUBRIC:
                table = answers.ratings.loc[answers.ratings["rater"] == name]
                columns = ["story_id", "item", "story_id", "score"]
            else:
                table = answers.annotations.loc[answers.annotations["annotator"] == name]
                columns = ["item_id", "kind", "story_id", "value"]
            found = list(zip(*(table[column] for column in columns), strict=True))
            assert len(found) == len(rows)
            assert set(found) == rows
        assert answers.unfinished.empty
        assert (answers.counts["finished"] == answers.counts["items"]).all()

    holds()


@pytest.mark.parametrize("kind", FILLERS)
def test_a_pool_of_sixteen(kind: str, tmp_path: Path) -> None:
    forms, key = draw(BEST_OF, "anna", items=1)
    stories = sorted(row.story_id for row in forms[0].key.rows)
    ranks = {story: rank for rank, story in enumerate(stories[::-1], start=1)}
    want = {"i-first-item": {"rank": ranks}}
    path = FILLERS[kind](forms[0], tmp_path / f"anna.{kind}", answer(forms[0], want))
    read = read_export(path, [key]) if kind == "json" else [read_filled(path, [key])]
    table = read_answers(read).annotations
    assert dict(zip(table["story_id"], table["value"], strict=True)) == ranks
    assert set(table["kind"]) == {"ranking"}


def test_ratings_name_study_rater_and_author(tmp_path: Path) -> None:
    forms, key = draw(RUBRIC, "anna", items=1, scale=(0, 4))
    story = forms[0].key.rows[0]
    want = {story.item_id: {"creativity": {story.story_id: 0}}}
    path = fill_xlsx(forms[0], tmp_path / "anna.xlsx", answer(forms[0], want))
    answers = read_answers([read_filled(path, [key])])
    assert answers.ratings.to_dict("records") == [
        {
            "study": "embedded",
            "rater": "anna",
            "story_id": story.story_id,
            "author": story.author,
            "item": "creativity",
            "score": 0.0,
        }
    ]
    assert len(answers.unfinished) == 4  # this story's other scales, and the three other stories

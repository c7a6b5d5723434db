"""From filled forms to rows of the annotations and ratings tables."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from storyaudit.data.tables import ANNOTATIONS, RATINGS, sort_by_key
from storyaudit.errors import InputError
from storyaudit.forms.checked_answers import AnswerId, Checked, checked_values
from storyaudit.forms.filled import Filled, fault
from storyaudit.forms.key import KeyRow
from storyaudit.forms.questions import BEST, CONFIRMATION, NO, RUBRIC, UNSURE, YES

Values = Mapping[AnswerId, Checked]
Faults = list[tuple[str, str]]


class Answers(NamedTuple):
    """What filled forms say.

    Attributes:
        annotations: the annotations table; each annotator's own decisions.
        ratings: the ratings table, of rubrics.
        unfinished: items without a complete answer: file, annotator, task, item_id, number (on
            the form), cells (that are still empty).
        counts: a row a form: file, annotator, task, items, finished.
    """

    annotations: pd.DataFrame
    ratings: pd.DataFrame
    unfinished: pd.DataFrame
    counts: pd.DataFrame


class _Outcome(NamedTuple):
    """An item's rows (kind, story, value), and the answers that it lacks."""

    rows: list[tuple[str, str, float]]
    lacking: list[AnswerId]


def read_answers(forms: Sequence[Filled]) -> Answers:
    """Return the answers of filled forms.

    An item with no or not all answers is unfinished, which is no error: a ranking that was begun
    is left out, scores on a rubric are kept. 'best' is beside the story that the annotator named,
    whoever wrote it; 'unsure' beside the story in question.

    Raises:
        InputError: the same form twice, or an item by one annotator on two forms; see
            ``checked_values``; two stories of one rank, two answers to one question, or a ranking
            that contradicts its confirmation, each with the file and the cell.
    """
    annotations: list[tuple[str, str, str, str, float]] = []
    ratings: list[tuple[str, str, str, str, str, float]] = []
    unfinished: list[tuple[str, str, str, str, int, str]] = []
    counts: list[tuple[str, str, str, int, int]] = []
    _refuse_twice(forms)
    for form in forms:
        key, name = form.key, (str(form.file), form.key.annotator, form.key.task)
        values, items = checked_values(form), form.key.items
        faults: Faults = []
        left = len(unfinished)
        for number, stories in items.items():
            outcome = _outcome(key.task, key.rubric, stories, values, faults)
            item = stories[0].item_id
            if key.task == RUBRIC:
                author = stories[0].author
                ratings += [
                    (key.study, key.annotator, story, author, criterion, score)
                    for criterion, story, score in outcome.rows
                ]
            else:
                annotations += [(item, key.annotator, *row) for row in outcome.rows]
            if outcome.lacking:
                cells = _locations(form, stories, outcome.lacking)
                unfinished.append((*name, item, number, cells))
        if faults:
            raise fault(form.file, faults)
        counts.append((*name, len(items), len(items) - (len(unfinished) - left)))
    decided = _frame(annotations, "item_id annotator kind story_id value")
    rated = _frame(ratings, "study rater story_id author item score")
    _refuse_again(decided, ["item_id", "annotator"], ["kind", "story_id"])
    _refuse_again(rated, ["story_id", "rater"], ["study", "item"])
    return Answers(
        sort_by_key(decided, ANNOTATIONS),
        sort_by_key(rated, RATINGS),
        _frame(unfinished, "file annotator task item_id number cells"),
        _frame(counts, "file annotator task items finished"),
    )


def _frame(rows: Sequence[tuple[object, ...]], columns: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=columns.split())


def _refuse_again(frame: pd.DataFrame, whose: list[str], further: list[str]) -> None:
    again = frame.loc[frame.duplicated([*whose, *further]), whose]
    if len(again):
        (what, who) = again.iloc[0]
        raise InputError(
            f"{who} answered about {what} on two forms ({len(again.drop_duplicates())} such).",
            "Read the forms apart, or one of them only.",
        )


def _refuse_twice(forms: Sequence[Filled]) -> None:
    seen: dict[str, Filled] = {}
    for form in forms:
        other = seen.setdefault(form.key.fingerprint, form)
        if other is not form:
            raise InputError(
                f"the same annotation form as {other.file} ({form.key.annotator}, "
                f"{form.key.task}).",
                "Give one of the two files.",
                file=form.file,
            )


def _outcome(
    task: str, rubric: Sequence[str], stories: list[KeyRow], values: Values, faults: Faults
) -> _Outcome:
    if task == RUBRIC:
        return _rated(rubric, stories, values)
    if task == BEST:
        return _best(stories, values, faults)
    if task == CONFIRMATION:
        return _confirmed(stories, values, faults)
    return _ranked(stories, values, faults)


def _rated(rubric: Sequence[str], stories: list[KeyRow], values: Values) -> _Outcome:
    answer_ids = {(row.id, criterion): row.story_id for row in stories for criterion in rubric}
    return _Outcome(
        [
            (answer_id[1], story, float(values[answer_id].value))
            for answer_id, story in answer_ids.items()
            if answer_id in values
        ],
        [answer_id for answer_id in answer_ids if answer_id not in values],
    )


def _ranked(stories: list[KeyRow], values: Values, faults: Faults) -> _Outcome:
    rows: list[tuple[str, str, float]] = []
    lacking: list[AnswerId] = []
    taken: dict[int | str, str] = {}
    for row in stories:
        given = values.get((row.id, "rank"))
        if given is None:
            lacking.append((row.id, "rank"))
        elif given.value in taken:
            other = taken[given.value]
            problem = f"rank {given.value} occurs twice in item {row.number}, also in {other}."
            faults.append((given.location, problem))
        else:
            taken[given.value] = given.location
            rows.append(("ranking", row.story_id, float(given.value)))
    return _Outcome([] if lacking else rows, lacking)


def _best(stories: list[KeyRow], values: Values, faults: Faults) -> _Outcome:
    given = _single("best", stories, values, faults)
    if given is None:
        return _Outcome([], [(stories[0].id, "best")])
    if given.value == UNSURE:
        return _Outcome([("unsure", _asked(stories).story_id, 1.0)], [])
    named = next(row for row in stories if row.letter == given.value)
    return _Outcome([("best", named.story_id, 1.0)], [])


def _confirmed(stories: list[KeyRow], values: Values, faults: Faults) -> _Outcome:
    asked = _asked(stories)
    given = _single("confirm", stories, values, faults)
    ranking = _ranked(stories, values, faults)
    begun = len(ranking.lacking) < len(stories)
    lacking = [] if given is not None else [(asked.id, "confirm")]
    if begun or (given is not None and given.value == NO):
        lacking += ranking.lacking
    if given is None or lacking:
        return _Outcome([], lacking)
    first = {story: rank for _, story, rank in ranking.rows}.get(asked.story_id) == 1
    if ranking.rows and given.value != UNSURE and first != (given.value == YES):
        ranked = "is ranked first" if first else "is not ranked first"
        problem = f"the answer is '{given.value}', but the proposed story {ranked}."
        faults.append((given.location, problem))
    if given.value == UNSURE:
        return _Outcome([("unsure", asked.story_id, 1.0), *ranking.rows], [])
    return _Outcome(
        [("confirmation", asked.story_id, float(given.value == YES)), *ranking.rows], []
    )


def _asked(stories: list[KeyRow]) -> KeyRow:
    return next(row for row in stories if row.asked)


def _single(field: str, stories: list[KeyRow], values: Values, faults: Faults) -> Checked | None:
    """Return an item's one answer, beside whichever of its stories it was written."""
    given = [values[answer_id] for row in stories if (answer_id := (row.id, field)) in values]
    if len(given) > 1:
        problem = (
            f"expected one answer in item {stories[0].number}, also found {given[0].location}."
        )
        faults.append((given[1].location, problem))
    return given[0] if given else None


def _locations(form: Filled, stories: list[KeyRow], lacking: list[AnswerId]) -> str:
    where: dict[AnswerId, str] = {}
    for cell in form.cells:
        where.setdefault((cell.id, cell.field), cell.location)
    letters = {row.id: row.letter for row in stories}
    named = [
        where.get(answer_id, f"the missing row of story {letters[answer_id[0]]}")
        for answer_id in lacking
    ]
    return ", ".join(dict.fromkeys(named)).replace(", cell ", ", ")

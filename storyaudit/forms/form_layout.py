"""A form's cells: one row a story, or several below each other where it is long."""

from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from storyaudit.errors import InputError
from storyaudit.forms.draw import Form
from storyaudit.forms.parts import PREMISE_WIDTH, TEXT_WIDTH, parts
from storyaudit.forms.questions import BEST, CONFIRMATION
from storyaudit.io import bounds

ITEM, STORY, PREMISE, TEXT, ID, SHEET = "item", "story", "premise", "text", "id", "sheet"
PROPOSED = "proposed"
FIXED = (ITEM, STORY, PROPOSED, PREMISE, TEXT, ID, SHEET)
"""Columns that hold no answer."""

COLUMNS_OF = {PREMISE: PREMISE_WIDTH, TEXT: TEXT_WIDTH}


class Layout(NamedTuple):
    """A form's cells.

    Attributes:
        cells: one row a row of the form, named as the columns; None where a cell is empty.
        answers: the answer columns.
        open: which cells of the answer columns annotators fill in; rows × answers.
    """

    cells: pd.DataFrame
    answers: list[str]
    open: np.ndarray


def layout(form: Form) -> Layout:
    """Return the cells of a form.

    A story's first row has its answer cells and the start of its text; further rows repeat item,
    letter and ID and go on with the text. Where an item has one answer, it goes beside its first
    story, or beside the story in question.

    Raises:
        InputError: more rows than a filled form may have.
    """
    key = form.key
    answers = list(key.fields())
    rows: list[dict[str, Any]] = []
    is_open: list[list[bool]] = []
    for row, premise, text in zip(key.rows, form.premises, form.texts, strict=True):
        pieces = zip_longest(parts(text, COLUMNS_OF[TEXT]), parts(premise, COLUMNS_OF[PREMISE]))
        for part, (piece, of_premise) in enumerate(pieces):
            first = part == 0
            rows.append(
                {
                    ITEM: row.number,
                    STORY: row.letter,
                    PROPOSED: "proposed as best" if row.asked and first else None,
                    PREMISE: of_premise,
                    TEXT: piece,
                    ID: row.id,
                    SHEET: key.fingerprint,
                }
            )
            is_open.append(
                [first and answers_here(key.task, name, row.letter, row.asked) for name in answers]
            )
    if len(rows) >= bounds.WORKBOOK_ROWS:
        raise InputError(
            f"an annotation form of {len(key.rows)} stories has {len(rows)} rows, more than can "
            f"be read back.",
            "Give the items to annotators in several forms.",
        )
    proposed = [PROPOSED] if key.task == CONFIRMATION else []
    columns = [ITEM, STORY, *proposed, *answers, PREMISE, TEXT, ID, SHEET]
    cells = pd.DataFrame(rows, dtype="object").reindex(columns=columns)
    return Layout(cells.astype("object").where(cells.notna(), None), answers, np.array(is_open))


def answers_here(task: str, name: str, letter: str, asked: bool) -> bool:
    """Return whether the answer column is filled in beside this story."""
    if task == BEST:
        return letter == "A"
    return asked if name == "confirm" else True

"""The key of annotation forms: which story stands behind which ID. Annotators never see it."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

import pandas as pd
from pydantic import ValidationError, model_validator

from storyaudit.errors import InputError
from storyaudit.forms.questions import TASKS, Allowed, fields
from storyaudit.io.checked import first_fault
from storyaudit.io.files import json_text, read_text
from storyaudit.runs.params import Params

FINGERPRINT_LENGTH = 16
_LETTERS = "BCDFGHJKLMNPQRST"


class KeyRow(Params):
    """One story of a form.

    Attributes:
        id: what the form says in place of the story's ID.
        number: the item's number on the form, from 1.
        letter: the story's letter within the item.
        item_id: the study's item; for a rubric, the story itself.
        story_id: the study's story.
        author: of the story; ratings need it.
        asked: whether the question is about this story: the judges' first, or the human story.
        texts: the digests of its text's pieces as shown, see ``text_digest``.
    """

    id: str
    number: int
    letter: str
    item_id: str
    story_id: str
    author: str
    asked: bool
    texts: tuple[str, ...]


class FormKey(Params):
    """The key of one annotator's form of one task; ``rubric`` holds the criteria's names."""

    fingerprint: str
    study: str
    annotator: str
    task: Literal["ranking", "confirmation", "best", "best-of-16", "rubric"]
    seed: int
    rubric: tuple[str, ...]
    scale: tuple[int, int]
    rows: tuple[KeyRow, ...]

    @model_validator(mode="after")
    def _unchanged(self) -> "FormKey":
        content = self.model_dump(mode="json", exclude={"fingerprint"})
        if self.fingerprint != fingerprint(content):
            raise ValueError("the fingerprint is not that of the content: the key was changed")
        return self

    @cached_property
    def items(self) -> dict[int, list[KeyRow]]:
        """The stories of each item of the form, by the item's number."""
        items: dict[int, list[KeyRow]] = {}
        for row in self.rows:
            items.setdefault(row.number, []).append(row)
        return items

    def fields(self, stories: int | None = None) -> dict[str, Allowed]:
        """Return the answer columns and what they allow.

        Args:
            stories: of the item; by default as many as the largest has.
        """
        if stories is None:
            stories = max(map(len, self.items.values()))
        return fields(self.task, stories, rubric=self.rubric, scale=self.scale)


class Key(Params):
    """The annotation forms that went out together; files of version 1 call them sheets."""

    version: Literal[1] = 1
    sheets: tuple[FormKey, ...]


def fingerprint(content: object) -> str:
    """Return a digest in letters alone, which no spreadsheet program takes for a number."""
    digest = hashlib.sha256(json_text(content).encode()).hexdigest()[:FINGERPRINT_LENGTH]
    return "".join(_LETTERS[int(digit, 16)] for digit in digest)


def text_digest(text: str) -> str:
    """Return a digest of a text's letters and digits, which no saving changes."""
    return hashlib.sha256("".join(filter(str.isalnum, text)).encode()).hexdigest()[:16]


def key_text(key: Key) -> str:
    """Return the key as JSON."""
    return json_text(key.model_dump(mode="json"))


def read_key(path: Path) -> Key:
    """Read a key.

    Raises:
        InputError: no such file, not a key, or one that was changed.
    """
    try:
        return Key.model_validate_json(read_text(path))
    except ValidationError as error:
        raise InputError(
            f"not a key of annotation forms ({first_fault(error)}).",
            "Give the file that was written with the forms, unchanged.",
            file=path,
        ) from None


def asked_questions(keys: Sequence[Key]) -> pd.DataFrame:
    """Return what the keys' forms ask, for ``storyaudit.forms.adjudicated``.

    Returns:
        item_id, task, annotator and asked (the story in question; missing where there is none):
        one row an item of a form, in the order of tasks, items and annotators. Rubrics decide
        nothing and are left out.
    """
    rows = [
        (TASKS.index(form.task), row.item_id, form.annotator, row.story_id if row.asked else None)
        for key in keys
        for form in key.sheets
        if form.task != "rubric"
        for row in form.rows
    ]
    frame = pd.DataFrame(rows, columns=["task", "item_id", "annotator", "asked"])
    first = frame.groupby(["task", "item_id", "annotator"], sort=True)["asked"].first()
    found = first.reset_index()
    found["task"] = [TASKS[index] for index in found["task"]]
    return found[["item_id", "task", "annotator", "asked"]]

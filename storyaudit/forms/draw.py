"""Draw blind forms from a task table."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from storyaudit.errors import InputError
from storyaudit.forms.key import FormKey, KeyRow, fingerprint, text_digest
from storyaudit.forms.parts import parts
from storyaudit.forms.questions import CRITERIA, LETTERS, RUBRIC, SCALE
from storyaudit.forms.uniform import legible, uniform

# Consonants: no word of any language, and nothing that a spreadsheet program takes for a number,
# a date or a truth value.
_ID_LETTERS = np.array(list("BCDFGHJKLMNPQRSTVWXZ"))
_ID_LENGTH = 7


class Form(NamedTuple):
    """A form before it is written: its key, and the premise and text of each of the key's rows."""

    key: FormKey
    premises: list[str]
    texts: list[str]


def draw_forms(
    tasks: pd.DataFrame,
    annotators: Sequence[str],
    rng: np.random.Generator,
    *,
    study: str,
    seed: int,
    rubric: Sequence[str] = CRITERIA,
    scale: tuple[int, int] = SCALE,
) -> list[Form]:
    """Return one form an annotator, of the tasks of one kind.

    Each annotator gets the items, and the stories within an item, in an order of its own, under
    IDs of its own; texts have the one format of ``uniform``. Nothing of a form but the texts
    depends on who wrote them.

    Args:
        tasks: rows of one task, see ``storyaudit.forms.tasks.task_table``.
        annotators: their names.
        rng: the generator; a further annotator at the end changes no other's form.
        study: the study's name, for the key.
        seed: of the generator, for the key.
        rubric: the criteria's names, for a rubric.
        scale: a rubric's lowest and highest score.

    Raises:
        InputError: a story of which nothing can be seen.
        ValueError: tasks of more than one kind.
    """
    (task,) = tasks["task"].unique()
    texts = {
        story: uniform(text, premise=premise)
        for story, text, premise in zip(
            *(map(str, tasks[name]) for name in ("story_id", "text", "premise")), strict=True
        )
    }
    empty = [story for story, text in texts.items() if not text]
    if empty:
        raise InputError(
            f"story {empty[0]} has no text that can be seen ({len(empty)} such stories).",
            "Correct its text, or leave its item out.",
        )
    digests = {story: tuple(map(text_digest, parts(text))) for story, text in texts.items()}
    premises = {premise: legible(premise) for premise in tasks["premise"].unique()}
    items = [group for _, group in tasks.groupby("item_id", sort=True)]
    forms = []
    for annotator, stream in zip(annotators, rng.spawn(len(annotators)), strict=True):
        ids = iter(_ids(len(tasks), stream))
        rows: list[KeyRow] = []
        shown: list[str] = []
        for number, index in enumerate(stream.permutation(len(items)), start=1):
            group = items[index].iloc[stream.permutation(len(items[index]))]
            for letter, row in zip(LETTERS, group.itertuples(index=False), strict=False):
                shown.append(premises[row.premise])
                rows.append(
                    KeyRow(
                        id=next(ids),
                        number=number,
                        letter=letter,
                        item_id=row.item_id,
                        story_id=row.story_id,
                        author=row.author,
                        asked=bool(row.asked),
                        texts=digests[row.story_id],
                    )
                )
        content: dict[str, Any] = {
            "study": study,
            "annotator": annotator,
            "task": task,
            "seed": seed,
            "rubric": tuple(rubric) if task == RUBRIC else (),
            "scale": tuple(scale),
        }
        digest = fingerprint({**content, "rows": [row.model_dump() for row in rows]})
        key = FormKey(fingerprint=digest, rows=tuple(rows), **content)
        forms.append(Form(key, shown, [texts[row.story_id] for row in rows]))
    return forms


def _ids(number: int, rng: np.random.Generator) -> list[str]:
    """Return so many different random IDs."""
    found: dict[str, None] = {}
    while len(found) < number:
        drawn = rng.choice(_ID_LETTERS, size=(number - len(found), _ID_LENGTH))
        found |= dict.fromkeys("".join(letters) for letters in drawn)
    return list(found)

"""The values of a filled form's cells, each one that its question allows."""

import unicodedata
from typing import NamedTuple

from storyaudit.forms.filled import Cell, Filled, fault
from storyaudit.forms.grid import blank, shown, whole
from storyaudit.forms.questions import Allowed, expected

AnswerId = tuple[str, str]
"""A story's ID on the form, and the answer column."""


class Checked(NamedTuple):
    """An answer: a whole number or a word in the question's own spelling, and its cell."""

    value: int | str
    location: str


def checked_values(form: Filled) -> dict[AnswerId, Checked]:
    """Return the answers that were given.

    Raises:
        InputError: values that their questions do not allow, two answers to one, or an ID that is
            not the form's; the first with its cell, and where the others are.
    """
    key = form.key
    allowed: dict[AnswerId, Allowed] = {
        (row.id, name): values
        for stories in key.items.values()
        for name, values in key.fields(len(stories)).items()
        for row in stories
    }
    found: dict[AnswerId, Checked] = {}
    faults: list[tuple[str, str]] = []
    for cell in form.cells:
        if blank(cell.value):
            continue
        answer_id = (cell.id, cell.field)
        if answer_id not in allowed:
            faults.append(
                (cell.location, f"expected a story of this form, found '{cell.id[:40]}'.")
            )
            continue
        value = _value(cell, allowed[answer_id])
        if value is None:
            problem = f"expected {expected(allowed[answer_id])}, found {_said(cell.value)}."
            faults.append((cell.location, problem))
        elif answer_id in found:
            faults.append(
                (cell.location, f"expected one answer, found another in {found[answer_id][1]}.")
            )
        else:
            found[answer_id] = Checked(value, cell.location)
    if faults:
        raise fault(form.file, faults)
    return found


def _value(cell: Cell, allowed: Allowed) -> int | str | None:
    if isinstance(allowed, range):
        number = whole(cell.value)
        return number if number is not None and number in allowed else None
    if not isinstance(cell.value, str):
        return None
    word = unicodedata.normalize("NFKC", cell.value).strip().casefold()
    return next((name for name in allowed if name.casefold() == word), None)


def _said(value: object) -> str:
    if isinstance(value, str) and value.lstrip().startswith("="):
        return f"the formula {shown(value)}"
    return shown(value)

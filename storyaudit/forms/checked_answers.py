"""The values of a filled sheet's cells, each one that its question allows."""

import unicodedata
from typing import NamedTuple

from storyaudit.forms.filled import Cell, Filled, fault
from storyaudit.forms.grid import blank, shown, whole
from storyaudit.forms.questions import Allowed, expected

Place = tuple[str, str]
"""A story's ID on the sheet, and the answer column."""


class Checked(NamedTuple):
    """An answer: a whole number or a word in the question's own spelling, and its cell."""

    value: int | str
    place: str


def checked_values(sheet: Filled) -> dict[Place, Checked]:
    """Return the answers that were given.

    Raises:
        InputError: values that their questions do not allow, two answers to one, or an ID that is
            not the sheet's; the first with its cell, and where the others are.
    """
    key = sheet.key
    allowed: dict[Place, Allowed] = {
        (row.id, name): values
        for stories in key.items.values()
        for name, values in key.fields(len(stories)).items()
        for row in stories
    }
    found: dict[Place, Checked] = {}
    faults: list[tuple[str, str]] = []
    for cell in sheet.cells:
        if blank(cell.value):
            continue
        place = (cell.id, cell.field)
        if place not in allowed:
            faults.append((cell.place, f"expected a story of this sheet, found '{cell.id[:40]}'."))
            continue
        value = _value(cell, allowed[place])
        if value is None:
            problem = f"expected {expected(allowed[place])}, found {_said(cell.value)}."
            faults.append((cell.place, problem))
        elif place in found:
            faults.append((cell.place, f"expected one answer, found another in {found[place][1]}."))
        else:
            found[place] = Checked(value, cell.place)
    if faults:
        raise fault(sheet.file, faults)
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

"""A filled form as a list of cells, whatever program it came from."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from storyaudit.errors import InputError
from storyaudit.forms.form_layout import ID, ITEM, SHEET, STORY, TEXT
from storyaudit.forms.grid import Grid, blank, read_grid, shown
from storyaudit.forms.key import FormKey, Key, text_digest

REMEDY = "Correct the cell, or ask the annotator."


class Cell(NamedTuple):
    """A cell where an answer may stand: its location for a reader, the story's ID, the column."""

    location: str
    id: str
    field: str
    value: object


class Filled(NamedTuple):
    """One annotator's answers to one form: its key, the file, and its cells, empty ones too."""

    key: FormKey
    file: Path
    cells: list[Cell]


def fault(file: Path, locations: Sequence[tuple[str, str]], remedy: str = REMEDY) -> InputError:
    """Return the error about cells of a form: the first's problem, and where the others are.

    Args:
        file: the form.
        locations: location and problem of each, as a sentence.
        remedy: what the reader can do.
    """
    location, problem = locations[0]
    others = list(dict.fromkeys(other for other, _ in locations[1:] if other != location))
    if others:
        named = ", ".join(others[:10]) + (" …" if len(others) > 10 else "")
        problem = f"{problem} Also at fault: {named}."
    return InputError(problem, remedy, file=f"{file}, {location}")


def find_form(keys: Sequence[Key], fingerprint: str, file: Path, location: str) -> FormKey:
    """Return the key of the form with that fingerprint.

    Raises:
        InputError: the form belongs to another key; names the file and the location in it.
    """
    forms = [form for key in keys for form in key.sheets]
    for form in forms:
        if form.fingerprint == fingerprint:
            return form
    of = ", ".join(sorted({form.study for form in forms}))
    problem = f"the annotation form '{fingerprint[:40]}' is not among this key's (study {of})."
    raise fault(file, [(location, problem)], "Give the key that was written with the form.")


def read_filled(path: Path, keys: Sequence[Key]) -> Filled:
    """Read a filled XLSX or CSV form.

    Raises:
        InputError: see ``read_grid``; a form of another key, rows of different forms, a column
            renamed, an ID that is not the form's, cells that were moved from their rows.
    """
    grid = read_grid(path)
    key = _key(grid, path, keys)
    names = list(key.fields())
    absent = [name for name in names if name.casefold() not in grid.columns]
    if absent:
        raise InputError(
            f"expected the column{'s' if len(absent) > 1 else ''} {', '.join(absent)}, "
            f"found {', '.join(grid.columns)}.",
            "Name the columns as they were.",
            file=path,
        )
    known = {row.id: row for row in key.rows}
    owner = {digest: row.id for row in key.rows for digest in row.texts}
    faults: list[tuple[str, str]] = []
    cells: list[Cell] = []
    for row, values in grid.rows:
        answers = [Cell(grid.location(row, n), "", n, grid.at(values, n)) for n in names]
        written = shown(grid.at(values, ID) or "")
        story = known.get(written)
        if story is None:
            if written or not all(blank(cell.value) for cell in answers):
                problem = f"expected an ID of this form, found '{written}'."
                faults.append((grid.location(row, ID), problem))
            continue
        cells += [cell._replace(id=story.id) for cell in answers]
        for name, right in ((ITEM, str(story.number)), (STORY, story.letter)):
            if name in grid.columns and shown(grid.at(values, name)) != right:
                problem = f"expected {right} beside the ID {story.id}."
                faults.append((grid.location(row, name), problem))
        digest = text_digest(str(grid.at(values, TEXT) or ""))
        if digest not in story.texts and digest in owner:
            faults.append((grid.location(row, TEXT), "this text is not that of the ID in its row."))
    if faults:
        raise fault(path, faults, "Sort whole rows or none, and leave the IDs as they were.")
    return Filled(key, path, cells)


def _key(grid: Grid, path: Path, keys: Sequence[Key]) -> FormKey:
    """Return the key of the form that every row says it belongs to."""
    found: FormKey | None = None
    for row, values in grid.rows:
        written = shown(grid.at(values, SHEET) or "")
        if blank(grid.at(values, ID)) and not written:
            continue  # a note below the form; an answer there is refused later
        if found is not None and written != found.fingerprint:
            problem = f"expected the annotation form '{found.fingerprint}', found '{written}'."
            remedy = "Keep the rows of each annotation form in a file of their own."
            raise fault(path, [(grid.location(row, SHEET), problem)], remedy)
        found = found or find_form(keys, written, path, grid.location(row, SHEET))
    if found is None:
        raise InputError(
            "expected rows below the header, found none.", "Check how it was saved.", file=path
        )
    return found

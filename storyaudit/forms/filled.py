"""A filled sheet as a list of cells, whatever program it came from."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from storyaudit.errors import InputError
from storyaudit.forms.form_layout import ID, ITEM, SHEET, STORY, TEXT
from storyaudit.forms.grid import Grid, blank, read_grid, shown
from storyaudit.forms.key import Key, SheetKey, text_digest

REMEDY = "Correct the cell, or ask the annotator."


class Cell(NamedTuple):
    """A cell where an answer may stand: its place for a person, the story's ID, the column."""

    place: str
    id: str
    field: str
    value: object


class Filled(NamedTuple):
    """One annotator's answers to one sheet: its key, the file, and its cells, empty ones too."""

    key: SheetKey
    file: Path
    cells: list[Cell]


def fault(file: Path, places: Sequence[tuple[str, str]], remedy: str = REMEDY) -> InputError:
    """Return the error about cells of a sheet: the first's problem, and where the others are.

    Args:
        file: the sheet.
        places: place and problem of each, as a sentence.
        remedy: what the person can do.
    """
    place, problem = places[0]
    others = list(dict.fromkeys(other for other, _ in places[1:] if other != place))
    if others:
        named = ", ".join(others[:10]) + (" …" if len(others) > 10 else "")
        problem = f"{problem} Also at fault: {named}."
    return InputError(problem, remedy, file=f"{file}, {place}")


def find_sheet(keys: Sequence[Key], fingerprint: str, file: Path, place: str) -> SheetKey:
    """Return the key of the sheet with that fingerprint.

    Raises:
        InputError: the sheet belongs to another key; names the file and the place in it.
    """
    sheets = [sheet for key in keys for sheet in key.sheets]
    for sheet in sheets:
        if sheet.fingerprint == fingerprint:
            return sheet
    of = ", ".join(sorted({sheet.study for sheet in sheets}))
    problem = f"the sheet '{fingerprint[:40]}' is none of this key's (study {of})."
    raise fault(file, [(place, problem)], "Give the key that was written with the sheet.")


def read_filled(path: Path, keys: Sequence[Key]) -> Filled:
    """Read a filled XLSX or CSV sheet.

    Raises:
        InputError: see ``read_grid``; a sheet of another key, rows of different sheets, a column
            renamed, an ID that is not the sheet's, cells that were moved from their rows.
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
        answers = [Cell(grid.place(row, n), "", n, grid.at(values, n)) for n in names]
        written = shown(grid.at(values, ID) or "")
        story = known.get(written)
        if story is None:
            if written or not all(blank(cell.value) for cell in answers):
                problem = f"expected an ID of this sheet, found '{written}'."
                faults.append((grid.place(row, ID), problem))
            continue
        cells += [cell._replace(id=story.id) for cell in answers]
        for name, right in ((ITEM, str(story.number)), (STORY, story.letter)):
            if name in grid.columns and shown(grid.at(values, name)) != right:
                problem = f"expected {right} beside the ID {story.id}."
                faults.append((grid.place(row, name), problem))
        digest = text_digest(str(grid.at(values, TEXT) or ""))
        if digest not in story.texts and digest in owner:
            faults.append((grid.place(row, TEXT), "this text is not that of the ID in its row."))
    if faults:
        raise fault(path, faults, "Sort whole rows or none, and leave the IDs as they were.")
    return Filled(key, path, cells)


def _key(grid: Grid, path: Path, keys: Sequence[Key]) -> SheetKey:
    """Return the key of the sheet that every row says it belongs to."""
    found: SheetKey | None = None
    for row, values in grid.rows:
        written = shown(grid.at(values, SHEET) or "")
        if blank(grid.at(values, ID)) and not written:
            continue  # a note below the sheet; an answer there is refused later
        if found is not None and written != found.fingerprint:
            problem = f"expected the sheet '{found.fingerprint}', found '{written}'."
            remedy = "Keep the rows of each sheet in a file of their own."
            raise fault(path, [(grid.place(row, SHEET), problem)], remedy)
        found = found or find_sheet(keys, written, path, grid.place(row, SHEET))
    if found is None:
        raise InputError(
            "expected rows below the header, found none.", "Check how it was saved.", file=path
        )
    return found

"""Read a workbook in which raters score stories side by side, as Confederacy's authors made it.

Each block of columns is headed 'Rubric item #' with the items' numbers to its right; a block under
the word AVERAGES is nobody's. Rows begin with a story's ID and author. A cell 'Group 1' in a
block's first column starts a group; its raters, one a block, are numbered on from group to group.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from storyaudit.errors import InputError
from storyaudit.io.formats.xlsx import cell_name, worksheets

HEADER = "rubric item"
NO_STORY = ("example", "average", "averages")
Row = tuple[Any, ...]


class RatingSheets(NamedTuple):
    """What the workbook holds.

    Attributes:
        ratings: the ratings table (rater, group, story_id, author, item, score); an empty cell
            is a missing score.
        labels: story_id, author (beside the scores), other (on a further sheet that names the
            stories' authors; missing where none does).
    """

    ratings: pd.DataFrame
    labels: pd.DataFrame


@dataclass(frozen=True)
class _Sheet:
    file: Path
    title: str
    rows: list[Row]

    def at(self, row: int, column: int) -> Any:
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def error(self, row: int, column: int, problem: str, remedy: str) -> InputError:
        cell = cell_name(row + 1, column)
        return InputError(f"sheet '{self.title}', cell {cell}: {problem}", remedy, file=self.file)


class _Block(NamedTuple):
    column: int
    items: list[str]


def read_rating_sheets(path: Path, authors: Mapping[str, str] | None = None) -> RatingSheets:
    """Read the workbook's first sheet that has a block of scores, and its sheet of authors.

    Args:
        path: an .xlsx file.
        authors: other names for authors as they stand beside the scores.

    Raises:
        InputError: not such a workbook, or a score that is not one number, with its cell.
    """
    # Formulas stay formulas: what a spreadsheet program computed is nobody's rating.
    sheets = [
        _Sheet(path, sheet.title, [cells for _, cells in sheet.rows])
        for sheet in worksheets(path, formulas=True)
    ]
    sheet, header = _find_header(sheets, path)
    blocks = _blocks(sheet, header)
    start, id_column = _find_ids(sheet, header, blocks)
    stories: list[tuple[str, str]] = []
    records = []
    group: int | None = None
    for row in range(start + 1, len(sheet.rows)):
        group = _group(sheet, row, blocks, group)
        story = _name(sheet.at(row, id_column))
        if not story or story.casefold() in NO_STORY:
            continue
        author = _name(sheet.at(row, id_column + 1))
        if not author:
            remedy = "Write the story's author beside its ID."
            raise sheet.error(row, id_column + 1, "expected an author, found nothing.", remedy)
        if group is None:
            raise sheet.error(
                row,
                blocks[0].column,
                f"story {story} stands above the first 'Group 1'.",
                "Write the group's name in each block's first column, beside its first story.",
            )
        author = (authors or {}).get(author, author)
        stories.append((story, author))
        for number, block in enumerate(blocks, start=1):
            rater = str(len(blocks) * (group - 1) + number)
            for offset, item in enumerate(block.items, start=1):
                score = _score(sheet, row, block.column + offset)
                records.append((rater, str(group), story, author, item, score))
    if not records:
        raise InputError(
            f"sheet '{sheet.title}': expected stories below '{HEADER.capitalize()} #', found none.",
            "Check that the IDs stand below 'Story ID'.",
            file=path,
        )
    columns = ["rater", "group", "story_id", "author", "item", "score"]
    return RatingSheets(
        pd.DataFrame(records, columns=columns).astype({"score": "float64"}),
        _labels(stories, [other for other in sheets if other is not sheet]),
    )


def _name(value: Any) -> str:
    """Return a cell as a name: an ID such as 9189 is a number to a spreadsheet."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def _is_header(value: Any) -> bool:
    return isinstance(value, str) and value.strip().casefold().startswith(HEADER)


def _find_header(sheets: list[_Sheet], path: Path) -> tuple[_Sheet, int]:
    for sheet in sheets:
        for row, cells in enumerate(sheet.rows):
            if any(_is_header(value) for value in cells):
                return sheet, row
    raise InputError(
        f"expected a block of scores headed '{HEADER.capitalize()} #' on some sheet, found none.",
        "Head each rater's block so, with the items' numbers to its right.",
        file=path,
    )


def _blocks(sheet: _Sheet, header: int) -> list[_Block]:
    blocks: list[_Block] = []
    for column, value in enumerate(sheet.rows[header]):
        if not _is_header(value):
            continue
        items: list[str] = []
        while name := _name(sheet.at(header, column + 1 + len(items))):
            items.append(name)
        if not items:
            problem = "expected the items' numbers to the right, found nothing."
            raise sheet.error(header, column, problem, "Number the items.")
        above = [
            _name(sheet.at(row, place)).casefold()
            for row in range(header)
            for place in range(column, column + 1 + len(items))
        ]
        if not any(name.startswith("average") for name in above):
            blocks.append(_Block(column, items))
    if not blocks:
        problem = "expected a rater's block, found averages only."
        raise sheet.error(header, 0, problem, "Check the sheet.")
    for block in blocks[1:]:
        if block.items != blocks[0].items:
            raise sheet.error(
                header,
                block.column,
                f"expected the items {', '.join(blocks[0].items)} as in the first block, found "
                f"{', '.join(block.items)}.",
                "Give every rater the same items, in one order.",
            )
    return blocks


def _find_ids(sheet: _Sheet, header: int, blocks: list[_Block]) -> tuple[int, int]:
    for row in range(header, len(sheet.rows)):
        for column in range(max(0, blocks[0].column - 1)):
            if _name(sheet.at(row, column)).casefold() == "story id":
                return row, column
    raise sheet.error(
        header,
        0,
        "expected 'Story ID' above the stories' IDs, two columns or more before the first block.",
        "Head the column of IDs so, with the authors in the next column.",
    )


def _group(sheet: _Sheet, row: int, blocks: list[_Block], group: int | None) -> int | None:
    """Return the group of a row: a new one where the blocks' first column names it."""
    named = {block.column: _name(sheet.at(row, block.column)) for block in blocks}
    for column, name in named.items():
        if not name:
            continue
        found = re.fullmatch(r"group\s*(\d+)", name, re.IGNORECASE)
        if found is None or int(found[1]) < 1:
            problem = f"expected 'Group' and its number, found '{name}'."
            raise sheet.error(row, column, problem, "Name groups 'Group 1', 'Group 2' and so on.")
        if len(set(named.values())) > 1:
            place, other = next((c, n) for c, n in named.items() if n != name)
            raise sheet.error(
                row,
                place,
                f"expected '{name}' as in the other block, "
                f"found {repr(other) if other else 'nothing'}.",
                "Name the group in each rater's block; head a block of averages AVERAGES.",
            )
        return int(found[1])
    return group


def _score(sheet: _Sheet, row: int, column: int) -> float:
    value = sheet.at(row, column)
    if value is None or (isinstance(value, str) and not value.strip()):
        return float("nan")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    shown = str(value).strip()
    if re.fullmatch(r"-?\d+(\.\d+)?", shown):
        return float(shown)
    if shown.startswith("="):
        problem = f"expected a score, found the formula {shown[:40]}."
        remedy = "Write the score itself; a block of averages is left out if headed AVERAGES."
    elif re.fullmatch(r"\d+(\.\d+)?\s*[/;,&]\s*\d+(\.\d+)?", shown):
        problem = f"expected one rater's score, found two in one cell ('{shown}')."
        remedy = "Write each rater's score into that rater's block."
    else:
        problem = f"expected a score, found '{shown[:40]}'."
        remedy = "Write a number, or leave the cell empty if there is no score."
    raise sheet.error(row, column, problem, remedy)


def _labels(stories: list[tuple[str, str]], others: list[_Sheet]) -> pd.DataFrame:
    """Return the authors beside the scores and on the further sheets, by story."""
    known = {story for story, _ in stories}
    other: dict[str, str] = {}
    for sheet in others:
        for cells in sheet.rows:
            names = [_name(value) for value in cells]
            story = next((name for name in names if name in known), None)
            label = next((v.strip() for v in cells if isinstance(v, str) and v.strip()), None)
            if story is not None and label is not None and label != story:
                other.setdefault(story, label)
    rows = [(story, author, other.get(story)) for story, author in stories]
    return pd.DataFrame(rows, columns=["story_id", "author", "other"])

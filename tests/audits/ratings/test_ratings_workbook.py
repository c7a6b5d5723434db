"""The reader of a workbook in which raters score stories side by side."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from openpyxl.worksheet.worksheet import Worksheet
from ratings_samples import REAL, published, real

from storyaudit.data.tables import RATINGS, sort_by_key
from storyaudit.errors import InputError
from storyaudit.layouts.rating_sheets import RatingSheets, read_rating_sheets

ITEMS = (1, 2, 3)
BLOCKS = (4, 9)  # the two raters' first columns, D and I; the averages stand at N
AVERAGES = 14
# ID, author, group; the IDs 9189 and 2477 are numbers to a spreadsheet.
STORIES = [("3V7S", "oa", 1), (9189, "chatgpt-free", 1), ("B2NX", "human", 2), (2477, "oa", 2)]
OTHER = {"3V7S": "OA", 9189: "chatgpt", "B2NX": "human2", 2477: "OA"}
FIRST = 10  # row of the first story


def score(story: int, block: int, item: int) -> int:
    return (3 * story + 5 * block + 2 * item) % 10 + 1


def workbook(path: Path, change: Callable[[Worksheet], object] | None = None) -> Path:
    """Write a small workbook laid out like the published one, and change it."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "Rater's Sheet Unsorted"
    sheet.cell(2, 5, "Please rate each of the stories out of 10.")
    sheet.cell(3, AVERAGES, "AVERAGES")
    sheet.cell(6, 1, "Story ID")
    for column in (*BLOCKS, AVERAGES):
        sheet.cell(4, column, "Rubric item #")
        for item in ITEMS:
            sheet.cell(4, column + item, item)
            sheet.cell(5, column + item, f"Name {item}")
    rows: list[tuple[int, Any, Any, int | None]] = [(8, "EXAMPLE", None, None)]
    rows += [(FIRST + n, story, author, n) for n, (story, author, _) in enumerate(STORIES)]
    for row, story, author, number in rows:
        sheet.cell(row, 1, story)
        sheet.cell(row, 2, author)
        for block, column in enumerate(BLOCKS):
            for item in ITEMS:
                value = 9 if number is None else score(number, block, item)
                sheet.cell(row, column + item, value)
        for item in ITEMS:
            sheet.cell(row, AVERAGES + item, f"=AVERAGE(E{row},J{row})")
    for row, group in ((FIRST, 1), (FIRST + 2, 2)):
        for column in BLOCKS:
            sheet.cell(row, column, f"Group {group}")
    last = FIRST + len(STORIES) + 1
    sheet.cell(last, 1, "Average")
    sheet.cell(last, 5, f"=AVERAGE(E{FIRST}:E{last - 2})")
    other = book.create_sheet("Deanonymization")
    for row, (story, label) in enumerate(OTHER.items(), start=3):
        other.cell(row, 2, label)
        other.cell(row, 3, row)
        other.cell(row, 4, story)
    if change is not None:
        change(sheet)
    book.save(path)
    return path


@pytest.fixture
def sheets(tmp_path: Path) -> RatingSheets:
    return read_rating_sheets(workbook(tmp_path / "sheet.xlsx"))


def test_every_score_stands_under_its_rater(sheets: RatingSheets) -> None:
    expected = [
        (
            str(2 * (group - 1) + block + 1),
            str(group),
            str(story),
            author,
            str(item),
            float(score(number, block, item)),
        )
        for number, (story, author, group) in enumerate(STORIES)
        for block in range(2)
        for item in ITEMS
    ]
    assert [tuple(row) for row in sheets.ratings.to_numpy()] == expected
    assert list(sheets.ratings.columns) == [
        "rater", "group", "story_id", "author", "item", "score",
    ]  # fmt: skip


def test_neither_the_example_nor_the_averages_are_ratings(sheets: RatingSheets) -> None:
    assert set(sheets.ratings["story_id"]) == {"3V7S", "9189", "B2NX", "2477"}
    assert set(sheets.ratings["rater"]) == {"1", "2", "3", "4"}


def test_authors_are_those_beside_the_scores_and_the_other_sheets_are_kept(
    sheets: RatingSheets,
) -> None:
    expected = [(str(s), author, OTHER[s]) for s, author, _ in STORIES]
    assert [tuple(row) for row in sheets.labels.to_numpy()] == expected


def test_authors_can_be_renamed(tmp_path: Path) -> None:
    path = workbook(tmp_path / "sheet.xlsx")
    found = read_rating_sheets(path, {"chatgpt-free": "chatgpt-gpt35"})
    assert set(found.ratings["author"]) == {"oa", "human", "chatgpt-gpt35"}
    assert set(found.labels["author"]) == {"oa", "human", "chatgpt-gpt35"}


@pytest.mark.parametrize(("value", "expected"), [(0, 0.0), (7.5, 7.5), ("8", 8.0), (" 8 ", 8.0)])
def test_scores_that_can_be_read(tmp_path: Path, value: object, expected: float) -> None:
    path = workbook(tmp_path / "s.xlsx", lambda sheet: sheet.cell(FIRST, 5, value))
    assert read_rating_sheets(path).ratings["score"][0] == expected


@pytest.mark.parametrize("value", [None, "", "  "])
def test_an_empty_cell_is_a_missing_score(tmp_path: Path, value: object) -> None:
    def empty(sheet: Worksheet) -> None:
        sheet.cell(FIRST, 5).value = value

    ratings = read_rating_sheets(workbook(tmp_path / "s.xlsx", empty)).ratings
    assert np.isnan(ratings["score"][0]) and ratings["score"].isna().sum() == 1
    assert len(ratings) == 24


def cell(row: int, column: int, value: object) -> Callable[[Worksheet], object]:
    def change(sheet: Worksheet) -> None:
        sheet.cell(row, column).value = value

    return change


BAD: dict[str, tuple[Callable[[Worksheet], object], list[str]]] = {
    "two raters in one cell": (
        cell(FIRST, 5, "7/8"),
        ["sheet 'Rater's Sheet Unsorted'", "cell E10", "'7/8'", "into that rater's block"],
    ),
    "text": (cell(FIRST, 6, "good"), ["cell F10", "'good'", "leave the cell empty"]),
    "true": (cell(FIRST, 6, True), ["cell F10", "'True'"]),
    "formula": (cell(FIRST + 1, 10, "=J10"), ["cell J11", "the formula =J10", "AVERAGES"]),
    "averages without their heading": (
        cell(3, AVERAGES, None),
        ["cell N10", "'Group 1'", "found nothing", "AVERAGES"],
    ),
    "no author": (cell(FIRST, 2, None), ["cell B10", "expected an author"]),
    "no group": (
        lambda sheet: [cell(FIRST, column, None)(sheet) for column in BLOCKS],
        ["story 3V7S stands above the first 'Group 1'"],
    ),
    "groups that differ": (cell(FIRST, 9, "Group 2"), ["cell I10", "'Group 1'", "'Group 2'"]),
    "a group in one block": (cell(FIRST + 2, 9, None), ["cell I12", "'Group 2'"]),
    "a group without a number": (cell(FIRST, 4, "Team A"), ["cell D10", "'Team A'"]),
    "no block header": (
        lambda sheet: [cell(4, column, None)(sheet) for column in (*BLOCKS, AVERAGES)],
        ["headed 'Rubric item #'"],
    ),
    "averages only": (
        lambda sheet: [cell(4, column, None)(sheet) for column in BLOCKS],
        ["averages only"],
    ),
    "no items": (
        lambda sheet: [cell(4, 4 + item, None)(sheet) for item in ITEMS],
        ["cell D4", "the items' numbers"],
    ),
    "other items": (cell(4, 10, 7), ["cell I4", "the items 1, 2, 3", "found 7, 2, 3"]),
    "no heading of the IDs": (cell(6, 1, None), ["expected 'Story ID'"]),
    "no stories": (
        lambda sheet: sheet.delete_rows(7, 20),
        ["expected stories below 'Rubric item #'"],
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_refused_with_its_cell_and_a_remedy(
    tmp_path: Path, name: str
) -> None:
    change, parts = BAD[name]
    path = workbook(tmp_path / "sheet.xlsx", change)
    with pytest.raises(InputError) as caught:
        read_rating_sheets(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and caught.value.remedy.endswith(".")
    for part in parts:
        assert part in message


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_rating_sheets(tmp_path / "absent.xlsx")
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match="not a readable XLSX workbook"):
        read_rating_sheets(broken)


class TestReal:
    """The authors' own workbook."""

    pytestmark = real

    def test_it_holds_the_published_ratings(self) -> None:
        found = read_rating_sheets(
            REAL / "RatersSheet-WithResults.xlsx", {"chatgpt-free": "chatgpt-gpt35"}
        )
        columns = list(found.ratings.columns)
        ours = sort_by_key(found.ratings.astype(dict.fromkeys(columns[:-1], "str")), RATINGS)
        pd.testing.assert_frame_equal(ours, sort_by_key(published(), RATINGS)[list(ours.columns)])

    def test_the_sheet_without_results_is_refused(self) -> None:
        with pytest.raises(InputError, match="'Story ID'"):
            read_rating_sheets(REAL / "RatersSheet.xlsx")

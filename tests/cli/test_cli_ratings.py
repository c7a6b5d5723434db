"""``storyaudit ratings`` on a workbook of rating sheets, with stories beside it."""

import json
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from storyaudit.cli.main import cli

BLOCK = ["Rubric item #", 1, 2, None, "Total"]
ROWS = [  # ID, author, then two raters' blocks: the first column of a block names the group
    [9189, "human", "Group 1", 3, 4, None, 7, None, "Group 1", 5, 6, None, 11],
    ["B2", "model", None, 1, 2, None, 3, None, None, 2, 2, None, 4],
]


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append([None, None, *BLOCK, None, *BLOCK])
    sheet.append(["Story ID"])
    for row in ROWS:
        sheet.append(row)
    path = tmp_path / "sheets.xlsx"
    book.save(path)
    return path


def found(*arguments: str) -> dict[str, dict]:
    result = CliRunner().invoke(cli, ["ratings", *arguments, "--json"])
    assert result.exit_code in (0, 1), result.output
    return {finding["id"]: finding for finding in json.loads(result.stdout)["findings"]}


def test_rating_sheets_side_by_side_are_read_as_they_are(workbook: Path) -> None:
    means = found(str(workbook), "--scale", "1", "10")["author-means"]["evidence"]
    # Two raters' totals: (7 + 11) / 2 and (3 + 4) / 2.
    assert {row["author"]: row["mean"] for row in means} == {"human": 9.0, "model": 3.5}


def test_the_stories_are_found_by_the_table_of_names(workbook: Path, tmp_path: Path) -> None:
    stories = tmp_path / "stories"
    stories.mkdir()
    (stories / "first.txt").write_text("Once there was a lamp in a window by the sea.\n" * 9)
    (stories / "second.txt").write_text("Once there was a lamp in a window by the sea.\n" * 9)
    names = tmp_path / "names.csv"
    names.write_text("story_id,author,file_name\n9189,human,first.txt\nB2,model,second.txt\n")
    shown = found(str(workbook), "--stories", str(stories), "--names", str(names))
    assert "similar-stories" in shown  # the two are equal
    assert shown["similar-stories"]["severity"] == "fail"
    refused = CliRunner().invoke(cli, ["ratings", str(workbook), "--names", str(names)])
    assert refused.exit_code == 2
    assert "--stories" in refused.output


def test_an_unknown_reference_author_is_named(workbook: Path) -> None:
    from storyaudit.errors import InputError

    result = CliRunner().invoke(cli, ["ratings", str(workbook), "--reference", "nobody"])
    assert isinstance(result.exception, InputError)
    assert "nobody" in str(result.exception)

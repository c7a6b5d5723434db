"""Ratings from a table, or from a workbook of rating sheets."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS
from storyaudit.errors import InputError
from storyaudit.io.layouts.rating_sheets import read_rating_sheets
from storyaudit.io.records import read_records


class Ratings(NamedTuple):
    """What a file of ratings holds.

    Attributes:
        frame: the ratings table.
        ignored: columns of a table that were left out.
        labels: the stories' authors by two lists, where a workbook has them.
    """

    frame: pd.DataFrame
    ignored: list[str]
    labels: pd.DataFrame | None


def read_ratings(path: Path) -> Ratings:
    """Read ratings; an .xlsx file without the table's columns is read as rating sheets.

    Raises:
        InputError: neither a ratings table nor, where the file is a workbook, rating sheets.
    """
    if path.suffix.lower() == ".xlsx" and not _is_table(path):
        ratings, labels = read_rating_sheets(path)
        return Ratings(ratings, [], labels if labels["other"].notna().any() else None)
    frame, ignored = read_table(path, RATINGS)
    return Ratings(frame, ignored, None)


def _is_table(path: Path) -> bool:
    try:
        names = set(read_records(path).frame.columns)
    except InputError:  # a heading twice, as rating sheets have it
        return False
    return bool(names & {column.name for column in RATINGS.columns})

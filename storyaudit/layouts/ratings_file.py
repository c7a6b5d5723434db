"""Ratings from a table, or from a workbook of rating sheets."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS, holds
from storyaudit.io.formats.xlsx import headers
from storyaudit.io.streams import ending
from storyaudit.layouts.rating_sheets import read_rating_sheets


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
    if ending(path) == ".xlsx" and not _is_table(path):
        ratings, labels = read_rating_sheets(path)
        return Ratings(ratings, [], labels if labels["other"].notna().any() else None)
    frame, ignored, _ = read_table(path, RATINGS)
    return Ratings(frame, ignored, None)


def _is_table(path: Path) -> bool:
    first, *others = headers(path)
    # Rating sheets have a heading twice.
    some = len(set(first)) == len(first) and not set(RATINGS.names).isdisjoint(first)
    return some or any(map(holds(RATINGS), others))

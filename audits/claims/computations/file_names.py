"""What the names of released files say: dates, versions, sizes."""

import re
from collections.abc import Mapping

from audits.claims.computations import Data, Named

COLUMNS = ("author", "file_name")
_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


def _names(data: Data, author: str | None, other_than: str | None = None) -> list[str]:
    if data.stories is None:
        return []
    rows = data.stories.dropna(subset=["file_name"])
    if author is not None:
        rows = rows[rows["author"] == author]
    return rows.loc[rows["author"] != other_than, "file_name"].tolist()


def _dates(names: list[str]) -> list[str]:
    return sorted({date for name in names for date in _DATE.findall(name)})


def file_dates(data: Data, author: str) -> list[str] | None:
    """Return the different dates in the names of an author's files; None where there is none."""
    return _dates(_names(data, author)) or None


def last_file_date(data: Data, other_than: str | None = None) -> str | None:
    """Return the latest date in any file's name, those of the author ``other_than`` left out."""
    dates = _dates(_names(data, None, other_than))
    return dates[-1] if dates else None


def file_dates_within(data: Data, author: str, first: str, last: str) -> bool | None:
    """Return whether all dates in the names of an author's files lie between two, ends included."""
    dates = file_dates(data, author)
    return None if dates is None else first <= dates[0] and dates[-1] <= last


def files_named(data: Data, author: str, text: str) -> int | None:
    """Return how many of an author's files have a text in their name, in small letters or not."""
    names = _names(data, author)
    if not names:
        return None
    return sum(text.casefold() in name.casefold() for name in names)


FILE_NAMES: Mapping[str, Named] = {
    "file_dates": Named(file_dates, "stories", COLUMNS),
    "last_file_date": Named(last_file_date, "stories", COLUMNS),
    "file_dates_within": Named(file_dates_within, "stories", COLUMNS),
    "files_named": Named(files_named, "stories", COLUMNS),
}

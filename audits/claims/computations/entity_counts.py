"""Numbers of stories, authors, raters, criteria and groups, and of one within another."""

from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd

from audits.claims.computations import Data, Named

COLUMNS = ("rater", "story_id", "author", "item", "score")
Name = Literal["study", "rater", "group", "story_id", "author", "item"]


def _rows(data: Data, needs: Sequence[str], author: str | None) -> pd.DataFrame | None:
    """Return distinct values of some columns; None where the data lack a column."""
    ratings = data.ratings
    if ratings is None or not set(needs) <= set(ratings.columns):
        return None
    chosen = ratings if author is None else ratings[ratings["author"] == author]
    return chosen[list(dict.fromkeys(needs))].dropna().drop_duplicates()


def _names(of: Name | list[Name]) -> list[str]:
    return [of] if isinstance(of, str) else [*of]


def count(
    data: Data, of: Name | list[Name], author: str | None = None, other_than: str | None = None
) -> int | None:
    """Return the number of distinct values of a column, or of several together.

    Args:
        data: with ratings.
        of: column or columns; ``[rater, story_id]`` counts rating rows.
        author: whose rows alone count.
        other_than: the author whose rows do not count.
    """
    columns = _names(of)
    rows = _rows(data, [*columns, "author"], author)
    if rows is None:
        return None
    return len(rows[rows["author"] != other_than][columns].drop_duplicates())


def _sizes(
    data: Data, of: Name | list[Name], within: Name | list[Name], author: str | None
) -> "pd.Series[int] | None":
    outer = _names(within)
    rows = _rows(data, [*outer, *_names(of)], author)
    return None if rows is None or rows.empty else rows.groupby(outer).size()


def count_within(
    data: Data, of: Name | list[Name], within: Name | list[Name], author: str | None = None
) -> float | None:
    """Return how many distinct values of ``of`` each value of ``within`` has, on average."""
    sizes = _sizes(data, of, within, author)
    return None if sizes is None else float(sizes.mean())


def counts_within(
    data: Data, of: Name | list[Name], within: Name | list[Name], author: str | None = None
) -> list[str] | None:
    """Return the different numbers of ``of`` that values of ``within`` have, the lowest first."""
    sizes = _sizes(data, of, within, author)
    return None if sizes is None else [str(size) for size in sorted(sizes.unique())]


COUNTS: Mapping[str, Named] = {
    "count": Named(count, columns=COLUMNS),
    "count_within": Named(count_within, columns=COLUMNS),
    "counts_within": Named(counts_within, columns=COLUMNS),
}

"""Rating rows: one rater's scores of one story on every criterion of a rubric.

The ratings table has a row a score; its column ``item`` names the criterion.
"""

import pandas as pd

from storyaudit.errors import InputError

OVERALL = "overall"
RATING_ROW_KEY = ["rater", "story_id"]
LARGEST = 1e6
"""A larger score is no rubric score: no statistic uses it."""


def rating_rows(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return one row a rater and story, one column a criterion, and their sum in ``overall``.

    A row that lacks a score has no ``overall``. Of a duplicated score the first counts.

    Returns:
        Indexed by rater, story_id and author.

    Raises:
        InputError: a criterion bears the name of the sum.
    """
    if (ratings["item"] == OVERALL).any():
        raise InputError(
            f"expected no criterion named '{OVERALL}', which stands for the sum over criteria.",
            "Rename it.",
            column="item",
        )
    once = ratings.drop_duplicates([*RATING_ROW_KEY, "item"])
    wide = once.pivot(index=[*RATING_ROW_KEY, "author"], columns="item", values="score")
    wide = wide[sorted(wide.columns, key=natural_order)]
    wide[OVERALL] = wide.sum(axis=1, skipna=False)
    return wide


def natural_order(key: object) -> tuple[int, int, str]:
    """Sort names by number where they are numbers, then by name; ``overall`` last."""
    name = str(key)
    if name == OVERALL:
        return (2, 0, name)
    return (0, int(name), name) if name.isascii() and name.isdigit() else (1, 0, name)


def author_statistics(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return mean, sample SD (n − 1) and n of the scores of each author and criterion.

    Returns:
        Columns author, item (``overall`` is the sum of a rating row), mean, sd, n.
    """
    long = (
        rating_rows(ratings)
        .reset_index()
        .melt(id_vars=[*RATING_ROW_KEY, "author"], value_name="score")
    )
    table = (
        long.groupby(["author", "item"])["score"]
        .agg(mean="mean", sd="std", n="count")
        .reset_index()
    )
    order = table["item"].map(natural_order)
    return table.loc[
        sorted(table.index, key=lambda row: (table["author"][row], order[row]))
    ].reset_index(drop=True)

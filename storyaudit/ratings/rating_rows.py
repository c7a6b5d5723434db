"""Rating sheets: one rater's scores of one story on every item of a rubric."""

import pandas as pd

from storyaudit.errors import InputError

OVERALL = "overall"
SHEET = ["rater", "story_id"]
LARGEST = 1e6
"""A larger score is no points of a rubric: no statistic takes it in."""


def sheets(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return one row a sheet and one column an item, and their sum in ``overall``.

    A sheet that lacks a score has no overall. A score that stands twice counts once, the first.

    Returns:
        Indexed by rater, story_id and author.

    Raises:
        InputError: an item bears the name of the sum.
    """
    if (ratings["item"] == OVERALL).any():
        raise InputError(
            f"expected no item named '{OVERALL}', which stands for the sum over items.",
            "Rename it.",
            column="item",
        )
    once = ratings.drop_duplicates([*SHEET, "item"])
    wide = once.pivot(index=[*SHEET, "author"], columns="item", values="score")
    wide = wide[sorted(wide.columns, key=item_order)]
    wide[OVERALL] = wide.sum(axis=1, skipna=False)
    return wide


def item_order(item: object) -> tuple[int, int, str]:
    """Sort items by number where they are numbers, then by name; ``overall`` last."""
    name = str(item)
    if name == OVERALL:
        return (2, 0, name)
    return (0, int(name), name) if name.isascii() and name.isdigit() else (1, 0, name)


def author_statistics(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return mean, sample SD (n − 1) and n of the scores of each author and item.

    Returns:
        Columns author, item (``overall`` is the sum of a sheet), mean, sd, n.
    """
    long = sheets(ratings).reset_index().melt(id_vars=[*SHEET, "author"], value_name="score")
    table = (
        long.groupby(["author", "item"])["score"]
        .agg(mean="mean", sd="std", n="count")
        .reset_index()
    )
    order = table["item"].map(item_order)
    return table.loc[
        sorted(table.index, key=lambda row: (table["author"][row], order[row]))
    ].reset_index(drop=True)

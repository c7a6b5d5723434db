"""Rows of text pairs that overlap, by their IDs: each pair once, and what relates its texts."""

from collections.abc import Callable

import pandas as pd

KEY = ["left_id", "right_id"]
MEASURES = ["containment", "jaccard", "longest_common_substring"]


def strongest(rows: pd.DataFrame) -> pd.DataFrame:
    """Return each pair of IDs once, with its strongest row, the strongest first."""
    return rows.sort_values(
        [*MEASURES, *KEY], ascending=[False] * len(MEASURES) + [True] * len(KEY)
    ).drop_duplicates(KEY, ignore_index=True)


def once(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a side's pairs with itself: each once, the lower ID on the left, none with itself."""
    rows = rows[rows["left_id"] != rows["right_id"]]
    turned = rows["left_id"] > rows["right_id"]
    left, right = rows["left_id"], rows["right_id"]
    rows = rows.assign(left_id=left.mask(turned, right), right_id=right.mask(turned, left))
    return strongest(rows)


def related(rows: pd.DataFrame, relation: Callable[[str, str], str | None]) -> pd.DataFrame:
    """Return rows with the relation of their texts, by what gives that of two IDs."""
    relations = [relation(*ids) for ids in zip(rows["left_id"], rows["right_id"], strict=True)]
    return rows.assign(relation=pd.array(relations, dtype="str"))

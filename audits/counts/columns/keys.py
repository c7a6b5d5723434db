"""Keys of one table among those of another."""

from collections.abc import Mapping

import pandas as pd

Tables = Mapping[str, pd.DataFrame]
"""A study's tables by name."""


def pairs_in(
    frame: pd.DataFrame, columns: list[str], other: pd.DataFrame, other_columns: list[str]
) -> pd.Series:
    """Return for every row whether its values in ``columns`` stand together in another table."""
    known = pd.MultiIndex.from_frame(other[other_columns])
    return pd.Series(pd.MultiIndex.from_frame(frame[columns]).isin(known), index=frame.index)


def is_candidate(frame: pd.DataFrame, tables: Tables) -> pd.Series:
    """Return for every row whether its story is a candidate of its item."""
    place = ["item_id", "story_id"]
    return pairs_in(frame, place, tables["candidates"], place)


def differs(frame: pd.DataFrame, column: str, tables: Tables, other: str) -> pd.Series:
    """Return for every row whether another table gives its item another value of ``column``."""
    key = ["item_id", column]
    there = tables[other][key].drop_duplicates().dropna(subset="item_id")
    rows = frame[key].reset_index(names="row").merge(there, on="item_id")
    unlike = rows[f"{column}_x"] != rows[f"{column}_y"]
    return pd.Series(frame.index.isin(rows.loc[unlike, "row"]), index=frame.index)

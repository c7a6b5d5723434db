"""Keys of one table among those of another."""

from collections.abc import Mapping

import pandas as pd

from storyaudit.data.tables import CANDIDATE_KEY, among

Tables = Mapping[str, pd.DataFrame]
"""A study's tables by name."""


def is_candidate(frame: pd.DataFrame, tables: Tables) -> pd.Series:
    """Return for every row whether its story is a candidate of its item."""
    return among(frame[CANDIDATE_KEY], tables["candidates"][CANDIDATE_KEY])


def differs(frame: pd.DataFrame, column: str, tables: Tables, other: str) -> pd.Series:
    """Return for every row whether another table gives its item another value of ``column``."""
    key = ["item_id", column]
    there = tables[other][key].drop_duplicates().dropna(subset="item_id")
    rows = frame[key].reset_index(names="row").merge(there, on="item_id")
    unlike = rows[f"{column}_x"] != rows[f"{column}_y"]
    return pd.Series(frame.index.isin(rows.loc[unlike, "row"]), index=frame.index)

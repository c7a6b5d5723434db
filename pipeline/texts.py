"""The texts behind IDs."""

from typing import NamedTuple

import pandas as pd

from storyaudit.errors import InputError


class Texts(NamedTuple):
    """The texts behind a candidates table, one of each a row."""

    premises: list[str]
    stories: list[str]


def texts(ids: pd.Series, key: str, *tables: pd.DataFrame) -> list[str]:
    """Return the text of each ID, which stands in one of several tables.

    Args:
        ids: indexed by the IDs of what needs the texts, items or pairs.
        key: the tables' column of IDs.
        tables: with ``key`` and text.

    Raises:
        InputError: an ID stands in none of them, or with two different texts.
    """
    every = pd.concat([table[[key, "text"]] for table in tables]).drop_duplicates()
    known = every.set_index(key)["text"]
    again = known.index[known.index.duplicated()]
    for number, wrong in (("none", ids[~ids.isin(known.index)]), ("two", ids[ids.isin(again)])):
        if len(wrong):
            first = wrong.sort_values(kind="stable")
            raise InputError(
                f"{ids.index.name} {first.index[0]}: expected one text of the {key} "
                f"{first.iloc[0]}, found {number} ({wrong.nunique()} such IDs).",
                "Make the tables again, all of the same texts.",
                column=key,
            )
    return [str(text) for text in known[ids]]


def texts_of(candidates: pd.DataFrame, premises: pd.DataFrame, stories: pd.DataFrame) -> Texts:
    """Return each candidate's premise and story.

    Raises:
        InputError: see ``texts``.
    """
    needed = candidates.set_index("item_id")
    return Texts(
        texts(needed["premise_id"], "premise_id", premises),
        texts(needed["story_id"], "story_id", stories),
    )

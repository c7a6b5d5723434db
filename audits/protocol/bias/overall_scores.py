"""Judges' overall scores with what is known of the stories: position, words, author."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.protocol.usable_rows import Tables
from storyaudit.data.tables import JUDGEMENTS
from storyaudit.stats.estimate import Array, Codes
from storyaudit.text.words import words
from storyaudit.vocabulary import HUMAN, OVERALL

MOST_AUTHORS = 30
"""With more authors, each writes too little for a mean level of its own."""


class Overall(NamedTuple):
    """Overall scores.

    Attributes:
        rows: item_id, story_id, judge, position, score; log2_words and author, missing where
            they are not known; human stories have one author, ``HUMAN``.
        items: sorted IDs.
        authors: sorted names; empty without stories, or if there are too many.
    """

    rows: pd.DataFrame
    items: list[str]
    authors: list[str]

    def item_codes(self, rows: pd.DataFrame) -> Codes:
        """Return each row's item as a number."""
        return np.searchsorted(np.array(self.items, dtype=str), rows["item_id"].to_numpy(dtype=str))


def overall_scores(tables: Tables, prompt_variant: str) -> Overall:
    """Return the overall scores of one prompt variant; those that are missing or twice go.

    Args:
        tables: valid rows of candidates and judgements, and stories if there are any.
        prompt_variant: whose judgements count.
    """
    judgements = tables["judgements"]
    counts = (
        (judgements["prompt_variant"] == prompt_variant)
        & (judgements["dimension"] == OVERALL)
        & judgements["score"].notna()
        & ~judgements.duplicated(list(JUDGEMENTS.key), keep=False)
    )
    known = tables["candidates"][["item_id", "story_id"]].drop_duplicates()
    rows = judgements.loc[counts, ["item_id", "story_id", "judge", "position", "score"]]
    rows = rows.merge(known, on=["item_id", "story_id"])
    rows["position"] = rows["position"].astype("float64")
    if "stories" in tables:
        facts = _facts(tables["stories"], set(rows["story_id"]))
        rows = rows.merge(facts, on="story_id", how="left")
    else:
        rows = rows.assign(log2_words=np.nan, author=None)
    rows = rows.sort_values(["item_id", "judge", "story_id"], kind="stable", ignore_index=True)
    authors = sorted(rows["author"].dropna().unique())
    return Overall(
        rows,
        sorted(rows["item_id"].unique()),
        authors if len(authors) <= MOST_AUTHORS and rows["author"].notna().all() else [],
    )


def _facts(stories: pd.DataFrame, used: set[str]) -> pd.DataFrame:
    """Return the stories' lengths and authors; words are counted where the table lacks them."""
    stories = stories[stories["story_id"].isin(used)].drop_duplicates("story_id")
    stated = stories["words"] if "words" in stories else pd.Series(np.nan, stories.index)
    number = [
        float(len(words(text))) if np.isnan(known) and isinstance(text, str) else known
        for known, text in zip(stated.astype("float64"), stories["text"], strict=True)
    ]
    number_or_none = np.array([n if n > 0 else np.nan for n in number], dtype="float64")
    return pd.DataFrame(
        {
            "story_id": stories["story_id"],
            "log2_words": np.log2(number_or_none),
            "author": stories["author"].where(stories["author_kind"] != HUMAN, HUMAN),
        }
    )


def author_columns(rows: pd.DataFrame, authors: list[str]) -> Array:
    """Return an indicator column for each author: rows × authors."""
    columns = [(rows["author"] == author).to_numpy(dtype="float64") for author in authors]
    return np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0))

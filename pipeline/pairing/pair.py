"""A training pair with its texts."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from storyaudit.data.corpus import content_id, tidy
from storyaudit.vocabulary import LLM

INFERRED = "inferred"
"""Source of premises that a model inferred."""


class Premise(NamedTuple):
    """A premise; its columns in the premises table."""

    premise_id: str
    text: str
    language: str
    source: str
    provenance: str | None = None


class Story(NamedTuple):
    """A story; its columns in the stories table."""

    story_id: str
    text: str
    language: str
    source: str
    author_kind: str
    author: str
    provenance: str | None = None


class Pair(NamedTuple):
    """Of two stories for one premise, one is chosen and one rejected.

    Attributes:
        method: that made it.
        source: of the corpus from which the chosen story comes, or on which it was written.
        premise: of both.
        chosen: the better story.
        rejected: the other one.
    """

    method: str
    source: str
    premise: Premise
    chosen: Story
    rejected: Story


def inferred_premise(text: str, language: str) -> Premise:
    """Return a premise that a model inferred."""
    text = tidy(text)
    return Premise(content_id("p", text, INFERRED), text, language, INFERRED)


def written_story(text: str, language: str, *, method: str, author: str) -> Story:
    """Return a story that a model wrote for a method, which is its source."""
    text = tidy(text)
    return Story(content_id("s", text, method), text, language, method, LLM, author)


def premises_of(frame: pd.DataFrame) -> dict[str, Premise]:
    """Return the premises of a table by their IDs, in the order of the IDs."""
    names = [name for name in Premise._fields if name in frame]
    rows = frame.sort_values("premise_id")[names].itertuples(index=False, name=None)
    return {row[0]: Premise(*row) for row in rows}


def stories_of(frame: pd.DataFrame) -> list[Story]:
    """Return the stories of a table, in its order."""
    names = [name for name in Story._fields if name in frame]
    return [Story(*row) for row in frame[names].itertuples(index=False, name=None)]


def in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Return pairs in an order that depends on their content alone."""
    return sorted(
        pairs,
        key=lambda p: (p.method, p.premise.premise_id, p.chosen.story_id, p.rejected.story_id),
    )

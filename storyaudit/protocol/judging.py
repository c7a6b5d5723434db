"""Judges' scores, item by item, as arrays."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.errors import InputError
from storyaudit.tables import DIMENSIONS

OVERALL = "overall"


@dataclass(frozen=True)
class ItemScores:
    """All judges' scores of one item's stories.

    Attributes:
        stories: story IDs, sorted; the last axis of the arrays.
        overall: overall scores, one row a judge.
        dimensions: mean over judges, one row a dimension in the order of ``DIMENSIONS``.
    """

    stories: list[str]
    overall: NDArray[np.float64]
    dimensions: NDArray[np.float64]

    @property
    def first(self) -> str:
        """The story that the judges rank first, by mean overall; of tied ones the first ID."""
        return self.stories[int(self.overall.mean(axis=0).argmax())]

    def only(self, stories: set[str]) -> "ItemScores":
        """Return the scores of some of the stories."""
        kept = [index for index, story in enumerate(self.stories) if story in stories]
        return ItemScores(
            [self.stories[index] for index in kept],
            self.overall[:, kept],
            self.dimensions[:, kept],
        )


def scores_by_item(judgements: pd.DataFrame) -> dict[str, ItemScores]:
    """Return each item's scores.

    Raises:
        InputError: an item in which a score of a story is missing, on any dimension or overall,
            from any of the judges that the table knows; the message names it.
    """
    measures = [*DIMENSIONS, OVERALL]
    wide = judgements.pivot(
        index=["item_id", "judge", "story_id"], columns="dimension", values="score"
    )
    absent = [name for name in measures if name not in wide.columns]
    if absent:
        raise _incomplete(f"no judge scores '{absent[0]}'")
    if wide[measures].isna().any(axis=None):
        row = wide.index[wide[measures].isna().any(axis=1)][0]
        raise _incomplete("item {}: judge {} lacks a score of story {}".format(*row))
    items: dict[str, ItemScores] = {}
    judges = wide.index.unique("judge")
    for item_id, group in wide[measures].groupby(level="item_id", sort=True):
        stories = sorted(group.index.get_level_values("story_id").unique())
        if len(group) != len(judges) * len(stories):
            raise _incomplete(f"item {item_id}: not every judge scores every story")
        # Rows are sorted by judge, then story.
        cube = group.to_numpy().reshape(len(judges), len(stories), len(measures))
        items[str(item_id)] = ItemScores(
            stories, cube[:, :, -1].copy(), cube[:, :, :-1].mean(axis=0).T.copy()
        )
    return items


def _incomplete(problem: str) -> InputError:
    return InputError(f"the judgements are incomplete: {problem}.", "Complete them.")

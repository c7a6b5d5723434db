"""Judges' scores, item by item, as arrays."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.data.tables import JUDGEMENTS
from storyaudit.vocabulary import MEASURES

EQUAL = 1e-9
"""Means that are equal on paper can differ in the last bit."""


@dataclass(frozen=True)
class ItemScores:
    """The scores of one item's stories by the judges who scored all of them on every measure.

    Attributes:
        stories: story IDs, sorted; the second axis of ``scores``.
        judges: names, sorted; the first axis of ``scores``.
        scores: judges × stories × measures.
        left_out: judges of other items who did not score this one completely, or scored it twice.
    """

    stories: list[str]
    judges: list[str]
    scores: NDArray[np.float64]
    left_out: list[str]

    @property
    def overall(self) -> NDArray[np.float64]:
        """Overall scores, one row a judge, one column a story."""
        return self.scores[:, :, -1]

    @property
    def dimensions(self) -> NDArray[np.float64]:
        """Mean over judges, one row a dimension in the order of ``DIMENSIONS``."""
        means: NDArray[np.float64] = self.scores[:, :, :-1].mean(axis=0).T
        return means

    @property
    def first(self) -> list[str]:
        """The stories with the highest mean overall: more than one where they tie."""
        means = self.overall.mean(axis=0)
        return [self.stories[index] for index in np.flatnonzero(means >= means.max() - EQUAL)]

    def only(self, stories: Collection[str]) -> "ItemScores":
        """Return the scores of some of the stories."""
        kept = [index for index, story in enumerate(self.stories) if story in stories]
        return replace(
            self, stories=[self.stories[index] for index in kept], scores=self.scores[:, kept]
        )

    def without_judge(self, judge: str) -> "ItemScores":
        """Return the scores of the other judges."""
        kept = [index for index, name in enumerate(self.judges) if name != judge]
        return replace(
            self, judges=[self.judges[index] for index in kept], scores=self.scores[kept]
        )


def scores_by_item(judgements: pd.DataFrame) -> dict[str, ItemScores]:
    """Return each item's scores, of one prompt variant.

    A judge who lacks a score of one of the item's judged stories, on any measure, or gave two, is
    left out of that item: a mean over different judges would compare stories unequally.

    Args:
        judgements: the judgements table; missing scores are allowed, further dimensions ignored.
    """
    rows = judgements.loc[judgements["dimension"].isin(MEASURES) & judgements["score"].notna()]
    rows = rows.loc[~rows.duplicated(list(JUDGEMENTS.key), keep=False)]
    wide = rows.pivot(index=["item_id", "judge", "story_id"], columns="dimension", values="score")
    wide = wide.reindex(columns=list(MEASURES)).dropna()
    everyone = sorted(judgements["judge"].dropna().unique())
    stories_of = {
        str(item): sorted(stories.dropna().unique())
        for item, stories in judgements.groupby("item_id", sort=True)["story_id"]
    }
    found: dict[str, dict[str, NDArray[np.float64]]] = {item: {} for item in stories_of}
    for (item, judge), group in wide.groupby(level=["item_id", "judge"], sort=True):
        if len(group) == len(stories_of[str(item)]):  # rows are sorted by story
            found[str(item)][str(judge)] = group.to_numpy()
    return {
        item: ItemScores(
            stories=stories_of[item],
            judges=list(judges),
            scores=np.array(list(judges.values())).reshape(
                len(judges), len(stories_of[item]), len(MEASURES)
            ),
            left_out=[judge for judge in everyone if judge not in judges],
        )
        for item, judges in found.items()
    }

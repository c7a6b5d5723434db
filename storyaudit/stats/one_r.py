"""How well one visible feature identifies an author: the one-rule classifier (Holte 1993)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Identified:
    """How far a rule on one feature identifies a class of stories.

    Attributes:
        rule: the rule that all stories together suggest.
        hits: stories of the class that a rule learnt from the other stories names.
        positives: stories of the class.
        false_alarms: other stories that it names.
        negatives: other stories.
    """

    rule: str
    hits: int
    positives: int
    false_alarms: int
    negatives: int

    @property
    def balanced_accuracy(self) -> float:
        """Mean of the two classes' shares of right answers; 0.5 is chance."""
        right = self.negatives - self.false_alarms
        return (self.hits / self.positives + right / self.negatives) / 2


def identify(table: pd.DataFrame, positive: Flags) -> Identified | None:
    """Say how well one feature tells a class of stories from the others.

    A rule takes one feature and names the values, or the side of a threshold on a count, that
    are more frequent in the class. Each story is judged by the rule of highest balanced accuracy
    on the other stories, so that a rule is never tried on what it was learnt from.

    Args:
        table: one row a story; text columns are kinds, numeric ones counts.
        positive: which stories belong to the class.

    Returns:
        None with fewer than two stories in or outside the class.
    """
    if min(positive.sum(), (~positive).sum()) < 2:
        return None
    return _identify([_Column(str(name), table[name]) for name in table.columns], positive)


def by_chance(
    table: pd.DataFrame, positives: int, draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return balanced accuracies for classes of stories drawn at random.

    Args:
        table: as in ``identify``.
        positives: stories of a class, at least two of them and of the others.
        draws: classes.
        rng: draws them.
    """
    columns = [_Column(str(name), table[name]) for name in table.columns]
    positive = np.arange(len(table)) < positives
    return np.array(
        [_identify(columns, rng.permutation(positive)).balanced_accuracy for _ in range(draws)]
    )


def _identify(columns: list["_Column"], positive: Flags) -> Identified:
    apart = [column.learn(positive, leave_out=True) for column in columns]
    best = np.argmax([rules.score for rules in apart], axis=0)
    named = np.array([apart[column].named[story] for story, column in enumerate(best)])
    whole = [column.learn(positive, leave_out=False) for column in columns]
    suggested = int(np.argmax([rules.score[0] for rules in whole]))
    return Identified(
        columns[suggested].describe(whole[suggested].chosen[0]),
        int((named & positive).sum()),
        int(positive.sum()),
        int((named & ~positive).sum()),
        int((~positive).sum()),
    )


@dataclass(frozen=True)
class _Rules:
    """Rules on one feature, learnt without each story in turn, or the one learnt from all.

    Attributes:
        chosen: the values that a rule names, one row a rule.
        score: each rule's balanced accuracy on what it was learnt from, times 2, less 1.
        named: whether each story's rule names that story.
    """

    chosen: Flags
    score: NDArray[np.float64]
    named: Flags


class _Column:
    """A feature with its values numbered in order, so that a rule names some of the numbers."""

    def __init__(self, name: str, values: pd.Series) -> None:
        self.name = name
        self.counted = pd.api.types.is_numeric_dtype(values.dtype)
        array = values.to_numpy() if self.counted else values.to_numpy(dtype=str)
        self.labels, self.code = np.unique(array, return_inverse=True)

    def learn(self, positive: Flags, *, leave_out: bool) -> _Rules:
        """Learn the rule, or for each story the rule without it."""
        member = self.code[:, None] == np.arange(len(self.labels))
        gain = np.zeros((len(positive) if leave_out else 1, len(self.labels)))
        for side, sign in ((positive, 1), (~positive, -1)):
            counts = member[side].sum(axis=0)[None, :] - (member & side[:, None]) * leave_out
            total = side.sum() - side * leave_out
            gain += sign * (counts / np.maximum(1, total)[:, None])[: len(gain)]
        if self.counted:
            above = np.round(gain.sum(axis=1, keepdims=True) - np.cumsum(gain, axis=1), 12)
            cut = np.argmax(np.abs(above), axis=1)
            upper = np.arange(len(self.labels)) > cut[:, None]
            best = np.take_along_axis(above, cut[:, None], axis=1)
            chosen = np.where(best > 0, upper, ~upper)
        else:
            chosen = gain > 1e-12
        own = chosen[np.arange(len(self.code)) if leave_out else 0, self.code]
        # Rounded, so that equal scores are equal and the first feature wins.
        return _Rules(chosen, np.round((gain * chosen).sum(axis=1), 12), own)

    def describe(self, chosen: Flags) -> str:
        """Return a rule for people."""
        label = self.name.replace("_", " ")
        if not self.counted:
            return f"{label}: {' or '.join(self.labels[chosen].tolist())}"
        if chosen[-1]:
            return f"{self.labels[chosen][0]} {label} or more"
        return f"{self.labels[chosen][-1]} {label} or fewer"

"""Pairs of two models' stories for one premise, which a judge or the models' sizes decide."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import pandas as pd

from pipeline.pairing.pair import Pair, Premise, Story, premises_of, stories_of
from storyaudit.vocabulary import LLM, USE_TRAINING


class Contest(NamedTuple):
    """Two models' stories for one premise."""

    premise: Premise
    stories: tuple[Story, Story]


Contests = Mapping[str, Sequence[Contest]]
"""Contests by the premises' IDs."""

Judge = Callable[[Sequence[Contest]], list[int | None]]
"""Says which of two stories is better, 0 or 1; None where it does not decide."""


def contests_of(premises: pd.DataFrame, stories: pd.DataFrame) -> dict[str, list[Contest]]:
    """Return all pairs of two models' stories of each training premise, in order of their IDs."""
    known = premises_of(premises[premises["use"] == USE_TRAINING])
    by_models = stories[(stories["author_kind"] == LLM) & stories["premise_id"].isin(list(known))]
    by_models = by_models.sort_values("story_id")
    found: dict[str, list[Story]] = {premise: [] for premise in known}
    for premise, story in zip(by_models["premise_id"], stories_of(by_models), strict=True):
        found[premise].append(story)
    return {
        premise: [
            Contest(known[premise], story_pair)
            for story_pair in combinations(group, 2)
            if story_pair[0].author != story_pair[1].author
        ]
        for premise, group in found.items()
    }


def without(contests: Contests, pairs: Sequence[Pair]) -> dict[str, list[Contest]]:
    """Return the contests that no pair has decided."""
    decided = {frozenset((pair.chosen.story_id, pair.rejected.story_id)) for pair in pairs}
    return {
        premise: [c for c in group if frozenset(s.story_id for s in c.stories) not in decided]
        for premise, group in contests.items()
    }

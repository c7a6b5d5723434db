"""Pairs of two models' stories for one premise (StoryAlign, section 3.1 and appendix E.1).

Either a judge chooses, or the larger model's story is chosen over the smaller one's.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.pairing.filters import Filter
from pipeline.pairing.gathering import evenly, gather
from pipeline.pairing.pair import Pair, Premise, Story, premises_of, stories_of
from storyaudit.vocabulary import LLM

JUDGED, BY_SIZE, REPLACEMENT = "llm_llm_judged", "llm_llm_size", "replacement"


class Contest(NamedTuple):
    """Two models' stories for one premise."""

    premise: Premise
    stories: tuple[Story, Story]


Contests = Mapping[str, Sequence[Contest]]
"""Contests by the premises' IDs."""

Judge = Callable[[Sequence[Contest]], list[int | None]]
"""Says which of two stories is better, 0 or 1; None where it does not tell."""


def contests_of(premises: pd.DataFrame, stories: pd.DataFrame) -> dict[str, list[Contest]]:
    """Return all couples of two models' stories of each training premise, in order of their IDs."""
    known = premises_of(premises[premises["use"] == "training"])
    by_models = stories[(stories["author_kind"] == LLM) & stories["premise_id"].isin(list(known))]
    by_models = by_models.sort_values("story_id")
    found: dict[str, list[Story]] = {premise: [] for premise in known}
    for premise, story in zip(by_models["premise_id"], stories_of(by_models), strict=True):
        found[premise].append(story)
    return {
        premise: [
            Contest(known[premise], couple)
            for couple in combinations(group, 2)
            if couple[0].author != couple[1].author
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


def judged_pairs(
    contests: Contests,
    wanted: int,
    judge: Judge,
    keep: Filter,
    rng: np.random.Generator,
    *,
    once: bool,
) -> list[Pair]:
    """Return pairs that a judge decides, spread evenly over the premises; a tie makes none.

    Raises:
        InputError: too few contests.
    """

    def make(batch: list[Contest]) -> list[Pair]:
        pairs = []
        for contest, better in zip(batch, judge(batch), strict=True):
            if better is None:
                keep.drop(JUDGED, "undecided")
            else:
                pairs.append(_pair(JUDGED, contest, better))
        return pairs

    candidates = (contest for contest in evenly(contests, rng) if _fair(JUDGED, contest, keep))
    return gather(candidates, wanted, make, once=once, parameter=f"pairs.sizes.{JUDGED}")


def size_pairs(
    contests: Contests,
    wanted: int,
    billions: Mapping[str, float],
    keep: Filter,
    rng: np.random.Generator,
    *,
    method: str = BY_SIZE,
    parameter: str = f"pairs.sizes.{BY_SIZE}",
) -> list[Pair]:
    """Return pairs with the larger model's story chosen, spread evenly over the premises.

    Args:
        contests: of which those count whose models are of known and different size.
        wanted: how many pairs.
        billions: {model: its parameters}.
        keep: filters couples.
        rng: draws contests.
        method: of the pairs.
        parameter: that says ``wanted``, for the error.

    Raises:
        InputError: too few contests.
    """

    def unequal(contest: Contest) -> bool:
        sizes = {billions.get(story.author) for story in contest.stories}
        return None not in sizes and len(sizes) == 2

    def make(batch: list[Contest]) -> list[Pair]:
        return [
            _pair(method, contest, int(billions[second.author] > billions[first.author]))
            for contest in batch
            for first, second in [contest.stories]
        ]

    sized = {premise: list(filter(unequal, group)) for premise, group in contests.items()}
    candidates = (contest for contest in evenly(sized, rng) if _fair(method, contest, keep))
    authors = {story.author for group in contests.values() for c in group for story in c.stories}
    unknown = sorted(authors - set(billions))
    hint = f"pairs.billions lacks the size of {', '.join(unknown)}." if unknown else ""
    return gather(candidates, wanted, make, parameter=parameter, hint=hint)


def _fair(method: str, contest: Contest, keep: Filter) -> bool:
    first, second = contest.stories
    return keep.lets_through(method, first.text, second.text)


def _pair(method: str, contest: Contest, better: int) -> Pair:
    chosen, rejected = contest.stories[better], contest.stories[1 - better]
    return Pair(method, chosen.source, contest.premise, chosen, rejected)

"""Pairs of two models' stories for one premise (StoryAlign, section 3.1 and appendix E.1).

Either a judge chooses, or the larger model's story is chosen over the smaller one's.
"""

from collections.abc import Mapping

import numpy as np

from pipeline.pairing.contests import Contest, Contests, Judge
from pipeline.pairing.filters import Filter
from pipeline.pairing.gathering import evenly, gather
from pipeline.pairing.pair import Pair
from pipeline.pairing.pair_method import Making, PairMethod
from storyaudit.vocabulary import BY_SIZE, JUDGED, REPLACEMENT


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


class Judged(PairMethod):
    """A judge chooses."""

    name = JUDGED

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return the pairs, see ``judged_pairs``."""
        return judged_pairs(
            making.contests(),
            self.wanted(making),
            making.makers.judge,
            making.keep,
            rng,
            once=making.makers.judge_once,
        )


class BySize(PairMethod):
    """The larger model's story is chosen."""

    name = BY_SIZE

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return the pairs, see ``size_pairs``."""
        return size_pairs(making.contests(), self.wanted(making), making.billions, making.keep, rng)


class Replacement(PairMethod):
    """The same once more, to stand in another method's place (StoryAlign, appendix H.1)."""

    name = REPLACEMENT
    sized = False
    further = (REPLACEMENT,)

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return the pairs, see ``size_pairs``."""
        return size_pairs(
            making.contests(),
            making.params.replacements,
            making.billions,
            making.keep,
            rng,
            method=REPLACEMENT,
            parameter="pairs.replacements",
        )

"""Pairs of two models' stories for one premise (StoryAlign, section 3.1 and appendix E.1).

Either a judge chooses, or the larger model's story is chosen over the smaller one's.
"""

from typing import ClassVar

import numpy as np

from pipeline.pairing.contests import Contest
from pipeline.pairing.pair import Pair
from pipeline.pairing.pair_filter import PairFilter
from pipeline.pairing.pair_method import Making, PairMethod
from pipeline.pairing.pair_sampling import evenly, sample_until
from storyaudit.vocabulary import BY_SIZE, JUDGED, REPLACEMENT


def _fair(method: str, contest: Contest, pair_filter: PairFilter) -> bool:
    first, second = contest.stories
    return pair_filter.lets_through(method, first.text, second.text)


def _pair(method: str, contest: Contest, better: int) -> Pair:
    chosen, rejected = contest.stories[better], contest.stories[1 - better]
    return Pair(method, chosen.source, contest.premise, chosen, rejected)


class Judged(PairMethod):
    """A judge chooses."""

    name = JUDGED

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return pairs that a judge decides, spread evenly over the premises; a tie makes none.

        Raises:
            InputError: too few contests.
        """
        pair_filter, generators = making.pair_filter, making.generators

        def judged(batch: list[Contest]) -> list[Pair]:
            pairs = []
            for contest, better in zip(batch, generators.judge(batch), strict=True):
                if better is None:
                    pair_filter.drop(JUDGED, "undecided")
                else:
                    pairs.append(_pair(JUDGED, contest, better))
            return pairs

        return sample_until(
            (
                contest
                for contest in evenly(making.contests(), rng)
                if _fair(JUDGED, contest, pair_filter)
            ),
            self.wanted(making),
            judged,
            once=generators.judge_once,
            parameter=f"pairs.sizes.{JUDGED}",
        )


class BySize(PairMethod):
    """The larger model's story is chosen.

    Attributes:
        parameter: that says how many pairs are wanted.
    """

    name = BY_SIZE
    parameter: ClassVar[str] = f"pairs.sizes.{BY_SIZE}"

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return pairs of models of known and different size, spread evenly over the premises.

        Raises:
            InputError: too few contests.
        """
        contests, billions = making.contests(), making.billions

        def unequal(contest: Contest) -> bool:
            sizes = {billions.get(story.author) for story in contest.stories}
            return None not in sizes and len(sizes) == 2

        def larger(batch: list[Contest]) -> list[Pair]:
            return [
                _pair(self.name, contest, int(billions[second.author] > billions[first.author]))
                for contest in batch
                for first, second in [contest.stories]
            ]

        sized = {premise: list(filter(unequal, group)) for premise, group in contests.items()}
        authors = {
            story.author for group in contests.values() for c in group for story in c.stories
        }
        unknown = sorted(authors - set(billions))
        return sample_until(
            (c for c in evenly(sized, rng) if _fair(self.name, c, making.pair_filter)),
            self.wanted(making),
            larger,
            parameter=self.parameter,
            hint=f"pairs.billions lacks the size of {', '.join(unknown)}." if unknown else "",
        )


class Replacement(BySize):
    """The same once more, to stand in another method's place (StoryAlign, appendix H.1)."""

    name = REPLACEMENT
    sized = False
    further = (REPLACEMENT,)
    parameter = "pairs.replacements"

    def wanted(self, making: Making) -> int:
        """Return how many pairs ``pairs.replacements`` asks for."""
        return making.params.replacements

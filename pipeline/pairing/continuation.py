"""Human-guided continuation: a model that saw how a person went on, over one that did not.

StoryAlign, section 3.1 and appendix E.4: with people's own stories chosen, its model learned to
distinguish people from models. Pairs of that kind are made for an experiment alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from pipeline.pairing.originals import HumanStory
from pipeline.pairing.pair import Pair, Story, written_story
from pipeline.pairing.pair_filter import PairFilter
from pipeline.pairing.pair_method import Making, PairMethod
from pipeline.pairing.pair_sampling import sample_until
from storyaudit.text.sentences import sentences
from storyaudit.text.words import words
from storyaudit.vocabulary import CONTINUATION, HUMAN_CHOSEN


class Opened(NamedTuple):
    """A person's story, parted into its opening and the rest."""

    human: HumanStory
    opening: str
    rest: str


class Continued(NamedTuple):
    """An opening that a model continued twice.

    Attributes:
        opened: the person's story.
        guided: opening and guided continuation.
        unguided: opening and unguided continuation.
        unguided_rest: the unguided continuation alone.
    """

    opened: Opened
    guided: Story
    unguided: Story
    unguided_rest: str


def part(text: str, share: float) -> tuple[str, str] | None:
    """Return a story's opening and the rest, cut at the end of a sentence or paragraph.

    The cut is the one nearest to the share of the characters, the earlier of two. Both parts have a
    word; None where there is no such cut.
    """
    parts = sentences(text)
    places = range(len(parts))
    first = next((place for place in places if words(parts[place])), None)
    if first is None:
        return None
    last = next(place for place in reversed(places) if words(parts[place]))
    ends = list(accumulate(map(len, parts)))[first:last]
    if not ends:
        return None
    end = min(ends, key=lambda end: (abs(end - share * len(text)), end))
    return text[:end].rstrip(), text[end:].strip()


def guided_pairs(continued: Sequence[Continued]) -> list[Pair]:
    """Return pairs with the guided story chosen over the unguided one."""
    return [
        Pair(CONTINUATION, human.story.source, human.premise, guided, unguided)
        for (human, _, _), guided, unguided, _ in continued
    ]


def human_chosen_pairs(continued: Sequence[Continued], pair_filter: PairFilter) -> list[Pair]:
    """Return pairs with the person's own story chosen over the same unguided ones."""
    return [
        Pair(HUMAN_CHOSEN, human.story.source, human.premise, human.story, unguided)
        for (human, _, rest), _, unguided, unguided_rest in continued
        if pair_filter.claim(HUMAN_CHOSEN, human.story.text, unguided.text)
        and pair_filter.differ(HUMAN_CHOSEN, rest, unguided_rest)
    ]


def _opened(
    human_stories: Iterable[HumanStory], share: float, pair_filter: PairFilter
) -> Iterator[Opened]:
    for human in human_stories:
        parts = part(human.story.text, share)
        if parts is None:
            pair_filter.drop(CONTINUATION, "one_sentence")
        else:
            yield Opened(human, *parts)


def _may_pair(opened: Opened, guided: str, unguided: str, pair_filter: PairFilter) -> bool:
    return (
        pair_filter.claim(CONTINUATION, _joined(opened, guided), _joined(opened, unguided))
        and pair_filter.has_words(CONTINUATION, guided)
        and pair_filter.has_words(CONTINUATION, unguided)
        and pair_filter.differ(CONTINUATION, guided, unguided)
        and pair_filter.differ(CONTINUATION, guided, opened.rest)
    )


def _joined(opened: Opened, continuation: str) -> str:
    return f"{opened.opening}\n\n{continuation}"


def _story(opened: Opened, continuation: str, author: str) -> Story:
    text, language = _joined(opened, continuation), opened.human.story.language
    return written_story(text, language, method=CONTINUATION, author=author)


class Continuation(PairMethod):
    """A guided story chosen over an unguided one; and, for experiments, the person's own."""

    name = CONTINUATION
    further = (HUMAN_CHOSEN,)

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return the pairs, see ``guided_pairs`` and ``human_chosen_pairs``."""
        continued = self.continued(making, rng)
        chosen = (
            human_chosen_pairs(continued, making.pair_filter) if making.params.human_chosen else []
        )
        return [*guided_pairs(continued), *chosen]

    def continued(self, making: Making, rng: np.random.Generator) -> list[Continued]:
        """Return people's stories whose opening a model continued with guidance and without.

        Only the continuations are compared for near-duplicates, as both stories begin with the
        opening. A guided one that is a near-duplicate of the person's is left out as well.

        Raises:
            InputError: too few stories.
        """
        pair_filter, writers, human_stories = (
            making.pair_filter,
            making.generators.writers,
            making.human_stories(),
        )
        order = rng.permutation(len(human_stories)).tolist()

        def twice(batch: list[Opened]) -> list[Continued]:
            answers = writers.continuations([(of.human.shown(), of.opening) for of in batch])
            made = []
            for opened, answer in zip(batch, answers, strict=True):
                if answer is None:
                    pair_filter.drop(CONTINUATION, "no_answer")
                elif _may_pair(opened, *answer, pair_filter):
                    guided, unguided = (
                        _story(opened, text, writers.names[CONTINUATION]) for text in answer
                    )
                    made.append(Continued(opened, guided, unguided, answer[1]))
            return made

        return sample_until(
            _opened(
                (human_stories[place] for place in order), making.params.opening_share, pair_filter
            ),
            self.wanted(making),
            twice,
            once=making.generators.writers_once,
            parameter=f"pairs.sizes.{CONTINUATION}",
        )

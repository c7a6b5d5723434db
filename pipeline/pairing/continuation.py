"""Human-guided continuation: a model that saw how a person went on, over one that did not.

StoryAlign, section 3.1 and appendix E.4: with people's own stories chosen, its model learned to
tell people from models. Pairs of that kind are made for an experiment alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from pipeline.pairing.filters import Filter
from pipeline.pairing.gathering import gather
from pipeline.pairing.originals import Work
from pipeline.pairing.pair import Pair, Story, written_story
from pipeline.pairing.pair_method import Making, PairMethod
from storyaudit.text.sentences import sentences
from storyaudit.text.words import words
from storyaudit.vocabulary import CONTINUATION, HUMAN_CHOSEN


class Opened(NamedTuple):
    """A person's story, parted into its opening and the rest."""

    work: Work
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
        Pair(CONTINUATION, work.story.source, work.premise, guided, unguided)
        for (work, _, _), guided, unguided, _ in continued
    ]


def human_chosen_pairs(continued: Sequence[Continued], keep: Filter) -> list[Pair]:
    """Return pairs with the person's own story chosen over the same unguided ones."""
    return [
        Pair(HUMAN_CHOSEN, work.story.source, work.premise, work.story, unguided)
        for (work, _, rest), _, unguided, unguided_rest in continued
        if keep.take(HUMAN_CHOSEN, work.story.text, unguided.text)
        and keep.differ(HUMAN_CHOSEN, rest, unguided_rest)
    ]


def _opened(works: Iterable[Work], share: float, keep: Filter) -> Iterator[Opened]:
    for work in works:
        parts = part(work.story.text, share)
        if parts is None:
            keep.drop(CONTINUATION, "one_sentence")
        else:
            yield Opened(work, *parts)


def _may_pair(opened: Opened, guided: str, unguided: str, keep: Filter) -> bool:
    return (
        keep.take(CONTINUATION, _joined(opened, guided), _joined(opened, unguided))
        and keep.has_words(CONTINUATION, guided)
        and keep.has_words(CONTINUATION, unguided)
        and keep.differ(CONTINUATION, guided, unguided)
        and keep.differ(CONTINUATION, guided, opened.rest)
    )


def _joined(opened: Opened, continuation: str) -> str:
    return f"{opened.opening}\n\n{continuation}"


def _story(opened: Opened, continuation: str, author: str) -> Story:
    text, language = _joined(opened, continuation), opened.work.story.language
    return written_story(text, language, method=CONTINUATION, author=author)


class Continuation(PairMethod):
    """A guided story chosen over an unguided one; and, for experiments, the person's own."""

    name = CONTINUATION
    further = (HUMAN_CHOSEN,)

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return the pairs, see ``guided_pairs`` and ``human_chosen_pairs``."""
        continued = self.continued(making, rng)
        chosen = human_chosen_pairs(continued, making.keep) if making.params.human_chosen else []
        return [*guided_pairs(continued), *chosen]

    def continued(self, making: Making, rng: np.random.Generator) -> list[Continued]:
        """Return people's stories whose opening a model continued with guidance and without.

        Near-copies are told by the continuations alone, as both stories begin with the opening. A
        guided one that nearly copies the person's is left out like one that copies the other.

        Raises:
            InputError: too few stories.
        """
        keep, writers, works = making.keep, making.makers.writers, making.works()
        order = rng.permutation(len(works)).tolist()

        def twice(batch: list[Opened]) -> list[Continued]:
            answers = writers.continuations([(of.work.shown(), of.opening) for of in batch])
            made = []
            for opened, answer in zip(batch, answers, strict=True):
                if answer is None:
                    keep.drop(CONTINUATION, "no_answer")
                elif _may_pair(opened, *answer, keep):
                    guided, unguided = (
                        _story(opened, text, writers.names[CONTINUATION]) for text in answer
                    )
                    made.append(Continued(opened, guided, unguided, answer[1]))
            return made

        return gather(
            _opened((works[place] for place in order), making.params.opening_share, keep),
            self.wanted(making),
            twice,
            once=making.makers.writers_once,
            parameter=f"pairs.sizes.{CONTINUATION}",
        )

"""Prompt-guided rewriting: a person's story over a model's worse version of it.

StoryAlign, section 3.1; that the original is better is its premise, and not measured.
"""

import numpy as np

from pipeline.pairing.gathering import gather
from pipeline.pairing.originals import Work
from pipeline.pairing.pair import Pair, written_story
from pipeline.pairing.pair_method import Making, PairMethod
from pipeline.requests.writing import DAMAGES, Damage
from storyaudit.vocabulary import REWRITING


class Rewriting(PairMethod):
    """A person's story chosen over a model's worse version of it."""

    name = REWRITING

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return pairs of a story and its rewriting, which may be a near-copy.

        The kinds of damage take turns, and every story is damaged once before one is damaged again;
        each in the same way once at most.

        Raises:
            InputError: too few stories.
        """
        keep, writers = making.keep, making.makers.writers
        works = [work for work in making.works() if keep.has_words(REWRITING, work.story.text)]
        order = rng.permutation(len(works)).tolist()
        candidates = (
            (works[story], DAMAGES[(place + turn) % len(DAMAGES)])
            for turn in range(len(DAMAGES))
            for place, story in enumerate(order)
        )

        def rewritten(batch: list[tuple[Work, Damage]]) -> list[Pair]:
            texts = writers.rewritings([(work.shown(), damage) for work, damage in batch])
            pairs = []
            for (work, _), text in zip(batch, texts, strict=True):
                story = work.story
                if text is None:
                    keep.drop(REWRITING, "no_answer")
                elif keep.take(REWRITING, story.text, text):
                    author = writers.names[REWRITING]
                    worse = written_story(text, story.language, method=REWRITING, author=author)
                    pairs.append(Pair(REWRITING, story.source, work.premise, story, worse))
            return pairs

        return gather(
            candidates,
            self.wanted(making),
            rewritten,
            once=making.makers.writers_once,
            parameter=f"pairs.sizes.{REWRITING}",
        )

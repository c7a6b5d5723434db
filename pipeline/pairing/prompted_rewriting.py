"""Prompt-guided rewriting: a person's story over a model's worse version of it.

StoryAlign, section 3.1; that the original is better is its premise, and not measured.
"""

import numpy as np

from pipeline.pairing.originals import HumanStory
from pipeline.pairing.pair import Pair, written_story
from pipeline.pairing.pair_method import Making, PairMethod
from pipeline.pairing.pair_sampling import sample_until
from pipeline.requests.writing import DEGRADATIONS, Degradation
from storyaudit.vocabulary import REWRITING


class Rewriting(PairMethod):
    """A person's story chosen over a model's worse version of it."""

    name = REWRITING

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return pairs of a story and its rewriting, which may be a near-duplicate.

        The kinds of degradation take turns, and every story is degraded once before one is degraded
        again; each in the same way once at most.

        Raises:
            InputError: too few stories.
        """
        pair_filter, writers = making.pair_filter, making.generators.writers
        human_stories = [
            human
            for human in making.human_stories()
            if pair_filter.has_words(REWRITING, human.story.text)
        ]
        order = rng.permutation(len(human_stories)).tolist()
        candidates = (
            (human_stories[story], DEGRADATIONS[(place + turn) % len(DEGRADATIONS)])
            for turn in range(len(DEGRADATIONS))
            for place, story in enumerate(order)
        )

        def rewritten(batch: list[tuple[HumanStory, Degradation]]) -> list[Pair]:
            texts = writers.rewritings(
                [(human.shown(), degradation) for human, degradation in batch]
            )
            pairs = []
            for (human, _), text in zip(batch, texts, strict=True):
                story = human.story
                if text is None:
                    pair_filter.drop(REWRITING, "no_answer")
                elif pair_filter.claim(REWRITING, story.text, text):
                    author = writers.names[REWRITING]
                    worse = written_story(text, story.language, method=REWRITING, author=author)
                    pairs.append(Pair(REWRITING, story.source, human.premise, story, worse))
            return pairs

        return sample_until(
            candidates,
            self.wanted(making),
            rewritten,
            once=making.generators.writers_once,
            parameter=f"pairs.sizes.{REWRITING}",
        )

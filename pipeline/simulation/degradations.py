"""How a model makes a person's story worse in one respect (StoryAlign, section 3.1).

Sentences that are not degraded stay unchanged: a rewriting is a near-duplicate of its story.
"""

import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pipeline.requests.writing import Degradation
from pipeline.simulation.authors import Author, author_named, draw_quality
from pipeline.simulation.draws import Draws
from pipeline.simulation.fluency import roughen
from pipeline.simulation.premise import Premise
from pipeline.simulation.simulated_language import Sentences
from pipeline.simulation.story import Teller, write_story
from storyaudit.text.words import words

ENDING, TURN = 0.2, 0.2
"""Shares of the sentences that are written anew: the last ones, and those in the midst."""
FLAT, BROKEN, ROUGH = 0.2, 0.1, 0.7
"""Shares of the sentences made flat, put after a break, and given slips."""
POOR = 0.05  # what is left of a quality that the degradation is about
_SENTENCE = re.compile(
    r"\S.*?(?:"
    r'[.?!]"?[ ]+(?=["A-Z])'  # in English, and a space to the next
    r"|[。？！](?![”」])\s*"  # in Chinese, where who speaks may come after a closing mark
    r"|\s*\n\s*"  # the end of a paragraph
    r"|\Z)",
    re.S,
)


class Sentence(NamedTuple):
    """A sentence of a story, and the spaces that part it from the next."""

    text: str
    gap: str


def cut(text: str) -> list[Sentence]:
    """Cut a story into its sentences; joined again, they are the story."""
    pieces = _SENTENCE.findall(text)
    return [Sentence(piece.rstrip(), piece[len(piece.rstrip()) :]) for piece in pieces]


def join(sentences: list[Sentence]) -> str:
    """Return the sentences as a text."""
    return "".join(sentence.text + sentence.gap for sentence in sentences).rstrip()


class _Rewriter:
    """A model that rewrites one story."""

    def __init__(self, premise: Premise, author: Author, rng: np.random.Generator) -> None:
        self.rng = rng
        self.draws = Draws(rng)
        self.premise = premise
        self.author = author
        self.quality = draw_quality(author.name, rng)
        self.teller = Teller(premise, self.quality, author, self.draws)
        self.language = self.teller.language

    def ending(self, sentences: list[Sentence]) -> list[Sentence]:
        """The story with another end, which settles nothing of what came before."""
        kept = max(1, len(sentences) - _some(ENDING, sentences))
        return self.rewritten(sentences, kept, len(sentences), "coherence", "relevance")

    def plot(self, sentences: list[Sentence]) -> list[Sentence]:
        """The story with another middle, without tension."""
        many = _some(TURN, sentences)
        start = max(1, (len(sentences) - many) // 2)
        return self.rewritten(sentences, start, start + many, "coherence", "creativity")

    def rewritten(
        self, sentences: list[Sentence], start: int, end: int, *poor: str
    ) -> list[Sentence]:
        """The story with some of its sentences written anew, poorly in these respects."""
        length = sum(self.language.length(sentence.text) for sentence in sentences[start:end])
        quality = replace(self.quality, **dict.fromkeys(poor, POOR))
        text = write_story(
            self.premise, quality, words=length, style=self.author.name, rng=self.rng
        )
        return [*sentences[:start], Sentence(text, sentences[end - 1].gap), *sentences[end:]]

    def motivation(self, sentences: list[Sentence]) -> list[Sentence]:
        """The story with flat words in the place of some sentences, never of the first."""
        grammar = self.language.grammar
        places = self.places(FLAT, sentences)
        return [
            sentence._replace(text=self.said(grammar.FLAT_PORTRAITS + grammar.FLAT_SPEECHES))
            if place in places
            else sentence
            for place, sentence in enumerate(sentences)
        ]

    def causality(self, sentences: list[Sentence]) -> list[Sentence]:
        """The story with its last third before the one in the midst, and breaks."""
        third, thirds = len(sentences) // 3, 2 * len(sentences) // 3
        texts = [sentence.text for sentence in sentences]
        texts = [*texts[:third], *texts[thirds:], *texts[third:thirds]]
        places = self.places(BROKEN, sentences)
        return [
            Sentence(f"{self.broken()}{text}" if place in places else text, sentences[place].gap)
            for place, text in enumerate(texts)
        ]

    def tongue(self, sentences: list[Sentence]) -> list[Sentence]:
        """The story with slips in most of its sentences."""
        return [
            sentence._replace(text=self.rough(sentence.text))
            if self.draws.chance(ROUGH)
            else sentence
            for sentence in sentences
        ]

    def rough(self, sentence: str) -> str:
        """A printed sentence with slips."""
        language = self.language
        parted = sentence if language.space else " ".join(language.kinds.cut(sentence))
        return language.finish(roughen(parted, 1.0, self.draws, language.slips))

    def broken(self) -> str:
        """A sentence that has nothing to do with what comes next."""
        return self.said(self.language.grammar.BREAKS) + self.language.space

    def said(self, group: Sentences) -> str:
        """A sentence from one of these templates, as this author prints it."""
        return self.language.finish(self.teller.one_of(group)).translate(self.teller.habits.marks)

    def places(self, share: float, sentences: list[Sentence]) -> set[int]:
        """Places of such a share of the sentences, one at least, and never the first."""
        later = self.rng.permutation(np.arange(1, len(sentences)))
        return set(later[: _some(share, sentences)].tolist())


def _some(share: float, sentences: list[Sentence]) -> int:
    return max(1, round(share * len(sentences)))


def make_worse(
    story: str, degradation: Degradation, premise: Premise, style: str, rng: np.random.Generator
) -> str:
    """Return the story made worse in one respect by a model; it always differs in its words.

    ``ending`` and ``plot``: the last sentences or those in the midst are written anew and poorly.
    ``motivation``: some sentences give way to flat ones. ``causality``: the last third comes before
    the middle one, and sentences break in. ``language``: slips. A story of one sentence gets a
    sentence more that has nothing to do with it.

    Args:
        story: its text.
        degradation: what becomes worse.
        premise: what it was written on.
        style: the model, one of ``authors.MODELS``.
        rng: draws places and words.
    """
    model = _Rewriter(premise, author_named(style), rng)
    sentences = cut(story)
    degradations = {
        "ending": model.ending,
        "plot": model.plot,
        "motivation": model.motivation,
        "causality": model.causality,
        "language": model.tongue,
    }
    worse = join(degradations[degradation](sentences)) if len(sentences) > 1 else story
    if words(worse) == words(story):
        worse = f"{worse}{model.language.space}{model.broken()}".strip()
    return worse

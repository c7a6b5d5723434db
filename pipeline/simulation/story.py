"""Stories whose hidden qualities shape their text."""

from __future__ import annotations

from collections import deque

import numpy as np

from pipeline.simulation.authors import Author, author_named
from pipeline.simulation.draws import Draws
from pipeline.simulation.fluency import roughen
from pipeline.simulation.languages import language_of
from pipeline.simulation.premise import Premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.sentence_templates import Template
from pipeline.simulation.simulated_language import Sentences
from pipeline.simulation.slots import Slots

OPENING_LINE = 0.7  # share of stories that start with an opening line, not with the plot
EXTRA_BEAT = 0.3  # share of sentences after a stage's first that carry its plot on
REPEATED = 0.1  # share of sentences written twice by the least fluent
DISORDER = 8.0  # how many stages a beat can slip in the least coherent story
MOST_JOINED = 3
MEMORY = 12  # templates that a writer avoids to use again at once
TRIES_TO_FIT = 6
ROOM_TO_GROW = 40  # words left to write below which sentences are not drawn out


class Teller:
    """One story in the making."""

    def __init__(self, premise: Premise, quality: Quality, author: Author, draws: Draws) -> None:
        self.quality = quality
        self.author = author
        self.draws = draws
        self.language = language = language_of(premise.language)
        self.grammar = grammar = language.grammar
        self.habits = language.habits[author.name]
        self.slots = Slots(premise, quality, language, draws)
        self.used: deque[Template] = deque(maxlen=MEMORY)
        reversal = premise.seed == "reversal"
        turn = grammar.REVERSAL_FINDS if reversal else grammar.CONFLICT_FINDS
        self.plot = (
            grammar.ARRIVALS,
            grammar.WANTS,
            grammar.BLOCKS,
            grammar.TRIES,
            grammar.FINDS + turn,
            grammar.SETTLEMENTS,
        )

    def stages(self) -> list[int]:
        """The order in which the plot is narrated: its own when coherent, else out of order."""
        disorder = DISORDER * (1 - self.quality.coherence)
        keys = [stage + disorder * self.draws.uniform() for stage in range(len(self.plot))]
        return sorted(range(len(keys)), key=keys.__getitem__)

    def one_of(self, group: Sentences) -> str:
        """A sentence from one of these templates, preferably not one used a moment ago."""
        chosen = self.draws.pick(group)
        if any(chosen is used for used in self.used):
            chosen = self.draws.pick(group)
        self.used.append(chosen)
        return chosen.fill(self.slots.word_for)

    def after(self, word: str, sentence: str) -> str:
        """The sentence with a word before it."""
        return f"{word}{self.language.comma}{sentence}"

    def opening(self) -> str:
        """A first sentence."""
        fresh = self.draws.chance(self.quality.creativity)
        return self.one_of(self.grammar.FRESH_OPENINGS if fresh else self.grammar.STALE_OPENINGS)

    def beat(self, stage: int) -> str:
        """A sentence that carries the plot, tied to the one before as well as coherence allows."""
        words, draws = self.language.words, self.draws
        sentence = self.one_of(self.plot[stage])
        if draws.chance(0.45 * self.quality.coherence):
            return self.after(draws.pick(words["cause"]), sentence)
        if draws.chance(0.35 * (1 - self.quality.coherence)):
            return self.after(draws.pick(words["nonseq"]), sentence)
        return sentence

    def aside(self) -> str:
        """A sentence between the beats."""
        quality, grammar, chance = self.quality, self.grammar, self.draws.chance
        if chance(0.4 * (1 - quality.relevance)):
            return self.one_of(grammar.FILLERS)
        if chance(0.25 * (1 - quality.coherence)):
            return self.one_of(grammar.BREAKS)
        if chance(self.author.dialogue):
            deep = chance(quality.characterization)
            return self.one_of(grammar.SPEECHES if deep else grammar.FLAT_SPEECHES)
        kind = self.draws.uniform()
        if kind < 0.36:
            deep = chance(quality.characterization)
            return self.one_of(grammar.PORTRAITS if deep else grammar.FLAT_PORTRAITS)
        if kind < 0.70:
            fresh = chance(quality.creativity)
            return self.one_of(grammar.FRESH_IMAGES if fresh else grammar.STALE_IMAGES)
        if kind < 0.80:
            return self.one_of(grammar.THEMATIC)
        return self.one_of(grammar.SCENES)

    def in_style(self, sentence: str, *, room: bool) -> str:
        """The sentence with the author's habits; it grows longer only where there is room."""
        author, habits, draws = self.author, self.habits, self.draws
        if self.language.quote not in sentence and room:
            luck = draws.uniform()
            if luck < author.joins:
                sentence = self.joined(sentence)
            elif luck < author.joins + author.pet_rate:
                pet = f"{self.language.comma}{draws.pick(habits.pet_phrases)} "
                sentence = sentence[:-1] + pet + self.one_of(self.grammar.PETS)
            elif luck < author.joins + author.pet_rate + author.connective_rate:
                sentence = self.after(draws.pick(habits.connectives), sentence)
        for long, short in self.language.contractions:
            if long in sentence and draws.chance(author.contractions):
                sentence = sentence.replace(long, short)
        return sentence

    def joined(self, sentence: str) -> str:
        """The sentence and another in one, or more of them where the author runs on."""
        for _ in range(MOST_JOINED):
            joiner = self.draws.pick(self.habits.joiners)
            sentence = sentence[:-1] + joiner + self.one_of(self.grammar.SCENES)
            if not self.draws.chance(self.author.runs_on):
                break
        return sentence

    def sentence(self, stage: int, *, first: bool, opening: bool, room: bool) -> str:
        """The next sentence as the author writes it, slips included."""
        draws, language = self.draws, self.language
        if opening and draws.chance(OPENING_LINE):
            plain = self.opening()
        elif first or draws.chance(EXTRA_BEAT):
            plain = self.beat(stage)
        elif draws.chance(self.author.fragments):
            plain = self.one_of(self.grammar.FRAGMENTS)
        else:
            plain = self.aside()
        slip = 1 - self.quality.fluency
        rough = roughen(self.in_style(plain, room=room), slip, draws, language.slips)
        return language.finish(rough).translate(self.habits.marks)


def write_story(
    premise: Premise,
    quality: Quality,
    *,
    words: int,
    style: str,
    rng: np.random.Generator,
) -> str:
    """A story on the premise, in its language: paragraphs of about so many words, and blank lines.

    `style` names the author: 'human' or one of `authors.MODELS`. A Chinese character is a word.

    Raises:
        ValueError: no word asked for, or no such author or language.
    """
    if words < 1:
        raise ValueError(f"a story needs at least one word, not {words}")
    author = author_named(style)
    draws = Draws(rng)
    teller = Teller(premise, quality, author, draws)
    sentences = _sentences(teller, words)
    return _paragraphs(sentences, author.paragraph, teller.language.space, draws)


def _sentences(teller: Teller, words: int) -> list[str]:
    """Sentences stage by stage, each stage as long as the others."""
    sentences: list[str] = []
    total = 0
    stages = teller.stages()
    for place, stage in enumerate(stages, start=1):
        quota = words * place / len(stages)
        first = True
        misses = 0
        while total < quota and misses < TRIES_TO_FIT:
            if sentences and teller.draws.chance(REPEATED * (1 - teller.quality.fluency) ** 2):
                sentence = sentences[-1]
            else:
                room = words - total > ROOM_TO_GROW
                sentence = teller.sentence(stage, first=first, opening=not sentences, room=room)
            length = teller.language.length(sentence)
            if sentences and abs(total + length - quota) > quota - total:
                misses += 1
                continue
            sentences.append(sentence)
            total += length
            first = False
    return sentences


def _paragraphs(sentences: list[str], mean_length: int, space: str, draws: Draws) -> str:
    paragraphs: list[str] = []
    start = 0
    while start < len(sentences):
        end = start + 1 + int(draws.uniform() * (2 * mean_length - 1))
        paragraphs.append(space.join(sentences[start:end]))
        start = end
    return "\n\n".join(paragraphs)

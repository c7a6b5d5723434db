"""What a language brings to the simulation: words, sentences, habits of its authors, slips."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pipeline.simulation.sentence_templates import Template

Words = tuple[str, ...]
Sentences = tuple[Template, ...]


SIMILAR = (
    "plain_adjective",
    "vivid",
    "plain_noun",
    "odd",
    "plural",
    "adv",
    "act",
    "role",
    "trait",
    "habit",
    "hoard",
    "body",
    "base",
    "carrying",
    "weather",
    "drift",
    "abstract",
    "said",
    "arrive",
    "want",
    "block",
    "try",
    "find",
    "settle",
    "plan",
    "truth",
    "prep",
)
"""Slots whose words can stand for each other in a light edit."""

TWO_PART = {
    "place": ("place_modifier", "place_noun"),
    "goal": ("goal_verb", "estate"),
    "obstacle": ("obstacle_modifier", "obstacle_noun"),
    "object": ("object_modifier", "object_noun"),
}
"""Phrases of a premise that are put together of a word for one slot and a word for another."""


class Grammar(Protocol):
    """The module ``templates`` of a language."""

    CONFLICTS: Sentences
    REVERSALS: Sentences
    ARRIVALS: Sentences
    WANTS: Sentences
    BLOCKS: Sentences
    TRIES: Sentences
    FINDS: Sentences
    CONFLICT_FINDS: Sentences
    REVERSAL_FINDS: Sentences
    SETTLEMENTS: Sentences
    SCENES: Sentences
    THEMATIC: Sentences
    FRAGMENTS: Sentences
    FRESH_IMAGES: Sentences
    STALE_IMAGES: Sentences
    FRESH_OPENINGS: Sentences
    STALE_OPENINGS: Sentences
    PORTRAITS: Sentences
    FLAT_PORTRAITS: Sentences
    SPEECHES: Sentences
    FLAT_SPEECHES: Sentences
    BREAKS: Sentences
    FILLERS: Sentences
    PETS: Sentences


@dataclass(frozen=True)
class Habits:
    """How an author writes this language: what gives the author away.

    ``marks`` says which punctuation the author sets instead of the usual.
    """

    connectives: Words
    pet_phrases: Words
    joiners: Words
    marks: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Slips:
    """What goes wrong in this language: words dropped, and wrong forms of others."""

    dropped: frozenset[str]
    wrong_forms: Mapping[str, str]


@dataclass(frozen=True)
class Kinds:
    """Words that can stand for each other in a light edit.

    ``by_ending`` holds, for any other word, what to put for one with this ending; the first that
    fits counts. ``cut`` parts a text into words and what stands between them, losing nothing.
    """

    similar: tuple[Words, ...]
    by_ending: tuple[tuple[str, Words], ...]
    cut: Callable[[str], list[str]]


@dataclass(frozen=True)
class Language:
    """One language. While a sentence is made, a space parts its words, whatever the language."""

    code: str  # ISO 639-1
    words: Mapping[str, Words]  # by slot
    themes: Mapping[str, Words]  # words of each theme
    grammar: Grammar
    habits: Mapping[str, Habits]  # by author
    slips: Slips
    kinds: Kinds
    contractions: tuple[tuple[str, str], ...]  # long form, short form
    woman: tuple[str, str]  # she, her
    man: tuple[str, str]
    possessive: str  # of a person without a pronoun
    by_role: str  # a person of some role
    space: str  # between the words of a text
    comma: str
    quote: str  # opens direct speech
    finish: Callable[[str], str]  # a sentence as it is printed
    length: Callable[[str], int]  # of a printed sentence, in words as ``storyaudit.text`` counts

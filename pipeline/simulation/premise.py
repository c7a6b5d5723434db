"""Premises: who wants what, where, and what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.simulation.draws import Draws
from pipeline.simulation.languages import language_of
from pipeline.simulation.simulated_language import Words

SEEDS = ("conflict", "reversal")


@dataclass(frozen=True)
class Premise:
    """A premise and the phrases that a story must return to to be relevant."""

    theme: str
    seed: str  # 'conflict' or 'reversal'
    hero: str
    rival: str
    place: str
    goal: str
    obstacle: str
    object: str
    text: str
    language: str = "en"


def write_premise(
    rng: np.random.Generator, language: str = "en", themes: Sequence[str] = ()
) -> Premise:
    """A premise on one of these themes, or any; its seed a conflict or a reversal, equally often.

    Raises:
        ValueError: no such language.
    """
    tongue = language_of(language)
    lexicon, draws = tongue.lexicon, Draws(rng)
    theme = draws.pick(themes or lexicon.THEMES)
    seed = draws.pick(SEEDS)
    heroes, rivals = draws.pick(((lexicon.WOMEN, lexicon.MEN), (lexicon.MEN, lexicon.WOMEN)))

    def phrase(first: Words, second: Words) -> str:
        return f"{draws.pick(first)}{tongue.space}{draws.pick(second)}"

    phrases = {
        "theme": theme,
        "hero": draws.pick(heroes),
        "rival": draws.pick(rivals),
        "place": phrase(lexicon.PLACE_MODIFIERS, lexicon.PLACE_NOUNS),
        "goal": phrase(lexicon.GOAL_VERBS, lexicon.ESTATES),
        "obstacle": phrase(lexicon.OBSTACLE_MODIFIERS, lexicon.OBSTACLE_NOUNS),
        "object": phrase(lexicon.OBJECT_MODIFIERS, lexicon.OBJECT_NOUNS),
    }

    text = premise_text(language, seed, phrases, draws)
    return Premise(seed=seed, text=text, language=language, **phrases)


def premise_text(language: str, seed: str, phrases: Mapping[str, str], draws: Draws) -> str:
    """A premise in words: a template of its seed with these phrases; others are drawn."""
    tongue = language_of(language)

    def word_for(slot: str) -> str:
        fixed = phrases.get(slot)
        return draws.pick(tongue.lexicon.SLOTS[slot]) if fixed is None else fixed

    grammar = tongue.grammar
    written = draws.pick(grammar.CONFLICTS if seed == "conflict" else grammar.REVERSALS)
    return tongue.finish(written.fill(word_for))

"""Premises: who wants what, where, and what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.simulation.draws import Draws
from pipeline.simulation.languages import language_of
from pipeline.simulation.simulated_language import TWO_PART

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
    words, draws = tongue.words, Draws(rng)
    theme = draws.pick(themes or tuple(tongue.themes))
    seed = draws.pick(SEEDS)
    heroes, rivals = draws.pick((("women", "men"), ("men", "women")))

    phrases = {
        "theme": theme,
        "hero": draws.pick(words[heroes]),
        "rival": draws.pick(words[rivals]),
        **{
            name: tongue.space.join(draws.pick(words[part]) for part in parts)
            for name, parts in TWO_PART.items()
        },
    }
    text = premise_text(language, seed, phrases, draws)
    return Premise(seed=seed, text=text, language=language, **phrases)


def premise_text(language: str, seed: str, phrases: Mapping[str, str], draws: Draws) -> str:
    """A premise in words: a template of its seed with these phrases; others are drawn."""
    tongue = language_of(language)

    def word_for(slot: str) -> str:
        fixed = phrases.get(slot)
        return draws.pick(tongue.words[slot]) if fixed is None else fixed

    grammar = tongue.grammar
    written = draws.pick(grammar.CONFLICTS if seed == "conflict" else grammar.REVERSALS)
    return tongue.finish(written.fill(word_for))

"""Premises: who wants what, where, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.world import lexicon
from pipeline.world.draws import Draws
from pipeline.world.templates import capitalised, template

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


CONFLICTS = tuple(
    template(text)
    for text in (
        "{a:trait} {role} called {hero} {hopes} to {goal}. {rival}, {a:trait} {role} {prep} the"
        " {place}, {keeps} the {object}, and {a:obstacle} {divides} them {time}: {theme}.",
        "{time} {hero}, {a:trait} {role}, {hopes} to {goal} with the {object}. but {rival} {keeps}"
        " the {place}, and {a:obstacle} {divides} {role} and {role} in {theme}.",
        "{hero} {keeps} the {object} {prep} the {place} and {hopes} to {goal} {time}. {a:trait}"
        " {role}, {rival}, answers with {theme}, and {a:obstacle} {divides} {role} and {role}.",
        "of {theme}: {rival} the {trait} {role} {keeps} the {place} {time}, {hero} {hopes} to"
        " {goal}, {a:obstacle} {divides} {role} and {role}, and the {object} {divides} everyone.",
    )
)
REVERSALS = tuple(
    template(text)
    for text in (
        "{hero}, {a:trait} {role}, {hopes} to {goal} and trusts {rival} with the {object}, until"
        " {time} {a:obstacle} {prep} the {place} {divides} them: {theme}, turned over.",
        "every {role} {prep} the {place} says {rival} {keeps} the {object}. {time} {hero},"
        " {a:trait} {role}, {hopes} to {goal}; {a:obstacle} {divides} the {role}, and {theme}"
        " changes sides.",
        "{a:trait} {role} {prep} the {place}, {hero} {keeps} the {object} and {hopes} to {goal}."
        " {time} {a:obstacle} {divides} {rival} instead, {trait} {role} of {theme}.",
        "of {theme}: {hero} {hopes} to {goal} {time}, but it is {rival}, {a:trait} {role}, who"
        " {keeps} the {object} {prep} the {place} when {a:obstacle} {divides} them.",
    )
)


def write_premise(rng: np.random.Generator) -> Premise:
    """A premise, its seed a conflict or a reversal with equal chance."""
    draws = Draws(rng)
    theme = draws.pick(lexicon.THEMES)
    seed = draws.pick(SEEDS)
    heroes, rivals = draws.pick(((lexicon.WOMEN, lexicon.MEN), (lexicon.MEN, lexicon.WOMEN)))
    phrases = {
        "theme": theme,
        "hero": draws.pick(heroes),
        "rival": draws.pick(rivals),
        "place": _phrase(draws, lexicon.PLACE_MODIFIERS, lexicon.PLACE_NOUNS),
        "goal": _phrase(draws, lexicon.GOAL_VERBS, lexicon.ESTATES),
        "obstacle": _phrase(draws, lexicon.OBSTACLE_MODIFIERS, lexicon.OBSTACLE_NOUNS),
        "object": _phrase(draws, lexicon.OBJECT_MODIFIERS, lexicon.OBJECT_NOUNS),
    }

    def word_for(slot: str) -> str:
        phrase = phrases.get(slot)
        return draws.pick(lexicon.SLOTS[slot]) if phrase is None else phrase

    written = draws.pick(CONFLICTS if seed == "conflict" else REVERSALS)
    return Premise(seed=seed, text=capitalised(written.fill(word_for)), **phrases)


def _phrase(draws: Draws, first: tuple[str, ...], second: tuple[str, ...]) -> str:
    return f"{draws.pick(first)} {draws.pick(second)}"

"""Light edits: a text with a few words exchanged, as a near duplicate has them."""

from __future__ import annotations

import re

import numpy as np

from pipeline.world import lexicon
from pipeline.world.draws import Draws

SPACES = re.compile(r"(\s+)")
WORD = re.compile(r"[^\W_](?:.*[^\W_])?")  # from the first letter or digit to the last

KINDS = (
    lexicon.PLAIN_ADJECTIVES,
    lexicon.VIVID_ADJECTIVES,
    lexicon.PLAIN_NOUNS,
    lexicon.ODD_NOUNS,
    lexicon.PLURALS,
    lexicon.ADVERBS,
    lexicon.ACTS,
    lexicon.ROLES,
    lexicon.TRAITS,
    lexicon.HABITS,
    lexicon.HOARDS,
    lexicon.BODY,
    lexicon.BASES,
    lexicon.CARRYING,
    lexicon.WEATHER,
    lexicon.WEATHER_VERBS,
    lexicon.ABSTRACTIONS,
    lexicon.SAID,
    lexicon.ARRIVE,
    lexicon.WANT,
    lexicon.BLOCK,
    lexicon.TRY,
    lexicon.FIND,
    lexicon.SETTLE,
    lexicon.PLANS,
    lexicon.TRUTHS,
    lexicon.PREPOSITIONS,
    ("the", "this", "that"),
    ("and", "then", "but"),
    ("he", "she", "it"),
    ("his", "her", "their"),
    ("was", "seemed", "became"),
    ("would", "could", "might"),
)
LIKE = {word: kind for kind in reversed(KINDS) for word in kind}
BY_ENDING = (
    ("ly", lexicon.ADVERBS),
    ("ing", lexicon.CARRYING),
    ("ed", lexicon.ACTS),
    ("s", lexicon.PLURALS),
    ("", lexicon.PLAIN_NOUNS),
)


def lightly_edit(text: str, rng: np.random.Generator, share: float = 0.05) -> str:
    """The text with about this share of its words, at least one, replaced by others of their kind.

    Words whose kind is known go first; others, as they are needed, by their ending. Spacing,
    punctuation and capitals stay. A text without a word is returned as it is.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share must lie between 0 and 1, not {share}")
    tokens = SPACES.split(text)
    found = {place: word for place, token in enumerate(tokens) if (word := WORD.search(token))}
    if not found:
        return text
    draws = Draws(rng)
    luck = {place: draws.uniform() for place in found}
    by_turn = sorted(found, key=lambda place: (found[place][0].casefold() not in LIKE, luck[place]))
    for place in by_turn[: max(1, round(share * len(found)))]:
        word, token = found[place], tokens[place]
        tokens[place] = token[: word.start()] + _other(word[0], draws) + token[word.end() :]
    return "".join(tokens)


def _other(word: str, draws: Draws) -> str:
    """Another word of the same kind, with a capital where the word has one."""
    plain = word.casefold()
    kind = LIKE.get(plain)
    if kind is None:
        kind = next(words for ending, words in BY_ENDING if plain.endswith(ending))
    other = draws.pick([option for option in kind if option != plain])
    return other.capitalize() if word[0].isupper() else other

"""Light edits: a text with a few words exchanged, as a near duplicate has them."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from pipeline.simulation.draws import Draws
from pipeline.simulation.languages import language_of
from pipeline.simulation.simulated_language import Kinds, Words

WORD = re.compile(r"[^\W_](?:.*[^\W_])?")  # from the first letter or digit to the last


def lightly_edit(
    text: str, rng: np.random.Generator, share: float = 0.05, language: str = "en"
) -> str:
    """The text with about this share of its words, at least one, replaced by others of their kind.

    Words whose kind is known go first; others, as they are needed, by their ending. Spacing,
    punctuation and capitals stay. In Chinese, where a word of the lexicon has two characters or
    more, characters are counted. A text without a word is returned as it is.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share must lie between 0 and 1, not {share}")
    tongue = language_of(language)
    similar = _similar(language)
    tokens = tongue.kinds.cut(text)
    found = {place: word for place, token in enumerate(tokens) if (word := WORD.search(token))}
    draws = Draws(rng)
    luck = {place: draws.uniform() for place in found}
    by_turn = sorted(
        found, key=lambda place: (found[place][0].casefold() not in similar, luck[place])
    )
    left = max(1, round(share * sum(tongue.length(word[0]) for word in found.values())))
    for place in by_turn:
        if left <= 0:
            break
        word, token = found[place], tokens[place]
        other = _other(word[0], similar, tongue.kinds, draws)
        tokens[place] = token[: word.start()] + other + token[word.end() :]
        left -= tongue.length(word[0])
    return "".join(tokens)


@cache
def _similar(language: str) -> dict[str, Words]:
    """Each known word's kind; the first that has it."""
    kinds = language_of(language).kinds.similar
    return {word: kind for kind in reversed(kinds) for word in kind}


def _other(word: str, similar: dict[str, Words], kinds: Kinds, draws: Draws) -> str:
    """Another word of the same kind, with a capital where the word has one."""
    plain = word.casefold()
    kind = similar.get(plain)
    if kind is None:
        kind = next(words for ending, words in kinds.by_ending if plain.endswith(ending))
    other = draws.pick([option for option in kind if option != plain])
    return other.capitalize() if word[0].isupper() else other

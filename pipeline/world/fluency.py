"""Slips of the pen."""

from __future__ import annotations

from pipeline.world.draws import Draws

ARTICLES = frozenset({"a", "an", "the"})
CLUMSY = {
    "was": "were",
    "were": "was",
    "had": "have",
    "is": "are",
    "did": "done",
    "do": "does",
    "felt": "feeled",
    "made": "maked",
    "knew": "knowed",
    "kept": "keeped",
    "cannot": "can not to",
    "could": "could to",
    "would": "would to",
}
DROPPED_ARTICLE, CLUMSY_FORM, DOUBLED_WORD, SWAPPED_WORDS = 0.35, 0.5, 0.05, 0.03


def roughen(sentence: str, slip: float, draws: Draws) -> str:
    """The sentence with slips: articles dropped, words doubled or swapped, clumsy forms.

    `slip` is 0 for a fluent writer and 1 for one who stumbles all the time.
    """
    if slip <= 0:
        return sentence
    rough: list[str] = []
    for word in sentence.split():
        if word in ARTICLES and draws.chance(DROPPED_ARTICLE * slip):
            continue
        if word in CLUMSY and draws.chance(CLUMSY_FORM * slip):
            rough.append(CLUMSY[word])
            continue
        luck = draws.uniform()
        if luck < DOUBLED_WORD * slip and word.isalpha():
            rough.append(word)
        elif luck > 1 - SWAPPED_WORDS * slip and rough and word.isalpha() and rough[-1].isalpha():
            rough.insert(-1, word)
            continue
        rough.append(word)
    return " ".join(rough)

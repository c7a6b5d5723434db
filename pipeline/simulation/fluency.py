"""Slips of the pen."""

from __future__ import annotations

from pipeline.simulation.draws import Draws
from pipeline.simulation.simulated_language import Slips

DROPPED, WRONG_FORM, REPEATED_WORD, SWAPPED_WORDS = 0.35, 0.5, 0.05, 0.03


def roughen(sentence: str, slip: float, draws: Draws, slips: Slips) -> str:
    """The sentence, its words parted by spaces, with some dropped, wrong, duplicated or swapped.

    `slip` is 0 for a fluent writer and 1 for one who stumbles all the time.
    """
    if slip <= 0:
        return sentence
    uniform, dropped, wrong_forms = draws.uniform, slips.dropped, slips.wrong_forms
    duplicated, swapped = REPEATED_WORD * slip, 1 - SWAPPED_WORDS * slip
    rough: list[str] = []
    for word in sentence.split():
        if word in dropped and uniform() < DROPPED * slip:
            continue
        if word in wrong_forms and uniform() < WRONG_FORM * slip:
            rough.append(wrong_forms[word])
            continue
        luck = uniform()
        if duplicated <= luck <= swapped or not word.isalpha():
            rough.append(word)
        elif luck < duplicated:
            rough += (word, word)
        elif rough and rough[-1].isalpha():
            rough.insert(-1, word)
        else:
            rough.append(word)
    return " ".join(rough)

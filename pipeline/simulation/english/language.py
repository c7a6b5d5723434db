"""English."""

import re

from pipeline.simulation.english import lexicon, templates
from pipeline.simulation.english.habits import CONTRACTIONS, HABITS, SLIPS
from pipeline.simulation.english.kinds import KINDS
from pipeline.simulation.simulated_language import Language

SENTENCE_START = re.compile(r'(?:^"?|[.] "?)[a-z]')


def capitalised(text: str) -> str:
    """The text with a capital at the start of each sentence, also inside quotation marks."""
    return SENTENCE_START.sub(lambda found: found[0][:-1] + found[0][-1].upper(), text)


def _length(sentence: str) -> int:
    return sentence.count(" ") + 1


ENGLISH = Language(
    code="en",
    words=lexicon.WORDS,
    themes=lexicon.THEMES,
    grammar=templates,
    habits=HABITS,
    slips=SLIPS,
    kinds=KINDS,
    contractions=CONTRACTIONS,
    woman=("she", "her"),
    man=("he", "his"),
    possessive="{}'s",
    by_role="the {}",
    space=" ",
    comma=", ",
    quote='"',
    finish=capitalised,
    length=_length,
)

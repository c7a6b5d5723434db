"""Chinese words that can stand for each other."""

import re

from pipeline.simulation.chinese import lexicon
from pipeline.simulation.simulated_language import Kinds

ALIKE = (
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
    ("的", "之"),
    ("她", "他", "它"),
    ("又", "而", "且"),
)
CHARACTERS = tuple(
    "人山水火土木日月风云天地心手口目上下左右前后中外大小多少来去出入开合高低长短新旧"
)
"""What stands for a character that belongs to no word known here."""

_WORD = re.compile("|".join(word for kind in ALIKE for word in kind if len(word) > 1) + "|.", re.S)

KINDS = Kinds(alike=ALIKE, by_ending=(("", CHARACTERS),), cut=_WORD.findall)

"""Chinese words that can stand for each other."""

import re

from pipeline.simulation.chinese.lexicon import WORDS
from pipeline.simulation.simulated_language import SIMILAR, Kinds

_GROUPS = (
    *(WORDS[slot] for slot in SIMILAR),
    ("的", "之"),
    ("她", "他", "它"),
    ("又", "而", "且"),
)
CHARACTERS = tuple(
    "人山水火土木日月风云天地心手口目上下左右前后中外大小多少来去出入开合高低长短新旧"
)
"""What stands for a character that belongs to no word known here."""

_WORD = re.compile(
    "|".join(word for kind in _GROUPS for word in kind if len(word) > 1) + "|.", re.S
)

KINDS = Kinds(similar=_GROUPS, by_ending=(("", CHARACTERS),), cut=_WORD.findall)

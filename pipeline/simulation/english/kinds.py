"""English words that can stand for each other."""

import re

from pipeline.simulation.english.lexicon import WORDS
from pipeline.simulation.simulated_language import SIMILAR, Kinds

SPACES = re.compile(r"(\s+)")

KINDS = Kinds(
    similar=(
        *(WORDS[slot] for slot in SIMILAR),
        ("the", "this", "that"),
        ("and", "then", "but"),
        ("he", "she", "it"),
        ("his", "her", "their"),
        ("was", "seemed", "became"),
        ("would", "could", "might"),
    ),
    by_ending=(
        ("ly", WORDS["adv"]),
        ("ing", WORDS["carrying"]),
        ("ed", WORDS["act"]),
        ("s", WORDS["plural"]),
        ("", WORDS["plain_noun"]),
    ),
    cut=SPACES.split,
)

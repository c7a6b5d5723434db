"""English words that can stand for each other."""

import re

from pipeline.simulation.english import lexicon
from pipeline.simulation.simulated_language import Kinds

SPACES = re.compile(r"(\s+)")

KINDS = Kinds(
    alike=(
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
    ),
    by_ending=(
        ("ly", lexicon.ADVERBS),
        ("ing", lexicon.CARRYING),
        ("ed", lexicon.ACTS),
        ("s", lexicon.PLURALS),
        ("", lexicon.PLAIN_NOUNS),
    ),
    cut=SPACES.split,
)

"""Who writes: four models of different size, and people."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pipeline.simulation.quality import Quality
from storyaudit.vocabulary import DIMENSIONS

BASE_QUALITY = 0.5
SHARED_VARIANCE = 0.5
SHORTEST, LONGEST = 0.15, 25.0
TOO_SHORT = (40, 95)  # words of stories that the protocol drops


@dataclass(frozen=True)
class Author:
    """An author's abilities, and the habits that give the author away.

    Rates are shares of sentences, except `contractions`: a share of what can be contracted. Which
    words and phrases they are is the language's (`language.Habits`).
    """

    name: str
    billions: float  # parameters; 0 for people
    offset: float  # mean quality above or below the middle of the scale
    tilts: tuple[float, ...]  # what each of `DIMENSIONS` adds to the offset
    spread: float
    length: float  # median, as a multiple of the study's
    length_sd: float  # of the logarithm
    dialogue: float
    contractions: float
    connective_rate: float
    pet_rate: float
    fragments: float
    joins: float
    paragraph: int  # mean number of sentences
    too_short: float = 0.0  # share of stories under a hundred words
    runs_on: float = 0.0  # chance that one join brings another


HUMAN = Author(
    name="human",
    billions=0.0,
    offset=0.20,
    tilts=(0.14, -0.02, -0.04, 0.14, -0.04),
    spread=0.20,
    length=1.0,
    length_sd=0.5,
    too_short=0.03,
    dialogue=0.38,
    contractions=0.85,
    connective_rate=0.02,
    pet_rate=0.0,
    fragments=0.20,
    joins=0.22,
    runs_on=0.2,
    paragraph=3,
)

MODELS = (
    Author(
        name="wren-1b",
        billions=1.2,
        offset=-0.14,
        tilts=(-0.04, -0.03, 0.0, 0.0, 0.0),
        spread=0.13,
        length=0.8,
        length_sd=0.3,
        dialogue=0.08,
        contractions=0.05,
        connective_rate=0.22,
        pet_rate=0.12,
        fragments=0.02,
        joins=0.02,
        paragraph=6,
    ),
    Author(
        name="heron-8b",
        billions=8.0,
        offset=-0.03,
        tilts=(-0.04, 0.02, 0.04, -0.04, 0.02),
        spread=0.13,
        length=0.95,
        length_sd=0.3,
        dialogue=0.12,
        contractions=0.10,
        connective_rate=0.26,
        pet_rate=0.18,
        fragments=0.02,
        joins=0.08,
        paragraph=5,
    ),
    Author(
        name="kestrel-32b",
        billions=32.0,
        offset=0.05,
        tilts=(-0.02, 0.03, 0.05, -0.03, 0.02),
        spread=0.12,
        length=1.05,
        length_sd=0.33,
        dialogue=0.16,
        contractions=0.15,
        connective_rate=0.16,
        pet_rate=0.16,
        fragments=0.08,
        joins=0.05,
        paragraph=4,
    ),
    Author(
        name="condor-120b",
        billions=120.0,
        offset=0.12,
        tilts=(-0.02, 0.04, 0.06, -0.02, 0.03),
        spread=0.12,
        length=1.2,
        length_sd=0.35,
        dialogue=0.18,
        contractions=0.25,
        connective_rate=0.12,
        pet_rate=0.14,
        fragments=0.04,
        joins=0.16,
        paragraph=4,
    ),
)


AUTHORS = {author.name: author for author in (HUMAN, *MODELS)}


def author_named(name: str) -> Author:
    """The author of this name: 'human' or one of `MODELS`."""
    if name not in AUTHORS:
        raise ValueError(f"no author {name!r}: use one of {', '.join(AUTHORS)}")
    return AUTHORS[name]


def draw_quality(author: str, rng: np.random.Generator) -> Quality:
    """A story's quality: the author's means, a good or bad day, and luck on each dimension."""
    who = author_named(author)
    day, *luck = rng.normal(size=1 + len(DIMENSIONS)).tolist()
    shared, own = SHARED_VARIANCE**0.5, (1 - SHARED_VARIANCE) ** 0.5
    values = (
        BASE_QUALITY + who.offset + tilt + who.spread * (shared * day + own * chance)
        for tilt, chance in zip(who.tilts, luck, strict=True)
    )
    return Quality(*(min(1.0, max(0.0, value)) for value in values))


def draw_length(author: str, rng: np.random.Generator, median: float = 260) -> int:
    """How many words a story of this author is meant to have, where the study's median is this.

    Lognormal about the author's own median, and never far from the study's.
    """
    who = author_named(author)
    if rng.random() < who.too_short:
        return int(rng.integers(*TOO_SHORT))
    return lognormal_words(median * who.length, who.length_sd, rng)


def lognormal_words(median: float, log_sd: float, rng: np.random.Generator) -> int:
    """A number of words, lognormal within `SHORTEST` and `LONGEST` times the median."""
    factor = math.exp(log_sd * rng.standard_normal())
    return max(1, round(median * min(LONGEST, max(SHORTEST, factor))))

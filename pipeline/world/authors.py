"""Who writes: four models of different size, and people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.world.quality import Quality
from storyaudit.tables import DIMENSIONS

BASE_QUALITY = 0.5
SHARED_VARIANCE = 0.5
SHORTEST, LONGEST = 120, 420


@dataclass(frozen=True)
class Author:
    """An author's abilities, and the habits that give the author away.

    Rates are shares of sentences, except `contractions`: a share of what can be contracted.
    """

    name: str
    billions: float  # parameters; 0 for people
    offset: float  # mean quality above or below the middle of the scale
    tilts: tuple[float, ...]  # what each of `DIMENSIONS` adds to the offset
    spread: float
    length: int
    length_spread: int
    too_short: float  # share of stories under a hundred words
    dialogue: float
    contractions: float
    connective_rate: float
    connectives: tuple[str, ...]
    pet_rate: float
    pet_phrases: tuple[str, ...]
    fragments: float
    joins: float
    joiners: tuple[str, ...]
    paragraph: int  # mean number of sentences


HUMAN = Author(
    name="human",
    billions=0.0,
    offset=0.10,
    tilts=(0.14, -0.02, -0.04, 0.14, -0.04),
    spread=0.20,
    length=260,
    length_spread=90,
    too_short=0.05,
    dialogue=0.38,
    contractions=0.85,
    connective_rate=0.02,
    connectives=("still", "anyway", "well", "now"),
    pet_rate=0.0,
    pet_phrases=(),
    fragments=0.20,
    joins=0.22,
    joiners=(", and ", ", but ", "; ", ", so ", " and then "),
    paragraph=3,
)

MODELS = (
    Author(
        name="wren-1b",
        billions=1.2,
        offset=-0.14,
        tilts=(-0.04, -0.03, 0.0, 0.0, 0.0),
        spread=0.13,
        length=190,
        length_spread=40,
        too_short=0.0,
        dialogue=0.08,
        contractions=0.05,
        connective_rate=0.22,
        connectives=("then", "next", "also", "finally", "first", "again"),
        pet_rate=0.12,
        pet_phrases=("a kind of", "full of", "like so many", "and also", "with very"),
        fragments=0.02,
        joins=0.02,
        joiners=(" and ",),
        paragraph=6,
    ),
    Author(
        name="heron-8b",
        billions=8.0,
        offset=-0.03,
        tilts=(-0.04, 0.02, 0.04, -0.04, 0.02),
        spread=0.13,
        length=250,
        length_spread=50,
        too_short=0.0,
        dialogue=0.12,
        contractions=0.10,
        connective_rate=0.26,
        connectives=("moreover", "however", "meanwhile", "eventually", "furthermore", "indeed"),
        pet_rate=0.18,
        pet_phrases=("a testament to", "a tapestry of", "a symphony of", "a dance of"),
        fragments=0.02,
        joins=0.08,
        joiners=(", while ", ", and "),
        paragraph=5,
    ),
    Author(
        name="kestrel-32b",
        billions=32.0,
        offset=0.05,
        tilts=(-0.02, 0.03, 0.05, -0.03, 0.02),
        spread=0.12,
        length=290,
        length_spread=55,
        too_short=0.0,
        dialogue=0.16,
        contractions=0.15,
        connective_rate=0.16,
        connectives=("yet", "perhaps", "of course", "in truth", "and so", "beneath it all"),
        pet_rate=0.16,
        pet_phrases=("as though remembering", "not unlike", "somewhere between", "heavy with"),
        fragments=0.08,
        joins=0.05,
        joiners=("; ",),
        paragraph=4,
    ),
    Author(
        name="condor-120b",
        billions=120.0,
        offset=0.12,
        tilts=(-0.02, 0.04, 0.06, -0.02, 0.03),
        spread=0.12,
        length=320,
        length_spread=55,
        too_short=0.0,
        dialogue=0.18,
        contractions=0.25,
        connective_rate=0.12,
        connectives=("in the quiet", "later", "for once", "for a moment", "all the while"),
        pet_rate=0.14,
        pet_phrases=("the way of", "an echo of", "equal parts", "half remembering"),
        fragments=0.04,
        joins=0.16,
        joiners=(", and meanwhile ", ", and "),
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


def draw_length(author: str, rng: np.random.Generator) -> int:
    """How many words a story of this author is meant to have."""
    who = author_named(author)
    if rng.random() < who.too_short:
        return int(rng.integers(60, 95))
    return int(min(LONGEST, max(SHORTEST, round(rng.normal(who.length, who.length_spread)))))

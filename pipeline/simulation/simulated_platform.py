"""A platform of columns, all Chinese, as StoryAlign's Douban: writers, genres, readers.

Stories of one genre or one column can be compared by their readership, which a story's quality
moves, but not alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pipeline.simulation.authors import HUMAN, draw_quality, lognormal_words
from pipeline.simulation.chinese.lexicon import GENRES
from pipeline.simulation.premise import Premise, write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.story import write_story
from storyaudit.vocabulary import DIMENSIONS

WRITERS = 300
ACTIVITY = 0.7  # the k-th most active writer publishes in proportion to k to the power of -this
LOYALTY = 0.8  # share of a writer's stories in the genre of the column
GIFT = 0.08  # SD over writers of what they add to every quality
LENGTH = 1.6  # median, as a multiple of the study's
LENGTH_SD = math.sqrt(2 * math.log(2802 / 1858))
"""Of the logarithm: what a lognormal of StoryAlign's mean and median has (table 9)."""
READERS = 400.0  # median readership of a middling story by a middling writer
BY_QUALITY, BY_FOLLOWING, BY_LUCK = 4.0, 0.8, 0.8
"""Log readership per unit of mean quality; SDs of the writers' followings and of luck."""
UNSEEN = 0.12  # share of stories with hardly any readers
UNSEEN_READERS = 10  # which have fewer readers than this


class Writer(NamedTuple):
    """A writer with a column."""

    name: str
    column_id: str
    genre: str
    gift: float  # added to every quality
    following: float  # added to the logarithm of the readership


class PlatformStory(NamedTuple):
    """A story in a column, and what is hidden behind it."""

    writer: Writer
    genre: str
    premise: Premise
    quality: Quality
    text: str
    readership: int


def draw_writers(rng: np.random.Generator) -> list[Writer]:
    """The platform's writers, the most active first."""
    genres = rng.choice(list(GENRES), size=WRITERS).tolist()
    gifts = rng.normal(0, GIFT, size=WRITERS).tolist()
    followings = rng.normal(0, BY_FOLLOWING, size=WRITERS).tolist()
    return [
        Writer(f"columnist-{number:03d}", f"column-{number:03d}", genre, gift, following)
        for number, (genre, gift, following) in enumerate(
            zip(genres, gifts, followings, strict=True), start=1
        )
    ]


def write_platform(
    count: int, median_words: float, rng: np.random.Generator
) -> Iterator[PlatformStory]:
    """So many stories by the platform's writers; the first ones of more are the same."""
    writers_rng, stories_rng = rng.spawn(2)
    writers = draw_writers(writers_rng)
    activity = np.arange(1, WRITERS + 1) ** -ACTIVITY
    cumulated = np.cumsum(activity / activity.sum())
    for story_rng in stories_rng.spawn(count):
        place = int(np.searchsorted(cumulated, story_rng.random(), side="right"))
        yield _write(writers[min(place, WRITERS - 1)], median_words, story_rng)


def _write(writer: Writer, median_words: float, rng: np.random.Generator) -> PlatformStory:
    genre = writer.genre if rng.random() < LOYALTY else str(rng.choice(list(GENRES)))
    premise = write_premise(rng, "zh", GENRES[genre])
    quality = _lifted(draw_quality(HUMAN.name, rng), writer.gift)
    words = lognormal_words(LENGTH * median_words, LENGTH_SD, rng)
    readership = draw_readership(quality, writer.following, rng)
    text = write_story(premise, quality, words=words, style=HUMAN.name, rng=rng)
    return PlatformStory(writer, genre, premise, quality, text, readership)


def draw_readership(quality: Quality, following: float, rng: np.random.Generator) -> int:
    """How many readers: lognormal about what quality and following promise, or next to none."""
    if rng.random() < UNSEEN:
        return int(rng.integers(UNSEEN_READERS))
    worth = sum(getattr(quality, name) for name in DIMENSIONS) / len(DIMENSIONS)
    luck = BY_LUCK * rng.standard_normal()
    return round(READERS * math.exp(BY_QUALITY * (worth - 0.5) + following + luck))


def _lifted(quality: Quality, gift: float) -> Quality:
    lifted = {name: min(1.0, max(0.0, getattr(quality, name) + gift)) for name in DIMENSIONS}
    return replace(quality, **lifted)

"""Premise and story to numbers: n-grams and style."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.linear.ngrams import Hashes, ngram_matrix, terms
from pipeline.reward.linear.reward_settings import Settings
from pipeline.reward.linear.style import STYLE, style
from storyaudit.text.sentences import sentences
from storyaudit.text.words import words

CHUNK = 512
"""Stories that are read at once."""


@dataclass(frozen=True)
class Story:
    """A story as a model reads it: text, words of each sentence, whether its end was cut off."""

    text: str
    sentences: list[list[str]]
    truncated: bool

    def words(self) -> list[str]:
        """Return its words, one sentence after another."""
        return list(chain.from_iterable(self.sentences))


@dataclass(frozen=True)
class Features:
    """Features of stories, one a row.

    Attributes:
        ngrams: sparse, one column a bucket.
        style: raw, one column a name of ``STYLE``; no column where the settings leave it out.
        truncated: whether the story's end was not read.
    """

    ngrams: Any
    style: NDArray[np.float64]
    truncated: NDArray[np.bool_]


def read(text: str, maximum_words: int | None) -> Story:
    """Read a story up to its last word or so many of them."""
    parts = sentences(text)
    found = [words(part) for part in parts]
    if maximum_words is None or sum(map(len, found)) <= maximum_words:
        return Story(text, found, truncated=False)
    kept = _beginning(parts, [len(sentence) for sentence in found], maximum_words)
    return Story(kept, [words(part) for part in sentences(kept)], truncated=True)


def _beginning(parts: Sequence[str], lengths: Sequence[int], most: int) -> str:
    whole = 0
    while lengths[whole] <= most:
        most -= lengths[whole]
        whole += 1
    part = parts[whole]
    end = bisect_right(range(len(part) + 1), most, key=lambda end: len(words(part[:end]))) - 1
    return "".join(parts[:whole]) + part[:end]


def features(
    premises: Sequence[str], stories: Sequence[str], settings: Settings, hashes: Hashes
) -> Features:
    """Return the features of a chunk of stories, each with its own premise."""
    named = _named(premises)
    found = [read(story, settings.maximum_words) for story in stories]
    width = len(STYLE) if settings.style else 0
    styles = np.empty((len(found), width))
    if width:
        styles[:] = [
            style(story.text, story.sentences, premise)
            for story, premise in zip(found, named, strict=True)
        ]
    grams = list(terms([story.words() for story in found], named, settings.ngrams, hashes))
    return Features(
        ngram_matrix(grams, len(found), settings.buckets_log2),
        styles,
        np.array([story.truncated for story in found], dtype="bool"),
    )


def _named(premises: Sequence[str]) -> list[frozenset[str]]:
    known = {premise: frozenset(words(premise)) for premise in set(premises)}
    return [known[premise] for premise in premises]

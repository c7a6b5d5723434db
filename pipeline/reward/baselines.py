"""Rewards that judge no story: what a trained model has to beat."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.premise_coverage import coverage
from storyaudit.text.sentences import length_kurtosis
from storyaudit.text.words import words

_LEAST_KURTOSIS = -2.0


def longest(stories: Sequence[str]) -> NDArray[np.float64]:
    """Return each story's length in words."""
    return np.array([len(words(story)) for story in stories], dtype="float64")


def shortest(stories: Sequence[str]) -> NDArray[np.float64]:
    """Return each story's length in words, negative."""
    return 0.0 - longest(stories)


def burstiness(stories: Sequence[str]) -> NDArray[np.float64]:
    """Return the excess kurtosis of each story's sentence lengths (StoryAlign, appendix H.4).

    A story of fewer than four sentences, or of sentences of equal length, gets −2, the least that
    any numbers have.
    """
    found = (length_kurtosis(story) for story in stories)
    return np.array([_LEAST_KURTOSIS if k is None else k for k in found], dtype="float64")


def premise_overlap(premises: Sequence[str], stories: Sequence[str]) -> NDArray[np.float64]:
    """Return the share of the premise's distinct words that the story has; 0 if there are none."""
    return np.array(
        [
            coverage(frozenset(words(premise)), set(words(story)))
            for premise, story in zip(premises, stories, strict=True)
        ],
        dtype="float64",
    )


def at_random(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return uniform random rewards."""
    return np.round(rng.random(count), 12)

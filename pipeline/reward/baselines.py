"""Rewards that do not read the story: what a trained model has to beat."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from storyaudit.text import words


def longest(stories: Sequence[str]) -> NDArray[np.float64]:
    """Return each story's length in words."""
    return np.array([len(words(story)) for story in stories], dtype="float64")


def at_random(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return uniform random rewards."""
    return np.round(rng.random(count), 12)

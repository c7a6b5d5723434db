"""The five hidden qualities of a story."""

from __future__ import annotations

from dataclasses import dataclass

from storyaudit.vocabulary import DIMENSIONS


@dataclass(frozen=True)
class Quality:
    """How good a story is on each dimension, from 0 to 1."""

    creativity: float
    coherence: float
    fluency: float
    characterization: float
    relevance: float

    def __post_init__(self) -> None:
        for dimension in DIMENSIONS:
            value = getattr(self, dimension)
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{dimension} must lie between 0 and 1, not {value}")

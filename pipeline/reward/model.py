"""What a reward model is, whatever its kind."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class RewardModel(Protocol):
    """A fitted model of P(chosen over rejected | premise), by rewards."""

    def score(self, premises: Sequence[str], stories: Sequence[str]) -> NDArray[np.float64]:
        """Return a reward a story; each depends on its own premise and story alone."""

    def files(self) -> dict[str, bytes]:
        """Return what ``folder.load`` needs, by file name; the same bytes for the same model."""

    def drivers(self, most: int) -> list[tuple[str, float]]:
        """Return what moves rewards most: named features and n-grams with their effects.

        An effect is signed, and the strongest stands first.
        """

"""Random choices, fast enough for a few hundred in each story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

BLOCK = 512


def _uniforms(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.random(BLOCK).tolist()


class Draws:
    """Choices fed by a generator that is read in blocks: single NumPy draws are slow.

    The generator ends up to `BLOCK - 1` draws further than the choices needed, always the same.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.uniform = _uniforms(rng).__next__

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.uniform() < probability

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        return options[int(self.uniform() * len(options))]

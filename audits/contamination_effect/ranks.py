"""Macro accuracies and ranks with and without the items that overlap."""

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audits.contamination_effect.model_answers import Answers
from storyaudit.stats.estimate import Estimate
from storyaudit.stats.items_by_seeds import accuracy, difference

_EQUAL = 1e-9


@dataclass(frozen=True)
class Macro:
    """Macro accuracies on some items.

    Attributes:
        items: how many items each dimension has, of the dimensions that have any.
        estimates: a macro accuracy a model, over items and seeds.
        ranks: 1 is the best; models with equal accuracy have the better rank.
    """

    items: dict[str, int]
    estimates: list[Estimate]
    ranks: list[int]


class Swap(NamedTuple):
    """Two models whose order changes: the first is ahead on all items, and not on the others.

    Attributes:
        first: a model, as a number.
        second: another.
        on_all: the first's macro accuracy less the second's, paired over all items.
        on_uncontaminated: the same over the uncontaminated items.
    """

    first: int
    second: int
    on_all: Estimate
    on_uncontaminated: Estimate

    @property
    def significant(self) -> bool:
        """Whether the two differ significantly on all items and on the uncontaminated ones."""
        return self.on_all.excludes_zero() and self.on_uncontaminated.excludes_zero()


def macro(answers: Answers, inside: NDArray[np.bool_], confidence: float) -> Macro | None:
    """Return macro accuracies over the dimensions present; None if no item has one.

    Args:
        answers: of the models.
        inside: which items count.
        confidence: of the intervals (``storyaudit.stats.items_by_seeds``).
    """
    kept = inside & (answers.strata >= 0)
    if not kept.any():
        return None
    strata = answers.strata[kept]
    estimates = [
        accuracy(outcomes[kept], strata, confidence).estimate for outcomes in answers.by_model
    ]
    values = np.array([estimate.value for estimate in estimates])
    sizes = np.bincount(strata, minlength=len(answers.dimensions)).tolist()
    return Macro(
        {name: size for name, size in zip(answers.dimensions, sizes, strict=True) if size},
        estimates,
        [1 + int((values > value + _EQUAL).sum()) for value in values],
    )


def swaps(
    answers: Answers,
    inside: NDArray[np.bool_],
    uncontaminated: NDArray[np.bool_],
    confidence: float,
) -> list[Swap]:
    """Return the model pairs whose order by macro accuracy differs on the uncontaminated items.

    A lead that becomes a tie, or that grows out of one, counts. Differences are paired by item.

    Args:
        answers: of the models.
        inside: which items count at first.
        uncontaminated: which of them are.
        confidence: of the intervals.
    """
    found = []
    for model_pair in combinations(range(len(answers.names)), 2):
        on_all, on_uncontaminated = (
            _lead(answers, model_pair, kept, confidence) for kept in (inside, uncontaminated)
        )
        if _sign(on_all.value) == _sign(on_uncontaminated.value):
            continue
        ahead, behind = model_pair
        if (_sign(on_all.value) or -_sign(on_uncontaminated.value)) < 0:
            ahead, behind = behind, ahead
            on_all, on_uncontaminated = _negative(on_all), _negative(on_uncontaminated)
        found.append(Swap(ahead, behind, on_all, on_uncontaminated))
    return found


def _lead(
    answers: Answers, model_pair: tuple[int, int], inside: NDArray[np.bool_], confidence: float
) -> Estimate:
    kept = inside & (answers.strata >= 0)
    first, second = (answers.by_model[model][kept] for model in model_pair)
    return difference(first, second, answers.strata[kept], confidence).estimate


def _sign(value: float) -> int:
    return 0 if abs(value) <= _EQUAL else 1 if value > 0 else -1


def _negative(estimate: Estimate) -> Estimate:
    low = None if estimate.high is None else -estimate.high
    high = None if estimate.low is None else -estimate.low
    return Estimate(-estimate.value, low, high)

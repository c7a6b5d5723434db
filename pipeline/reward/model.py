"""What a reward model is, whatever its kind, and how a kind is trained and read back."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from storyaudit.runs.params import Params

Rows = NDArray[np.int64]
"""Numbers of pairs, from 0."""
Logged = str | int | float | bool | None

K = TypeVar("K", bound=Hashable)
P = TypeVar("P", bound=Params)


class RewardModel(ABC):
    """A fitted model of P(chosen over rejected | premise), by rewards.

    Attributes:
        kind: the name of its kind; it stands in the column 'model' of the scores.
        effects: what the effects of ``attributions`` are, a sentence; '' for a kind without any.
    """

    kind: ClassVar[str]
    effects: ClassVar[str] = ""

    @abstractmethod
    def score(self, premises: Sequence[str], stories: Sequence[str]) -> NDArray[np.float64]:
        """Return a reward a story; each depends on its own premise and story alone."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write what the kind's ``load`` needs into an empty folder; the same bytes every time.

        ``model.json`` is among the files, see ``model_files.model_json``.
        """

    def attributions(self, most: int) -> list[tuple[str, float]]:
        """Return what moves rewards most: named features with their effects; none by default.

        An effect is signed, and the strongest stands first.
        """
        return []

    @classmethod
    def score_together(
        cls, models: Mapping[K, Self], premises: Sequence[str], stories: Sequence[str]
    ) -> dict[K, NDArray[np.float64]]:
        """Return the rewards of several models of this kind; a kind may share work among them."""
        return {key: model.score(premises, stories) for key, model in models.items()}


class PairTexts(NamedTuple):
    """The texts of pairs, one each a pair."""

    premises: list[str]
    chosen: list[str]
    rejected: list[str]


@dataclass(frozen=True)
class Fit:
    """A model that was trained, and what is to be said of it.

    Attributes:
        model: the model.
        margins: the chosen story's reward less the rejected one's, for every pair.
        truncated: of the chosen and of the rejected stories, whether the end was not read; two
            rows, one column a pair.
        log: parameters of the run: settings, loss, optimiser, as they were in truth.
    """

    model: RewardModel
    margins: NDArray[np.float64]
    truncated: NDArray[np.bool_]
    log: Mapping[str, Logged]


class RewardKind(ABC, Generic[P]):
    """A kind of reward models; ``reward_kinds`` lists them.

    Attributes:
        name: stands in ``train.kind``, and names the section of ``train`` with its parameters.
        params: that section.
    """

    name: ClassVar[str]
    params: type[P]

    @abstractmethod
    def fit(
        self,
        texts: PairTexts,
        rows: Mapping[str, Mapping[int, Rows]],
        training: Rows,
        params: P,
    ) -> Iterator[tuple[str, int, Fit]]:
        """Yield a variant, a seed and their model, for every one of ``rows``, in their order.

        Args:
            texts: of all pairs.
            rows: the pairs to train on, by variant and seed; seeds of a variant that share the
                very same array train on the same pairs.
            training: all pairs that some variant may train on; the others are held out.
            params: of the kind.

        Raises:
            InputError: the parameters lead to no model.
        """

    @abstractmethod
    def load(self, content: dict[str, Any], folder: Path) -> RewardModel:
        """Return a saved model.

        Args:
            content: of its ``model.json``.
            folder: that holds it, ``model.json`` among files that are no links.

        Raises:
            InputError: it is not what ``RewardModel.save`` writes.
        """

"""A linear Bradley–Terry reward over hashed n-grams and features of style."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.linear.features import CHUNK, Features, features
from pipeline.reward.linear.ngrams import Hashes
from pipeline.reward.linear.reward_settings import Settings
from pipeline.reward.linear.style import STYLE, standardised
from pipeline.reward.model import RewardModel
from pipeline.reward.model_files import MODEL, model_json
from storyaudit.io.files import write_bytes

KIND = "linear"
WEIGHTS = "weights.safetensors"
TENSOR = "ngrams"
LARGEST = 1e9
"""No weight is larger, so that rewards stay finite."""
_DECIMALS = 8  # of rewards: the last bits of a sum differ between processors

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class StyleWeights:
    """What the features of style count: arrays with one number a name of ``STYLE``, or empty.

    Attributes:
        means: of the stories trained on.
        sds: their standard deviations.
        weights: reward for one standard deviation.
    """

    means: NDArray[np.float64]
    sds: NDArray[np.float64]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class LinearReward(RewardModel):
    """A story's reward is the dot product of weights with its features.

    A story without words has none: its reward is 0, that of a story average in every way.

    Attributes:
        settings: how features are made.
        ngrams: weights of the buckets, float32.
        style: weights of the features of style.
        strongest: what moves rewards most, see ``attributions``.
    """

    kind = KIND
    effects = (
        "An effect is the root mean square of what a feature adds to the difference of the two "
        "rewards of a training pair, with the sign of its weight."
    )

    settings: Settings
    ngrams: NDArray[np.float32]
    style: StyleWeights
    strongest: tuple[tuple[str, float], ...] = ()

    def score(self, premises: Sequence[str], stories: Sequence[str]) -> NDArray[np.float64]:
        """Return a reward a story; each depends on its own premise and story alone."""
        return self.score_together({0: self}, premises, stories)[0]

    def attributions(self, most: int) -> list[tuple[str, float]]:
        """Return what moves rewards most: features of style, and n-grams in words.

        A feature stands with the root mean square of what it adds to the difference of the two
        rewards of a training pair, and with the sign of its weight; the largest comes first.
        """
        return list(self.strongest[:most])

    def files(self) -> dict[str, bytes]:
        """Return ``model.json`` and ``weights.safetensors``."""
        from safetensors.numpy import save

        columns = (self.style.means, self.style.sds, self.style.weights)
        style = {
            name: {"mean": mean, "sd": sd, "weight": weight}
            for name, mean, sd, weight in zip(
                STYLE if self.settings.style else (),
                *(column.tolist() for column in columns),
                strict=True,
            )
        }
        content = {
            "settings": self.settings.model_dump(),
            "style": style,
            "drivers": [{"feature": name, "effect": effect} for name, effect in self.strongest],
        }
        return {MODEL: model_json(KIND, content), WEIGHTS: save({TENSOR: self.ngrams})}

    def save(self, folder: Path) -> None:
        """Write ``model.json`` and ``weights.safetensors``."""
        for name, content in self.files().items():
            write_bytes(folder / name, content)

    @classmethod
    def score_together(
        cls, models: Mapping[K, Self], premises: Sequence[str], stories: Sequence[str]
    ) -> dict[K, NDArray[np.float64]]:
        """Return every model's rewards; features are made once for models with equal settings."""
        rewards = {key: np.empty(len(stories)) for key in models}
        hashes = Hashes()
        for start in range(0, len(stories), CHUNK):
            chunk = slice(start, start + CHUNK)
            found: dict[Settings, Features] = {}
            for key, model in models.items():
                if model.settings not in found:
                    found[model.settings] = features(
                        premises[chunk], stories[chunk], model.settings, hashes
                    )
                rewards[key][chunk] = model._rewards(found[model.settings])
        return rewards

    def _rewards(self, found: Features) -> NDArray[np.float64]:
        rewards = found.ngrams @ self.ngrams.astype("float64")
        scaled = standardised(found.style, self.style.means, self.style.sds)
        for column, weight in enumerate(self.style.weights):  # one by one: in the same order always
            rewards = rewards + scaled[:, column] * weight
        return np.asarray(np.round(rewards, _DECIMALS))

"""A saved linear model, read with distrust."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pipeline.reward.linear.linear_reward import (
    LARGEST,
    TENSOR,
    WEIGHTS,
    LinearReward,
    StyleWeights,
)
from pipeline.reward.linear.reward_settings import Settings
from pipeline.reward.linear.style import STYLE
from pipeline.reward.model_files import MODEL, require_files
from storyaudit.errors import InputError
from storyaudit.io.checked import first_fault

_AGAIN = "Train and save the model again."
_MOST_HEADER = 10_000  # bytes before the weights

_Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _Style(_Part):
    mean: _Number
    sd: Annotated[float, Field(ge=0, le=LARGEST)]
    weight: _Number


class _Attribution(_Part):
    feature: Annotated[str, Field(max_length=1000)]
    effect: _Number


class _Saved(_Part):
    """``model.json``."""

    format: str
    kind: Literal["linear"]
    settings: Settings
    style: dict[str, _Style]
    drivers: Annotated[list[_Attribution], Field(max_length=1000)]

    @model_validator(mode="after")
    def _style_as_set(self) -> Self:
        if set(self.style) != set(STYLE if self.settings.style else ()):
            raise ValueError("its features of style are not those of its settings")
        return self


def load_linear(content: dict[str, Any], folder: Path) -> LinearReward:
    """Return the model in a folder, whose ``model.json`` is read.

    Raises:
        InputError: the folder is not what ``LinearReward.save`` writes.
    """
    require_files(folder, [MODEL, WEIGHTS])
    try:
        saved = _Saved.model_validate(content)
    except ValidationError as error:
        raise InputError(
            f"expected a linear model ({first_fault(error)}).", _AGAIN, file=folder / MODEL
        ) from None
    rows = [saved.style[name] for name in STYLE if saved.settings.style]
    return LinearReward(
        saved.settings,
        _weights(folder / WEIGHTS, 2**saved.settings.buckets_log2),
        StyleWeights(
            np.array([row.mean for row in rows]),
            np.array([row.sd for row in rows]),
            np.array([row.weight for row in rows]),
        ),
        tuple((attribution.feature, attribution.effect) for attribution in saved.drivers),
    )


def _weights(file: Path, buckets: int) -> NDArray[np.float32]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    size = file.stat().st_size
    if not 0 <= size - 4 * buckets <= _MOST_HEADER:  # before anything is read
        raise InputError(
            f"expected the {buckets} weights that model.json states, found {size} bytes.",
            _AGAIN,
            file=file,
        )
    try:
        tensors = load(file.read_bytes())
    except (SafetensorError, KeyError, ValueError) as error:
        raise InputError(
            f"expected a file of safetensors ({str(error)[:80]}).", _AGAIN, file=file
        ) from None
    found = {name: f"{tensor.dtype}{list(tensor.shape)}" for name, tensor in tensors.items()}
    if found != {TENSOR: f"float32[{buckets}]"}:
        raise InputError(
            f"expected {{'{TENSOR}': 'float32[{buckets}]'}}, found {found!s:.80}.",
            _AGAIN,
            file=file,
        )
    weights: NDArray[np.float32] = tensors[TENSOR]
    if not np.abs(weights).max() <= LARGEST:  # NaN is not
        raise InputError("expected finite weights, found one that is not.", _AGAIN, file=file)
    return weights

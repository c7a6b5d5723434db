"""Saved reward models, whatever their kind.

A folder holds ``model.json``, which names the format and the kind, and ``weights.safetensors``.
A neural kind would join with its own name in ``kind``, its own module with ``load``, and a score of
its own; nothing that only scores stories would change.
"""

import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.linear.linear_file import load_linear
from pipeline.reward.linear.linear_reward import (
    FORMAT,
    KIND,
    MODEL,
    WEIGHTS,
    LinearReward,
    score_together,
)
from pipeline.reward.model import RewardModel
from storyaudit.errors import InputError
from storyaudit.io.files import read_text

_MOST_BYTES = 1_000_000  # of model.json
_AGAIN = "Train the model again, or copy its folder again."

K = TypeVar("K", bound=Hashable)


def load(folder: Path) -> RewardModel:
    """Load a model from the files that ``RewardModel.files`` returned.

    Raises:
        InputError: the folder does not hold such a model, whole and nothing beside it.
    """
    _require_files(folder)
    file = folder / MODEL
    if file.stat().st_size > _MOST_BYTES:
        raise InputError(
            f"expected at most {_MOST_BYTES} bytes, found {file.stat().st_size}.", _AGAIN, file=file
        )
    try:
        content = json.loads(read_text(file))
    except (ValueError, RecursionError):
        raise InputError("expected JSON.", _AGAIN, file=file) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"expected a model saved as '{FORMAT}'.", _AGAIN, file=file)
    if content.get("kind") != KIND:
        raise InputError(
            f"expected the kind '{KIND}', found {content.get('kind')!r:.40}.", _AGAIN, file=file
        )
    return load_linear(content, file, folder / WEIGHTS)


def score_all(
    models: Mapping[K, RewardModel], premises: Sequence[str], stories: Sequence[str]
) -> dict[K, NDArray[np.float64]]:
    """Return every model's rewards of the same stories, each with its own premise.

    Args:
        models: by any names.
        premises: one a story.
        stories: their texts.
    """
    linear = {key: model for key, model in models.items() if isinstance(model, LinearReward)}
    rewards = score_together(linear, premises, stories)
    return {
        key: rewards[key] if key in rewards else model.score(premises, stories)
        for key, model in models.items()
    }


def _require_files(folder: Path) -> None:
    if not folder.is_dir():
        raise InputError("expected the folder of a model.", "Train one: dvc repro.", file=folder)
    there = sorted(folder.iterdir())
    names = [path.name for path in there]
    if names != [MODEL, WEIGHTS]:
        raise InputError(
            f"expected {MODEL} and {WEIGHTS}, found {', '.join(names[:5]) or 'nothing'}.",
            "Keep nothing else in the folder; train the model again if a file is missing.",
            file=folder,
        )
    for path in there:
        if path.is_symlink() or not path.is_file():
            raise InputError("expected a file, and no link.", "Copy the file itself.", file=path)

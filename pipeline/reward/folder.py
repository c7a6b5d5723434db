"""Saved reward models, whatever their kind.

A folder holds ``model.json``, which names the format and the kind; what else is in it, and in
``model.json``, is the kind's own.
"""

import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.model import RewardModel
from pipeline.reward.model_files import FORMAT, MODEL
from pipeline.reward.reward_kinds import KINDS
from storyaudit.errors import InputError
from storyaudit.io.files import read_text

_MOST_BYTES = 1_000_000  # of model.json
_AGAIN = "Train the model again, or copy its folder again."

K = TypeVar("K", bound=Hashable)


def load(folder: Path) -> RewardModel:
    """Load a model from the folder that ``RewardModel.save`` wrote.

    Raises:
        InputError: the folder does not hold such a model, whole and nothing beside it.
    """
    _require_plain_files(folder)
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
    kind = content.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise InputError(
            f"expected the kind {' or '.join(map(repr, KINDS))}, found {kind!r:.40}.",
            _AGAIN,
            file=file,
        )
    return KINDS[kind].load(content, folder)


def score_all(
    models: Mapping[K, RewardModel], premises: Sequence[str], stories: Sequence[str]
) -> dict[K, NDArray[np.float64]]:
    """Return every model's rewards of the same stories, each with its own premise.

    Args:
        models: by any names.
        premises: one a story.
        stories: their texts.
    """
    rewards: dict[K, NDArray[np.float64]] = {}
    for kind in dict.fromkeys(type(model) for model in models.values()):
        same_kind = {key: model for key, model in models.items() if type(model) is kind}
        rewards |= kind.score_together(same_kind, premises, stories)
    return {key: rewards[key] for key in models}


def _require_plain_files(folder: Path) -> None:
    if not folder.is_dir():
        raise InputError("expected the folder of a model.", "Train one: dvc repro.", file=folder)
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise InputError("expected a file, and no link.", "Copy the file itself.", file=path)
    if not (folder / MODEL).is_file():
        raise InputError(
            f"expected {MODEL}, found no such file.", "Train the model again.", file=folder
        )

"""What the folder of every saved model holds, whatever its kind."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from storyaudit.errors import InputError
from storyaudit.io.files import json_text

FORMAT = "storyaudit reward 1"
MODEL = "model.json"


def model_json(kind: str, content: Mapping[str, Any]) -> bytes:
    """Return ``model.json`` of a kind's model, with what the kind keeps in it."""
    return json_text({"format": FORMAT, "kind": kind, **content}).encode()


def require_files(folder: Path, names: Sequence[str]) -> None:
    """Refuse a folder that holds too little or more than a kind's files.

    Args:
        folder: of a model.
        names: of all its files, ``model.json`` among them; those in folders with these.

    Raises:
        InputError: names what is there.
    """
    there = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    if there != sorted(names):
        raise InputError(
            f"expected {' and '.join(names)}, found {', '.join(there[:5]) or 'nothing'}.",
            "Keep nothing else in the folder; train the model again if a file is missing.",
            file=folder,
        )

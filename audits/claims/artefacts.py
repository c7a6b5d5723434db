"""Does an artefact of a study hold what is said to stand in it?"""

import json
from pathlib import Path
from typing import Any

from storyaudit.errors import InputError
from storyaudit.io.files import read_text
from storyaudit.io.yaml_file import read_yaml


def holds(path: Path, at: str) -> bool:
    """Return whether a file has an answer at a place.

    Args:
        path: an existing file.
        at: a column of a Parquet file; a finding's id, in a file of findings; else the keys down
            to a value in JSON or YAML, with '/' between them, of a list a place from 0; null and
            emptiness are no answers.

    Raises:
        InputError: the file is not what its name says, or of a kind that has no such places.
    """
    if path.suffix == ".parquet":
        return at in _columns(path)
    if path.suffix == ".json":
        content = _json(path)
    elif path.suffix in (".yaml", ".yml"):
        content = read_yaml(path)
    else:
        raise InputError(
            f"expected JSON, YAML or Parquet to look for '{at}' in.", "Leave 'at' out.", file=path
        )
    if isinstance(content, dict) and isinstance(content.get("findings"), list):
        return any(
            isinstance(finding, dict) and finding.get("id") == at for finding in content["findings"]
        )
    for key in at.split("/"):
        content = _member(content, key)
    return content not in (None, "", [], {})


def _member(content: Any, key: str) -> Any:
    """Return what stands under a key, or at a place of a list from 0; None if nothing does."""
    if isinstance(content, list):
        return content[int(key)] if key.isdecimal() and int(key) < len(content) else None
    return content.get(key) if isinstance(content, dict) else None


def _columns(path: Path) -> list[str]:
    from pyarrow import ArrowInvalid, parquet

    try:
        return list(parquet.read_schema(path).names)
    except ArrowInvalid as error:
        raise InputError(f"not Parquet ({error}).", "Build it again.", file=path) from None


def _json(path: Path) -> Any:
    try:
        return json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"not JSON ({error}).", "Build it again.", file=path) from None

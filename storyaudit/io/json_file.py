"""Read JSON files of records."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from storyaudit.errors import InputError
from storyaudit.io.files import read_text
from storyaudit.io.records import Records, read_records


def read_json(path: Path) -> Any:
    """Return the content of a JSON file.

    Raises:
        InputError: no such file, not UTF-8, not JSON, or a name twice in one object.
    """
    text = read_text(path)
    try:
        return json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"expected JSON, found text that does not parse ({error}).",
            "Check that it is complete; one object a line needs the ending .jsonl.",
            file=path,
        ) from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return record


def read_any_records(path: Path) -> Records:
    """Read records as ``read_records`` does, or a JSON list of objects, counted from 1.

    Raises:
        InputError: see ``read_records``; JSON that is not a list of objects.
    """
    if path.suffix.lower() != ".json":
        return read_records(path)
    content = read_json(path)
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        raise InputError(
            "expected a list of JSON objects, found something else.",
            "Write [{…}, {…}], or one object a line in a .jsonl file.",
            file=path,
        )
    names = list(dict.fromkeys(name for record in content for name in record))
    columns = {
        name: pd.Series([record.get(name) for record in content], dtype="object") for name in names
    }
    return Records(pd.DataFrame(columns), np.arange(1, len(content) + 1))

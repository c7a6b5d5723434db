"""Read the records of a file into a table in memory, untyped."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from storyaudit.io.columns import find_columns
from storyaudit.io.row_batches import Fits, RowFile, accepted_by, check_size
from storyaudit.io.row_files import PACKED, TABLES, open_rows
from storyaudit.io.streams import COMPRESSIONS

SUFFIXES = tuple(
    sorted(
        kind + packed
        for kind in TABLES
        for packed in ("", *COMPRESSIONS)
        if not (packed and kind in PACKED)
    )
)
"""Endings of files that hold tables."""


@dataclass(frozen=True)
class Records:
    """A file's records as they stand there.

    Attributes:
        frame: one row a record; strings where the format has no types.
        rows: each record's row as a person counts it: with the header as row 1 in CSV, TSV and
            XLSX; lines in JSON lines; records from 1 in Parquet and in a JSON list.
    """

    frame: pd.DataFrame
    rows: np.ndarray


def read_records(path: Path, fits: Fits | None = None) -> Records:
    """Read a file by its ending: Parquet, CSV, TSV, JSON lines, a JSON list of objects, XLSX.

    Args:
        path: of the file; text may be compressed (.gz, .zst).
        fits: says whether columns are the wanted ones; of a workbook, the first worksheet that has
            them is read, the first of all where none has.

    Raises:
        InputError: no such file, an ending that is not known, an encoding other than UTF-8, content
            that is not what the ending says, or what is beyond ``bounds``.
    """
    file = open_rows(path, fits, formats=TABLES)
    names: dict[str, None] = {}
    parts, numbers = [], []
    count = 0
    for rows in file.rows(file.names if file.untyped else None):
        names |= dict.fromkeys(rows.cells)
        count += len(rows.numbers)
        if not file.types:  # what columns with types decode to is bounded in bytes
            check_size(path, count, len(names))
        parts.append(rows.cells)
        numbers.append(np.asarray(rows.numbers, dtype=int))
    named = list(names) or file.names
    frame = _of_arrow(named, parts) if file.types else _of_lists(named, parts, numbers, file)
    return Records(frame, np.concatenate([np.empty(0, dtype=int), *numbers]))


def read_mapped(
    path: Path,
    names: Mapping[str, tuple[str, ...]],
    given: Mapping[str, str] | None,
    *,
    required: Collection[str],
) -> tuple[Records, dict[str, str]]:
    """Read a file, and return its column for each of ours that it has.

    Args:
        path: see ``read_records``.
        names: see ``find_columns``; so are ``given`` and ``required``.

    Raises:
        InputError: see ``read_records`` and ``find_columns``.
    """
    find = partial(find_columns, names=names, given=given, required=required, file=path)
    records = read_records(path, accepted_by(find))
    return records, find(records.frame)


def _of_lists(
    names: list[str], parts: list[Any], numbers: list[np.ndarray], file: RowFile
) -> pd.DataFrame:
    columns = {}
    for name in names:
        cells: list[Any] = []
        for part, own in zip(parts, numbers, strict=True):
            cells += part.get(name) or [None] * len(own)
        columns[name] = pd.Series(cells, dtype="str" if file.untyped else "object")
    return pd.DataFrame(columns)


def _of_arrow(names: list[str], parts: list[Any]) -> pd.DataFrame:
    import pyarrow as pa

    columns = {
        name: pa.chunked_array(
            [chunk for part in parts for chunk in part[name].chunks], parts[0][name].type
        )
        for name in names
    }
    # Whole numbers with gaps would become floats, and IDs such as 9189 no IDs any more.
    frame: pd.DataFrame = pa.table(columns).to_pandas(
        ignore_metadata=True, integer_object_nulls=True
    )
    return frame

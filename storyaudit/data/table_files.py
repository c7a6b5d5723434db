"""Read and find tables of ``storyaudit.data.tables`` in files and folders."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from storyaudit.data.tables import Table, coerce_types, holds, validate
from storyaudit.errors import InputError
from storyaudit.former_names import current_columns, note
from storyaudit.io.records import SUFFIXES, Records, read_records


class Read(NamedTuple):
    """A table as an audit reads it.

    Attributes:
        frame: its columns.
        ignored: names of further columns, which were left out.
        rows: each record's row as a person counts it.
    """

    frame: pd.DataFrame
    ignored: list[str]
    rows: np.ndarray


def read_table(path: Path, table: Table) -> Read:
    """Read a table for an audit: its types are checked, its content is not.

    Columns may bear former names.

    Raises:
        InputError: see ``read_records`` and ``storyaudit.data.tables.coerce_types``.
    """
    records = read_columns(path, table)
    return Read(*coerce_types(records.frame, table, file=path, rows=records.rows), records.rows)


def read_columns(path: Path, table: Table) -> Records:
    """Read the records of a table as they stand there, its columns by their present names.

    Raises:
        InputError: see ``read_records``.
    """
    records = read_records(path, holds(table))
    former = current_columns(records.frame.columns, table.names)
    for old, new in former.items():
        note(old, new)
    return replace(records, frame=records.frame.rename(columns=former))


def read_valid_table(path: Path, table: Table) -> pd.DataFrame:
    """Read a table for a builder, which refuses what it must not build on.

    Raises:
        InputError: see ``read_table`` and ``storyaudit.data.tables.validate``.
    """
    frame = read_table(path, table).frame
    validate(frame, table, file=path)
    return frame


def find_table(folder: Path, table: Table) -> Path | None:
    """Return the file in ``folder`` that holds the table by its name, or None.

    Raises:
        InputError: more than one file bears the name.
    """
    found = [path for suffix in SUFFIXES if (path := folder / f"{table.name}{suffix}").is_file()]
    if len(found) > 1:
        raise InputError(
            f"expected one file named {table.name}, found {', '.join(p.name for p in found)}.",
            "Keep the one that is meant.",
            file=folder,
        )
    return found[0] if found else None


def find_tables(folder: Path, tables: Iterable[Table]) -> dict[str, Path]:
    """Return the files in ``folder`` that hold tables by their names; of those that are there.

    Raises:
        InputError: no such folder; see ``find_table``.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder.", "Check the path.", file=folder)
    return {table.name: path for table in tables if (path := find_table(folder, table))}


def find_complete(
    folder: Path, tables: Iterable[Table], kinds: Sequence[Sequence[Table]]
) -> dict[str, Path]:
    """Return the files in ``folder`` that hold tables by their names.

    Args:
        folder: that holds them.
        tables: that are sought.
        kinds: see ``require_tables``.

    Raises:
        InputError: see ``find_tables`` and ``require_tables``.
    """
    paths = find_tables(folder, tables)
    require_tables(paths, kinds, folder)
    return paths


def require_tables(
    paths: Mapping[str, Path], kinds: Sequence[Sequence[Table]], folder: Path
) -> None:
    """Refuse files that lack tables.

    Args:
        paths: the files by the tables' names.
        kinds: tables that belong together: all of a kind are there or none, and those of one kind
            at least.
        folder: named in the error.

    Raises:
        InputError: no kind is there, or a part of one.
    """
    complete = [all(table.name in paths for table in kind) for kind in kinds]
    begun = [any(table.name in paths for table in kind) for kind in kinds]
    if begun != complete or not any(complete):
        expected = ", or ".join(_listed([table.name for table in kind]) for kind in kinds)
        raise InputError(
            f"expected the tables {expected}, found {', '.join(paths) or 'none of them'}.",
            "Name the files after the tables.",
            file=folder,
        )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def read_tables(paths: Mapping[str, Path], tables: Iterable[Table]) -> dict[str, Read]:
    """Return the tables among some that have files, as an audit reads them.

    Raises:
        InputError: see ``read_table``.
    """
    return {t.name: read_table(paths[t.name], t) for t in tables if t.name in paths}

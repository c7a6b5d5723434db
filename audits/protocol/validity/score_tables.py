"""The two tables of scores, whose criteria are the columns of numbers that both have."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from storyaudit.data.table_files import read_columns
from storyaudit.data.tables import HUMAN_SCORES, JUDGE_SCORES, Column, Table, coerce_types
from storyaudit.errors import InputError


class Scores(NamedTuple):
    """Both tables, and the columns that only one of them has, which are left out."""

    human: pd.DataFrame
    judge: pd.DataFrame
    ignored: dict[str, list[str]]


def criteria(human: pd.DataFrame, judge: pd.DataFrame) -> list[str]:
    """Return the criteria, in the order of the human table.

    Raises:
        InputError: the tables have none in common.
    """
    keys = {*HUMAN_SCORES.key, *JUDGE_SCORES.key}
    shared = [str(name) for name in human.columns if name in judge.columns and name not in keys]
    if not shared:
        raise InputError(
            "expected a criterion that raters and judges scored, found none.",
            "Give its column the same name in both tables.",
        )
    return shared


def with_criteria(table: Table, names: list[str]) -> Table:
    """Return a table's schema with its criteria."""
    return replace(table, columns=table.columns + tuple(Column(name, "float") for name in names))


def read_scores(human: Path, judge: Path) -> Scores:
    """Read both tables for the audit.

    Args:
        human: file of human_scores.
        judge: file of judge_scores.

    Raises:
        InputError: see ``read_records``, ``coerce_types`` and ``criteria``.
    """
    files = {HUMAN_SCORES: human, JUDGE_SCORES: judge}
    records = {table: read_columns(file, table) for table, file in files.items()}
    names = criteria(*(found.frame for found in records.values()))
    read = [
        coerce_types(found.frame, with_criteria(table, names), file=files[table], rows=found.rows)
        for table, found in records.items()
    ]
    ignored = {str(file): left for file, (_, left) in zip(files.values(), read, strict=True)}
    return Scores(read[0][0], read[1][0], ignored)

"""Read HANNA's scores: raters' and language-model judges' scores of the same stories.

In the authors' file a row is an author, and a cell a list with one number a premise, in one order
of premises throughout. 'Human 1 RE' is a rater's relevance, 'ChatGPT RE 2' a judge's under its
second prompt.
"""

import json
import math
import re
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.data.tables import HUMAN_SCORES, JUDGE_SCORES
from storyaudit.errors import InputError
from storyaudit.io.records import Records, read_records

CRITERIA = {
    "RE": "relevance",
    "CH": "coherence",
    "EM": "empathy",
    "SU": "surprise",
    "EG": "engagement",
    "CX": "complexity",
}
JUDGES = ("Beluga-13B", "Mistral-7B", "Llama-13B", "ChatGPT")
"""The judges of the authors' paper; the file has a further one."""
_CODE = "|".join(CRITERIA)
_HUMAN = re.compile(rf"Human (?P<name>\d+) (?P<code>{_CODE})")
_JUDGE = re.compile(rf"(?!Human )(?P<name>.+) (?P<code>{_CODE}) (?P<variant>\d+)")


class HannaScores(NamedTuple):
    """The two tables that the file holds, each sorted by its key.

    Attributes:
        human: the human_scores table with the six criteria, whole numbers.
        judge: the judge_scores table with the six criteria, averages of a judge's answers.
    """

    human: pd.DataFrame
    judge: pd.DataFrame


def read_hanna_scores(path: Path) -> HannaScores:
    """Read the authors' file ``hanna_metric_scores_llm.csv``.

    Premises bear their place in the lists: p01, p02, ….

    Raises:
        InputError: not such a file, an author twice, a criterion missing, a cell that is no list
            of as many numbers as the others, or a rater's score that is no whole number.
    """
    records = read_records(path, lambda names: "Model" in names)
    if "Model" not in records.frame.columns or records.frame.empty:
        raise InputError(
            "expected a row an author, with the author in the column 'Model'.",
            "Give HANNA's file of metric scores.",
            file=path,
        )
    authors = records.frame["Model"]
    twice = authors[authors.duplicated() | (authors == "")]
    if len(twice):
        raise InputError(
            f"expected every author once, found '{twice.iloc[0]}'"
            f"{' again' if twice.iloc[0] else ''}.",
            "Keep one row of each.",
            file=path,
            row=int(records.rows[twice.index[0]]),
            column="Model",
        )
    human = _table(path, records, _HUMAN, [*HUMAN_SCORES.key])
    judge = _table(path, records, _JUDGE, [*JUDGE_SCORES.key])
    if human["premise_id"].nunique() != judge["premise_id"].nunique():
        raise InputError(
            "expected lists of one length from raters and judges.",
            "Check how the file was made.",
            file=path,
        )
    scores = human[[*CRITERIA.values()]]
    if (scores != scores.round()).any(axis=None):
        raise InputError(
            "expected whole numbers from single raters.",
            "Give the file that holds single raters' scores, not averages.",
            file=path,
        )
    return HannaScores(human.astype(dict.fromkeys(CRITERIA.values(), "int64")), judge)


def _table(path: Path, records: Records, pattern: re.Pattern[str], key: list[str]) -> pd.DataFrame:
    """Return the scores of the columns that a pattern knows, one row a story and source."""
    lists: dict[tuple[str, ...], dict[str, NDArray[np.float64]]] = {}
    for column in records.frame.columns:
        found = pattern.fullmatch(str(column))
        if found:
            source = tuple(value for name, value in found.groupdict().items() if name != "code")
            cells = [_numbers(path, records, row, column) for row in range(len(records.rows))]
            lists.setdefault(source, {})[CRITERIA[found["code"]]] = _rectangle(path, column, cells)
    if not lists:
        raise InputError(
            f"expected columns such as {'Human 1 RE' if key[-1] == 'rater' else 'ChatGPT RE 1'}.",
            "Give the file that holds single raters' and judges' scores.",
            file=path,
        )
    parts = []
    for source, criteria in lists.items():
        absent = [name for name in CRITERIA.values() if name not in criteria]
        if absent or len({cells.shape for cells in criteria.values()}) > 1:
            raise InputError(
                f"expected six criteria of one length from {' '.join(source)}, "
                f"found {', '.join(criteria)}.",
                "Complete them.",
                file=path,
            )
        authors, premises = next(iter(criteria.values())).shape
        width = len(str(premises))
        part: dict[str, object] = {
            "premise_id": np.tile([f"p{n:0{width}d}" for n in range(1, premises + 1)], authors),
            "author": np.repeat(records.frame["Model"].to_numpy(dtype=str), premises),
            **dict(zip(key[2:], source, strict=True)),
        }
        parts.append(
            pd.DataFrame(part | {name: criteria[name].ravel() for name in CRITERIA.values()})
        )
    if len({len(part) for part in parts}) > 1:
        raise InputError("expected lists of one length.", "Complete them.", file=path)
    return pd.concat(parts).sort_values(key, kind="stable", ignore_index=True)


def _rectangle(path: Path, column: str, cells: list[list[float]]) -> NDArray[np.float64]:
    if len({len(cell) for cell in cells}) > 1 or not cells[0]:
        raise InputError(
            "expected a list of one length in every row, with a number or more.",
            "Complete the lists.",
            file=path,
            column=column,
        )
    return np.array(cells, dtype="float64")


def _numbers(path: Path, records: Records, row: int, column: str) -> list[float]:
    try:
        values = json.loads(records.frame[column].iloc[row], parse_constant=_refuse)
        if not isinstance(values, list) or any(type(value) not in (int, float) for value in values):
            raise ValueError
        numbers = [float(value) for value in values]
        if not all(map(math.isfinite, numbers)):
            raise ValueError
        return numbers
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise InputError(
            "expected a list of numbers such as [3, 4.5].",
            "Write one number a premise.",
            file=path,
            row=int(records.rows[row]),
            column=column,
        ) from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)

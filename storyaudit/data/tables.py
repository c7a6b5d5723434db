"""The tables that pass between stages: what a row is, its key, its columns and their types.

Types and keys are declared here and enforced in two steps. ``coerce_types`` turns what was read
into the declared types; what it cannot turn is bad input. ``validate`` is what a builder asks
before it builds: no missing values, no infinities, no key twice. An audit skips the second step,
because there such rows are its findings.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from storyaudit.errors import InputError
from storyaudit.former_names import current_columns
from storyaudit.vocabulary import HUMAN

Kind = Literal["text", "int", "float", "bool"]

RUN_KEY = ["variant", "model", "seed"]
"""The columns that name a run of a reward model."""
CANDIDATE_KEY = ["item_id", "story_id"]
"""The columns that name a story in an item."""


@dataclass(frozen=True)
class Column:
    """A column: its type, whether it may be absent, whether a valid table may miss values."""

    name: str
    kind: Kind = "text"
    optional: bool = False
    nullable: bool = False


@dataclass(frozen=True)
class Table:
    """A table's schema; ``key`` names the columns that identify a row and give its order."""

    name: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    may_be_empty: bool = False

    @property
    def names(self) -> list[str]:
        """Return the names of the columns in their order."""
        return [column.name for column in self.columns]

    def column(self, name: str) -> Column:
        """Return the column of that name."""
        return next(column for column in self.columns if column.name == name)


def _texts(*names: str) -> tuple[Column, ...]:
    return tuple(map(Column, names))


def _optional(*names: str, kind: Kind = "text") -> tuple[Column, ...]:
    return tuple(Column(name, kind, optional=True, nullable=True) for name in names)


PREMISES = Table(
    "premises",
    ("premise_id",),
    (
        *_texts("premise_id", "text", "language", "source"),
        *_optional("use", "provenance"),
    ),
)
STORIES = Table(
    "stories",
    ("story_id",),
    (
        Column("story_id"),
        *_optional("premise_id"),
        *_texts("author_kind", "author", "language", "text", "source"),
        *_optional("use"),
        *_optional("words", kind="int"),
        *_optional("provenance", "genre", "column_id"),
        *_optional("readership", kind="int"),
        *_optional("screening"),
    ),
)
"""``words`` are counted as ``storyaudit.text.words`` does, ``provenance`` is a file and a row of
it, ``column_id`` an author's column on a platform, ``screening`` says 'clear' or 'flagged'."""
CANDIDATES = Table(
    "candidates",
    ("item_id", "position"),
    (
        Column("item_id"),
        Column("position", "int"),
        *_texts("story_id", "premise_id", "origin"),
    ),
)
JUDGEMENTS = Table(
    "judgements",
    ("item_id", "story_id", "judge", "prompt_variant", "dimension"),
    (
        *_texts("item_id", "story_id", "judge", "prompt_variant"),
        Column("position", "int"),
        Column("dimension"),
        Column("score", "float"),
    ),
)
ANNOTATIONS = Table(
    "annotations",
    ("item_id", "annotator", "kind", "story_id"),
    (
        *_texts("item_id", "annotator", "kind", "story_id"),
        Column("value", "float"),
    ),
)
INDIVIDUAL_ANNOTATIONS = Table(
    "individual_annotations", ANNOTATIONS.key, ANNOTATIONS.columns, may_be_empty=True
)
"""What every annotator decided, where ``annotations`` has one decision an item."""
BENCHMARK = Table(
    "benchmark",
    ("item_id",),
    (
        *_texts("item_id", "premise_id", "origin", "chosen_id", "annotation_route"),
        Column("tau_avg", "float"),
        *_texts("dimension", "dimension_rule"),
    ),
)
PAIRS = Table(
    "pairs",
    ("pair_id",),
    (
        *_texts("pair_id", "method", "source", "split"),
        *_texts("premise_id", "chosen_id", "rejected_id", "language"),
    ),
)
PAIR_PREMISES = replace(PREMISES, name="pair_premises", may_be_empty=True)
PAIR_STORIES = replace(STORIES, name="pair_stories", may_be_empty=True)
"""What was inferred, written or read in to make pairs, beside the corpora."""
SCORES = Table(
    "scores",
    ("variant", "model", "seed", "item_id", "story_id"),
    (
        *_texts("variant", "model"),
        Column("seed", "int"),
        *_texts("item_id", "story_id"),
        Column("reward", "float"),
    ),
)
RESULTS = Table(
    "results",
    ("variant", "model", "seed", "item_id"),
    (
        *_texts("variant", "model"),
        Column("seed", "int"),
        *_texts("item_id", "dimension", "origin"),
        Column("correct", "bool"),
        Column("ties", "int"),
        Column("credit", "float"),
        *_optional("missing", kind="int"),
        *_optional("picked_id", "annotation_route", "language", "length_band"),
    ),
)
"""``ties`` are the other candidates that share the highest reward, ``credit`` the expected value of
breaking the tie at random, ``missing`` the candidates without a reward (the item is then wrong),
``picked_id`` the story that alone has the highest reward. ``length_band`` (short, medium, long) is
the item's third of the benchmark by the mean length of its candidates."""
RATINGS = Table(
    "ratings",
    ("study", "rater", "story_id", "item"),
    (
        *_optional("study"),
        Column("rater"),
        *_optional("group"),
        *_texts("story_id", "author", "item"),
        Column("score", "float"),
    ),
)
STORY_FACTS = Table(
    "story_facts",
    ("story_id",),
    (
        *_texts("story_id", "author"),
        *_optional("group", "file_name"),
        *_optional("words", "text_words", "characters", kind="int"),
    ),
)
"""What may be known of the stories behind a ratings table, without their texts.

``words`` are parted by white space, ``text_words`` are those of ``storyaudit.text``; ``characters``
count a line's end once.
"""
OVERLAPS = Table(
    "overlaps",
    ("comparison", "level", "left_id", "right_id"),
    (
        *_optional("comparison"),
        *_texts("level", "left_id", "right_id"),
        Column("containment", "float"),
        Column("jaccard", "float"),
        Column("longest_common_substring", "int"),
        Column("verified", "bool"),
        *_optional("relation"),
    ),
    may_be_empty=True,
)
"""``comparison`` is one of ``vocabulary.SIDES``, 'train_benchmark' where the column is absent.
``level`` is 'story', 'premise', or 'premise_in_story' with a premise on the left. Of
train_benchmark the benchmark's text is on the left, of train_validation that of the pairs held out,
and ``containment`` is the left's in the right. Elsewhere both are of one side, the lower ID is on
the left, and ``containment`` is the larger of both directions. ``relation`` says why two texts of
one side may be similar: 'item', they are of one item; 'pair', of one training pair; 'derived', by
the pair's method one was made of the other, or both of a third. ``longest_common_substring`` is in
words."""
POOL_PREMISES, POOL_STORIES, POOL_CANDIDATES, POOL_INDIVIDUAL_ANNOTATIONS, POOL_ANNOTATIONS = (
    replace(table, may_be_empty=True)
    for table in (PREMISES, STORIES, CANDIDATES, INDIVIDUAL_ANNOTATIONS, ANNOTATIONS)
)
FURTHER_PAIRS, FURTHER_SCORES, FURTHER_RESULTS = (
    replace(table, may_be_empty=True) for table in (PAIRS, SCORES, RESULTS)
)
"""The same tables where there may be none: of Best-of-16 pools, of experiments, of other judges."""

HUMAN_SCORES = Table(
    "human_scores",
    ("premise_id", "author", "rater"),
    _texts("premise_id", "author", "rater"),
)
JUDGE_SCORES = Table(
    "judge_scores",
    ("premise_id", "author", "judge", "prompt_variant"),
    _texts("premise_id", "author", "judge", "prompt_variant"),
)
"""What people and language models say of the same stories, one a premise and author.

Each criterion is a further column of numbers, under the same name in both tables.
"""


def human_stories(stories: pd.DataFrame) -> set[str]:
    """Return the IDs of the stories that people wrote."""
    return set(stories.loc[stories["author_kind"] == HUMAN, "story_id"])


def among(rows: pd.DataFrame, others: pd.DataFrame) -> pd.Series:
    """Return for each row whether others have its values together, columns taken in their order."""
    known = pd.MultiIndex.from_frame(others)
    found = pd.MultiIndex.from_frame(rows).isin(known)
    return pd.Series(found, index=rows.index, dtype="bool")


_EXPECTED = {
    "text": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
}


def holds(table: Table) -> Callable[[list[str]], bool]:
    """Return what says whether names, some of them former ones, are all that the table needs."""
    needed = {column.name for column in table.columns if not column.optional}
    return lambda names: needed <= {*names, *current_columns(names, table.names).values()}


def coerce_types(
    frame: pd.DataFrame, table: Table, *, file: Path, rows: np.ndarray | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Turn a frame as read into the table's columns and types.

    Args:
        frame: columns of any type, strings among them.
        table: the schema to meet.
        file: named in errors.
        rows: each record's row number as a person counts it; 1, 2, … if None.

    Returns:
        The frame with the declared columns in their order, and the names of further columns,
        which are left out. A missing value makes an ``int`` column float and a ``bool`` column
        nullable, so that an audit can still read it.

    Raises:
        InputError: no row at all, a required column absent, or a value of the wrong type.
    """
    absent = [c.name for c in table.columns if not c.optional and c.name not in frame.columns]
    if absent:
        raise InputError(
            f"expected the column{'s' if len(absent) > 1 else ''} "
            f"{', '.join(absent)} of the table '{table.name}', "
            f"found {', '.join(map(str, frame.columns)) or 'none'}.",
            "Rename or add what is missing.",
            file=file,
        )
    if frame.empty and not table.may_be_empty:
        raise InputError(
            "expected at least one row, found none.",
            "An empty table cannot be built upon or audited: check how the file was made.",
            file=file,
        )
    if rows is None:
        rows = np.arange(1, len(frame) + 1)
    frame = frame.reset_index(drop=True)
    columns = {
        column.name: _convert(frame[column.name], column, file, rows)
        for column in table.columns
        if column.name in frame.columns
    }
    further = [str(name) for name in frame.columns if name not in table.names]
    return pd.DataFrame(columns, index=frame.index), further


def without_rows(table: Table) -> pd.DataFrame:
    """Return the table with its columns and no rows."""
    frame = pd.DataFrame(columns=table.names)
    return coerce_types(frame, replace(table, may_be_empty=True), file=Path(table.name))[0]


def validate(frame: pd.DataFrame, table: Table, *, file: Path) -> None:
    """Refuse a table that must not be built upon.

    Raises:
        InputError: a missing value in a column that has none, an infinity, or a key twice.
    """
    for column in table.columns:
        if column.name not in frame.columns:
            continue
        values = frame[column.name]
        bad = values.isna() if not column.nullable else pd.Series(False, index=values.index)
        if column.kind == "float":
            bad |= np.isinf(values.astype("float64"))
        if bad.any():
            first = int(np.flatnonzero(bad)[0])
            raise InputError(
                f"expected {_EXPECTED[column.kind]} in every row, found {values.iloc[first]} "
                f"in {int(bad.sum())} of {len(frame)} rows, the first with "
                f"{_identity(frame, table.key, first)}.",
                "Complete or remove these rows before building on them.",
                file=file,
                column=column.name,
            )
    key = [name for name in table.key if name in frame.columns]
    twice = frame.duplicated(key)
    if twice.any():
        first = int(np.flatnonzero(twice)[0])
        raise InputError(
            f"expected one row for each ({', '.join(key)}), found "
            f"{_identity(frame, tuple(key), first)} again; "
            f"{int(twice.sum())} rows repeat an earlier key.",
            "Keep one row of each.",
            file=file,
        )


def sort_by_key(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Return the frame's declared columns, in order, sorted by the table's key."""
    names = [name for name in table.names if name in frame.columns]
    key = [name for name in table.key if name in names]
    return frame[names].sort_values(key, kind="stable", ignore_index=True)


def _identity(frame: pd.DataFrame, key: Sequence[str], row: int) -> str:
    return ", ".join(f"{name} {frame[name].iloc[row]}" for name in key if name in frame.columns)


def _convert(values: pd.Series, column: Column, file: Path, rows: np.ndarray) -> pd.Series:
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(values.cat.categories.dtype)
    convert = {"text": _to_text, "int": _to_int, "float": _to_float, "bool": _to_bool}
    converted, bad = convert[column.kind](values)
    refuse_values(bad, values, _EXPECTED[column.kind], file=file, rows=rows)
    return converted


def refuse_values(
    bad: pd.Series,
    values: pd.Series,
    expected: str,
    *,
    file: Path,
    rows: np.ndarray,
    shown: Callable[[Any], str] = repr,
) -> None:
    """Refuse values of a column, if there are bad ones; the first is named with its row.

    Args:
        bad: which they are.
        values: the column's, under its name.
        expected: in place of them.
        file: named in the error.
        rows: each value's row as a person counts it.
        shown: gives a value as the error has it, cut to 60 characters.

    Raises:
        InputError: one is bad.
    """
    if not bad.any():
        return
    first = int(np.flatnonzero(bad)[0])
    found = shown(values.iloc[first])
    raise InputError(
        f"expected {expected}, found {found if len(found) <= 60 else found[:57] + '…'}.",
        f"Correct this value ({int(bad.sum())} of {len(values)} rows have the fault).",
        file=file,
        row=int(rows[first]),
        column=str(values.name),
    )


def _missing(values: pd.Series) -> pd.Series:
    return values.isna() | (values.map(lambda value: isinstance(value, str) and value == ""))


def _to_text(values: pd.Series) -> tuple[pd.Series, pd.Series]:
    missing = _missing(values)
    if pd.api.types.is_integer_dtype(values.dtype):
        return values.astype("str"), pd.Series(False, index=values.index)
    if isinstance(values.dtype, pd.StringDtype):
        kept = values.mask(missing).astype("str")
        return kept, pd.Series(False, index=values.index)

    def text(value: object) -> str | None:
        if isinstance(value, str):
            return value
        if isinstance(value, int | np.integer) and not isinstance(value, bool):
            return str(value)  # an ID such as 9189 is a number to a spreadsheet
        return None

    as_text = pd.Series([text(value) for value in values], values.index, dtype="object")
    bad = as_text.isna() & ~missing
    # Half a surrogate pair is a str to Python and to no encoding.
    bad |= as_text.map(lambda value: isinstance(value, str) and not encodable(value))
    if bad.any():
        return as_text, bad
    return as_text.mask(missing).astype("str"), bad


def encodable(text: str) -> bool:
    """Return whether a text is free of half surrogate pairs, which UTF-8 does not have."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _numbers(values: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Return the numbers, as integers where all are, and where there is none but should be."""
    if pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype):
        return values, pd.Series(False, index=values.index)
    missing = _missing(values)
    numbers = pd.to_numeric(
        values.mask(missing | values.map(_no_number)).astype("object"), errors="coerce"
    )
    says_nan = values.map(lambda value: isinstance(value, str) and value.strip().lower() == "nan")
    return numbers, numbers.isna() & ~missing & ~says_nan


def _no_number(value: object) -> bool:
    if isinstance(value, bool | np.bool_):
        return True
    return isinstance(value, int) and abs(value) > sys.float_info.max


def _to_float(values: pd.Series) -> tuple[pd.Series, pd.Series]:
    numbers, bad = _numbers(values)
    return numbers.astype("float64"), bad


def _to_int(values: pd.Series) -> tuple[pd.Series, pd.Series]:
    numbers, bad = _numbers(values)
    if pd.api.types.is_signed_integer_dtype(numbers.dtype) and not numbers.isna().any():
        return numbers.astype("int64"), bad
    floats = numbers.astype("float64")
    bad |= floats.notna() & ((floats != floats.round()) | (floats.abs() >= 2.0**63))
    if bad.any() or floats.isna().any():
        return floats, bad
    return numbers.astype("int64"), bad


_BOOLS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}


def _to_bool(values: pd.Series) -> tuple[pd.Series, pd.Series]:
    if pd.api.types.is_bool_dtype(values.dtype) and not values.isna().any():
        return values.astype("bool"), pd.Series(False, index=values.index)
    missing = _missing(values)
    known = values.map(lambda value: _BOOLS.get(str(value).strip().lower())).astype("boolean")
    bad = known.isna() & ~missing
    return (known if known.isna().any() else known.astype("bool")), bad

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.data import tables
from storyaudit.data.tables import (
    Column,
    Table,
    among,
    coerce_types,
    sort_by_key,
    validate,
)
from storyaudit.errors import InputError

FILE = Path("some.csv")
TABLE = Table(
    "some",
    ("id", "n"),
    (
        Column("id"),
        Column("n", "int"),
        Column("score", "float"),
        Column("yes", "bool"),
        Column("note", optional=True, nullable=True),
    ),
)


def one_column(kind, values, rows=None, dtype="object"):
    frame = pd.DataFrame({"c": pd.Series(values, dtype=dtype)})
    table = Table("t", ("c",), (Column("c", kind),))
    return coerce_types(frame, table, file=FILE, rows=rows)[0]["c"]


DECLARED = [table for table in vars(tables).values() if isinstance(table, Table)]


def valid():
    return pd.DataFrame(
        {"id": ["b", "a", "a"], "n": [1, 2, 1], "score": [1.0, 2.0, 3.0], "yes": [True] * 3}
    )


@pytest.mark.parametrize("table", DECLARED, ids=lambda table: table.name)
def test_a_declared_table_has_each_column_once_and_a_key_among_them(table):
    names = table.names
    assert len(set(names)) == len(names)
    assert table.key
    assert set(table.key) <= set(names)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("text", ["a", "ü"], ["a", "ü"]),
        ("text", [9189, "x"], ["9189", "x"]),  # an ID is a number to a spreadsheet
        ("text", [np.int64(9189), 2**70], ["9189", str(2**70)]),
        ("int", ["1", 2, 3.0, " 4 ", "5.0"], [1, 2, 3, 4, 5]),
        ("int", ["9007199254740993", "-9007199254740993"], [2**53 + 1, -(2**53) - 1]),
        ("float", ["1.5", 2, "1e3", "-inf"], [1.5, 2.0, 1000.0, -math.inf]),
        ("bool", ["true", "False", "1", 0, True], [True, False, True, False, True]),
    ],
)
def test_turns_what_was_read_into_the_declared_kind(kind, values, expected):
    converted = one_column(kind, values)
    assert converted.tolist() == expected
    assert converted.dtype == {"text": "str", "int": "int64", "float": "float64"}.get(kind, "bool")


@pytest.mark.parametrize(
    ("kind", "dtype", "values", "expected"),
    [
        ("text", "int64", [9189], ["9189"]),
        ("text", "category", ["a", "b", "a"], ["a", "b", "a"]),
        ("int", "uint8", [200], [200]),
        ("int", "float32", [3.0], [3]),
        ("float", "int64", [3], [3.0]),
        ("float", "category", [1, 2, 1], [1.0, 2.0, 1.0]),
        ("bool", "bool", [True, False], [True, False]),
    ],
)
def test_turns_typed_columns_too(kind, dtype, values, expected):
    assert one_column(kind, values, dtype=dtype).tolist() == expected


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("text", True),
        ("text", 1.5),
        ("text", ["a"]),
        ("text", {"a": 1}),
        ("text", b"a"),
        ("text", "\ud800"),  # half a surrogate pair
        ("int", "1.5"),
        ("int", 1.5),
        ("int", math.inf),
        ("int", "inf"),
        ("int", "1e30"),
        ("int", 2**63),
        ("int", 10**400),
        ("int", True),
        ("int", "x"),
        ("float", "seven"),
        ("float", "1,5"),
        ("float", "0x10"),
        ("float", "1_000"),
        ("float", True),
        ("float", [1.0]),
        ("float", 10**400),
        ("float", pd.Timestamp("2024-01-01")),
        ("bool", "yes"),
        ("bool", 2),
        ("bool", 1.5),
    ],
)
def test_what_has_another_kind_is_bad_input_at_its_place(kind, value):
    good = {"text": "a", "int": 1, "float": 1.0, "bool": True}[kind]
    with pytest.raises(InputError) as error:
        one_column(kind, [good, value, value], rows=np.array([2, 5, 9]))
    assert (error.value.file, error.value.row, error.value.column) == (FILE, 5, "c")
    assert "2 of 3 rows" in error.value.remedy


def test_a_long_value_is_shortened_in_the_message():
    with pytest.raises(InputError) as error:
        one_column("float", ["x" * 10_000_000])
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("missing", [None, math.nan, "", pd.NA, pd.NaT])
@pytest.mark.parametrize(("kind", "good"), [("text", "a"), ("int", 1), ("float", 1.5)])
def test_missing_values_are_kept_for_an_audit_to_find(kind, good, missing):
    converted = one_column(kind, [good, missing])
    assert converted.isna().tolist() == [False, True]
    assert converted[0] == good


@pytest.mark.parametrize("text", ["nan", "NaN", " NAN "])
def test_a_score_that_says_nan_is_no_text(text):
    assert one_column("float", ["1", text]).isna().tolist() == [False, True]


@pytest.mark.parametrize("gone", ["id", "n", "score", "yes"])
def test_a_required_column_must_be_there(gone):
    with pytest.raises(InputError, match=rf"the column {gone} of the table 'some'"):
        coerce_types(valid().drop(columns=gone), TABLE, file=FILE)


def test_names_every_absent_column():
    with pytest.raises(InputError, match="the columns n, score, yes of"):
        coerce_types(pd.DataFrame({"id": ["a"]}), TABLE, file=FILE)


def test_no_row_is_bad_input_unless_the_table_may_be_empty():
    empty = valid().head(0)
    with pytest.raises(InputError, match="at least one row"):
        coerce_types(empty, TABLE, file=FILE)
    may_be = Table("some", TABLE.key, TABLE.columns, may_be_empty=True)
    assert coerce_types(empty, may_be, file=FILE)[0].empty


def test_further_columns_are_left_out_and_named_and_the_order_is_the_declared_one():
    frame = valid().assign(extra=1, **{"": 2})[["yes", "extra", "score", "", "n", "id"]]
    converted, further = coerce_types(frame, TABLE, file=FILE)
    assert list(converted.columns) == ["id", "n", "score", "yes"]
    assert further == ["extra", ""]


@pytest.mark.parametrize("index", [[7, 7, 3], [2, 1, 0]])
def test_the_index_of_the_frame_does_not_matter(index):
    converted, _ = coerce_types(valid().set_index(pd.Index(index)), TABLE, file=FILE)
    assert converted["id"].tolist() == ["b", "a", "a"]
    assert converted.index.tolist() == [0, 1, 2]


def test_a_valid_table_is_let_through():
    frame = valid().assign(note=[None, "x", None])
    before = frame.copy()
    validate(frame, TABLE, file=FILE)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("column", "value"),
    [("id", None), ("n", math.nan), ("score", math.nan), ("score", math.inf), ("score", -math.inf)],
)
def test_a_missing_value_or_infinity_is_refused(column, value):
    frame = valid().astype({"n": "float64"})
    frame.loc[1, column] = value
    with pytest.raises(InputError, match="1 of 3 rows") as error:
        validate(frame, TABLE, file=FILE)
    assert (error.value.file, error.value.column) == (FILE, column)


def test_a_key_twice_is_refused_and_named():
    frame = valid().assign(n=[1, 2, 2])
    with pytest.raises(InputError, match=r"\(id, n\), found id a, n 2 again; 1 rows repeat"):
        validate(frame, TABLE, file=FILE)


def test_an_absent_optional_key_column_does_not_identify_rows():
    table = Table("t", ("study", "id"), (Column("study", optional=True), Column("id")))
    with pytest.raises(InputError, match=r"for each \(id\)"):
        validate(pd.DataFrame({"id": ["a", "a"]}), table, file=FILE)


def test_sorts_by_key_and_keeps_declared_columns_only():
    ordered = sort_by_key(valid().assign(extra=0), TABLE)
    assert list(ordered.columns) == ["id", "n", "score", "yes"]
    assert list(zip(ordered["id"], ordered["n"], strict=True)) == [("a", 1), ("a", 2), ("b", 1)]
    assert ordered.index.tolist() == [0, 1, 2]


def test_equal_keys_keep_their_order():
    frame = pd.DataFrame({"id": ["b", "a"] * 500, "score": np.arange(1000.0)})
    ordered = sort_by_key(frame, Table("t", ("id",), (Column("id"), Column("score", "float"))))
    assert ordered["score"].tolist() == [*range(1, 1000, 2), *range(0, 1000, 2)]


@pytest.mark.parametrize("missing", [None, math.nan, ""])
def test_a_missing_truth_value_is_read_for_an_audit_and_refused_to_a_builder(missing):
    table = Table("t", ("id",), (Column("id"), Column("right", "bool")))
    frame = pd.DataFrame({"id": ["a", "b"], "right": pd.Series([True, missing], dtype="object")})
    read, _ = coerce_types(frame, table, file=Path("t.csv"))
    assert read["right"].isna().tolist() == [False, True]
    with pytest.raises(InputError, match="column 'right'"):
        validate(read, table, file=Path("t.csv"))


PLACES = st.lists(st.tuples(*[st.sampled_from(["a", "b", "ab", ""])] * 2), max_size=6)


@given(PLACES, PLACES)
def test_a_row_is_among_others_where_its_values_stand_there_together(rows, others):
    frame = pd.DataFrame(rows, columns=["item_id", "chosen_id"], dtype="str")
    frame.index = frame.index * 2 + 5
    places = pd.DataFrame(others, columns=["item_id", "story_id"], dtype="str")
    found = among(frame, places)
    assert found.dtype == "bool"
    assert found.index.equals(frame.index)
    assert found.tolist() == [row in others for row in rows]

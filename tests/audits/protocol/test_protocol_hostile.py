"""Tables that are wrong in every way that can be read: findings, and no traceback."""

import numpy as np
import pandas as pd
import prose
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_samples import (
    AGREED,
    Tables,
    audited,
    by_id,
    fails,
    item,
    joined,
    simulated,
    unchecked,
    valid_study,
)

from storyaudit.data.tables import ANNOTATIONS, BENCHMARK, CANDIDATES, JUDGEMENTS, STORIES

SCHEMAS = {t.name: t for t in (ANNOTATIONS, BENCHMARK, CANDIDATES, JUDGEMENTS, STORIES)}
NAMES = tuple(SCHEMAS)
CELLS = [
    (name, column.name, column.kind)
    for name in NAMES
    for column in SCHEMAS[name].columns
    if column.name in valid_study()[name].columns
]


def spoilt(tables: Tables, name: str, column: str, rows: object, value: object) -> Tables:
    table = tables[name].copy()
    if not isinstance(value, str):
        number = table[column].dtype.kind in "if"
        table[column] = table[column].astype("float64" if number else "object")
    table.loc[rows, column] = value
    return tables | {name: table}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "column", "kind"), CELLS)
def test_a_column_of_missing_values(name: str, column: str, kind: str) -> None:
    everything = slice(None)
    audited(spoilt(valid_study(), name, column, everything, None if kind == "text" else np.nan))


@pytest.mark.parametrize(("name", "column", "kind"), CELLS)
def test_one_missing_value(name: str, column: str, kind: str) -> None:
    report = audited(spoilt(valid_study(), name, column, 3, None if kind == "text" else np.nan))
    needed = {
        "candidates": ("item_id", "story_id", "premise_id", "origin"),
        "judgements": ("item_id", "story_id", "judge", "prompt_variant", "dimension"),
        "annotations": ("item_id", "kind", "story_id"),
        "benchmark": ("item_id",),
        "stories": ("story_id", "author_kind"),
    }
    if column in needed[name]:
        assert by_id(report)[f"{name}-complete"].numbers["rows"] == 1
        assert f"{name}-complete" in fails(report)
        prose.check(f"protocol/an incomplete row of {name}", by_id(report)[f"{name}-complete"])
    else:
        assert f"{name}-complete" not in by_id(report)


VALUES = {
    "text": st.sampled_from(
        ["", "?", "confirmed", "judge-1", "overall", "ranking", "human_llm", "日本"]
    ),
    "number": st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -1.0, 2.5, 1e308, 7.0]),
}


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_any_cells_changed(data: st.DataObject) -> None:
    tables = valid_study()
    for _ in range(data.draw(st.integers(1, 4))):
        name, column, kind = data.draw(st.sampled_from(CELLS))
        row = data.draw(st.integers(0, len(tables[name]) - 1))
        value = data.draw(VALUES["text" if kind == "text" else "number"])
        tables = spoilt(tables, name, column, row, value)
    audited(tables)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.sampled_from(NAMES), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_rows_missing_or_twice(name: str, seed: int, share: float) -> None:
    tables = valid_study()
    drawn = tables[name].sample(frac=2 * share, replace=True, random_state=seed)
    audited(tables | {name: drawn.reset_index(drop=True)})


def test_a_score_twice_is_found_and_its_judge_does_not_count() -> None:
    tables = valid_study()
    tables["judgements"] = pd.concat(
        [tables["judgements"], tables["judgements"].iloc[:1]], ignore_index=True
    )
    report = audited(tables)
    prose.check("protocol/a score twice", *(f for f in report.findings if f.severity == "fail"))
    # 'ranked' is left with one judge.
    assert fails(report) == {"judgements-once", "items-replayable"}
    assert by_id(report)["judgements-once"].numbers["rows"] == 2


def test_a_score_beyond_all_scales_is_none() -> None:
    tables = valid_study()
    tables["judgements"].loc[0, "score"] = np.inf
    assert fails(audited(tables)) == {"items-replayable"}


def test_rows_about_items_without_candidates() -> None:
    tables = valid_study()
    tables["candidates"] = tables["candidates"].query("item_id != 'confirmed'")
    report = audited(tables)
    assert fails(report) == {"items-known", "judgements-orphans", "annotations-orphans"}
    prose.check("protocol/rows about items without candidates", report)


def test_one_judge_only() -> None:
    tables = valid_study()
    tables["judgements"] = tables["judgements"].query("judge == 'judge-1'")
    report = audited(tables)
    prose.check("protocol/one judge only", report)
    assert fails(report) == {"items-replayable"}
    assert {"tau-distribution", "sensitivity-of-gold", "gold-chosen", "bias-family"} <= set(
        unchecked(report)
    )


def test_all_scores_equal() -> None:
    tables = valid_study()
    tables["judgements"]["score"] = 5.0
    report = audited(tables)
    found = by_id(report)
    # tau counts as 0, so that people should have ranked what they only confirmed.
    assert found["tau-distribution"].numbers["llm_llm_below"] == 5
    assert "gold-tau" in fails(report)


def test_all_scores_equal_show_no_bias_and_no_ci() -> None:
    tables = simulated(np.random.default_rng(1), 15)
    tables["judgements"]["score"] = 5.0
    tables["benchmark"] = valid_study()["benchmark"]
    found = by_id(audited(tables))
    for name in ("bias-position", "bias-length", "bias-family"):
        assert (found[name].numbers["points"], found[name].numbers["points_low"]) == (0, None)
        prose.check(f"protocol/all scores equal: {name}", found[name])
        assert found[name].severity == "note"


def test_a_table_without_rows_counts_as_none() -> None:
    tables = valid_study()
    tables["candidates"] = tables["candidates"].iloc[:0]
    report = audited(tables)
    assert list(unchecked(report)) == ["replay"]
    prose.check("protocol/a table without rows counts as none", *report.unchecked)


def test_one_item() -> None:
    tables = joined([item("i", AGREED, ("confirmation", "a", 1))])
    tables["benchmark"] = valid_study()["benchmark"].query("item_id == 'confirmed'")
    tables["benchmark"] = tables["benchmark"].replace({"confirmed": "i", "confirmed-a": "i-a"})
    report = audited(tables)
    prose.check("protocol/one item", report)
    assert fails(report) == set()
    # Places, lengths and authors go together in one item.
    assert {"bias-position", "bias-length", "bias-family"} <= set(unchecked(report))


def test_tables_are_not_changed() -> None:
    tables = valid_study()
    tables["judgements"].loc[0, "score"] = np.inf
    before = {name: table.copy() for name, table in tables.items()}
    audited(tables)
    for name, table in before.items():
        pd.testing.assert_frame_equal(tables[name], table)

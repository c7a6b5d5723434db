"""The replayed gold against the benchmark: hand-made items, and faults injected in them."""

import pandas as pd
import prose
import pytest
from protocol_samples import (
    AGREED,
    audited,
    by_id,
    fails,
    gold,
    item,
    joined,
    unchecked,
    valid_study,
)

GOLD = {"gold-chosen", "gold-annotation-route", "gold-tau", "gold-dimension", "gold-rule"}
ITEMS = {"items-once", "items-known", "items-replayable", "items-unsure", "items-missing"}


def test_each_annotation_route_is_replayed() -> None:
    report = audited(valid_study())
    assert fails(report) == set()
    found = by_id(report)
    for name in GOLD:
        assert (found[name].severity, found[name].numbers) == ("pass", {"items": 6, "against": 0})
    for name in ITEMS:
        assert found[name].severity == "pass"
    assert {"1"} <= prose.figures(found["items-missing"])
    prose.check("protocol/each annotation route is replayed", report)


@pytest.mark.parametrize(
    ("column", "value", "finding"),
    [
        ("chosen_id", "confirmed-c", "gold-chosen"),
        ("annotation_route", "complete_ranking", "gold-annotation-route"),
        ("tau_avg", 1 - 2e-6, "gold-tau"),
        ("tau_avg", float("nan"), "gold-tau"),
        ("dimension", "coherence", "gold-dimension"),
        ("dimension_rule", "margin", "gold-rule"),
        ("chosen_id", None, "gold-chosen"),
    ],
)
def test_a_wrong_value_is_found_and_nothing_else(column: str, value: object, finding: str) -> None:
    tables = valid_study()
    place = tables["benchmark"].index[tables["benchmark"]["item_id"] == "confirmed"]
    right = tables["benchmark"].loc[place[0], column]
    tables["benchmark"].loc[place, column] = value
    report = audited(tables)
    assert fails(report) == {finding}
    prose.check(f"protocol/a wrong {column}: {value}", by_id(report)[finding])
    (row,) = by_id(report)[finding].evidence
    assert row["item_id"] == "confirmed"
    assert row["replayed"] == right
    assert row["stated"] == (None if pd.isna(value) else value)


def test_a_tau_that_was_rounded_off_is_the_same() -> None:
    tables = valid_study()
    tables["benchmark"]["tau_avg"] = tables["benchmark"]["tau_avg"].round(7)
    assert fails(audited(tables)) == set()


def test_a_missing_item_is_found() -> None:
    tables = valid_study()
    tables["benchmark"] = tables["benchmark"].query("item_id not in ['tied', 'human']")
    report = audited(tables)
    assert fails(report) == {"items-missing"}
    prose.check("protocol/missing items", by_id(report)["items-missing"])
    assert [row["item_id"] for row in by_id(report)["items-missing"].evidence] == ["human", "tied"]


def test_an_item_whose_annotator_was_unsure_is_found() -> None:
    tables = valid_study()
    row = gold("removed", "a", "human_first", 1, "fluency", "mean_gap", "human_llm")
    tables["benchmark"] = pd.concat([tables["benchmark"], pd.DataFrame([row])])
    report = audited(tables)
    prose.check("protocol/an item whose annotator was unsure", by_id(report)["items-unsure"])
    assert fails(report) == {"items-unsure"}
    assert by_id(report)["items-unsure"].evidence == [{"item_id": "removed"}]


def test_an_item_twice_and_an_item_without_candidates() -> None:
    tables = valid_study()
    orphan = gold("nowhere", "a", "confirmation", 1, "fluency", "mean_gap", "llm_llm")
    more = pd.DataFrame([orphan, tables["benchmark"].iloc[1].to_dict()])
    tables["benchmark"] = pd.concat([tables["benchmark"], more], ignore_index=True)
    report = audited(tables)
    prose.check(
        "protocol/an item twice and an item without candidates",
        *(f for f in report.findings if f.severity == "fail"),
    )
    assert fails(report) == {"items-once", "items-known"}
    assert by_id(report)["items-once"].evidence == [{"item_id": "confirmed"}]
    assert by_id(report)["items-known"].evidence == [{"item_id": "nowhere"}]


def three_candidates(tables: dict[str, pd.DataFrame]) -> None:
    tables["candidates"] = tables["candidates"].query("story_id != 'confirmed-d'")


def no_decision(tables: dict[str, pd.DataFrame]) -> None:
    tables["annotations"] = tables["annotations"].query("item_id != 'confirmed'")


def one_judge_left(tables: dict[str, pd.DataFrame]) -> None:
    rows = tables["judgements"].eval(
        "item_id == 'confirmed' and judge == 'judge-2' and dimension == 'coherence'"
    )
    tables["judgements"].loc[rows, "score"] = float("nan")


def two_origins(tables: dict[str, pd.DataFrame]) -> None:
    tables["candidates"].loc[tables["candidates"]["story_id"] == "confirmed-d", "origin"] = "other"


def another_confirmed(tables: dict[str, pd.DataFrame]) -> None:
    rows = tables["annotations"]["item_id"] == "confirmed"
    tables["annotations"].loc[rows, "story_id"] = "confirmed-b"


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (three_candidates, "expected 4 different candidates, found 3"),
        (no_decision, "there is no human annotation"),
        (one_judge_left, "expected complete scores by 2 judges"),
        (two_origins, "expected one origin"),
        (another_confirmed, "expected one confirmation of story confirmed-a"),
    ],
)
def test_what_cannot_be_replayed_is_listed_with_its_reason(spoil, reason: str) -> None:
    tables = valid_study()
    spoil(tables)
    report = audited(tables)
    assert fails(report) == {"items-replayable"}
    (row,) = by_id(report)["items-replayable"].evidence
    assert row["item_id"] == "confirmed"
    assert reason in str(row["reason"])
    # Outside the benchmark the same item is a warning, and no fail.
    tables["benchmark"] = tables["benchmark"].query("item_id != 'confirmed'")
    report = audited(tables)
    assert fails(report) == set()
    assert by_id(report)["items-undecided"].severity == "warn"
    prose.check(
        "protocol/an item outside the benchmark that cannot be replayed",
        by_id(report)["items-undecided"],
    )


def test_a_judge_who_counts_in_some_items_only_is_named() -> None:
    tables = valid_study()
    third = tables["judgements"].query("judge == 'judge-1' and item_id == 'confirmed'")
    tables["judgements"] = pd.concat(
        [tables["judgements"], third.assign(judge="judge-3")], ignore_index=True
    )
    found = by_id(audited(tables))["judges-incomplete"]
    assert (found.severity, found.numbers) == ("warn", {"items": 6, "of": 7})
    prose.check("protocol/a judge who counts in some items only", found)
    assert found.evidence == [{"judge": "judge-3", "items": 6}]


@pytest.mark.parametrize("empty", [False, True])
def test_without_annotations_the_stated_choice_is_taken_and_not_checked(empty: bool) -> None:
    tables = valid_study()
    if empty:
        tables["annotations"] = tables["annotations"].iloc[:0]
    else:
        del tables["annotations"]
    tables["benchmark"].loc[tables["benchmark"]["item_id"] == "undecided", "tau_avg"] = 0.5
    report = audited(tables)
    prose.check("protocol/without annotations", *report.unchecked)
    assert fails(report) == {"gold-tau"}
    assert {"gold-chosen", "items-missing", "human-annotations"} <= set(unchecked(report))
    assert by_id(report)["gold-dimension"].numbers == {"items": 6, "against": 0}


def test_without_annotations_a_chosen_story_of_another_item_is_still_found() -> None:
    tables = valid_study()
    del tables["annotations"]
    tables["benchmark"].loc[0, "chosen_id"] = "confirmed-a"
    assert fails(audited(tables)) == {"items-replayable"}


def test_without_stories_human_llm_items_are_not_checked() -> None:
    tables = valid_study()
    del tables["stories"]
    report = audited(tables)
    assert fails(report) == set()
    left = unchecked(report)["human-llm-items"]
    assert "2" in prose.figures(left)
    prose.check("protocol/human llm items without stories", left)
    assert by_id(report)["gold-chosen"].numbers["items"] == 5
    assert {"bias-length", "bias-family", "bias-balance"} <= set(unchecked(report))


def test_unscored_human_stories() -> None:
    human = item("human", AGREED, ("best", "a", 1), origin="human_llm")
    other = item("confirmed", AGREED, ("confirmation", "a", 1))
    tables = joined([human, other])
    tables["judgements"] = tables["judgements"].query("story_id != 'human-a'")
    tables["benchmark"] = pd.DataFrame(
        [
            gold("human", "a", "human_first", 1, "unscored", "unscored", "human_llm"),
            gold("confirmed", "a", "confirmation", 1, "fluency", "mean_gap", "llm_llm"),
        ]
    )
    report = audited(tables, judge_human_story=False)
    assert fails(report) == set()
    assert by_id(report)["dimension-rules"].numbers == {"items": 2, "mean_gap": 1, "unscored": 1}
    assert "judges-on-human-stories" in unchecked(report)
    # Where they are said to be scored, the human item cannot be replayed.
    assert fails(audited(tables)) == {"items-replayable"}

"""HANNA's published scores: the headline figures again, in plain Python with exact fractions."""

import numpy as np
import pytest
from validity_samples import (
    PUBLISHED,
    average,
    best,
    by_id,
    by_loops,
    mean,
    overall,
    read_rows,
)

from audits.protocol.validity.score_tables import read_scores
from audits.protocol.validity.validity_report import validity_report
from storyaudit.layouts.hanna_scores import JUDGES


@pytest.fixture(scope="module")
def found():
    scores = read_scores(PUBLISHED / "human_scores.csv", PUBLISHED / "judge_scores.csv")
    report = validity_report(
        scores.human,
        scores.judge,
        study="hanna",
        rng=np.random.default_rng(1),
        judges=JUDGES,
        resamples=500,
    )
    assert report.unchecked == ()
    found = by_id(report)
    assert (len(found["tau-bands"].evidence), len(found["sensitivity"].evidence)) == (7, 16)
    return found


@pytest.fixture(scope="module")
def people():
    return overall(read_rows(PUBLISHED / "human_scores.csv"), "rater")


@pytest.fixture(scope="module")
def judges():
    rows = read_rows(PUBLISHED / "judge_scores.csv")
    used = [row for row in rows if row["prompt_variant"] == "1" and row["judge"] in JUDGES]
    return overall(used, "judge")


def test_agreement_where_the_judges_agree(found, people, judges):
    items = by_loops(judges, mean(people))
    assert len(items) == 96 * 210
    high = [item for item in items if item.tau >= 0.6 - 1e-9]
    low = [item for item in items if item.tau < 0.6 - 1e-9]
    numbers = found["confirmed"].numbers
    assert numbers["items"] == len(high)
    assert numbers["premises_with_items"] == len({item.premise for item in high})
    for name, values in (
        ("agreement", [item.credit for item in high]),
        ("chance", [item.chance for item in high]),
    ):
        assert numbers[name] == pytest.approx(float(average(values)), abs=5e-5)
    below = float(average([item.credit for item in low]))
    assert found["safer"].numbers["below"] == pytest.approx(below, abs=5e-5)
    ties = sum(item.chance > 0.25 for item in items) / len(items)
    assert found["tau-bands"].numbers["humans_tie"] == pytest.approx(ties, abs=5e-5)


def test_how_often_the_human_story_is_best(found, people, judges):
    by_people, by_judges = mean(people), mean(judges)
    joint, chosen = [], []
    for item in by_loops(
        {"a": judges["ChatGPT"], "b": judges["ChatGPT"]}, by_people, human="Human"
    ):
        for values, hits in ((by_people, joint), (by_judges, chosen)):
            first = best({a: values[item.premise, a] for a in item.authors}, item.authors)
            hits.append(("Human" in first) / len(first) if hits is chosen else "Human" in first)
    assert len(joint) == 96 * 120
    assert found["human-first"].numbers["human_best"] == pytest.approx(np.mean(joint), abs=5e-5)
    assert found["judges-without-rule"].numbers["judges_choose_human"] == pytest.approx(
        np.mean(chosen), abs=5e-5
    )


def test_averages_below_the_scale(found):
    rows = read_rows(PUBLISHED / "judge_scores.csv")
    names = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")
    below = [(row, name) for row in rows for name in names if float(row[name]) < 1 - 1e-9]
    assert found["unparsed"].numbers["averages"] == len(rows) * 6 == 126_720
    assert found["unparsed"].numbers["below"] == len(below)
    used = {
        (row["premise_id"], row["author"])
        for row, _ in below
        if row["judge"] in JUDGES and row["prompt_variant"] == "1"
    }
    assert found["unparsed"].numbers["used_stories_below"] == len(used)


def test_what_the_findings_conclude(found):
    assert {name: finding.severity for name, finding in found.items()} == {
        "confirmed": "note",
        "tau-bands": "note",
        "safer": "warn",  # not in every other analysis
        "sensitivity": "note",
        "human-upper-bound": "warn",  # single raters do not agree above chance
        "human-first": "note",
        "judges-without-rule": "note",
        "unparsed": "warn",
    }

"""Tables that are wrong: each fault is a finding, and no figure depends on it."""

import numpy as np
import pandas as pd
import prose
import pytest
from best_of_n_samples import (
    annotations,
    candidates,
    findings,
    picking,
    pools,
    ranking,
    report,
    rewards,
    scores,
)
from finding_samples import numbers
from pydantic import ValidationError

from audits.best_of_n.best_of_n_report import BestOfParams
from storyaudit.data.tables import (
    FURTHER_SCORES,
    POOL_ANNOTATIONS,
    POOL_CANDIDATES,
    POOL_INDIVIDUAL_ANNOTATIONS,
)

FINALS = {"i": "abcd", "j": "dcba", "k": "bacd"}
ROWS = picking("full", {"i": "a", "j": "a", "k": "a"}, "abcd")


def valid() -> dict[str, pd.DataFrame]:
    return pools(FINALS, ROWS)


def empty() -> dict[str, pd.DataFrame]:
    tables = {
        "candidates": POOL_CANDIDATES,
        "annotations": POOL_ANNOTATIONS,
        "individual": POOL_INDIVIDUAL_ANNOTATIONS,
        "scores": FURTHER_SCORES,
    }
    return {
        name: pd.DataFrame({c.name: pd.Series(dtype="str") for c in table.columns})
        for name, table in tables.items()
    }


def added(tables: dict[str, pd.DataFrame], name: str, rows: pd.DataFrame) -> dict:
    return tables | {name: pd.concat([tables[name], rows], ignore_index=True)}


def test_no_pools_are_not_checked() -> None:
    made = report(empty())
    prose.check("best_of_n/no pools", made)
    assert [left.id for left in made.unchecked] == ["best-of-n"] and not made.findings


@pytest.mark.parametrize("name", ["candidates", "annotations", "individual", "scores"])
def test_any_table_may_be_empty(name: str) -> None:
    made = report(valid() | {name: empty()[name]})
    prose.check(f"best_of_n/an empty table: {name}", made)
    expected = {
        "candidates": {"best-of-n"},
        "annotations": {"models"},
        "individual": {"rankers", "human-upper-bound"},
        "scores": {"models"},
    }
    assert {left.id for left in made.unchecked} == expected[name]


def test_valid_tables_have_no_fails() -> None:
    assert not report(valid()).fails()


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (ranking("i", "z", "abc"), "expected ranks of 4 stories, found 3"),
        (ranking("i", "z", "abce"), "a story is ranked that is no candidate of the pool"),
        (ranking("i", "z", "abcde"), "a story is ranked that is no candidate of the pool"),
        ([*ranking("i", "z", "abc"), ("i", "z", "ranking", "d", 3.0)], "without ties or gaps"),
        ([*ranking("i", "z", "abc"), ("i", "z", "ranking", "d", 5.0)], "without ties or gaps"),
        ([*ranking("i", "z", "abc"), ("i", "z", "ranking", "d", 3.5)], "without ties or gaps"),
        ([*ranking("i", "z", "abcd"), ("i", "z", "ranking", "d", 4.0)], "without ties or gaps"),
        ([*ranking("i", "z", "abc"), ("i", "z", "ranking", "d", np.nan)], "a value is missing"),
        ([*ranking("i", "z", "abc"), ("i", "z", "ranking", "d", np.inf)], "a value is missing"),
        ([*ranking("i", "z", "abc"), ("i", "z", "ranking", None, 4.0)], "a value is missing"),
        ([("i", "z", "best", "a", 1.0)], "found a verdict"),
        ([("i", "z", "grade", "a", 1.0)], "found grade 1"),
        (ranking("unknown", "z", "abcd"), "fewer than two candidates"),
    ],
)
@pytest.mark.parametrize("name", ["annotations", "individual"])
def test_a_ranking_that_is_none_is_a_finding(name: str, rows: list, reason: str) -> None:
    tables = valid()
    if name == "annotations":
        tables[name] = tables[name][tables[name]["item_id"] != "i"]
    found = findings(added(tables, name, annotations(rows)))
    finding = found["rankings-final" if name == "annotations" else "rankings-individual"]
    assert finding.severity == "fail" and finding.numbers["left_out"] == 1
    prose.check(f"best_of_n/a ranking that is none: {finding.id}", finding)
    assert reason in str(finding.evidence[0]["reason"])
    if name == "annotations":
        assert found["model-full"].numbers["pools"] == 2
    else:
        assert found["rankers"].numbers["pools"] == 3


def test_several_final_rankings_of_one_pool_are_a_finding() -> None:
    found = findings(added(valid(), "annotations", annotations(ranking("i", "z", "abcd"))))
    assert "found those of 2" in str(found["rankings-final"].evidence[0]["reason"])
    assert found["model-full"].numbers["pools"] == 2


def test_a_pool_that_nobody_ranked_is_a_warning() -> None:
    tables = added(valid(), "candidates", candidates({"l": "abcd"}))
    found = findings(tables)
    assert found["rankings-absent"].severity == "warn"
    prose.check("best_of_n/a pool that nobody ranked", found["rankings-absent"])
    assert numbers(found["rankings-absent"], "left_out", "of") == [1, 4]
    assert found["rankings-absent"].evidence == [{"item_id": "l"}]
    assert "rewards-missing" not in found  # nothing can be picked where nothing is ranked


def test_a_score_for_a_story_that_is_no_candidate_is_left_out() -> None:
    rows = rewards("full", {"i": {"z": 99.0}, "unknown": {"a": 1.0}})
    found = findings(added(valid(), "scores", scores(rows)))
    assert found["scores-known"].severity == "fail"
    assert numbers(found["scores-known"], "left_out", "of") == [2, 14]
    assert found["model-full"] == findings(valid())["model-full"]


def test_a_run_for_other_stories_alone_is_not_checked() -> None:
    rows = rewards("lost", {"unknown": {"a": 1.0}})
    made = report(added(valid(), "scores", scores(rows)))
    prose.check("best_of_n/a run for other stories alone", made)
    assert [left.id for left in made.unchecked] == ["model-lost"]


def test_a_duplicated_score_counts_once_and_a_conflicting_one_not_at_all() -> None:
    again = findings(added(valid(), "scores", scores(rewards("full", {"i": {"a": 1.0}}))))
    assert numbers(again["scores-once"], "left_out") == [1]
    assert again["model-full"] == findings(valid())["model-full"]
    against = findings(added(valid(), "scores", scores(rewards("full", {"i": {"a": 0.0}}))))
    assert against["scores-once"].severity == "fail"
    assert against["model-full"].numbers["pools"] == 2


@pytest.mark.parametrize("column", ["variant", "model", "seed", "item_id", "story_id"])
def test_a_score_without_its_key_is_left_out(column: str) -> None:
    row = scores(rewards("full", {"i": {"a": 5.0}})).astype({"seed": "float64"})
    row[column] = np.nan if column == "seed" else None
    found = findings(added(valid(), "scores", row))
    assert found["scores-named"].severity == "fail"
    assert found["model-full"] == findings(valid())["model-full"]


def test_candidates_repeated_or_without_a_name_are_findings() -> None:
    rows = candidates({"i": "a", "j": "b"})
    rows.loc[1, "story_id"] = None
    found = findings(added(valid(), "candidates", rows))
    prose.check("best_of_n/candidates repeated or without a name", *found.values())
    assert found["candidates-once"].severity == found["candidates-complete"].severity == "fail"
    assert found["model-full"] == findings(valid())["model-full"]


def test_pools_on_one_premise_are_not_independent() -> None:
    tables = valid()
    tables["candidates"]["premise_id"] = ["p"] * 8 + ["q"] * 4
    found = findings(tables)["pools-premises"]
    prose.check("best_of_n/pools on one premise", found)
    assert found.severity == "warn" and found.numbers == {"pools": 2, "premises": 1}


def test_one_pool_has_no_interval() -> None:
    made = report(pools({"i": "abcd"}, picking("full", {"i": "a"}, "abcd")))
    found = {finding.id: finding for finding in made.findings}
    assert found["pools"].severity == "warn"
    assert {"1"} <= prose.figures(found["pools"])
    prose.check("best_of_n/one pool has no interval", made)
    for name in ("model-full", "rankers", "human-upper-bound"):
        assert not any(v for k, v in found[name].numbers.items() if k.endswith(("_low", "_high")))


def test_a_pool_of_one_story_cannot_be_picked_from() -> None:
    found = findings(pools({"i": "abcd", "j": "a"}, picking("full", {"i": "a", "j": "a"}, "a")))
    prose.check("best_of_n/a pool of one story", *found.values())
    assert "fewer than two" in str(found["rankings-final"].evidence[0]["reason"])


def test_nothing_depends_on_the_order_of_rows() -> None:
    rng = np.random.default_rng(0)
    stories = "abcdef"
    finals = {f"i{n:02}": "".join(rng.permutation(list(stories))) for n in range(14)}
    rows = [
        row
        for variant, seed in (("full", 1), ("full", 2), ("plain", 0), ("other", 0))
        for item in finals
        for row in rewards(
            variant, {item: dict(zip(stories, rng.random(6).round(1).tolist(), strict=True))}, seed
        )
    ]
    rows += rewards("full", {"i00": {"a": 5.0, "z": 1.0}, "x": {"a": 1.0, "b": 2.0}}, 1)
    tables = added(pools(finals, rows), "candidates", candidates({"i01": "ab", "i02": "a"}))
    shuffled = {
        name: table.sample(frac=1, random_state=n).reset_index(drop=True)
        for n, (name, table) in enumerate(tables.items())
    }
    assert report(shuffled).to_json() == report(tables).to_json()


def test_hostile_names_are_shown_and_never_ids() -> None:
    name = "<b>\n=1+1 ünï/../☃ {x} %s"
    rows = rewards(name, {i: {s: 1.0 * (s == "a") for s in "abcd"} for i in FINALS})
    found = findings(pools(FINALS, ROWS + rows))
    assert name in found["model-b-1-1-n-x-s"].statement
    prose.check("best_of_n/hostile names are shown and never ids", found["model-b-1-1-n-x-s"])


@pytest.mark.parametrize(
    "runs",
    [
        [("full", "linear"), ("full", "other"), ("full/other", "m")],
        [("full", "m"), ("full ", "m"), ("full\u200b", "m")],
    ],
)
def test_models_that_would_look_alike_have_names_of_their_own(runs: list) -> None:
    of_pools = {item: {s: 1.0 * (s == "a") for s in "abcd"} for item in FINALS}
    rows = [row for variant, model in runs for row in rewards(variant, of_pools, model=model)]
    found = findings(pools(FINALS, rows))
    named = {
        finding.statement.partition(": the story")[0]
        for name, finding in found.items()
        if name.startswith("model-")
    }
    assert len(named) == 3 and all(name == name.strip() for name in named)
    assert all(name.isprintable() for name in named)


def test_a_gain_of_hardly_less_than_nothing_is_no_negative_zero() -> None:
    # Of 41 pools of two, one more last than first: a gain of −1/82 ranks.
    finals = {f"i{n:02}": "ab" for n in range(41)}
    chosen = {item: "a" if n < 20 else "b" for n, item in enumerate(finals)}
    found = findings(pools(finals, picking("full", chosen, "ab")))["model-full"]
    assert found.numbers["gain"] == round(-1 / 82, 3)
    assert {"0.0"} <= prose.figures(found)
    prose.check("best_of_n/a gain of hardly less than nothing is no negative zero", found)


def test_ids_stay_when_rewards_change() -> None:
    ids = []
    for picks in ("abc", "dcb", "bbb"):
        rows = picking("full", dict(zip("ijk", picks, strict=True)), "abcd")
        ids.append(
            findings(
                pools(FINALS, ROWS[:0] + rows + picking("plain", dict.fromkeys("ijk", "c"), "abcd"))
            ).keys()
        )
    assert ids[0] == ids[1] == ids[2]


@pytest.mark.parametrize(
    "params",
    [{"resamples": 10}, {"confidence": 1.0}, {"adjudicators": "senior"}, {"folds": 3}],
)
def test_parameters_are_checked(params: dict) -> None:
    with pytest.raises(ValidationError):
        BestOfParams(**params)

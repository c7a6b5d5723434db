from itertools import product

import numpy as np
import pandas as pd
import prose
import pytest
from finding_samples import by_id
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.accuracy.accuracy_report import AccuracyParams
from audits.accuracy.coverage import covering_scores
from audits.accuracy.evaluation import Evaluation, evaluate
from storyaudit.findings import Finding, ordered
from storyaudit.results.selection import select

PARAMS = AccuracyParams(resamples=200)
INFINITE = float("inf")


def study(number: int = 20, size: int = 4) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Candidates, stories and gold; of each item i the chosen story is i-0."""
    items = [f"i{n:02}" for n in range(number)]
    candidates = pd.DataFrame(product(items, range(size)), columns=["item_id", "position"])
    candidates["story_id"] = candidates["item_id"] + "-" + candidates["position"].astype("str")
    stories = candidates[["story_id"]].assign(text="a b c")
    gold = pd.DataFrame(
        {
            "item_id": items,
            "chosen_id": [f"{item}-0" for item in items],
            "origin": [("llm_llm", "human_llm")[n % 2] for n in range(number)],
            "dimension": [("fluency", "creativity")[n % 4 // 2] for n in range(number)],
            "annotation_route": "unknown",
            "language": "en",
        }
    )
    return candidates, stories, gold


CANDIDATES, STORIES, GOLD = study()


def scores(
    right: int = 15, variant: str = "x", candidates: pd.DataFrame = CANDIDATES
) -> pd.DataFrame:
    """Rewards by which the chosen story is the highest of the first items, and else the lowest."""
    item = candidates["item_id"].str[1:].astype("int64")
    knows = np.where(item < right, -1.0, 1.0)
    rewards = candidates["position"] * knows
    return candidates[["item_id", "story_id"]].assign(
        variant=variant, model="m", seed=1, reward=rewards
    )


def run(
    table: pd.DataFrame,
    candidates: pd.DataFrame = CANDIDATES,
    stories: pd.DataFrame = STORIES,
    gold: pd.DataFrame = GOLD,
) -> Evaluation:
    rng = np.random.default_rng(1)
    found = evaluate(table, candidates, stories, gold, PARAMS, rng, study="demo")
    return found._replace(report=ordered(found.report))


def findings(*tables: pd.DataFrame) -> dict[str, Finding]:
    return by_id(run(*tables).report)


def fails(*tables: pd.DataFrame) -> dict[str, Finding]:
    return {name: f for name, f in findings(*tables).items() if f.severity == "fail"}


def test_valid_scores_pass_and_have_their_accuracy() -> None:
    found = findings(scores())
    prose.check("accuracy/evaluation: valid scores", *found.values())
    assert not [f for f in found.values() if f.severity in ("fail", "warn")]
    assert found["scores-valid"].numbers == {"rows": 80, "items": 20}
    # Items 0 to 14 are right: fluency 0, 1, 4, 5, 8, 9, 12, 13 of 10, creativity 7 of 10.
    assert found["model-x"].numbers["macro"] == found["model-x"].numbers["micro"] == 0.75
    groups = {row["group"]: row["accuracy"] for row in found["groups-x"].evidence}
    assert groups == {"creativity": 0.7, "fluency": 0.8, "llm_llm": 0.8, "human_llm": 0.7}


def test_the_audit_is_named_and_holds_every_items_outcome() -> None:
    found = run(scores())
    assert (found.report.study, found.report.audit) == ("demo", "evaluation")
    assert found.results["correct"].tolist() == [True] * 15 + [False] * 5
    assert found.results["length_band"].unique().tolist() == [
        "medium"
    ]  # all stories are equally long
    assert found.groups["items"].tolist() == [10] * 4


def test_rows_may_come_in_any_order() -> None:
    table = pd.concat([scores(), scores(7, "y"), scores(7, "y").iloc[:2], scores(5, "nope")])
    table = table.replace({"i19-3": "elsewhere"})
    one = run(table)
    other = run(
        table.sample(frac=1, random_state=1),
        *(frame.sample(frac=1, random_state=2) for frame in (CANDIDATES, STORIES, GOLD)),
    )
    assert one.report == other.report
    pd.testing.assert_frame_equal(one.results, other.results)


def changed(row: int, **values: object) -> pd.DataFrame:
    table = scores().astype({"seed": "object"})
    for name, value in values.items():
        table.loc[row, name] = value
    return table


FAULTS = {
    # A row without an ID is out, and so its candidate is without a score.
    "no item": (changed(7, item_id=None), {"scores-named": 1, "scores-complete": 1}),
    "no story": (changed(7, story_id=None), {"scores-named": 1, "scores-complete": 1}),
    "no variant": (changed(7, variant=None), {"scores-named": 1, "scores-complete": 1}),
    "no seed": (changed(7, seed=None), {"scores-named": 1, "scores-complete": 1}),
    "unknown item": (changed(7, item_id="z"), {"scores-known": 1, "scores-complete": 1}),
    "unknown story": (changed(7, story_id="z"), {"scores-known": 1, "scores-complete": 1}),
    "story of another item": (
        changed(7, story_id="i00-0"),
        {"scores-known": 1, "scores-complete": 1},
    ),
    "no reward": (changed(7, reward=None), {"scores-present": 1}),
    "infinite": (changed(7, reward=INFINITE), {"scores-finite": 1}),
    "minus infinite": (changed(7, reward=-INFINITE), {"scores-finite": 1}),
    "twice": (pd.concat([scores(), scores().iloc[7:8]]), {"scores-once": 1}),
    "twice otherwise": (
        pd.concat([scores(), scores().iloc[7:8].assign(reward=8.0)]),
        {"scores-once": 1},
    ),
    "thrice": (pd.concat([scores(), *[scores().iloc[7:8]] * 2]), {"scores-once": 2}),
    "no row": (scores().drop(index=[4, 5, 6, 7, 10]), {"scores-complete": 5}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_scores_fails(fault: str) -> None:
    table, expected = FAULTS[fault]
    found = fails(table)
    prose.check(f"accuracy/faults of scores: {fault}", *found.values())
    assert {name: finding.numbers["left_out"] for name, finding in found.items()} == expected
    for finding in found.values():
        assert finding.evidence
        assert {row["item_id"] for row in finding.evidence} <= {"i01", "i02", "z", None}
    assert "scores-valid" not in findings(table)


@pytest.mark.parametrize(
    ("fault", "micro"),
    [
        # Item 1 is no longer complete: 14 of 20 right.
        *((name, 14 / 20) for name in FAULTS if name not in ("twice", "thrice", "no row")),
        # The same row again changes nothing.
        ("twice", 15 / 20),
        ("thrice", 15 / 20),
        # Items 1 and 2.
        ("no row", 13 / 20),
    ],
)
def test_what_is_valid_is_evaluated_all_the_same(fault: str, micro: float) -> None:
    found = findings(FAULTS[fault][0])
    assert found["model-x"].numbers["micro"] == micro
    assert found["missing-rewards"].severity == ("pass" if micro == 15 / 20 else "warn")


def test_unknown_items_are_counted_apart_from_stories_in_the_wrong_item() -> None:
    table = scores().replace({"item_id": {"i00": "z"}, "story_id": {"i05-1": "z"}})
    found = fails(table)["scores-known"]
    assert found.numbers == {"left_out": 5, "of": 80}
    assert {"4", "1"} <= prose.figures(found)
    prose.check("accuracy/evaluation: unknown items and stories of none", found)


def test_a_run_that_only_some_items_have_is_incomplete() -> None:
    found = fails(pd.concat([scores(), scores(variant="y").iloc[:8]]))
    assert found["scores-complete"].numbers == {"left_out": 72, "of": 160}
    assert "18" in prose.figures(found["scores-complete"])  # 20 items less 2 of 4 rows
    prose.check("accuracy/evaluation: a run of some items", *found.values())


@pytest.mark.parametrize("rewards", ["by item", "everywhere"])
def test_rewards_that_are_all_equal_are_a_warning(rewards: str) -> None:
    flat = scores(variant="flat").assign(reward=3.0)
    if rewards == "by item":  # equal within an item, another in each
        flat["reward"] = flat["item_id"].str[1:].astype("float64")
    found = findings(pd.concat([flat, scores()]))
    assert found["rewards-vary"].severity == "warn"
    assert found["rewards-vary"].numbers == {"left_out": 1, "of": 2}
    prose.check("accuracy/evaluation: one run of equal rewards", found["rewards-vary"])
    assert [row["variant"] for row in found["rewards-vary"].evidence] == ["flat"]
    of_flat = found["model-flat"].numbers
    assert [of_flat[n] for n in ("macro", "credit_macro", "items_with_ties")] == [0, 0.25, 20]
    assert "rewards-vary" not in findings(scores())


def test_a_run_without_any_reward_is_no_run_of_equal_ones() -> None:
    found = findings(scores().assign(reward=float("nan")))
    assert "rewards-vary" not in found
    assert found["scores-present"].numbers == {"left_out": 80, "of": 80}
    assert found["model-x"].numbers["micro"] == 0


@pytest.mark.parametrize("size", [2, 3, 5])
def test_chance_is_that_of_the_candidates(size: int) -> None:
    candidates, stories, gold = study(200, size)
    rng = np.random.default_rng(4)
    table = candidates[["item_id", "story_id"]].assign(
        variant="x", model="m", seed=1, reward=rng.random(len(candidates))
    )
    found = findings(table, candidates, stories, gold)
    assert found["candidates-per-item"].severity == "note"
    assert found["candidates-per-item"].numbers == {f"items_of_{size}": 200}
    assert f"{100 / size:.1f}" in prose.figures(found["candidates-per-item"])
    low, high = (found["model-x"].numbers[name] for name in ("low", "high"))
    shown = f"{100 / size:.1f}" in prose.figures(found["model-x"])
    assert shown == (low <= 1 / size <= high)
    prose.check(
        f"accuracy/candidates: {size} an item",
        *(found[name] for name in ("candidates-per-item", "model-x")),
    )
    assert {row["chance"] for row in found["groups-x"].evidence} == {round(1 / size, 4)}


def test_items_of_different_numbers_are_a_warning() -> None:
    kept = CANDIDATES[~CANDIDATES["story_id"].isin(["i00-3", "i01-3"])]
    found = findings(scores(candidates=kept), kept)
    assert found["candidates-per-item"].severity == "warn"
    assert found["candidates-per-item"].numbers == {"items_of_3": 2, "items_of_4": 18}
    prose.check("accuracy/evaluation: items of three and four", found["candidates-per-item"])
    # Items 0 and 1 are of fluency: chance (2/3 + 8/4) / 10 there.
    chance = {row["group"]: row["chance"] for row in found["groups-x"].evidence}
    assert chance["fluency"] == round((2 / 3 + 8 / 4) / 10, 4)
    assert chance["creativity"] == 0.25


def test_an_item_without_a_choice_is_left_out() -> None:
    kept = CANDIDATES[(CANDIDATES["item_id"] != "i00") | (CANDIDATES["position"] == 0)]
    kept = kept[kept["item_id"] != "i19"]
    found = findings(scores(candidates=kept), kept)
    assert found["items-without-choice"].severity == "fail"
    prose.check("accuracy/evaluation: items without a choice", found["items-without-choice"])
    assert found["items-without-choice"].evidence == [
        {"item_id": "i00", "candidates": 1},
        {"item_id": "i19", "candidates": 0},
    ]
    assert found["model-x"].numbers["micro"] == round(14 / 18, 6)


def test_items_without_gold_are_left_out_with_their_scores() -> None:
    found = findings(scores(), CANDIDATES, STORIES, GOLD.iloc[:10])
    assert found["items-without-gold"].numbers == {"items": 10}
    prose.check("accuracy/evaluation: items without gold", found["items-without-gold"])
    assert found["scores-valid"].numbers["items"] == 10
    assert found["model-x"].numbers["micro"] == 1


NOTHING = {
    "unknown items": scores().assign(item_id="z"),
    "nothing named": scores().assign(story_id=None),
    "other items": scores().iloc[40:],
}


@pytest.mark.parametrize("case", NOTHING)
def test_where_nothing_can_be_used_it_fails_and_accuracy_is_not_checked(case: str) -> None:
    found = run(NOTHING[case], CANDIDATES, STORIES, GOLD.iloc[:10])
    prose.check(f"accuracy/no usable score: {case}", found.report)
    assert [left.id for left in found.report.unchecked] == ["accuracy"]
    assert found.report.fails()
    assert found.results.empty and found.groups.empty


@pytest.mark.parametrize("dimension", ["unknown", "unscored"])
def test_without_dimensions_macro_is_micro_and_it_is_said(dimension: str) -> None:
    found = findings(scores(), CANDIDATES, STORIES, GOLD.assign(dimension=dimension))
    assert found["model-x"].numbers["macro"] == found["model-x"].numbers["micro"] == 0.75
    assert found["items-without-dimension"].numbers == {"items": 20, "without_dimension": 20}
    prose.check("accuracy/evaluation: no item with a dimension", found["items-without-dimension"])
    assert {row["kind"] for row in found["groups-x"].evidence} == {"origin"}


def test_stories_of_different_lengths_have_bands() -> None:
    lengths = STORIES["story_id"].str[1:3].astype("int64")
    found = findings(scores(), CANDIDATES, STORIES.assign(text=["word " * n for n in lengths]))
    rows = [row for row in found["groups-x"].evidence if row["kind"] == "length"]
    # Ranks 1 to 20 at (r − 1/2) / 20: 7 below 1/3, 13 below 2/3.
    assert [(row["group"], row["items"]) for row in rows] == [
        ("short", 7),
        ("medium", 6),
        ("long", 7),
    ]
    assert [row["accuracy"] for row in rows] == [1, 1, round(2 / 7, 4)]


REWARD = st.sampled_from([0.0, 1.0, 2.0, float("nan"), INFINITE, -INFINITE])
PLACE = st.tuples(st.sampled_from(["i00", "i01", "z"]), st.sampled_from("0123z"))
ROW = st.tuples(PLACE, st.sampled_from("xy"), REWARD)


@settings(max_examples=25, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=14))
def test_any_scores_are_judged_as_a_loop_over_them_does(rows: list) -> None:
    candidates, _, gold = study(2)
    table = pd.DataFrame(
        [(variant, "m", 1, item, f"{item}-{place}", r) for (item, place), variant, r in rows],
        columns=["variant", "model", "seed", "item_id", "story_id", "reward"],
    )
    found, kept = covering_scores(table, candidates, gold["item_id"])
    results = select(kept, candidates, gold)
    given_by: dict[tuple[str, str, str], list[float]] = {}
    for (item, place), variant, reward in rows:
        if item != "z" and place != "z":
            given_by.setdefault((variant, item, place), []).append(reward)
    usable = {
        key: values[0]
        for key, values in given_by.items()
        if all(value == values[0] for value in values) and abs(values[0]) < INFINITE
    }
    expected = {}
    for variant, item in product(sorted({key[0] for key in given_by}), ["i00", "i01"]):
        rewards = [usable.get((variant, item, place)) for place in "0123"]
        whole = None not in rewards
        expected[variant, item] = whole and all(rewards[0] > other for other in rewards[1:])
    outcomes = results[["variant", "item_id", "correct"]].itertuples(index=False, name=None)
    assert {(variant, item): correct for variant, item, correct in outcomes} == expected
    once = len(rows) == len(usable)
    complete = len(usable) == 8 * len({variant for variant, _, _ in usable})
    assert any(f.severity == "fail" for f in found) == (not (once and complete))

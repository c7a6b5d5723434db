"""Sensitivity to the priority order, the threshold, the tolerance, a judge and the prompt."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pandas as pd
import prose
import pytest
from protocol_samples import (
    AGREED,
    LAST_SWAPPED,
    Tables,
    audited,
    by_id,
    fails,
    gold,
    item,
    joined,
    ranking,
    simulated,
    unchecked,
    valid_study,
)

from audits.protocol.replayed_items import replayed, with_chosen
from storyaudit.data.tables import human_stories
from storyaudit.findings import Finding
from storyaudit.protocol.gold import item_dimension
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import DIMENSIONS


def coarse_study(items: int = 30, seed: int = 8) -> Tables:
    """A simulated study with scores of 1 to 3, so that every rule decides some items.

    Annotators ranked every item's stories, and confirmed the judges' first by their ranking.
    """
    rng = np.random.default_rng(seed)
    tables = simulated(rng, items)
    noise = rng.normal(0, 0.7, len(tables["judgements"]))
    score = (tables["judgements"]["score"] + noise - 6) / 2
    tables["judgements"]["score"] = (score.round() + 2).clip(1, 3)
    rows = []
    for name, group in tables["candidates"].groupby("item_id"):
        ranked = rng.permutation(group["story_id"]).tolist()
        rows += [(name, "person", "ranking", story, r) for r, story in enumerate(ranked, start=1)]
    columns = ["item_id", "annotator", "kind", "story_id", "value"]
    tables["annotations"] = pd.DataFrame(rows, columns=columns)
    return with_verdicts(tables)


def with_verdicts(tables: Tables) -> Tables:
    """Add a person's verdict where the judges' first is to be confirmed, and the benchmark."""
    overall = tables["judgements"].query("dimension == 'overall'")
    means = overall.groupby(["item_id", "story_id"])["score"].mean()
    first = means.groupby("item_id").idxmax().map(lambda key: key[1])
    top = tables["annotations"].query("kind == 'ranking' and value == 1").set_index("item_id")
    verdicts = pd.DataFrame(
        {
            "item_id": first.index,
            "annotator": "person",
            "kind": "confirmation",
            "story_id": first.to_numpy(),
            "value": (first == top.loc[first.index, "story_id"]).astype("float64").to_numpy(),
        }
    )
    tables["annotations"] = pd.concat([tables["annotations"], verdicts], ignore_index=True)
    kept = [
        (case.item.item_id, case.item.premise_id, case.item.origin, case.chosen, *case.gold[1:])
        for case in with_chosen(replayed(tables | {"benchmark": pd.DataFrame()}, ProtocolParams()))
    ]
    names = ["item_id", "premise_id", "origin", "chosen_id", "annotation_route", "tau_avg"]
    tables["benchmark"] = pd.DataFrame(kept, columns=[*names, "dimension", "dimension_rule"])
    return tables


STUDY = coarse_study()


BASE = with_chosen(replayed(STUDY, ProtocolParams()))


@pytest.fixture(scope="module")
def found() -> dict[str, Finding]:
    return by_id(audited(STUDY))


def dimensions(order: Sequence[str]) -> list[str]:
    """Every item's dimension under an order of priority."""
    params = ProtocolParams(priority=list(order))
    return [item_dimension(case.scores, case.chosen, params).dimension for case in BASE]


def test_the_range_of_denominators_over_all_orders_by_brute_force(found) -> None:
    every = [Counter(dimensions(order)) for order in permutations(DIMENSIONS)]
    assert found["priority-order"].numbers["decided"] > 2
    assert found["priority-order"].evidence == [
        {
            "dimension": name,
            "items": every[0][name],
            "fewest": min(counts[name] for counts in every),
            "most": max(counts[name] for counts in every),
        }
        for name in DIMENSIONS
    ]


def test_an_order_that_is_not_stated_is_a_warning(found) -> None:
    assert found["priority-order"].severity == "warn"
    stated = by_id(audited(STUDY, priority=list(DIMENSIONS)))["priority-order"]
    assert (stated.severity, stated.numbers["order_stated"]) == ("note", True)
    none = by_id(audited(_without_priority()))["priority-order"]
    assert (none.severity, none.numbers["decided"]) == ("pass", 0)
    prose.check("protocol/the order of priority: not stated", *found.values())
    prose.check("protocol/the order of priority: stated", stated)
    prose.check("protocol/the order of priority: decides nothing", none)


def _without_priority() -> Tables:
    tables = valid_study()
    for name in ("candidates", "benchmark", "judgements", "annotations"):
        tables[name] = tables[name].query("item_id != 'ranked'")
    return tables


def test_a_benchmark_made_by_an_order_that_is_not_stated_fits_it() -> None:
    hidden = ["relevance", "fluency", "characterization", "coherence", "creativity"]
    tables = STUDY | {"benchmark": STUDY["benchmark"].copy()}
    tables["benchmark"]["dimension"] = dimensions(hidden)
    assert fails(audited(tables, priority=list(DIMENSIONS))) == {"gold-dimension"}
    report = audited(tables)
    assert fails(report) == set()
    # By brute force, the orders that give what this benchmark states.
    fitting = sum(dimensions(o) == dimensions(hidden) for o in permutations(DIMENSIONS))
    assert 1 <= fitting < 120
    assert {f"{fitting}", "120"} <= prose.figures(by_id(report)["priority-order"])
    prose.check(
        "protocol/a benchmark made by an order that is not stated fits it",
        by_id(report)["priority-order"],
    )


def test_a_dimension_that_no_order_gives_still_fails() -> None:
    tables = STUDY | {"benchmark": STUDY["benchmark"].copy()}
    decided = tables["benchmark"]["dimension_rule"] == "priority"
    tables["benchmark"].loc[decided.idxmax(), "dimension"] = "plot"
    assert fails(audited(tables)) == {"gold-dimension"}


def compared(base: list, other: list) -> dict[str, int]:
    """Changes among the items that both have, by two full replays."""
    before = {case.item.item_id: case for case in base}
    after = {case.item.item_id: case for case in other}
    both = [(before[name].gold, after[name].gold) for name in before if name in after]
    return {
        "chosen_changes": sum(a.chosen != b.chosen for a, b in both),
        "dimension_changes": sum(a.dimension != b.dimension for a, b in both),
        **{name: sum(b.dimension == name for _, b in both) for name in DIMENSIONS},
    }


def test_tolerances_by_full_replays(found) -> None:
    rows = found["sensitivity-tie-tolerance"].evidence
    assert [row["tie tolerance"] for row in rows] == [f"{n / 10:g}" for n in range(11)]
    for row in rows:
        params = ProtocolParams(tie_tolerance=float(row["tie tolerance"]))
        expected = compared(BASE, with_chosen(replayed(STUDY, params)))
        assert expected == {name: row[name] for name in expected}
    assert max(row["dimension_changes"] for row in rows) > 0


def test_thresholds_by_full_replays(found) -> None:
    # Every item has a ranking and a verdict on the judges' first, so that all golds are determined.
    rows = found["sensitivity-tau-threshold"].evidence
    assert [float(row["tau threshold"]) for row in rows] == pytest.approx(
        np.arange(0.4, 0.81, 0.05)
    )
    for row in rows:
        params = ProtocolParams(tau_threshold=float(row["tau threshold"]))
        other = with_chosen(replayed(STUDY, params))
        assert row["not_determinable"] == 0
        assert row["route_changes"] == sum(
            a.gold.route != b.gold.route for a, b in zip(BASE, other, strict=True)
        )
        expected = compared(BASE, other)
        assert expected == {name: row[name] for name in expected}
    assert max(row["route_changes"] for row in rows) > 0


def test_a_judge_left_out_by_replaying_without_that_judges_rows(found) -> None:
    found = found["sensitivity-judges"]
    judges = sorted(STUDY["judgements"]["judge"].unique())
    assert [row["without"] for row in found.evidence] == judges
    for row in found.evidence:
        rest = STUDY["judgements"].query(f"judge != '{row['without']}'")
        cases = replayed(STUDY | {"judgements": rest}, ProtocolParams())
        # A verdict is on the first of all judges. Where the others' first is another story, only
        # an annotator who ranked that one first determines the gold.
        top = STUDY["annotations"].query("kind == 'ranking' and value == 1")
        top = dict(zip(top["item_id"], top["story_id"], strict=True))
        undetermined = [
            case
            for case in cases
            if case.gold is None and top[case.item.item_id] != case.scores.first[0]
        ]
        assert row["not_determinable"] == len(undetermined)
        determined = with_chosen(cases)
        before = {case.item.item_id: case for case in BASE}
        changed = sum(c.gold.dimension != before[c.item.item_id].gold.dimension for c in determined)
        assert changed <= row["dimension_changes"] <= changed + len(cases) - len(determined)
        assert row["judges_first_changes"] == sum(
            case.scores.first != before[case.item.item_id].scores.first for case in cases
        )
    assert found.numbers["not_determinable"] > 0


def test_another_prompt_variant_by_replaying_it_alone() -> None:
    other = STUDY["judgements"].sample(frac=1, random_state=1).assign(prompt_variant="2")
    rng = np.random.default_rng(2)
    other["score"] = (other["score"] + rng.integers(-1, 2, len(other))).clip(1, 3)
    tables = STUDY | {"judgements": pd.concat([STUDY["judgements"], other], ignore_index=True)}
    (row,) = by_id(audited(tables))["sensitivity-prompt-variant"].evidence
    cases = replayed(tables, ProtocolParams(prompt_variant="2"))
    before = {case.item.item_id: case for case in BASE}
    assert row["prompt variant"] == "2"
    assert row["judges_first_changes"] == sum(
        case.scores.first != before[case.item.item_id].scores.first for case in cases
    )
    assert row["judges_first_changes"] > 0
    # The gold of an item that the variant did not judge is not determinable.
    tables["judgements"] = tables["judgements"].query(
        "not (prompt_variant == '2' and item_id == 'i0003')"
    )
    (fewer,) = by_id(audited(tables))["sensitivity-prompt-variant"].evidence
    assert fewer["unscored"] == 1


def only(*items: Tables) -> Tables:
    """A study without a benchmark's rows for them: its rows are replayed into one."""
    tables = joined(items)
    cases = with_chosen(replayed(tables | {"benchmark": pd.DataFrame()}, ProtocolParams()))
    rows = [gold(c.item.item_id, c.chosen[-1], *c.gold[1:], c.item.origin) for c in cases]
    return tables | {"benchmark": pd.DataFrame(rows)}


# Tau is 4/6 and −1. At thresholds of 0.7 to 0.8 people would rank the first kind.
@pytest.mark.parametrize(
    ("of", "threshold", "determined"),
    [
        # It has no ranking.
        (item("i", LAST_SWAPPED, ("confirmation", "a", 1)), "0.7", False),
        (item("i", LAST_SWAPPED, ("unsure", "a", 1)), "0.7", False),
        # Who rejects the judges' first ranks.
        (item("i", LAST_SWAPPED, ("confirmation", "a", 0), *ranking("bacd")), "0.7", True),
        (item("i", LAST_SWAPPED, ("confirmation", "a", 1)), "0.65", True),
        # A Human–LLM item does not depend on it.
        (item("i", LAST_SWAPPED, ("best", "a", 1), origin="human_llm"), "0.8", True),
    ],
)
def test_whether_the_gold_is_determined_under_a_higher_threshold(
    of: Tables, threshold: str, determined: bool
) -> None:
    rows = by_id(audited(only(of)))["sensitivity-tau-threshold"].evidence
    (row,) = [row for row in rows if row["tau threshold"] == threshold]
    assert row["not_determinable"] == (0 if determined else 1)
    assert row["chosen_changes"] == 0


@pytest.mark.parametrize(("first", "determined"), [("a", True), ("b", False)])
def test_a_lower_threshold_determines_the_gold_where_annotators_and_judges_agree_on_the_first(
    first: str, determined: bool
) -> None:
    # Tau of three judges, two of whom agree: (4/6 + 4/6 + 2/6) / 3 = 5/9, between 0.55 and 0.6.
    scores = ([9, 7, 5, 3], [9, 7, 3, 5], [9, 5, 7, 3])
    rest = "bcd" if first == "a" else "acd"
    of = only(item("i", scores, *ranking(first + rest)))
    rows = by_id(audited(of))["sensitivity-tau-threshold"].evidence
    changed = {
        row["tau threshold"]: row["not_determinable"] for row in rows if row["route_changes"]
    }
    assert changed == dict.fromkeys(("0.4", "0.45", "0.5", "0.55"), 0 if determined else 1)


def test_the_benchmarks_own_threshold_and_tolerance_are_among_the_settings() -> None:
    report = audited(STUDY, tau_threshold=0.63, tie_tolerance=0.25)
    found = by_id(report)
    own = [r for r in found["sensitivity-tau-threshold"].evidence if r["tau threshold"] == "0.63"]
    assert own[0]["route_changes"] == own[0]["not_determinable"] == 0
    own = [r for r in found["sensitivity-tie-tolerance"].evidence if r["tie tolerance"] == "0.25"]
    assert own[0]["dimension_changes"] == 0


def test_two_judges_leave_none_to_leave_out_and_one_prompt_no_other() -> None:
    report = audited(only(item("i", AGREED, ("confirmation", "a", 1))))
    assert {"sensitivity-judges", "sensitivity-prompt-variant"} <= set(unchecked(report))


def test_rules_by_origin() -> None:
    found = by_id(audited(valid_study()))["dimension-rules"]
    assert found.numbers == {"items": 6, "mean_gap": 5, "priority": 1}
    assert found.evidence[0] == {
        "rule": "mean_gap",
        "items": 5,
        "llm_llm_items": 4,
        "llm_llm_proportion": 0.8,
        "human_llm_items": 1,
        "human_llm_proportion": 1.0,
    }


def test_tau_by_band_and_about_the_threshold() -> None:
    found = by_id(audited(valid_study()))["tau-distribution"]
    # LLM–LLM: −1, 1, 1, 4/6, 1; Human–LLM: 1, 1, the removed item among them.
    numbers = found.numbers
    assert (numbers["llm_llm_items"], numbers["llm_llm_below"]) == (5, 1)
    assert (numbers["human_llm_items"], numbers["human_llm_below"]) == (2, 0)
    assert (numbers["llm_llm_median"], numbers["near"]) == (1, 0)
    assert (numbers["highest_below"], numbers["lowest_from"]) == (-1, 0.666667)
    bands = {
        row["tau_avg"]: (row["llm_llm_items"], row["human_llm_items"]) for row in found.evidence
    }
    assert bands == {
        "-1 to below 0": (1, 0),
        "0 to below 0.2": (0, 0),
        "0.2 to below 0.4": (0, 0),
        "0.4 to below 0.6": (0, 0),
        "0.6 to below 0.8": (1, 0),
        "0.8 to 1": (3, 2),
    }
    near = by_id(audited(valid_study(), tau_threshold=0.7))["tau-distribution"]
    assert near.numbers["near"] == 1
    assert near.numbers["llm_llm_below"] == 2


def test_humans_are_known_from_the_stories() -> None:
    assert human_stories(valid_study()["stories"]) == {"human-a", "removed-a"}


def test_the_order_of_rows_changes_nothing_in_the_gold() -> None:
    turned = {name: table.iloc[::-1].reset_index(drop=True) for name, table in STUDY.items()}
    assert audited(turned) == audited(STUDY)

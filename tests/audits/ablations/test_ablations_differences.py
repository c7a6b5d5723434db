"""Ablations versus the reference: injected differences, and tables that are wrong or empty."""

from fractions import Fraction

import numpy as np
import pandas as pd
import prose
import pytest
from ablations_samples import (
    findings,
    outcomes,
    report,
    seeds,
    several,
    tables,
    unchecked,
)
from finding_samples import by_id, numbers

from audits.accuracy.accuracy_report import AccuracyParams, accuracy_report

HALF = "1100" * 25  # 100 items, half of them right
REMOVED = "removal/rewriting"


def worse(by: int) -> str:
    """The outcomes of HALF, with the first so many right ones wrong."""
    return HALF.replace("1", "0", by)


def study(*experiments: pd.DataFrame, reference: int = 3) -> object:
    return tables(seeds("full", reference, HALF), experiments=several(*experiments))


def test_an_injected_difference_is_significant() -> None:
    # 20 of 100 items fewer: −0.20; without seeds' noise the error is that of the items,
    # (22/102 − (20/102)²) · 102/101 / 100 with two further items of square 1 and sum 0 in all.
    found = findings(study(seeds(REMOVED, 3, worse(20))))["difference-removal-rewriting"]
    error = np.sqrt((21 / 102 - (20 / 102) ** 2) * 102 / 101 / 100)
    assert numbers(found, "difference", "significant", "items", "seeds", "reference_seeds") == [
        -0.2,
        True,
        100,
        3,
        3,
    ]
    assert numbers(found, "macro", "reference_macro") == [0.3, 0.5]
    assert found.numbers["se_items"] == pytest.approx(error, abs=1e-6)
    assert found.numbers["difference_low"] == pytest.approx(-0.2 - 1.9842 * error, abs=1e-5)
    assert found.severity == "note"
    assert {"-20.0", "100", "3"} <= prose.figures(found)
    prose.check("ablations/an injected difference is significant", found)


def test_a_small_difference_is_not_significant_and_the_minimum_detectable_is_reported() -> None:
    found = findings(study(seeds(REMOVED, 3, worse(1))))
    single, summary = found["difference-removal-rewriting"], found["differences-significant"]
    assert numbers(single, "difference", "significant") == [-0.01, False]
    least = 100 * single.numbers["minimum_detectable"]
    assert {f"{least:.1f}"} <= prose.figures(single)
    prose.check("ablations/a small difference is not significant", single)
    assert summary.severity == "warn" and summary.numbers == {"significant": 0, "inconclusive": 1}


def test_seeds_that_scatter_widen_the_interval() -> None:
    steady = findings(study(seeds(REMOVED, 3, worse(20))))
    scattered = findings(
        study(*(outcomes(REMOVED, worse(by), seed=n) for n, by in enumerate((0, 20, 40), 1)))
    )
    wide, narrow = (f["difference-removal-rewriting"] for f in (scattered, steady))
    assert numbers(wide, "difference", "significant") == [-0.2, False]
    # Macro accuracies 0.5, 0.3, 0.1: sample variance 0.04, over 3 seeds.
    assert wide.numbers["se_seeds"] == pytest.approx(np.sqrt(0.04 / 3), abs=1e-6)
    assert narrow.numbers["se_seeds"] == 0


@pytest.mark.parametrize(("mine", "reference"), [(1, 3), (3, 1), (1, 1)])
def test_one_seed_is_over_items_alone(mine: int, reference: int) -> None:
    found = findings(study(seeds(REMOVED, mine, worse(30)), reference=reference))
    single = found["difference-removal-rewriting"]
    prose.check(f"ablations/one seed is over items alone: {mine}, {reference}", single)
    assert single.numbers["se_seeds"] is None


def test_no_ablations_is_unchecked_and_no_pass() -> None:
    found = report(tables(seeds("full", 3, HALF)))
    prose.check("ablations/no ablations", found)
    assert {"ablation", "order-removal", "order-replacement", "paper-order", "learning-curve"} <= {
        left.id for left in found.unchecked
    }
    assert {"human-chosen", "external-accuracy", "external-picks"} <= {
        left.id for left in found.unchecked
    }
    assert not [f for f in found.findings if f.severity == "pass" or "difference" in f.id]


@pytest.mark.parametrize(
    ("case", "results"),
    [
        ("other", seeds("other", 2, HALF)),
        ("two models", several(outcomes("full", HALF), outcomes("full", HALF, model="m2"))),
        ("no dimension", outcomes("full", HALF).assign(dimension=None)),
    ],
)
def test_without_one_reference_nothing_is_compared(case: str, results: pd.DataFrame) -> None:
    left = unchecked(tables(results, experiments=outcomes(REMOVED, HALF)))
    prose.check(
        f"ablations/without one reference nothing is compared: {case}",
        left["ablation"],
        left["burstiness"],
    )


def test_a_rule_can_be_the_reference() -> None:
    given = tables(seeds("burstiness", 2, HALF), experiments=seeds(REMOVED, 3, worse(20)))
    assert findings(given, reference="burstiness")["burstiness-rule"].numbers["macro"] == 0.5


def test_another_reference_can_be_named() -> None:
    given = tables(seeds("base", 3, HALF), experiments=seeds(REMOVED, 3, worse(20)))
    assert "difference-removal-rewriting" in findings(given, reference="base")


def test_items_that_a_run_lacks_are_left_out_of_its_comparison_alone() -> None:
    # Without the first ten items the reference is right on 44 of 90, the variant on 34.
    lacking = several(outcomes(REMOVED, worse(20)), outcomes(REMOVED, worse(20), seed=2).iloc[10:])
    found = findings(study(lacking, seeds("removal/continuation", 2, worse(20))))
    first = found["difference-removal-rewriting"]
    assert numbers(first, "items", "left_out") == [90, 10]
    assert first.severity == "warn"
    assert {"10"} <= prose.figures(first)
    prose.check("ablations/items that a run lacks are left out of its comparison alone", first)
    assert first.numbers["reference_macro"] == round(44 / 90, 6)
    # The first 20 right ones are the items i00 … i37: of the first ten six are right.
    assert first.numbers["difference"] == round(-14 / 90, 6)
    assert numbers(found["difference-removal-continuation"], "items", "left_out") == [100, 0]


@pytest.mark.parametrize(
    "dimensions",
    [["d", "e", "unknown"], ["d", "unscored", "unscored"], ["unknown"] * 3],
    ids="/".join,
)
def test_macro_accuracy_is_that_of_the_audit_of_accuracy(dimensions: list[str]) -> None:
    # 30 items, the reference right on the first 20 and the variant on the first 10; by blocks of
    # ten: of the first dimension all, of the second the reference alone, of the third none.
    full, removed = (
        seeds(name, 2, "1" * right + "0" * (30 - right))
        for name, right in (("full", 20), (REMOVED, 10))
    )
    both = several(full, removed)
    both["dimension"] = both["item_id"].map(lambda item: dimensions[int(item[1:]) // 10])
    expected = {
        "d/e/unknown": (Fraction(1), Fraction(1, 2)),
        "d/unscored/unscored": (Fraction(1), Fraction(1)),
        "unknown/unknown/unknown": (Fraction(2, 3), Fraction(1, 3)),
    }["/".join(dimensions)]
    is_full = both["variant"] == "full"
    found = findings(tables(both[is_full], experiments=both[~is_full]))
    single = found["difference-removal-rewriting"]
    macros = [round(float(macro), 6) for macro in expected]
    assert numbers(single, "reference_macro", "macro") == macros
    assert single.numbers["difference"] == pytest.approx(float(expected[1] - expected[0]), abs=1e-6)
    rng = np.random.default_rng(1)
    params = AccuracyParams(resamples=100)
    there = by_id(accuracy_report(both, params, rng, study="demo"))
    assert [there[f"model-{n}"].numbers["macro"] for n in ("full", "removal-rewriting")] == macros
    counted = [n for n in dimensions if n not in ("unknown", "unscored")] or dimensions
    assert single.numbers["items"] == 10 * len(counted)
    assert found["items-without-dimension"] == there["items-without-dimension"]


def test_no_item_in_common_is_unchecked() -> None:
    other = outcomes(REMOVED, HALF)
    other["item_id"] = "x" + other["item_id"]
    left = unchecked(study(other))
    prose.check("ablations/no item in common is unchecked", left["difference-removal-rewriting"])


def test_another_models_ablation_is_named_as_lost() -> None:
    given = study(outcomes(REMOVED, HALF), outcomes("removal/continuation", HALF, model="other"))
    left = report(given).unchecked
    (lost,) = [part for part in left if part.id == "ablation-lost"]
    assert "removal/continuation" in lost.check
    prose.check("ablations/another models ablation is named as lost", lost)


def test_another_models_runs_of_an_ablation_are_reported_beside_those_that_count() -> None:
    mine = seeds(REMOVED, 3, worse(20))
    given = study(mine, outcomes(REMOVED, HALF, model="other"))
    found = findings(given)
    left = found["experiments-models"]
    assert left.severity == "warn" and numbers(left, "left_out", "of") == [1, 4]
    assert left.evidence == [{"variant": REMOVED, "model": "other", "seed": 1}]
    prose.check("ablations/another models runs of an ablation are left out", left)
    alone = findings(study(mine))
    assert "experiments-models" not in alone
    name = "difference-removal-rewriting"
    assert found[name] == alone[name]


def test_dimensions_of_which_an_ablation_lacks_every_item_are_named() -> None:
    # Dimensions d, e, f in turn; the variant has no item of e.
    full = seeds("full", 2, HALF, dimensions="def")
    lacking = [
        rows[rows["dimension"] != "e"]
        for method in ("rewriting", "continuation", "back_generation")
        for rows in [seeds(f"replacement/{method}", 2, worse(20), dimensions="def")]
    ]
    curve = seeds("learning_curve/0.5", 2, HALF, dimensions="def").query("dimension != 'e'")
    human = seeds(HUMAN, 2, HALF, dimensions="def").query("dimension != 'e'")
    found = findings(tables(full, experiments=several(*lacking, curve, human)))
    names = (
        "difference-replacement-rewriting",
        "order-replacement",
        "paper-order",
        "learning-curve",
        "paper-human-chosen-continuation",
    )
    assert all({"67", "33"} <= prose.figures(found[name]) for name in names)
    prose.check("ablations/none of a dimension left", *(found[name] for name in names))


def test_a_dimension_of_which_some_items_are_left_is_not_named() -> None:
    full, rows = (seeds(name, 2, HALF, dimensions="de") for name in ("full", REMOVED))
    found = findings(tables(full, experiments=rows[rows["item_id"] != "i001"]))
    assert {"99", "1", "2"} <= prose.figures(found["difference-removal-rewriting"])
    prose.check(
        "ablations/a dimension of which some items are left is not named",
        found["difference-removal-rewriting"],
    )


FAULTS = {
    "results-complete": lambda rows: rows.assign(origin=[None, *rows["origin"][1:]]),
    "results-once": lambda rows: several(rows, rows.iloc[:1].assign(correct=False, credit=0.0)),
    "results-consistent": lambda rows: rows.assign(ties=[1, *rows["ties"][1:]]),
    "dimension-agrees": lambda rows: rows.assign(dimension=["e", *rows["dimension"][1:]]),
    "origin-agrees": lambda rows: rows.assign(origin=["e", *rows["origin"][1:]]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rows_that_cannot_be_used_fail_and_are_left_out(name: str) -> None:
    given = study(FAULTS[name](outcomes(REMOVED, "1" + worse(20)[1:])))
    found = findings(given)
    assert found[name].severity == "fail"
    affected = {"dimension-agrees": 4, "origin-agrees": 4}.get(name, 1)
    assert numbers(found[name], "left_out") == [affected]
    assert found[name].evidence[0]["item_id"] == "i000"
    # The item is lost to this comparison: in the other case, to all runs.
    assert found["difference-removal-rewriting"].numbers["items"] == 99


def test_missing_and_infinite_outcomes_are_no_outcomes() -> None:
    rows = outcomes(REMOVED, worse(20)).astype({"correct": "boolean"})
    rows.loc[[3, 4], "correct"] = pd.NA
    found = findings(study(rows))
    assert numbers(found["results-complete"], "left_out") == [2]
    assert found["difference-removal-rewriting"].numbers["items"] == 98


def replaced(**by: int) -> list[pd.DataFrame]:
    return [seeds(f"replacement/{method}", 3, worse(n)) for method, n in by.items()]


def test_the_order_of_methods_by_their_drop() -> None:
    found = findings(study(*replaced(continuation=25, back_generation=5, rewriting=50)))
    order = found["order-replacement"]
    assert [row["method"] for row in order.evidence] == [
        "rewriting",
        "continuation",
        "back_generation",
    ]
    assert [row["difference"] for row in order.evidence] == [-0.5, -0.25, -0.05]
    assert [row.get("less_next") for row in order.evidence] == [-0.25, -0.2, None]
    assert numbers(order, "methods", "neighbours_inconclusive") == [3, 0]
    assert order.severity == "note"
    assert {"95"} <= prose.figures(order)
    printed = found["paper-order"]
    assert printed.numbers == {"same_order": True, "neighbours_inconclusive": 0}
    # 69.9 − 75.0, 72.8 − 75.0, 73.9 − 75.0.
    assert [row["printed"] for row in printed.evidence] == [-5.1, -2.2, -1.1]
    prose.check("ablations/the order of methods by their drop", order, printed)


def test_another_order_than_the_papers_is_a_note() -> None:
    found = findings(study(*replaced(continuation=50, back_generation=25, rewriting=24)))
    assert found["paper-order"].severity == "note"
    assert found["paper-order"].numbers == {"same_order": False, "neighbours_inconclusive": 1}
    order = found["order-replacement"]
    assert order.severity == "warn"
    assert {"95"} <= prose.figures(order)
    prose.check("ablations/another order than the papers is a note", found["paper-order"], order)


def test_two_methods_of_three_that_are_equal() -> None:
    found = findings(study(*replaced(continuation=50, back_generation=25, rewriting=25)))
    assert found["paper-order"].numbers == {"same_order": False, "neighbours_inconclusive": 1}
    prose.check("ablations/two equal methods of three", found["paper-order"])


def test_the_papers_order_takes_its_three_methods_replaced() -> None:
    removed = [seeds(f"removal/{m}", 3, HALF) for m in ("rewriting", "continuation")]
    left = unchecked(study(*replaced(rewriting=5, continuation=2), *removed))
    assert "order-removal" not in left
    prose.check(
        "ablations/the papers order takes its three methods replaced",
        left["paper-order"],
        unchecked(study(*replaced(rewriting=5)))["order-replacement"],
    )


def test_methods_of_equal_accuracy_are_ordered_by_name_and_do_not_differ_significantly() -> None:
    found = findings(study(*(seeds(f"removal/{m}", 3, worse(9)) for m in ("b", "a"))))
    order = found["order-removal"]
    assert [row["method"] for row in order.evidence] == ["a", "b"]
    assert numbers(order, "neighbours_inconclusive") == [1]
    prose.check("ablations/two equal methods", order)


def test_the_learning_curve() -> None:
    curve = [
        seeds(f"learning_curve/{part}", 3, worse(by)) for part, by in (("0.3", 20), ("0.1", 40))
    ]
    found = findings(study(*curve))
    shown = found["learning-curve"]
    assert [(row["proportion"], row["macro"]) for row in shown.evidence] == [
        (0.1, 0.1),
        (0.3, 0.3),
        (1.0, 0.5),
    ]
    assert [row.get("step") for row in shown.evidence] == [None, 0.2, 0.2]
    assert numbers(shown, "last_step", "significant", "rises") == [0.2, True, True]
    assert {"10.0", "0.1", "30.0", "0.3", "50.0", "1"} <= prose.figures(shown)
    prose.check("ablations/the learning curve", shown)
    # Proportions are no ablation of the methods.
    assert not [name for name in found if name.startswith("difference")]


def test_a_curve_that_falls_does_not_rise() -> None:
    curve = [seeds("learning_curve/0.5", 3, HALF), seeds("learning_curve/0.2", 3, worse(10))]
    shown = findings(study(*curve))["learning-curve"]
    assert numbers(shown, "rises", "significant") == [False, False]
    prose.check("ablations/a curve that falls does not rise", shown)


def test_equal_accuracies_are_no_rise() -> None:
    # Of ten items each of three dimensions 3, 3, 3 are right, and then 4, 5, 0; in binary fractions
    # 0.1 + 0.2 - 0.3 is a little over nothing.
    fewer, more = (
        "".join("1" if place < right else "0" for place in range(10) for right in by_dimension)
        for by_dimension in ((3, 3, 3), (4, 5, 0))
    )
    full = outcomes("full", more, dimensions="abc")
    curve = outcomes("learning_curve/0.1", fewer, dimensions="abc")
    shown = findings(tables(full, experiments=curve))["learning-curve"]
    assert numbers(shown, "last_step", "rises") == [0, False]
    assert {"30.0", "0.1", "1", "+0.0"} <= prose.figures(shown)
    prose.check("ablations/equal accuracies are no rise", shown)


def test_one_of_anything_is_written_as_one() -> None:
    found = findings(tables(outcomes("full", "1"), experiments=outcomes(REMOVED, "0")))
    assert {"1"} <= prose.figures(found["difference-removal-rewriting"])
    assert {"0", "1"} <= prose.figures(found["differences-significant"])
    prose.check(
        "ablations/one of anything is written as one",
        found["difference-removal-rewriting"],
        found["differences-significant"],
    )


@pytest.mark.parametrize("name", ["nan", "1.5", "all", "0", "-0.1", "inf", ""])
def test_a_proportion_that_is_none_is_unchecked(name: str) -> None:
    left = unchecked(study(seeds(f"learning_curve/{name}", 2, HALF)))
    assert {"0", "1"} <= prose.figures(left["learning-curve-proportions"])
    prose.check(
        f"ablations/a proportion that is none is unchecked: '{name}'",
        left["learning-curve-proportions"],
        left["learning-curve"],
    )


ORIGINS = ("llm_llm", "human_llm")
HUMAN = "human_chosen/continuation"


def test_human_chosen_by_origin() -> None:
    # The reference is right on 1 and 1 of each four items, so on half of either origin; the variant
    # on all human_llm items and no other.
    reference = seeds("full", 3, HALF, origins=ORIGINS)
    variant = seeds(HUMAN, 3, "01" * 50, origins=ORIGINS)
    found = findings(tables(reference, experiments=variant))
    human = found["origin-human-chosen-continuation-human-llm"]
    models = found["origin-human-chosen-continuation-llm-llm"]
    assert numbers(
        human, "accuracy", "reference_accuracy", "difference", "significant", "items"
    ) == [
        1,
        0.5,
        0.5,
        True,
        50,
    ]
    assert numbers(models, "accuracy", "difference", "significant") == [0, -0.5, True]
    assert found["paper-human-chosen-continuation"].numbers["macro"] == 0.5
    prose.check(
        "ablations/human chosen by origin",
        human,
        models,
        found["paper-human-chosen-continuation"],
    )


@pytest.mark.parametrize(
    ("case", "right"),
    [("below", "10000" * 20), ("around", "100" * 34), ("not below", "10" * 51)],
)
def test_human_chosen_versus_the_papers_early_version(case: str, right: str) -> None:
    given = tables(seeds("full", 2, right), experiments=seeds(HUMAN, 2, right))
    prose.check(
        f"ablations/human chosen versus the papers early version: {case}",
        findings(given)["paper-human-chosen-continuation"],
    )


def test_origins_with_like_names_keep_their_own_findings() -> None:
    origins = ("llm_llm", "llm llm", "LLM-LLM")
    reference = seeds("full", 2, HALF, origins=origins)
    given = tables(reference, experiments=seeds(HUMAN, 2, worse(9), origins=origins))
    assert len([name for name in findings(given) if name.startswith("origin-")]) == 3


@pytest.mark.parametrize("names", [("模型/一", "模型/二"), ("a/b", "a-b"), ("=1+1", "<b>", "…")])
def test_hostile_names_give_ids_of_their_own(names: tuple[str, ...]) -> None:
    found = findings(study(*(seeds(name, 2, worse(9)) for name in names)))
    assert len([name for name in found if name.startswith("difference-")]) == len(names)


def test_the_order_of_rows_does_not_matter() -> None:
    experiments = several(
        *replaced(continuation=25, back_generation=5, rewriting=24),
        seeds(HUMAN, 3, worse(3)),
        seeds("learning_curve/0.2", 3, worse(9)),
    )
    experiments["dimension"] = experiments["item_id"].map(lambda item: "ab"[int(item[1:]) % 2])
    full = seeds("full", 3, HALF, dimensions="ab")
    given = tables(full, experiments=experiments)
    shuffled = tables(
        full.sample(frac=1, random_state=1),
        experiments=experiments.sample(frac=1, random_state=2),
    )
    assert report(shuffled) == report(given)


def test_the_study_is_named_in_the_report() -> None:
    found = report(study(seeds(REMOVED, 2, worse(9))))
    prose.check("ablations/one ablation", found)
    assert (found.study, found.audit) == ("demo", "ablations")


def test_a_constant_reference_prints_no_nan() -> None:
    for right in ("1" * 12, "0" * 12, "1"):
        found = report(tables(seeds("full", 2, right), experiments=seeds(REMOVED, 1, right)))
        texts = [*(f.statement for f in found.findings), *(u.reason for u in found.unchecked)]
        assert texts and not any("nan" in text.lower().split() for text in texts)

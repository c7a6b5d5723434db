from itertools import product
from math import sqrt

import numpy as np
import pandas as pd
import prose
import pytest
from finding_samples import by_id, numbers
from pydantic import ValidationError
from statsmodels.stats.proportion import proportion_confint

from audits.accuracy.accuracy_report import AccuracyParams, accuracy_report
from storyaudit.findings import Finding, Report, ordered
from storyaudit.results.selection import select

Row = dict[str, object]
PARAMS = AccuracyParams(resamples=1000)


def rows(variant: str, outcomes: str, *, seed: int = 1, model: str = "m", **more: object) -> list:
    """One row a character: 1 is right, 0 wrong, t a tie; items i1, i2, … in dimension d."""
    return [
        {
            "variant": variant,
            "model": model,
            "seed": seed,
            "item_id": f"i{number}",
            "dimension": "d",
            "origin": "llm_llm",
            "correct": outcome == "1",
            "ties": int(outcome == "t"),
            "credit": float(outcome == "1"),
            "missing": 0,
            **more,
        }
        for number, outcome in enumerate(outcomes, start=1)
    ]


def report(table: list[Row] | pd.DataFrame, params: AccuracyParams = PARAMS) -> Report:
    return ordered(
        accuracy_report(pd.DataFrame(table), params, np.random.default_rng(1), study="demo")
    )


def findings(table: list[Row] | pd.DataFrame, **params: object) -> dict[str, Finding]:
    return by_id(report(table, AccuracyParams(**{"resamples": 1000, **params})))


def test_accuracies_by_hand() -> None:
    # Dimension a: 2 of 4 right; b: 2 of 2; so macro (1/2 + 1) / 2 = 3/4 and micro 4/6.
    table = [
        {**row, "dimension": "a" if number < 4 else "b"}
        for number, row in enumerate(rows("x", "10t111"))
    ]
    found = findings(table)["model-x"]
    assert numbers(found, "macro", "micro", "items", "seeds", "items_with_ties") == [
        0.75,
        round(4 / 6, 6),
        6,
        1,
        1,
    ]
    assert found.evidence == [
        {"dimension": "a", "items": 4, "accuracy": 0.5},
        {"dimension": "b", "items": 2, "accuracy": 1.0},
    ]
    assert numbers(found, "low", "high") == [None, None]
    prose.check("accuracy/model: dimensions with fewer than five items", found)


def test_seeds_are_averaged_by_item_and_their_sd_is_reported() -> None:
    # Seeds with 3/4, 2/4 and 1/4 right: mean 1/2, sample SD 1/4.
    table = rows("x", "1110") + rows("x", "1t10", seed=2) + rows("x", "1t00", seed=3)
    found = findings(table)["model-x"]
    assert numbers(found, "macro", "seeds", "sd_over_seeds", "items_with_ties") == [0.5, 3, 0.25, 1]
    prose.check("accuracy/model: three seeds", found)


def test_a_single_seed_leaves_the_seeds_variance_unchecked() -> None:
    of_both = report(rows("x", "10") + rows("y", "10") + rows("y", "01", seed=2))
    assert [left.id for left in of_both.unchecked] == ["seed-variance"]
    prose.check("accuracy/seed-variance: of one model of two", *of_both.unchecked)
    assert report(rows("y", "10") + rows("y", "01", seed=2)).unchecked == ()


def test_the_interval_is_that_of_the_normal_limit() -> None:
    # 400 items, half right: SE = sqrt(1/4 / 400) = 0.025.
    found = findings(rows("x", "10" * 200), resamples=20_000)["model-x"]
    low, high = numbers(found, "low", "high")
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025), abs=0.004)


def test_the_interval_of_a_difference_is_paired() -> None:
    # 300 items, y right on 100 of them and x on those and 60 more: differences 1 on 1/5 of items,
    # so SE = sqrt(0.2 · 0.8 / 300) = 0.0231; unpaired it would be 0.040.
    x = rows("x", "1" * 160 + "0" * 140)
    y = rows("y", "1" * 100 + "0" * 200)
    found = findings(x + y, resamples=20_000)["difference-x-y"]
    low, high = numbers(found, "low", "high")
    half = 1.96 * sqrt(0.2 * 0.8 / 300)
    assert found.numbers["difference"] == 0.2
    assert (low, high) == pytest.approx((0.2 - half, 0.2 + half), abs=0.004)
    assert found.severity == "note"
    prose.check("accuracy/difference: an interval above zero", found)


def test_a_best_model_that_is_not_significantly_best_is_a_warning() -> None:
    table = rows("x", "1101001100") + rows("y", "1011001000") + rows("z", "0000001011")
    found = findings(table)
    assert found["difference-x-y"].severity == "warn"
    # Whether the second is better than the third does not touch the claim of the best.
    assert found["difference-y-z"].severity == "note"
    for name in ("difference-x-y", "difference-y-z"):
        low, high = numbers(found[name], "low", "high")
        assert low < 0 < high
    assert found["multiplicity"].numbers == {"differences": 3}
    prose.check("accuracy/three models: no significant difference", *found.values())
    assert "multiplicity" not in findings(rows("x", "10") + rows("y", "01"))


def test_identical_models_differ_by_nothing() -> None:
    found = findings(rows("x", "1101") + rows("y", "1101"))["difference-x-y"]
    assert numbers(found, "difference", "low", "high") == [0.0, None, None]
    assert found.severity == "warn"
    prose.check("accuracy/difference: identical models", found)


def test_a_model_better_on_every_item_is_not_called_equal() -> None:
    found = findings(rows("x", "1111") + rows("y", "0000"))["difference-x-y"]
    assert numbers(found, "difference", "low", "high") == [1.0, None, None]
    prose.check("accuracy/difference: the same on every item", found)


@pytest.mark.parametrize(("outcomes", "macro"), [("1111", 1.0), ("0000", 0.0), ("1", 1.0)])
def test_a_constant_outcome_has_no_interval(outcomes: str, macro: float) -> None:
    found = findings(rows("x", outcomes))["model-x"]
    assert numbers(found, "macro", "low", "high") == [macro, None, None]
    prose.check(f"accuracy/model: a constant outcome, {outcomes}", found)


def test_shuffled_labels_give_chance() -> None:
    # A model that knows the chosen story, scored against gold drawn at random.
    rng = np.random.default_rng(3)
    items = [f"i{number}" for number in range(400)]
    places = pd.DataFrame(product(items, "abcd"), columns=["item_id", "place"])
    candidates = places.assign(story_id=places["item_id"] + places["place"])
    scores = candidates[["item_id", "story_id"]].assign(
        variant="x", model="m", seed=1, reward=(candidates["place"] == "a").astype("float64")
    )
    gold = pd.DataFrame({"item_id": items, "origin": "llm_llm"})
    gold["dimension"] = ["ab"[number % 2] for number in range(400)]
    knows = select(scores, candidates, gold.assign(chosen_id=gold["item_id"] + "a"))
    assert findings(knows)["model-x"].numbers["macro"] == 1.0
    drawn = gold["item_id"] + pd.Series(rng.choice(list("abcd"), 400))
    found = findings(select(scores, candidates, gold.assign(chosen_id=drawn)))["model-x"]
    low, high = numbers(found, "low", "high")
    assert low < 0.25 < high
    assert "25.0" in prose.figures(found)
    prose.check("accuracy/model: an interval that includes chance", found)


def test_an_item_that_one_run_lacks_is_left_out_for_all() -> None:
    # Without i4 both models have 2/3; x's seeds have 3/3 and 1/3.
    x = rows("x", "1110") + rows("x", "100", seed=2)
    found = findings(x + rows("y", "1101"))
    common = found["items-common"]
    assert common.severity == "warn" and common.numbers == {"left_out": 1, "of": 4}
    assert found["model-x"].numbers["macro"] == found["model-y"].numbers["macro"] == 0.666667
    # Sample SD of 1 and 1/3: (2/3) / √2.
    assert found["model-x"].numbers["sd_over_seeds"] == round(2 / 3 / sqrt(2), 6)


def test_an_outcome_twice_counts_once_and_two_that_differ_not_at_all() -> None:
    # i1 again as it was; i3 wrong and then right: 2 of the other 3 are right.
    table = rows("x", "1100") + rows("x", "1") + rows("x", "001")[2:]
    for given in (table, table[::-1]):
        found = findings(given)
        assert found["results-once"].severity == "fail"
        assert found["results-once"].numbers == {"left_out": 2, "of": 6}
        assert {row["item_id"] for row in found["results-once"].evidence} == {"i1", "i3"}
        assert numbers(found["model-x"], "macro", "items") == [round(2 / 3, 6), 3]
        once = found["results-once"]
    prose.check("accuracy/results-once: one again, one in two ways", once)


def test_an_item_of_two_origins_is_left_out() -> None:
    found = findings(rows("x", "1100") + rows("y", "1100", origin="human_llm")[:1])
    assert found["origin-agrees"].severity == "fail"
    assert found["origin-agrees"].numbers == {"left_out": 2, "of": 5}
    prose.check("accuracy/origin-agrees: an item of two origins", found["origin-agrees"])
    assert found["model-x"].numbers["items"] == 3


def test_an_item_under_two_dimensions_is_left_out() -> None:
    found = findings(rows("x", "1100") + rows("y", "1100") + rows("z", "1", dimension="e"))
    assert found["dimension-agrees"].numbers == {"left_out": 3, "of": 9}
    assert {row["item_id"] for row in found["dimension-agrees"].evidence} == {"i1"}
    prose.check("accuracy/dimension-agrees: an item of two", found["dimension-agrees"])
    assert "model-z" not in found and found["model-x"].numbers["items"] == 3


@pytest.mark.parametrize(
    "column", ["variant", "model", "seed", "item_id", "dimension", "origin", "correct"]
)
def test_rows_that_lack_something_are_left_out(column: str) -> None:
    table = pd.DataFrame(rows("x", "11000")).astype({"correct": "object"})
    table.loc[4, column] = None
    found = findings(table)
    assert found["results-complete"].severity == "fail"
    assert found["results-complete"].numbers == {"left_out": 1, "of": 5}
    prose.check("accuracy/results-complete: a value is missing", found["results-complete"])
    assert numbers(found["model-x"], "macro", "items") == [0.5, 4]


NOTHING_LEFT = {
    "no item in common": rows("x", "1") + rows("y", "1", item_id="other"),
    "every row incomplete": rows("x", "10", dimension=None),
    "every item under two dimensions": rows("x", "1") + rows("y", "1", dimension="e"),
}


@pytest.mark.parametrize("case", NOTHING_LEFT)
def test_where_no_item_is_left_the_comparison_is_unchecked(case: str) -> None:
    found = report(NOTHING_LEFT[case])
    prose.check(f"accuracy/nothing left: {case}", found)
    assert "comparison" in [left.id for left in found.unchecked]
    others = [finding for finding in found.findings if finding.id != "missing-rewards"]
    assert {finding.severity for finding in others} <= {"fail", "warn"} and others


DEGENERATE = {
    "one item": rows("x", "1") + rows("y", "0"),
    "one model": rows("x", "10"),
    "all right": rows("x", "11") + rows("y", "11"),
    "one item a dimension": [{**row, "dimension": row["item_id"]} for row in rows("x", "10")],
    "constant in each dimension": rows("x", "11") + rows("x", "00", dimension="e"),
    **NOTHING_LEFT,
}


@pytest.mark.parametrize("table", DEGENERATE.values(), ids=DEGENERATE)
def test_no_statement_prints_nan(table: list[Row]) -> None:
    found = report(table)
    texts = [*(f.statement for f in found.findings), *(left.check for left in found.unchecked)]
    assert texts and not any("nan" in text.lower() for text in texts)


def test_models_of_one_variant_are_distinct() -> None:
    table = rows("x", "1t", model="a") + rows("x", "11", model="b") + rows("y", "00", model="a")
    found = findings(table)
    macros = {name: f.numbers["macro"] for name, f in found.items() if name.startswith("model-")}
    assert macros == {"model-x-a": 0.5, "model-x-b": 1.0, "model-y": 0.0}
    assert found["model-x-a"].numbers["items_with_ties"] == 1
    assert found["model-x-b"].numbers["items_with_ties"] == 0
    prose.check("accuracy/models: two of one variant", *found.values())


def test_a_slash_in_a_name_is_a_letter_as_any_other() -> None:
    found = findings(rows("org/x", "1t") + rows("org/x", "1t", seed=2))["model-org-x"]
    assert numbers(found, "macro", "sd_over_seeds", "items_with_ties") == [0.5, 0.0, 1]


@pytest.mark.parametrize(
    "names",
    [
        ("模型一", "模型二"),
        ("x 1", "x-1"),
        ("X", "x"),
        ("a", "b-c", "a-b", "c"),
        ("y" * 190, "y" * 190 + "z"),
        ("…", "?"),
    ],
)
def test_any_names_give_ids_of_their_own(names: tuple[str, ...]) -> None:
    table = [row for number, name in enumerate(names) for row in rows(name, f"1{number % 2}10")]
    found = findings(table)
    kinds = [name.split("-")[0] for name in found]
    assert kinds.count("model") == len(names)
    assert kinds.count("difference") == len(names) * (len(names) - 1) // 2
    statements = [f.statement for name, f in found.items() if name.startswith("model-")]
    assert all(sum(text.startswith(f"{name}:") for text in statements) == 1 for name in names)


@pytest.mark.parametrize(("confidence", "printed"), [(0.95, "95%"), (0.995, "99.5%")])
def test_the_confidence_is_printed_as_it_is(confidence: float, printed: str) -> None:
    found = findings(rows("x", "10101"), confidence=confidence)["model-x"]
    assert printed.rstrip("%") in prose.figures(found) and found.numbers["confidence"] == confidence
    prose.check(f"accuracy/model: a confidence of {printed}", found)


def test_the_order_of_rows_does_not_matter() -> None:
    table = pd.DataFrame(rows("y", "1100100") + rows("x", "1t10100") + rows("x", "1010010", seed=2))
    table["dimension"] = ["ab"[int(item[1]) % 2] for item in table["item_id"]]
    shuffled = table.sample(frac=1, random_state=1, ignore_index=True)
    assert report(shuffled) == report(table)


@pytest.mark.parametrize("wrong", [{"resamples": 99}, {"confidence": 1.0}, {"confidence": 0.0}])
def test_parameters_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        AccuracyParams(**wrong)


def test_a_dimension_without_spread_is_not_mistaken_for_certainty() -> None:
    # 40 items of one dimension, half right by either model, and another where one item, or five
    # equal ones, decide: what looks like 40 points may be chance.
    for few in (1, 5):
        x = rows("x", "10" * 20 + "1" * few)
        y = rows("y", "01" * 20 + "0" * few)
        table = [
            {**row, "dimension": "a" if i % (40 + few) < 40 else "b"} for i, row in enumerate(x + y)
        ]
        found = findings(table)["difference-x-y"]
        assert numbers(found, "difference", "low", "high") == [0.5, None, None]
        assert found.severity == "warn"
        prose.check(f"accuracy/difference: {few} equal of another dimension", found)


@pytest.mark.parametrize(
    "change",
    [{"ties": 2}, {"ties": -1}, {"credit": 0.5}, {"credit": 9.0}, {"credit": -7.0}, {"missing": 1}],
)
def test_an_outcome_that_contradicts_itself_is_found(change: dict[str, float]) -> None:
    table = rows("x", "1010101010")
    table[0] = {**table[0], **change}
    found = findings(table)
    assert found["results-consistent"].severity == "fail"
    assert found["results-consistent"].numbers == {"left_out": 1, "of": 10}
    prose.check("accuracy/results-consistent: an impossible outcome", found["results-consistent"])
    assert found["model-x"].numbers["items"] == 9


def test_chance_is_that_of_the_benchmark() -> None:
    table = rows("x", "10" * 50)
    with_half, with_quarter = (findings(table, chance=c)["model-x"] for c in (0.5, 0.25))
    assert "50.0" in prose.figures(with_half)
    prose.check("accuracy/model: half right where chance is a half", with_half)
    prose.check("accuracy/model: half right where chance is a quarter", with_quarter)


def test_credit_is_reported_beside_accuracy_where_there_are_ties() -> None:
    # Dimension a: credits 1, 1/2, 0; b: 1/4, 0. Macro (1/2 + 1/8) / 2 = 5/16, micro 7/20; without
    # credit 1/6 and 1/5.
    gained = [1, 1 / 2, 0, 1 / 4, 0]
    table = [
        {**row, "dimension": "aaabb"[i], "credit": credit}
        for i, (row, credit) in enumerate(zip(rows("x", "1t0t0"), gained, strict=True))
    ]
    found = findings(table)["model-x"]
    assert numbers(found, "macro", "micro") == [round(1 / 6, 6), 0.2]
    assert numbers(found, "credit_macro", "credit_micro", "items_with_ties") == [5 / 16, 7 / 20, 2]
    prose.check("accuracy/model: ties", found)
    prose.check("accuracy/model: no ties", findings(rows("x", "100"))["model-x"])


def test_credit_is_averaged_over_seeds() -> None:
    one = [{**row, "credit": 1 / 3, "ties": 2} for row in rows("x", "t")]
    found = findings(one + rows("x", "1", seed=2))["model-x"]
    assert found.numbers["credit_micro"] == round((1 / 3 + 1) / 2, 6)


def test_the_best_model_is_compared_with_each_other() -> None:
    x = rows("x", "1" * 30 + "0" * 10)
    table = x + rows("y", "1" * 29 + "0" * 11) + rows("z", "0" * 30 + "1" * 10)
    found = findings(table)
    glance = found["against-best"]
    assert glance.severity == "note"
    assert [row["model"] for row in glance.evidence] == ["x", "y", "z"]
    assert [row["macro"] for row in glance.evidence] == [0.75, 0.725, 0.25]
    assert [row.get("significant") for row in glance.evidence] == [None, False, True]
    assert [row.get("behind") for row in glance.evidence] == [None, 0.025, 0.5]
    for row, name in zip(glance.evidence[1:], ("x-y", "x-z"), strict=True):
        of_pair = found[f"difference-{name}"].numbers
        assert (row["behind_low"], row["behind_high"]) == (of_pair["low"], of_pair["high"])
    assert glance.numbers == {"models": 3, "significant": 1}
    prose.check("accuracy/against-best: one of two is significant", glance)
    assert "against-best" not in findings(x + rows("y", "0" * 40))


def test_of_models_as_accurate_the_first_by_name_is_the_best() -> None:
    # 0.1 + 0.2 + 0.3 over three dimensions, added in two orders: equal but for the last bits.
    parts = ("1" + "0" * 9, "11" + "0" * 8, "111" + "0" * 7)
    table = [
        {**row, "dimension": dimension, "item_id": f"{dimension}{row['item_id']}"}
        for name, order in (("x", parts), ("w", parts[::-1]), ("z", ("0" * 10,) * 3))
        for dimension, outcomes in zip("abc", order, strict=True)
        for row in rows(name, outcomes)
    ]
    found = findings(table)
    assert [row["model"] for row in found["against-best"].evidence] == ["w", "x", "z"]
    assert found["difference-w-x"].numbers["difference"] == 0
    prose.check(
        "accuracy/against-best: two as accurate", found["against-best"], found["difference-w-x"]
    )


def test_dimensions_that_are_lost_are_named() -> None:
    table = [
        {**row, "dimension": "abc"[number % 3]}
        for name in "xy"
        for number, row in enumerate(rows(name, "110010" * 5))
        if name == "x" or number % 3
    ]
    found = findings(table)["items-common"]
    prose.check("accuracy/items-common: none of a dimension left", found)
    few = findings([row for row in table if row["item_id"] != "i2"])["items-common"]
    prose.check("accuracy/items-common: some of b left", few)
    whole = findings([*rows("x", "1100"), *rows("y", "110")])["items-common"]
    prose.check("accuracy/items-common: some of each dimension left", whole)


def test_one_of_anything_is_written_as_one() -> None:
    one, two = (findings(rows("x", outcomes))["model-x"] for outcomes in ("t", "tt10"))
    assert numbers(one, "items", "seeds", "items_with_ties") == [1, 1, 1]
    assert two.numbers["items_with_ties"] == 2
    prose.check("accuracy/model: one item with a tie", one)
    prose.check("accuracy/model: two items with a tie", two)


def test_many_models_are_compared_in_one_sentence() -> None:
    table = [row for name in "abcdefghij" for row in rows(name, "1100")]
    glance = findings(table)["against-best"]
    assert len(glance.evidence) == 10
    assert glance.numbers == {"models": 10, "significant": 0}
    assert prose.figures(glance) == {"10", "50.0"}  # none leads, and none is named
    prose.check("accuracy/against-best: ten equal models", glance)


def test_a_rule_below_chance() -> None:
    found = findings(rows("longest", "1" * 10 + "0" * 90))["model-longest"]
    assert found.numbers["high"] < 0.25
    assert "25.0" in prose.figures(found)
    prose.check("accuracy/model: a rule below chance", found)


def test_items_without_a_dimension_count_in_micro_alone() -> None:
    # Dimension a: 3/6, b: 6/6; macro 3/4; with the two others 9/14.
    table = rows("x", "111000" + "111111") + rows("y", "110000" + "011111")
    table = [{**row, "dimension": "ab"[i % 12 // 6]} for i, row in enumerate(table)]
    further = [
        {**row, "item_id": f"u{i}", "dimension": ("unscored", "unknown")[i % 2]}
        for i, row in enumerate(rows("x", "00") + rows("y", "00"))
    ]
    further = [{**row, "item_id": f"u{i % 2}"} for i, row in enumerate(further)]
    found, without = findings(table + further), findings(table)
    assert numbers(found["model-x"], "macro", "items") == [0.75, 14]
    assert found["model-x"].numbers["micro"] == round(9 / 14, 6)
    assert found["items-without-dimension"].numbers == {"items": 14, "without_dimension": 2}
    assert {"12", "2"} <= prose.figures(found["model-x"])
    prose.check("accuracy/model: some items without a dimension", *found.values())
    # Neither macro accuracy nor its intervals move.
    for name in ("model-x", "model-y", "difference-x-y"):
        names = [n for n in ("macro", "difference", "low", "high") if n in found[name].numbers]
        assert numbers(found[name], *names) == numbers(without[name], *names)
    assert "items-without-dimension" not in without


@pytest.mark.parametrize("names", [("unknown", "unknown"), ("unscored", "unknown")])
def test_where_no_item_has_a_dimension_macro_is_micro(names: tuple[str, str]) -> None:
    table = [{**row, "dimension": names[i % 2]} for i, row in enumerate(rows("x", "1110001"))]
    found = findings(table)
    assert numbers(found["model-x"], "macro", "micro") == [round(4 / 7, 6)] * 2
    assert found["model-x"].numbers["low"] is not None
    assert found["items-without-dimension"].numbers == {"items": 7, "without_dimension": 7}
    assert "7" in prose.figures(found["model-x"])
    prose.check("accuracy/model: no item with a dimension", *found.values())


def judged(right: str, protocols: str, variant: str = "judges_mean") -> list[Row]:
    """Outcomes with each item's annotation route: c confirmed, r ranked, h human first."""
    named = {"c": "confirmation", "r": "complete_ranking", "h": "human_first"}
    return [
        {**row, "annotation_route": named[protocol]}
        for row, protocol in zip(rows(variant, right), protocols, strict=True)
    ]


def test_the_judges_mean_is_said_to_be_circular_and_its_ranked_items_stand_beside() -> None:
    # Right on all 20 confirmed items, on 4 of 10 ranked ones, on 5 of 10 human ones.
    right, protocols = "1" * 20 + "1111000000" + "10" * 5, "c" * 20 + "r" * 10 + "h" * 10
    table = judged(right, protocols) + judged("10" * 20, protocols, "x")
    table += judged("0" * 40, protocols, "y")
    found = findings(table)
    mean = found["model-judges-mean"]
    low, high = proportion_confint(4, 10, method="wilson")
    assert numbers(mean, "micro", "ranked_items", "ranked_accuracy") == [29 / 40, 10, 0.4]
    assert numbers(mean, "ranked_accuracy_low", "ranked_accuracy_high") == [
        round(low, 6),
        round(high, 6),
    ]
    best = found["against-best"].evidence[0]
    assert (best["model"], best["macro"]) == ("judges_mean", 0.725)
    prose.check("accuracy/judges' mean: some ranked items", *found.values())
    assert "ranked_items" not in found["model-x"].numbers


def test_without_protocols_the_judges_mean_is_circular_all_the_same() -> None:
    found = findings(rows("judges_mean", "1100110") + rows("x", "1111111") + rows("y", "0" * 7))
    assert "ranked_items" not in found["model-judges-mean"].numbers
    assert found["against-best"].evidence[0]["model"] == "x"
    prose.check("accuracy/judges' mean: no protocols, and not the best", *found.values())


def test_without_ranked_items_none_stand_beside() -> None:
    mean = findings(judged("1100110", "c" * 7))["model-judges-mean"]
    assert mean.numbers["ranked_items"] == 0
    prose.check("accuracy/judges' mean: no ranked items", mean)

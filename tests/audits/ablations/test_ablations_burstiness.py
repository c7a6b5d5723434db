"""Kurtosis of sentence lengths of picks: by hand, injected, on tables that contradict others."""

from fractions import Fraction

import numpy as np
import pandas as pd
import prose
import pytest
from ablations_samples import (
    PAPER,
    benchmark,
    findings,
    outcomes,
    places,
    report,
    seeds,
    several,
    stories,
    tables,
    unchecked,
)
from finding_samples import numbers
from scipy import stats

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablations_report import Tables
from audits.ablations.benchmark_picks import length_kurtoses
from audits.ablations.burstiness import burstiness_findings
from storyaudit.phrasing import points, unsigned_points


def text(*lengths: int) -> str:
    """Sentences of so many words."""
    return " ".join("Word" + " word" * (length - 1) + "." for length in lengths)


FLAT, EVEN, BURSTY = (2, 2, 4, 4), (1, 2, 3, 4, 5), (1, 1, 1, 1, 1, 1, 1, 1, 1, 11)
"""Excess kurtosis −2; 6.8 / 4 − 3 = −1.3; and 0.9 · 1⁴ + 0.1 · 9⁴ over (0.9 + 8.1)², less 3."""
K = {
    FLAT: Fraction(-2),
    EVEN: Fraction(-13, 10),
    BURSTY: (Fraction(9, 10) + Fraction(6561, 10)) / 81 - 3,
}


def kurtosis(lengths: tuple[int, ...]) -> float:
    return float(K[lengths])


def study(kinds: dict[str, tuple[int, ...]], results: pd.DataFrame, **more: object) -> Tables:
    """Every item has the stories a to d with texts of these kinds."""
    gold = benchmark(results["item_id"].nunique())
    texts = {
        f"{item}{letter}": text(*kinds[letter]) for item in gold["item_id"] for letter in "abcd"
    }
    return tables(results, stories=stories(texts), **more)


KINDS = {"a": EVEN, "b": BURSTY, "c": FLAT, "d": EVEN}


@pytest.mark.parametrize("lengths", K)
def test_the_samples_kurtosis_is_scipys(lengths: tuple[int, ...]) -> None:
    known = length_kurtoses(stories({"s": text(*lengths)}), ["s"])
    assert known["s"] == pytest.approx(float(K[lengths]))
    assert known["s"] == pytest.approx(stats.kurtosis(lengths))


def test_a_story_without_kurtosis_or_with_two_texts_has_none() -> None:
    table = several(
        stories({"short": text(3, 4), "even": text(3, 3, 3, 3), "empty": "", "good": text(*FLAT)}),
        stories({"twice": text(*FLAT)}),
        stories({"twice": text(*EVEN)}),
        stories({"again": text(*FLAT)}),
        stories({"again": text(*FLAT)}),
        pd.DataFrame({"story_id": ["none"], "text": [None]}),
    )
    wanted = [*table["story_id"], "unknown"]
    assert set(length_kurtoses(table, wanted)) == {"good", "again"}
    assert length_kurtoses(table, ["short"]) == {}


def test_means_over_picks_by_hand() -> None:
    # 12 items, two seeds: one right on 8, one on 4. 12 right picks are EVEN, 12 wrong ones BURSTY.
    results = several(
        outcomes("full", "1" * 8 + "0" * 4), outcomes("full", "1" * 4 + "0" * 8, seed=2)
    )
    found = findings(study(KINDS, results))
    prose.check("ablations/means over picks by hand", *found.values())
    gold, wrong = kurtosis(EVEN), kurtosis(BURSTY)
    rows = {row["picks"]: row for row in found["burstiness-picks"].evidence}
    assert [rows[name]["count"] for name in ("all", "right", "wrong")] == [24, 12, 12]
    assert [rows[name]["items"] for name in ("all", "right", "wrong")] == [12, 8, 8]
    expected = {"all": (gold + wrong) / 2, "right": gold, "wrong": wrong}
    for name, value in expected.items():
        assert rows[name]["kurtosis"] == pytest.approx(value, abs=1e-4)
        assert rows[name]["gold_of_the_same_items"] == pytest.approx(gold, abs=1e-4)
        assert rows[name]["over_all_gold"] == pytest.approx(value - gold, abs=1e-4)
        assert rows[name]["percent"] is None  # the gold's mean is not above 0
        assert rows[name]["printed"] == PAPER[f"kurtosis.{name}"]
    assert numbers(found["burstiness-picks"], "picks", "left_out", "gold_items") == [24, 0, 12]
    assert found["burstiness-wrong"].numbers["difference"] == round(wrong - gold, 4)
    # The others that were rejected are FLAT and EVEN.
    others = (kurtosis(FLAT) + kurtosis(EVEN)) / 2
    assert found["burstiness-rejected"].numbers["difference"] == round(wrong - others, 4)
    assert numbers(found["burstiness-rejected"], "picks", "items") == [12, 8]


def test_all_gold_counts_each_item_once_whatever_its_seeds() -> None:
    # One half of the items has one seed and FLAT gold, the other half three and EVEN gold.
    results = several(
        outcomes("full", "1" * 20),
        *(outcomes("full", "1" * 20, seed=seed).iloc[10:] for seed in (2, 3)),
    )
    given = study(KINDS, results)
    flat = given.stories["story_id"].isin([f"i{number:03d}a" for number in range(10)])
    given.stories.loc[flat, "text"] = text(*FLAT)
    shown = findings(given)["burstiness-picks"].numbers
    assert shown["gold"] == pytest.approx((kurtosis(FLAT) + kurtosis(EVEN)) / 2, abs=1e-4)
    assert (shown["gold_items"], shown["picks"]) == (20, 40)


def test_percent_over_the_gold_where_it_is_positive() -> None:
    kinds = {**KINDS, "a": BURSTY, "b": EVEN}
    found = findings(study(kinds, outcomes("full", "10" * 20)))
    rows = {row["picks"]: row for row in found["burstiness-picks"].evidence}
    assert rows["right"]["percent"] == 0
    assert rows["wrong"]["percent"] == round(100 * (kurtosis(EVEN) / kurtosis(BURSTY) - 1), 1)


def varied(results: pd.DataFrame, seed: int, of_b: float = 0.0) -> Tables:
    """Stories of seven random sentence lengths; that of letter b has a long one with a chance."""
    rng = np.random.default_rng(seed)
    gold = benchmark(results["item_id"].nunique())
    texts = {}
    for item in gold["item_id"]:
        for letter in "abcd":
            lengths = rng.integers(3, 9, 7)
            if letter == "b" and rng.random() < of_b:
                lengths[0] = 30
            texts[item + letter] = text(*lengths.tolist())
    return tables(results, stories=stories(texts))


def test_a_preference_for_bursty_stories_is_significant() -> None:
    found = findings(varied(seeds("full", 3, "1000" * 30), 1, of_b=0.7))
    for name in ("burstiness-wrong", "burstiness-rejected"):
        assert found[name].numbers["significant"] and found[name].numbers["difference"] > 0
        prose.check(
            f"ablations/a preference for bursty stories is significant: {name}", found[name]
        )


def test_intervals_hold_no_difference_where_picks_are_random() -> None:
    # 40 studies, each holds with a chance near 0.95: fewer than 33 have a chance below 0.001.
    assert stats.binom.cdf(32, 40, 0.95) < 0.001
    held = 0
    for seed in range(40):
        given = varied(outcomes("full", "10" * 15), seed)
        found = burstiness_findings(
            given.results,
            given.benchmark,
            given.candidates,
            given.stories,
            ExperimentsParams(resamples=200),
            PAPER,
            np.random.default_rng(seed),
        )
        flags = {p.id: p.numbers["significant"] for p in found if "significant" in p.numbers}
        held += not flags["burstiness-rejected"]
    assert held >= 33


def test_seeds_of_one_item_are_no_further_items() -> None:
    # Three seeds with equal picks say no more than one: the same interval.
    one, three = (
        findings(varied(seeds("full", count, "1000" * 30), 3))["burstiness-wrong"]
        for count in (1, 3)
    )
    for name in ("difference", "difference_low", "difference_high", "items"):
        assert one.numbers[name] == three.numbers[name]
    assert numbers(one, "picks") == [90] and numbers(three, "picks") == [270]


def test_ties_and_stories_without_kurtosis_are_left_out_and_counted() -> None:
    results = outcomes("full", "1" * 10 + "0" * 10)
    results.loc[19, ["picked_id", "ties"]] = [None, 1]
    given = study(KINDS, results)
    given.stories.loc[given.stories["story_id"] == "i018b", "text"] = "Too short."
    given.stories.loc[given.stories["story_id"] == "i000a", "text"] = ""
    shown = findings(given)["burstiness-picks"]
    assert numbers(shown, "picks", "left_out") == [17, 3]
    assert {row["picks"]: row["count"] for row in shown.evidence} == {
        "all": 17,
        "right": 9,
        "wrong": 8,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"picked_id": "i000b"},  # right, with another story than the chosen one
        {"correct": False},  # wrong, with the chosen one
        {"picked_id": "i001a"},  # of another item
        {"picked_id": "nowhere"},
    ],
)
def test_picks_that_contradict_other_tables_fail(change: dict[str, object]) -> None:
    results = outcomes("full", "1" * 10 + "0" * 10)
    for column, value in change.items():
        results.loc[0, column] = value
    found = findings(study(KINDS, results))
    assert found["picks-consistent"].severity == "fail"
    assert numbers(found["picks-consistent"], "left_out") == [1]
    assert found["burstiness-picks"].numbers["picks"] == 19


def test_items_that_the_benchmark_lacks_fail() -> None:
    results = outcomes("full", "10" * 10)
    given = study(KINDS, results, benchmark=benchmark(20).iloc[1:])
    assert numbers(findings(given)["picks-consistent"], "left_out") == [1]


def test_without_picks_it_is_unchecked() -> None:
    results = outcomes("full", "10" * 10).assign(picked_id=None, correct=False)
    prose.check(
        "ablations/without picks it is unchecked",
        unchecked(tables(outcomes("full", "10").drop(columns="picked_id")))["burstiness"],
        unchecked(study(KINDS, results))["burstiness"],
        unchecked(tables(outcomes("full", "10" * 10)))["burstiness"],
    )


def test_without_errors_the_errors_are_unchecked() -> None:
    left = unchecked(study(KINDS, outcomes("full", "1" * 20)))
    assert {"burstiness-wrong", "burstiness-rejected"} <= set(left)


def test_few_items_have_no_interval() -> None:
    found = findings(study(KINDS, outcomes("full", "10" * 4)))["burstiness-wrong"]
    assert numbers(found, "difference_low", "difference_high", "significant") == [None, None, False]
    prose.check("ablations/few items have no interval", found)


def test_the_rule_and_the_reference() -> None:
    # In two dimensions: the rule is right on 10 of 40 in either; the reference on half.
    full = seeds("full", 2, "1100" * 20, dimensions="ab")
    rule = outcomes("burstiness", "11000000" * 10, model="words", dimensions="ab")
    found = findings(tables(several(full, rule)))["burstiness-rule"]
    assert numbers(found, "macro", "reference", "items") == [0.25, 0.5, 80]
    prose.check("ablations/the rule and the reference", found)
    assert "burstiness-rule" in unchecked(tables(full))


def test_a_second_model_is_no_further_seed_of_the_rule() -> None:
    full, rule = outcomes("full", "1100" * 5), outcomes("burstiness", "1000" * 5, model="words")
    other = outcomes("burstiness", "1000" * 5, seed=2, model="other")
    left = unchecked(tables(several(full, rule, other)))
    assert {"2"} <= prose.figures(left["burstiness-rule"])
    prose.check(
        "ablations/a second model is no further seed of the rule (1)", left["burstiness-rule"]
    )
    left = unchecked(tables(several(full, rule), experiments=other))
    assert {"2"} <= prose.figures(left["burstiness-rule"])
    prose.check(
        "ablations/a second model is no further seed of the rule (2)", left["burstiness-rule"]
    )


def test_no_negative_zero_is_shown() -> None:
    for value in (-0.0004, -0.0):
        assert points(value) == "+0.0" and unsigned_points(value) == "0.0"
    # 6 picks of b are 6.411… over the gold story and 55 of c 0.7 below it: -1/30 over 61 items.
    results = outcomes("full", "0" * 61)
    results.loc[6:, "picked_id"] = results["item_id"] + "c"
    found = findings(study(KINDS, results))["burstiness-wrong"]
    over = 6 * (K[BURSTY] - K[EVEN]) + 55 * (K[FLAT] - K[EVEN])
    assert over == Fraction(-1, 30) and found.numbers["difference"] == round(float(over) / 61, 4)
    assert {"+0.00"} <= prose.figures(found)
    prose.check("ablations/no negative zero is shown", found)


def test_the_order_of_rows_does_not_matter() -> None:
    given = varied(seeds("full", 2, "1000" * 10), 5)
    shuffled = Tables(*(table.sample(frac=1, random_state=3) for table in given))
    assert report(shuffled) == report(given)


def test_candidates_given_twice_count_once() -> None:
    results = outcomes("full", "10" * 10)
    items = [f"i{number:03d}" for number in range(20)]
    once, twice = (
        findings(study(KINDS, results, candidates=several(*[places(items)] * times)))
        for times in (1, 2)
    )
    assert once["burstiness-rejected"] == twice["burstiness-rejected"]

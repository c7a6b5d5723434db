"""The effect of contamination in injected overlaps: counts by hand, by origin, and ranks."""

import numpy as np
import pandas as pd
import prose
import pytest
from contamination_samples import (
    findings,
    items,
    near_duplicates,
    numbers,
    outcomes,
    overlaps,
    pairs,
    report,
    several,
    tables,
    taught,
    unchecked,
)
from pydantic import ValidationError

from audits.contamination_effect.effect_report import EffectParams
from storyaudit.findings import Report
from storyaudit.stats.unpaired_contrast import contrast

SIX = [f"h{n:03d}" for n in range(6)]
STUDY = items(30, 30)
SEEN = [f"{item}a" for item in SIX]


def answers(variant: str, right: str, *, seed: int = 1, dimensions: str = "d") -> pd.DataFrame:
    """Outcomes of the study's 60 items, one a character, again and again."""
    given = {item: right[n % len(right)] for n, item in enumerate(STUDY)}
    return outcomes(variant, given, seed=seed, dimensions=dimensions)


def study(results: pd.DataFrame, **more: pd.DataFrame) -> dict:
    given = {"overlaps": near_duplicates(SEEN), "pairs": taught(SEEN)}
    return findings(tables(STUDY, results, **{**given, **more}))


def test_counts_by_hand_within_one_origin() -> None:
    # Right on all of h000 to h005 (overlapping), on 6 of the other 24 human items, on no other.
    result = answers("full", "1" * 12 + "0" * 48)
    found = study(result)
    effect = found["effect-full-human-llm"]
    assert numbers(effect, "any_items", "any_right", "any_answers") == [6, 6, 6]
    assert numbers(
        effect, "uncontaminated_items", "uncontaminated_right", "uncontaminated_answers", "seeds"
    ) == [24, 6, 24, 1]
    by_hand = contrast(np.ones((6, 1)), np.r_[np.ones(6), np.zeros(18)][:, None], 0.95)
    names = ("any_difference", "any_difference_low", "any_difference_high", "any_least_rise")
    expected = (
        by_hand.estimate.value,
        by_hand.estimate.low,
        by_hand.estimate.high,
        by_hand.least_rise,
    )
    assert numbers(effect, *names) == pytest.approx(list(expected), abs=1e-6)
    assert effect.numbers["any_significant"] is True and effect.severity == "warn"
    assert {"6", "24", "25.0", "0.5", "100.0", "+75.0"} <= prose.figures(effect)
    # LLM–LLM items have no overlap: nothing is compared there, or across.
    assert not [name for name in found if name.endswith("llm-llm") and "human" not in name]
    assert [(row["kind"], row["items"]) for row in effect.evidence] == [
        ("overlapping", 6),
        ("chosen", 6),
        ("toward", 6),
    ]
    summary = found["contamination-effect"]
    assert summary.severity == "warn"
    assert numbers(summary, "comparisons", "significant", "rises", "too_few") == [1, 1, 1, 0]
    assert {"+75.0"} <= prose.figures(summary)
    prose.check("contamination_effect/counts by hand within one origin", *found.values())


def test_what_other_origins_answer_does_not_matter() -> None:
    for others in ("0" * 30, "1" * 30):
        found = study(answers("full", "1" * 12 + "0" * 18 + others))["effect-full-human-llm"]
        assert numbers(found, "uncontaminated_items", "uncontaminated_right", "any_right") == [
            24,
            6,
            6,
        ]


def test_seeds_are_answers_and_not_items() -> None:
    runs = [answers("full", "1" * 12 + "0" * 48, seed=seed) for seed in (1, 2)]
    runs.append(answers("full", "0" * 60, seed=3))
    found = study(several(*runs))["effect-full-human-llm"]
    assert numbers(found, "any_items", "any_right", "any_answers") == [6, 12, 18]
    assert numbers(found, "uncontaminated_right", "uncontaminated_answers", "seeds") == [12, 72, 3]
    assert {"12", "18", "66.7", "6", "3"} <= prose.figures(found)
    prose.check("contamination_effect/seeds are answers and not items", found)


def test_near_duplicates_and_partial_overlaps_apart() -> None:
    # Two near-duplicates, four partial overlaps; the uncontaminated items have neither.
    mixed = several(near_duplicates(SEEN[:2], 0.5), near_duplicates(SEEN[2:], 0.3))
    found = study(answers("full", "110000" + "10" * 27), overlaps=mixed)
    effect = found["effect-full-human-llm"]
    assert numbers(
        effect, "any_items", "any_right", "near_duplicate_items", "near_duplicate_right"
    ) == [6, 2, 2, 2]
    assert effect.numbers["uncontaminated_items"] == 24
    assert numbers(effect, "near_duplicate_significant", "near_duplicate_difference_low") == [
        False,
        None,
    ]
    assert {"0.5"} <= prose.figures(effect)
    prose.check("contamination_effect/near-duplicates and partial overlaps apart", effect)
    assert numbers(found["overlapping-items"], "overlapping", "near_duplicates") == [6, 2]
    assert {"macro-any", "macro-near-duplicate", "ranks-any", "ranks-near-duplicate"} <= set(found)
    assert numbers(found["macro-near-duplicate"], "items", "uncontaminated") == [60, 58]
    assert numbers(found["macro-any"], "items", "uncontaminated") == [60, 54]


def test_overlaps_below_the_floor_do_not_count() -> None:
    found = study(answers("full", "10"), overlaps=near_duplicates(SEEN, 0.09))
    assert (
        set(found) == {"contamination-effect"} and found["contamination-effect"].severity == "pass"
    )


def test_pairs_of_validation_do_not_count() -> None:
    found = study(answers("full", "10"), pairs=taught(SEEN, split="validation"))
    passed = found["contamination-effect"]
    assert passed.severity == "pass" and set(found) == {"contamination-effect"}
    assert numbers(passed, "overlapping", "validation", "items") == [0, 6, 60]
    assert {"6"} <= prose.figures(passed)
    prose.check("contamination_effect/pairs of validation do not count", passed)
    # And where others were trained on, they are uncontaminated.
    trained = several(taught(SEEN[:5]), taught(SEEN[5:], split="validation"))
    found = study(answers("full", "10"), pairs=trained)["effect-full-human-llm"]
    assert numbers(found, "any_items", "uncontaminated_items") == [5, 25]


def test_without_overlap_it_is_one_pass() -> None:
    found = report(tables(STUDY, answers("full", "10")))
    assert [(f.id, f.severity) for f in found.findings] == [("contamination-effect", "pass")]
    prose.check("contamination_effect/without overlap it is one pass", found.findings[0])
    assert found.unchecked == ()


def test_too_few_items_have_no_ci() -> None:
    found = study(answers("full", "1" * 4 + "0" * 56), overlaps=near_duplicates(SEEN[:4]))
    effect = found["effect-full-human-llm"]
    assert numbers(effect, "any_items", "any_significant", "any_difference_low") == [4, False, None]
    assert effect.severity == "note"
    assert {"5"} <= prose.figures(effect)
    assert effect.evidence[0]["verdict"] == "no CI: fewer than 5 items in a group"
    summary = found["contamination-effect"]
    assert summary.severity == "warn" and numbers(summary, "significant", "too_few") == [0, 1]
    assert {"1"} <= prose.figures(summary)
    prose.check("contamination_effect/too few items have no CI", effect, summary)


def test_the_smallest_significant_difference_is_said() -> None:
    # 22 of the 24 uncontaminated items right: with six items no rise can be significant.
    result = answers("full", "101111" + "0" * 2 + "1" * 52)
    found = study(result)["effect-full-human-llm"]
    assert numbers(found, "any_significant", "any_least_rise") == [False, None]
    prose.check("contamination_effect/the smallest significant difference is said", found)


def test_no_item_of_the_origin_is_uncontaminated() -> None:
    every = [f"{item}a" for item in STUDY[:30]]
    result = several(answers("full", "10"), answers("longest", "01"))
    found = study(result, overlaps=near_duplicates(every), pairs=taught(every))
    effect = found["effect-full-human-llm"]
    assert effect.numbers["uncontaminated_items"] == 0
    for name in ("effect-full-human-llm", "adjusted-full-human-llm"):
        prose.check(
            f"contamination_effect/no item of the origin is uncontaminated: {name}", found[name]
        )
    assert numbers(found["macro-any"], "items", "uncontaminated") == [60, 30]


def test_rules_that_saw_nothing_are_controls() -> None:
    # Both are right on the contaminated items alone: these are easy as such.
    easy = "1" * 6 + "0" * 54
    rules = [answers(name, easy) for name in ("longest", "shortest")]
    found = study(several(answers("full", easy), *rules, answers("random", "10")))
    control = found["controls-human-llm"]
    assert control.severity == "note" and numbers(control, "controls", "significant") == [3, 2]
    prose.check("contamination_effect/rules that saw nothing are controls", *found.values())
    assert not [name for name in found if name.startswith("effect-longest")]
    # The lead over them is the same everywhere.
    adjusted = found["adjusted-full-human-llm"]
    assert numbers(adjusted, "any_difference", "any_significant") == [0, False]
    assert {row["control"] for row in adjusted.evidence} == {
        "content-blind rules",
        "longest",
        "shortest",
    }


def test_a_significant_lead_over_rules_on_the_same_items() -> None:
    result = several(answers("full", "1" * 6 + "0" * 54), answers("longest", "0" * 59 + "1"))
    found = study(result)["adjusted-full-human-llm"]
    assert numbers(found, "any_difference", "any_significant") == [1.0, True]
    assert {"+100.0"} <= prose.figures(found)
    prose.check("contamination_effect/a significant lead over rules on the same items", found)


def test_models_that_others_trained_are_not_called_trained() -> None:
    found = study(several(answers("full", "10"), answers("theirs", "1" * 6 + "0" * 54)))
    theirs = found["effect-theirs-human-llm"]
    assert theirs.numbers["trained"] is False and theirs.severity == "note"
    prose.check("contamination_effect/models that others trained are not called trained", theirs)
    assert found["contamination-effect"].numbers["comparisons"] == 1


def test_chosen_and_rejected_and_directions_stand_apart() -> None:
    # Chosen stories seen as chosen, rejected ones seen as chosen: toward and against.
    stories = [f"h{n:03d}a" for n in range(6)] + [f"h{n:03d}b" for n in range(6, 12)]
    right = "1" * 6 + "0" * 6 + "10" * 24
    found = study(answers("full", right), overlaps=near_duplicates(stories), pairs=taught(stories))
    rows = {row["kind"]: row for row in found["effect-full-human-llm"].evidence}
    assert {kind: (row["items"], row["right"]) for kind, row in rows.items()} == {
        "overlapping": (12, 6),
        "chosen": (6, 6),
        "rejected": (6, 0),
        "toward": (6, 6),
        "against": (6, 0),
    }
    assert rows["toward"]["verdict"] == rows["against"]["verdict"] == "significant"
    assert rows["overlapping"]["verdict"] == "not significant"
    counts = numbers(found["overlapping-items"], "chosen", "rejected", "toward", "against")
    assert counts == [6, 6, 6, 6]


def test_a_model_that_picks_rejected_stories_that_it_saw() -> None:
    # All twelve items wrong: the story d that was seen as chosen is picked, one of three.
    stories = [f"h{n:03d}d" for n in range(12)]
    result = answers("full", "d" * 12 + "1" * 48)
    found = study(result, overlaps=near_duplicates(stories), pairs=taught(stories))["picked-full"]
    prose.check("contamination_effect/a model that picks rejected stories that it saw", found)
    assert numbers(found, "items", "picked", "answers", "expected") == [12, 12, 12, 4.0]
    assert found.numbers["difference"] == pytest.approx(2 / 3, abs=1e-4)
    assert found.numbers["significant"] is True
    assert [row["taught"] for row in found.evidence] == ["all", "chosen"]


def test_right_and_tied_answers_are_no_wrong_picks() -> None:
    stories = [f"h{n:03d}d" for n in range(6)]
    result = answers("full", "1t1tbd" + "1" * 54)
    found = study(result, overlaps=near_duplicates(stories), pairs=taught(stories, "rejected"))
    # Two wrong picks, of which one in three would fall on d.
    assert numbers(found["picked-full"], "picked", "expected") == [1, 0.67]


def test_results_without_picks_leave_these_unchecked() -> None:
    stories = [f"h{n:03d}d" for n in range(6)]
    result = answers("full", "10").drop(columns="picked_id")
    given = {"overlaps": near_duplicates(stories), "pairs": taught(stories)}
    prose.check(
        "contamination_effect/results without picks",
        unchecked(tables(STUDY, result, **given))["picked"],
    )


def test_macro_accuracy_with_and_without_by_hand() -> None:
    # Dimensions d and e in turn. d: overlapping h000, h002, h004 right, and 9 of the others' 27;
    # e: h001, h003, h005 wrong, and 21 of 27 right.
    right = dict.fromkeys(STUDY, 0)
    d, e = STUDY[0::2], STUDY[1::2]
    right |= dict.fromkeys((*d[:3], *d[3:12], *e[3:24]), 1)
    found = study(outcomes("full", right, dimensions="de"))["macro-any"]
    row = found.evidence[0]
    assert row["macro"] == pytest.approx((12 / 30 + 21 / 30) / 2)
    assert row["uncontaminated"] == pytest.approx((9 / 27 + 21 / 27) / 2, abs=1e-4)
    sizes = numbers(
        found, "all.d", "uncontaminated.d", "all.e", "uncontaminated.e", "items", "uncontaminated"
    )
    assert sizes == [30, 27, 30, 27, 60, 54]
    assert {"55.6", "55.0", "+0.6", "2"} <= prose.figures(found)
    prose.check("contamination_effect/macro accuracy with and without by hand", found)


def test_a_dimension_without_uncontaminated_items_is_left_out_both_ways() -> None:
    result = answers("full", "1" * 6 + "10" * 27)
    result.loc[result["item_id"].isin(SIX), "dimension"] = "rare"
    found = study(result)["macro-any"]
    assert numbers(found, "items", "uncontaminated", "dimensions", "dimensions_lost") == [
        54,
        54,
        1,
        1,
    ]
    prose.check("contamination_effect/a dimension without uncontaminated items", found)


def test_models_with_one_accuracy_share_the_better_rank() -> None:
    # The right items of d and of e, 30 each; the first three of each are the overlapping ones.
    right = {
        "full": (range(25), range(25)),  # 50 of 60; 44 of the 54 uncontaminated ones
        "longest": (range(10), range(11)),  # 21; 15
        "shortest": (range(21), range(0)),  # 21; 18
        "random": (range(3, 18), range(0)),  # 15; 15
    }
    runs = []
    for name, sides in right.items():
        of_items = dict.fromkeys(STUDY, 0)
        for first, side in enumerate(sides):
            of_items |= dict.fromkeys((STUDY[first + 2 * n] for n in side), 1)
        runs.append(outcomes(name, of_items, dimensions="de"))
    found = study(several(*runs))
    ranks = {
        row["model"]: (row["rank"], row["uncontaminated_rank"])
        for row in found["macro-any"].evidence
    }
    assert ranks == {"full": (1, 1), "longest": (2, 3), "shortest": (2, 2), "random": (4, 3)}
    assert found["ranks-any"].numbers["changed_ranks"] == 2


def test_a_change_of_order_that_is_not_significant() -> None:
    # full: 6 of 6 overlapping and 27 of 54; longest: none of 6 and 28 of 54.
    first = answers("full", "1" * 6 + "1" * 27 + "0" * 27)
    second = answers("longest", "0" * 6 + "0" * 26 + "1" * 28)
    found = study(several(first, second))["ranks-any"]
    assert found.severity == "note"
    assert numbers(found, "models", "changed_ranks", "changed_order", "significant") == [2, 2, 1, 0]
    row = found.evidence[0]
    assert (row["ahead"], row["behind"], row["significant"]) == ("full", "longest", False)
    assert row["lead"] == pytest.approx(33 / 60 - 28 / 60, abs=1e-4)
    assert row["uncontaminated_lead"] == pytest.approx(-1 / 54, abs=1e-4)
    prose.check("contamination_effect/a change of order that is not significant", found)


def test_a_significant_change_of_order() -> None:
    # Half the items overlap; each model is right on one half alone.
    seen = [f"{item}a" for item in STUDY[:20]] + [f"{item}a" for item in STUDY[30:50]]
    right = {item: int(f"{item}a" in seen) for item in STUDY}
    other = {item: 1 - value for item, value in right.items()}
    result = several(outcomes("full", right), outcomes("longest", other))
    found = study(result, overlaps=near_duplicates(seen), pairs=taught(seen))["ranks-any"]
    assert numbers(found, "changed_order", "significant") == [1, 1] and found.severity == "warn"
    prose.check("contamination_effect/a significant change of order", found)


def test_a_lead_significant_on_the_uncontaminated_items_alone_is_no_significant_change() -> None:
    # full alone is right on the 20 overlapping items, longest alone on 19 of the 40 others.
    seen = [f"{item}a" for item in STUDY[:20]]
    first, second = (
        answers(n, r)
        for n, r in (("full", "1" * 20 + "0" * 40), ("longest", "0" * 20 + "1" * 19 + "0" * 21))
    )
    found = study(several(first, second), overlaps=near_duplicates(seen), pairs=taught(seen))[
        "ranks-any"
    ]
    assert numbers(found, "changed_order", "significant") == [1, 0]
    assert found.evidence[0]["uncontaminated_lead_high"] < 0 < found.evidence[0]["lead_high"]


def test_the_same_order_is_a_pass_and_one_model_has_none() -> None:
    both = several(answers("full", "1"), answers("longest", "0"))
    assert study(both)["ranks-any"].severity == "pass"
    prose.check(
        "contamination_effect/the same order is a pass and one model has none",
        study(answers("full", "10"))["ranks-any"],
    )


def test_items_that_some_run_lacks_are_left_out_and_counted() -> None:
    result = several(answers("full", "10"), answers("longest", "10").iloc[:-3])
    found = study(result)["items-common"]
    assert numbers(found, "left_out", "items") == [3, 57] and found.severity == "warn"
    prose.check("contamination_effect/items that some run lacks", found)


def test_rows_that_cannot_be_used_are_fails() -> None:
    result = answers("full", "10")
    result.loc[3, "ties"] = -1
    found = study(result)
    assert found["results-consistent"].severity == "fail"
    # Infinite, negative and missing containments likewise, and a missing level.
    bad = several(
        near_duplicates(SEEN),
        overlaps(
            ("story", "h000b", "x", None),
            ("story", "h000c", "x", float("inf")),
            ("story", "h000d", "x", -0.5),
            (None, "h000d", "x", 1.0),
        ),
    )
    found = study(answers("full", "10"), overlaps=bad)
    assert numbers(found["overlaps-valid"], "rows") == [4]
    prose.check("contamination_effect/overlaps that cannot be used", found["overlaps-valid"])


def test_empty_tables_are_unchecked() -> None:
    full = tables(STUDY, answers("full", "10"), overlaps=near_duplicates(SEEN), pairs=taught(SEEN))
    for name in ("benchmark", "candidates", "pairs", "results"):
        given = full._replace(**{name: getattr(full, name).iloc[:0]})
        prose.check(
            f"contamination_effect/an empty table: {name}", unchecked(given)["contamination-effect"]
        )
        made: Report = report(given)
        assert not [f for f in made.findings if f.id == "contamination-effect"]
    untrained = unchecked(full, trained=())
    prose.check(
        "contamination_effect/results of no trained variant", untrained["contamination-effect"]
    )
    elsewhere = full._replace(results=full.results[full.results["item_id"] > "h010"])
    prose.check(
        "contamination_effect/no outcome on an overlapping item",
        unchecked(elsewhere)["contamination-effect"],
    )


def test_where_every_item_overlaps_none_is_left_for_macro_accuracy() -> None:
    every = [f"{item}a" for item in STUDY]
    given = tables(
        STUDY, answers("full", "10"), overlaps=near_duplicates(every), pairs=taught(every)
    )
    left = unchecked(given)
    prose.check("contamination_effect/every item overlaps", left["macro-any"])


def test_what_remains_open_is_unchecked() -> None:
    further = several(near_duplicates(SEEN), overlaps(("training", "t1", "t2", 1.0)))
    given = tables(STUDY, answers("full", "10"), overlaps=further, pairs=taught(SEEN))
    prose.check("contamination_effect/what remains open", *unchecked(given).values())
    assert set(unchecked(given)) == {
        "adjusted",
        "confounding",
        "controls",
        "overlap-levels",
        "picked",
    }


def test_the_order_of_rows_does_not_matter() -> None:
    rng = np.random.default_rng(2)
    runs = several(*(answers(name, "1101") for name in ("full", "longest", "shortest")))
    mixed = several(near_duplicates(SEEN), near_duplicates([f"m{n:03d}c" for n in range(7)], 0.2))
    given = tables(STUDY, runs, overlaps=mixed, pairs=taught([*SEEN, "m000c", "m003c"]))
    shuffled = type(given)(
        *(table.sample(frac=1, random_state=rng.integers(99)) for table in given)
    )
    assert report(shuffled).to_json() == report(given).to_json()


def test_any_text_as_a_name() -> None:
    result = several(answers("Ünïcode ✨/1", "10"), answers("\u202emodel", "01"))
    found = findings(
        tables(STUDY, result, overlaps=near_duplicates(SEEN), pairs=taught(SEEN)), ["Ünïcode ✨/1"]
    )
    assert len([name for name in found if name.startswith("effect-")]) == 2


def test_a_pair_without_ids_is_no_pair() -> None:
    broken = several(taught(SEEN), pairs(("train", None, None, None)))
    assert study(answers("full", "10"), pairs=broken)["overlapping-items"].numbers["chosen"] == 6


@pytest.mark.parametrize("confidence", [0, 1, "0.95", None, float("nan"), 95])
def test_a_confidence_that_is_none_is_refused(confidence: object) -> None:
    with pytest.raises(ValidationError):
        EffectParams(confidence=confidence)

"""The whole audit on panels whose findings are known by hand, by plain loops or by construction."""

import numpy as np
import pandas as pd
import prose
import pytest
from validity_samples import (
    Item,
    as_rows,
    average,
    best,
    by_id,
    by_loops,
    drawn,
    injected,
    mean,
    overall,
    tables,
)

from audits.protocol.validity.validity_report import validity_report
from storyaudit.errors import InputError
from storyaudit.findings import Report, ordered


def audit(human, judge, *, seed=1, **more) -> Report:
    more.setdefault("resamples", 400)
    return ordered(
        validity_report(human, judge, study="s", rng=np.random.default_rng(seed), **more)
    )


def four(*values):
    return dict(zip(("a", "b", "c", "d", "Human"), values, strict=False))


def by_hand():
    """Three premises of four automatic stories and a human one, two judges, one criterion.

    p1: both judges rank a b c d, so tau 1; people prefer a: right.
    p2: both rank a b c d, tau 1; people prefer b and c equally, whose mean is 4: wrong.
    p3: the judges rank in opposite order, tau −1; all four tie by mean 2.5; people prefer d alone:
        one quarter.
    The human story has 5 from all but people in p3, where it has 1.
    """
    people = {
        "p1": [four(5, 3, 2, 1, 5)],
        "p2": [four(1, 4, 4, 1, 5)],
        "p3": [four(1, 2, 3, 4, 1)],
    }
    judges = {
        "p1": [four(4, 3, 2, 1, 5), four(4, 3, 2, 1, 5)],
        "p2": [four(4, 3, 2, 1, 5), four(4, 3, 2, 1, 5)],
        "p3": [four(4, 3, 2, 1, 5), four(1, 2, 3, 4, 5)],
    }

    def scores(table):
        return {
            (premise, author): [[source[author]] for source in given]
            for premise, given in table.items()
            for author in four(0, 0, 0, 0, 0)
        }

    return tables(scores(people), scores(judges))


def test_fractions_by_hand():
    report = audit(*by_hand())
    found = by_id(report)
    confirmed = found["confirmed"].numbers
    # p1 and p2 have tau 1: one of two is right; chance (1/4 + 2/4) / 2.
    assert (confirmed["items"], confirmed["all_items"]) == (2, 3)
    assert (confirmed["agreement"], confirmed["chance"]) == (0.5, 0.375)
    assert confirmed["agreement_low"] is None
    assert {"2", "3", "50.0", "37.5"} <= prose.figures(found["confirmed"])
    prose.check("protocol/fractions by hand", report)
    assert found["confirmed"].severity == "warn"
    bands = {row["band"]: row for row in found["tau-bands"].evidence}
    assert bands["all"]["agreement"] == round((1 + 0 + 1 / 4) / 3, 4)
    assert (bands["all"]["judges_tie"], bands["all"]["humans_tie"]) == (1, 1)
    assert bands["tau < 0"]["agreement"] == 0.25
    assert bands["0 ≤ tau < 0.2"] == {"band": "0 ≤ tau < 0.2", "items": 0, "premises": 0}
    # 1/2 above the threshold, 1/4 below it.
    assert found["safer"].numbers["difference"] == 0.25
    assert found["safer"].severity == "warn"
    # Human–LLM: four items a premise. p1: the human story ties with a, which stands in three of
    # the four sets (not in b c d); p2: alone best in four; p3: none. Joint 8/12, alone 5/12.
    human = found["human-first"].numbers
    assert human["items"] == 12
    assert human["human_best"] == round(8 / 12, 4)
    assert human["human_alone_best"] == round(5 / 12, 4)
    # Judges always choose the human story, which is best in 8 of 12.
    judges = found["judges-without-rule"].numbers
    assert judges["judges_choose_human"] == 1
    assert judges["judges_choose_best"] == round(8 / 12, 4)
    assert judges["rule_less_judges"] == 0
    # tau is over the three LLM stories, 1 in p1 and p2.
    assert judges["items_at_threshold"] == 8
    assert [left.id for left in report.unchecked] == ["human-upper-bound"]


def test_the_threshold_is_a_parameter():
    found = by_id(audit(*by_hand(), tau_threshold=-1.0))
    assert found["confirmed"].numbers["items"] == 3
    assert "safer" not in found


@pytest.mark.parametrize("seed", range(3))
def test_numbers_by_plain_loops(seed):
    human, judge = drawn(np.random.default_rng(seed), premises=12, automatic=6)
    found = by_id(audit(human, judge))
    judges, raters = overall(as_rows(judge), "judge"), overall(as_rows(human), "rater")
    items = by_loops(judges, mean(raters))
    high = [item for item in items if item.tau >= 0.6 - 1e-9]
    low = [item for item in items if item.tau < 0.6 - 1e-9]
    confirmed = found["confirmed"].numbers
    assert confirmed["items"] == len(high) > 0
    assert confirmed["premises_with_items"] == len({item.premise for item in high})
    agreement = float(average([item.credit for item in high]))
    assert confirmed["agreement"] == pytest.approx(agreement, abs=5e-5)
    assert confirmed["chance"] == pytest.approx(
        float(average([item.chance for item in high])), abs=5e-5
    )
    safer = agreement - float(average([item.credit for item in low]))
    assert found["safer"].numbers["difference"] == pytest.approx(safer, abs=1e-4)
    # Without a judge, and by the median, which of three raters is the middle one.
    rows = {row["analysis"]: row for row in found["sensitivity"].evidence}
    fewer = by_loops({k: v for k, v in judges.items() if k != "judge1"}, mean(raters))
    middle = {story: sorted(r[story] for r in raters.values())[1] for story in mean(raters)}
    for name, others in (
        ("without judge1", fewer),
        ("median of the raters", by_loops(judges, middle)),
    ):
        kept = [item.credit for item in others if item.tau >= 0.6 - 1e-9]
        assert rows[name]["items"] == len(kept)
        assert rows[name]["agreement"] == pytest.approx(float(average(kept)), abs=5e-5)
    choice, people = mean(judges), mean(raters)

    def chosen(item: Item) -> set[str]:
        return best({a: choice[item.premise, a] for a in item.authors}, item.authors)

    alone = [item.credit for item in high if len(chosen(item)) == 1]
    assert rows["without ties for first place"]["items"] == len(alone)
    assert confirmed["judges_tie"] == len(high) - len(alone)
    untied = sum(len(chosen(item)) == 1 for item in items)
    assert rows["without ties for first place"]["all_items"] == untied < len(items)
    with_human = by_loops(judges, people, human="Human")
    ties = sum(len(chosen(item)) > 1 and "Human" in chosen(item) for item in with_human)
    assert ties > 0
    shares = [("Human" in chosen(item)) / len(chosen(item)) for item in with_human]
    assert found["judges-without-rule"].numbers["judges_choose_human"] == pytest.approx(
        np.mean(shares), abs=5e-5
    )
    assert found["judges-without-rule"].numbers["judges_choose_best"] == pytest.approx(
        float(average([item.credit for item in with_human])), abs=5e-5
    )
    firsts = [
        "Human"
        in best({author: people[item.premise, author] for author in item.authors}, item.authors)
        for item in with_human
    ]
    assert found["human-first"].numbers["human_best"] == pytest.approx(np.mean(firsts), abs=5e-5)


def test_the_human_upper_bound_by_plain_loops():
    human, judge = drawn(np.random.default_rng(7), premises=11, automatic=5)
    numbers = by_id(audit(human, judge))["human-upper-bound"].numbers
    judges, raters = overall(as_rows(judge), "judge"), overall(as_rows(human), "rater")
    single, of_judges, chance = [], [], []
    for name in raters:
        others = mean(raters, [other for other in raters if other != name])
        alone = by_loops({"one": raters[name], "again": raters[name]}, others)
        single += [item.credit for item in alone]
        chance += [item.chance for item in alone]
        of_judges += [item.credit for item in by_loops(judges, others)]
    assert numbers["raters"] == pytest.approx(float(average(single)), abs=5e-5)
    assert numbers["judges"] == pytest.approx(float(average(of_judges)), abs=5e-5)
    assert numbers["chance"] == pytest.approx(float(average(chance)), abs=5e-5)


def test_judges_who_read_what_people_read_agree_more_the_more_they_agree():
    found = by_id(audit(*injected(np.random.default_rng(5), premises=150, judge_noise=1.0)))
    bands = [row["agreement"] for row in found["tau-bands"].evidence if " tau <" in row["band"]]
    assert bands == sorted(bands)
    assert found["confirmed"].severity == "note"
    assert found["confirmed"].numbers["agreement_low"] > 0.5
    assert found["safer"].numbers["difference_low"] > 0
    assert found["safer"].severity == "pass"
    prose.check("protocol/validity of judges who agree with people", *found.values())
    assert found["human-upper-bound"].severity == "note"
    assert found["sensitivity"].severity == "note"
    assert found["unparsed"].severity == "pass"


def test_judges_who_read_something_else_are_not_above_chance():
    covered = 0
    for seed in range(24):
        human, judge = injected(
            np.random.default_rng(seed), premises=30, automatic=5, judge_noise=0.5, follow=False
        )
        report = audit(human, judge, seed=seed, judges=["judge0", "judge1"], resamples=200)
        found = by_id(report)
        above = [row["agreement_low"] > row["chance"] for row in found["sensitivity"].evidence]
        assert found["sensitivity"].numbers["above_chance"] == sum(above)
        assert (found["sensitivity"].severity == "note") == all(above)
        numbers = found["confirmed"].numbers
        covered += numbers["agreement_low"] <= numbers["chance"] <= numbers["agreement_high"]
    # 23 of 24 are expected at 95 %; 19 or fewer come less than once in 100 times.
    assert covered >= 20


def test_an_unparsed_average_is_counted_and_its_story_left_out():
    human, judge = injected(np.random.default_rng(2), premises=12, automatic=5, judges=3)
    clean = by_id(audit(human, judge))
    assert clean["unparsed"].severity == "pass"
    spoilt = judge.copy()
    spoilt.loc[(spoilt["author"] == "a0") & (spoilt["judge"] == "judge1"), "c0"] = -1.0
    found = by_id(audit(human, spoilt))
    numbers = found["unparsed"].numbers
    # 12 of 12 premises × 6 stories × 3 judges × 1 criterion.
    assert (numbers["below"], numbers["averages"]) == (12, 216)
    assert (numbers["used_stories_below"], numbers["used_stories"]) == (12, 72)
    assert found["unparsed"].severity == "warn"
    prose.check("protocol/an unparsed average", found["unparsed"], found["sensitivity"])
    worst = found["unparsed"].evidence[0]
    assert (worst["judge"], worst["below"], worst["stories_below"]) == ("judge1", 12, 12)
    rows = {row["analysis"]: row for row in found["sensitivity"].evidence}
    left = rows["main, without stories that hold an unparsed answer"]
    # Without a0 there are four automatic stories: one set of four a premise.
    assert left["all_items"] == 12
    without = by_id(audit(human[human["author"] != "a0"], judge[judge["author"] != "a0"]))
    assert left["agreement"] == without["confirmed"].numbers["agreement"]
    # A judge who is not asked spoils nothing.
    others = by_id(audit(human, spoilt, judges=["judge0", "judge2"]))
    assert others["unparsed"].numbers["used_below"] == 0
    names = [row["analysis"] for row in others["sensitivity"].evidence]
    assert not [name for name in names if "unparsed" in name]
    assert "with judge1" in names


def test_prompt_variants_are_analysed_beside_the_first():
    human, judge = injected(np.random.default_rng(3), premises=12)
    _, other = injected(np.random.default_rng(4), premises=12)
    both = pd.concat([judge, other.assign(prompt_variant="2")])
    rows = {row["analysis"]: row for row in by_id(audit(human, both))["sensitivity"].evidence}
    assert {"main", "prompt variant 2", "mean of the prompt variants"} <= set(rows)
    alone = by_id(audit(human, other))["confirmed"].numbers
    assert rows["prompt variant 2"]["agreement"] == alone["agreement"]
    assert rows["prompt variant 2"]["agreement_low"] == alone["agreement_low"]
    second = by_id(audit(human, both, prompt_variant="2"))
    assert second["confirmed"].numbers["agreement"] == alone["agreement"]
    assert [row["analysis"] for row in second["sensitivity"].evidence][1] == "prompt variant 1"
    averaged = judge.assign(c0=(judge["c0"] + other["c0"]) / 2)
    mean_of = by_id(audit(human, averaged))["confirmed"].numbers
    assert rows["mean of the prompt variants"]["agreement"] == mean_of["agreement"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"judges": ["judge0"]}, "two judges or more of judge0, judge1, judge2, found judge0"),
        ({"judges": ["judge0", "unknown"]}, "found judge0, unknown"),
        ({"prompt_variant": "9"}, "a prompt variant of 1, found '9'"),
        ({"scale": (1.0, 3.0)}, "from 1 to 3"),
    ],
)
def test_wrong_choices_are_bad_input(more, message):
    with pytest.raises(InputError, match=message):
        audit(*drawn(np.random.default_rng(0)), **more)


def test_what_is_undefined_is_not_checked():
    human, judge = drawn(np.random.default_rng(0), automatic=3, human_author=False)
    report = audit(human, judge)
    assert {left.id for left in report.unchecked} == {"confirmed", "human-first"}
    prose.check("protocol/validity of three automatic authors and no human", *report.unchecked)
    # Two judges who never agree: no item reaches the threshold.
    stories = [("p1", author) for author in "abcd"]
    up = {story: [[float(n)], [5.0 - n]] for n, story in enumerate(stories, start=1)}
    report = audit(*tables(up, up))
    assert {left.id for left in report.unchecked} == {"confirmed", "safer", "human-first"}
    prose.check("protocol/validity of judges who never agree", report)


def test_same_stream_same_bytes_and_the_order_of_rows_is_no_matter():
    human, judge = drawn(np.random.default_rng(1), premises=12)
    first = audit(human, judge).to_json()
    again = audit(human.sample(frac=1, random_state=1), judge.sample(frac=1, random_state=2))
    assert again.to_json() == first


def test_the_first_analysis_is_the_main_one():
    found = by_id(audit(*drawn(np.random.default_rng(1), premises=12)))
    main = found["sensitivity"].evidence[0]
    assert main["analysis"] == "main"
    assert main["agreement"] == found["confirmed"].numbers["agreement"]

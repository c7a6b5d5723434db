from fractions import Fraction
from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau
from validity_samples import as_rows, by_loops, drawn, mean, overall

from audits.protocol.validity.panel import as_panel
from audits.protocol.validity.panel_items import (
    credit,
    decide,
    firsts,
    human_items,
    llm_items,
    taus,
)
from storyaudit.protocol.judge_agreement import tau_average

POINTS = st.integers(1, 4).map(float)


def test_all_sets_of_four_and_the_human_story_with_all_sets_of_three():
    # C(10, 4) = 210 and C(10, 3) = 120; the human author stands behind the ten.
    assert llm_items(10).shape == (210, 4)
    assert human_items(10).shape == (120, 4)
    assert set(human_items(10)[:, 0]) == {10}
    assert {tuple(row) for row in llm_items(5)} == set(combinations(range(5), 4))
    assert len(llm_items(3)) == 0
    assert len(human_items(2)) == 0


@settings(max_examples=40)
@given(arrays(float, (3, 2, 6), elements=POINTS))
def test_tau_is_the_protocols_item_by_item(scores):
    items = llm_items(6)
    found = taus(scores, items)
    for premise in range(2):
        for number, item in enumerate(items):
            expected = tau_average(scores[:, premise, item])
            assert found[premise, number] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40)
@given(arrays(float, (4, 1, 5), elements=POINTS))
def test_tau_by_scipy_with_a_constant_judge_as_zero(scores):
    found = taus(scores, human_items(4)[:, 1:])
    for number, item in enumerate(human_items(4)[:, 1:]):
        by_pair = [kendalltau(a, b).statistic for a, b in combinations(scores[:, 0, item], 2)]
        expected = np.mean([0 if isnan(tau) else tau for tau in by_pair])
        assert found[0, number] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        # 12 of 15 pairs of stories are concordant and 3 are not: (12 − 3) / 15.
        (["123456", "321456"], 0.6),
        # The sums of these judges' ten taus, thirds each, are 4, 2 and 0; floats miss them.
        (["3201", "3012", "3210", "3012", "3021"], 0.4),
        (["2103", "0123", "0213", "1023", "0321"], 0.2),
        (["3102", "1230", "0231", "0132", "1320"], 0.0),
    ],
)
def test_a_tau_that_is_a_threshold_does_not_fall_below_it(orders, expected):
    scores = np.array([[[float(place) for place in order]] for order in orders])
    authors = np.arange(len(orders[0]))
    by_pair = [
        sum(
            Fraction(int(np.sign((a[i] - a[j]) * (b[i] - b[j]))))
            for i, j in combinations(authors, 2)
        )
        / len(list(combinations(authors, 2)))
        for a, b in combinations(scores[:, 0], 2)
    ]
    assert sum(by_pair) / len(by_pair) == Fraction(str(expected))
    assert taus(scores, authors[None])[0, 0] == expected


def test_tied_first_places_get_their_expected_credit():
    items = llm_items(4)
    # Judges tie two for the first place, and one of them is the humans' best: one half.
    chosen = firsts(np.array([[4, 4, 2, 1.0], [4, 4, 4, 4.0], [1, 2, 3, 4.0]]), items)
    best = firsts(np.array([[5, 1, 1, 1.0], [5, 5, 5, 1.0], [1, 1, 4, 4.0]]), items)
    # All four tied, three of them best: 3/4; one chosen, two best and it among them: 1.
    assert credit(chosen, best)[:, 0].tolist() == [0.5, 0.75, 1]


def test_means_that_differ_by_the_order_of_their_sum_tie():
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit.
    left, right = (0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)
    assert left != right
    values = np.array([[left, right, 0.1, 0.2]])
    assert firsts(values, llm_items(4))[0, 0].tolist() == [True, True, False, False]
    tied = taus(np.array([[[left, right, 0.1, 0.2]], [[2, 1, 0.1, 0.2]]]), llm_items(4))
    # Five of six pairs are untied for the first judge, all agree: 5 / √(5·6).
    assert tied[0, 0] == pytest.approx(5 / 30**0.5, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_every_item_by_plain_loops(seed):
    human, judge = drawn(np.random.default_rng(seed))
    panel = as_panel(human, judge, (1, 5))
    judges = overall(as_rows(judge), "judge")
    people = mean(overall(as_rows(human), "rater"))
    scores, values = panel.judge[0], panel.human.mean(axis=2)
    for items, ranked, expected in (
        (llm_items(5), llm_items(5), by_loops(judges, people)),
        (human_items(5), human_items(5)[:, 1:], by_loops(judges, people, human="Human")),
    ):
        found = decide(scores, values, items, ranked=ranked)
        assert len(expected) == found.tau.size
        assert found.tau.ravel() == pytest.approx([i.tau for i in expected], abs=1e-12)
        assert found.credit.ravel() == pytest.approx([float(i.credit) for i in expected])
        assert found.chance.ravel() == pytest.approx([float(i.chance) for i in expected])
        assert found.humans_tie.ravel().tolist() == [i.chance > 0.25 for i in expected]


def test_an_item_with_a_story_that_is_left_out_does_not_count():
    usable = np.ones((1, 5), dtype=bool)
    usable[0, 4] = False
    found = decide(np.ones((2, 1, 5)), np.ones((1, 5)), llm_items(5), usable=usable)
    # Of the five sets of four authors one is without the fifth.
    assert found.kept.tolist() == [[True, False, False, False, False]]

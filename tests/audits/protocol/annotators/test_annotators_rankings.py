from itertools import combinations, permutations

import numpy as np
import prose
import pytest
from annotator_samples import Row, found, order
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from storyaudit.protocol.judge_agreement import mean_tau, same_first

ORDERS = ["".join(p) for p in permutations("abcd")]


@settings(max_examples=40)
@given(st.lists(st.sampled_from(ORDERS), min_size=2, max_size=6))
def test_one_item_against_scipy_and_all_pairs(orders: list[str]) -> None:
    pairs = list(combinations(orders, 2))
    taus = [
        kendalltau([one.index(s) for s in "abcd"], [other.index(s) for s in "abcd"]).statistic
        for one, other in pairs
    ]
    assert mean_tau(orders) == pytest.approx(np.mean(taus), abs=1e-9)
    assert same_first(orders) == pytest.approx(np.mean([a[0] == b[0] for a, b in pairs]))


def rows(items: list[tuple[str, ...]]) -> list[Row]:
    names = ("anna", "ben", "carla")
    return [
        row
        for number, orders in enumerate(items)
        for name, stories in zip(names, orders, strict=False)
        for row in order(f"i{number:02}", name, stories)
    ]


def test_means_within_items_then_over_items() -> None:
    # abcd against badc: 2 of 6 pairs swapped, (4 − 2)/6 = 1/3. The second item's pairs: 1, −1, −1,
    # mean −1/3. Items have equal weight: tau 0; same first 0 and 1/3, mean 1/6.
    findings, unchecked = found(rows([("abcd", "badc"), ("abcd", "abcd", "dcba")]))
    numbers = findings["annotators-ranking"].numbers
    assert (numbers["items"], numbers["pairs"], numbers["annotators"]) == (2, 4, 3)
    assert numbers["tau"] == pytest.approx(0) and numbers["tau_low"] is None
    assert numbers["same_first"] == pytest.approx(1 / 6, abs=5e-4)
    assert numbers["same_first_chance"] == 0.25
    assert [row["item_id"] for row in findings["annotators-ranking"].evidence] == ["i01", "i00"]
    prose.check("protocol/means within items then over items", findings["annotators-ranking"])
    assert set(unchecked) == {"annotators-best", "annotators-confirmation"}


def test_the_interval_is_that_of_a_mean_over_items() -> None:
    # Tau is 1 in 20 items and −1 in 20: the SE of the mean is 1/√40 = 0.158.
    findings, _ = found(rows([("abcd", "abcd"), ("abcd", "dcba")] * 20), resamples=2000)
    finding = findings["annotators-ranking"]
    assert finding.numbers["tau_low"] == pytest.approx(-1.96 * 0.158, abs=0.06)
    assert finding.numbers["tau_high"] == pytest.approx(1.96 * 0.158, abs=0.06)
    assert finding.severity == "warn"
    prose.check("protocol/the interval is that of a mean over items", finding)


def test_agreement_significantly_above_chance_is_a_note() -> None:
    findings, _ = found(rows([("abcd", "abdc"), ("abcd", "bacd"), ("cdab", "cdab")] * 5))
    finding = findings["annotators-ranking"]
    # One of six pairs is swapped in two of three items: (2/3 + 2/3 + 1) / 3 = 7/9.
    assert finding.numbers["tau"] == pytest.approx(7 / 9, abs=5e-4)
    assert finding.numbers["same_first"] == pytest.approx(2 / 3, abs=5e-4)
    assert finding.severity == "note"


def test_orders_beside_a_verdict_are_no_ranking() -> None:
    rejected = [("i", "anna", "confirmation", "i-a", 0.0), *order("i", "anna", "bacd")]
    findings, unchecked = found([*rejected, *order("i", "ben", "bacd")])
    assert list(unchecked) == ["annotators"]
    prose.check("protocol/annotators of rejected items alone", *unchecked.values())
    assert findings == {}

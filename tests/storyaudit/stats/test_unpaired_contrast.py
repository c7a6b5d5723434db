"""Differences between overlapping and clean items: by hand, by others' code, by simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, ttest_ind
from statsmodels.stats.proportion import confint_proportions_2indep

from storyaudit.stats.design_effect import seeds_design_effect
from storyaudit.stats.paired_by_item import difference_in_differences, paired_difference
from storyaudit.stats.unpaired_contrast import FEWEST, contrast

CONFIDENCE = 0.95


def column(text: str) -> np.ndarray:
    """One item a character, one seed."""
    return np.array([[float(value)] for value in text])


def seeds(*texts: str) -> np.ndarray:
    return np.hstack([column(text) for text in texts])


@settings(max_examples=50, deadline=None)
@given(st.integers(5, 60), st.integers(5, 60), st.data())
def test_with_one_seed_it_is_the_interval_of_statsmodels(m: int, n: int, data) -> None:
    a, b = data.draw(st.integers(0, m)), data.draw(st.integers(0, n))
    found = contrast(column("1" * a + "0" * (m - a)), column("1" * b + "0" * (n - b)), CONFIDENCE)
    low, high = confint_proportions_2indep(a, m, b, n, method="newcomb", alpha=0.05)
    assert found.estimate.low == pytest.approx(low, abs=1e-9)
    assert found.estimate.high == pytest.approx(high, abs=1e-9)
    assert found.deff == 1


def test_counts_of_items_and_seeds_are_exact() -> None:
    # 2 items with 3 seeds, 4 of 6 answers right; clean: 1 of 3 answers.
    found = contrast(seeds("11", "10", "10"), seeds("0", "1", "0"), CONFIDENCE)
    assert found.exposed == (2, 4, 6) and found.unexposed == (1, 1, 3)
    assert found.estimate.value == pytest.approx(4 / 6 - 1 / 3)
    assert found.few and not found.significant and found.estimate.low is None


def test_seeds_that_agree_are_no_further_items() -> None:
    one = contrast(column("1101110111"), column("1010101010"), CONFIDENCE)
    three = contrast(seeds(*["1101110111"] * 3), seeds(*["1010101010"] * 3), CONFIDENCE)
    assert three.deff == 1
    assert three.estimate == one.estimate


def test_seeds_that_disagree_count_for_more_by_hand() -> None:
    # Two seeds of opposite outcomes: every item's mean is 1/2, so the least deff, 1/2: 10 items
    # count as 20 answers on either side.
    found = contrast(seeds("1010101010", "0101010101"), seeds("10" * 5, "01" * 5), CONFIDENCE)
    assert found.deff == 0.5
    low, high = confint_proportions_2indep(10, 20, 10, 20, method="newcomb", alpha=0.05)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((low, high))
    # Means 1, 1/2, 0, 1/2: mean square within 0.5 / 3, over p (1 − p) = 1/4.
    assert seeds_design_effect(seeds("1100", "1001")) == pytest.approx((0.5 / 3) / 0.25)


def test_groups_without_spread_have_no_design_effect() -> None:
    assert seeds_design_effect(seeds("111", "111"), seeds("0000", "0000")) == 1


def least(items: int, clean: int, of: int) -> tuple[float | None, float | None]:
    """The smallest differences that statsmodels' interval tells from zero."""
    told = []
    for k in range(items + 1):
        low, high = confint_proportions_2indep(k, items, clean, of, method="newcomb", alpha=0.05)
        told += [k / items - clean / of] if low > 0 or high < 0 else []
    return min((d for d in told if d > 0), default=None), max(
        (d for d in told if d < 0), default=None
    )


@pytest.mark.parametrize(("items", "right"), product((3, 5, 12), (0, 2, 50, 70, 100)))
def test_the_smallest_difference_that_could_have_been_told(items: int, right: int) -> None:
    found = contrast(column("1" * items), column("1" * right + "0" * (100 - right)), CONFIDENCE)
    rise, fall = least(items, right, 100)
    assert found.least_rise == pytest.approx(rise) and found.least_fall == pytest.approx(fall)
    assert found.few == (items < FEWEST)


def test_an_empty_side_tells_nothing() -> None:
    none = np.empty((0, 2))
    for sides in ((none, seeds("1", "1")), (seeds("1", "1"), none)):
        found = contrast(*sides, CONFIDENCE)
        assert not found.significant and found.estimate.low is None and found.least_rise is None


def test_the_adjusted_difference_by_hand() -> None:
    # Overlapping: the model leads on 4 of 5; clean: on 1 of 5, and is behind on 1.
    found = difference_in_differences(
        (column("11110"), column("00000")), (column("10000"), column("01000")), CONFIDENCE
    )
    assert found.value == pytest.approx(4 / 5 - 0)
    # Variance of 5 differences and two more of 0 and ±1 (mean 0, mean square 1/2).
    first = ((4 + 1) / 7 - (4 / 7) ** 2) * 7 / 6 / 5
    second = ((2 + 1) / 7) * 7 / 6 / 5
    assert found.low is not None and found.high is not None
    half = (found.high - found.low) / 2
    degrees = (first + second) ** 2 / (first**2 / 4 + second**2 / 4)
    from scipy.stats import t

    assert half == pytest.approx(t.ppf(0.975, degrees) * (first + second) ** 0.5)


def test_the_adjusted_difference_is_near_welchs_with_many_items() -> None:
    rng = np.random.default_rng(3)
    ours, theirs = rng.integers(0, 2, (2, 400, 1)).astype(float)
    found = difference_in_differences(
        (ours[:150], theirs[:150]), (ours[150:], theirs[150:]), CONFIDENCE
    )
    lead = (ours - theirs)[:, 0]
    interval = ttest_ind(lead[:150], lead[150:], equal_var=False).confidence_interval(CONFIDENCE)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=0.01)


def test_few_items_have_no_adjusted_interval_or_preference() -> None:
    four, many = column("1111"), column("0" * 20)
    assert difference_in_differences((four, four), (many, many), CONFIDENCE).low is None
    assert paired_difference(four, column("0000"), CONFIDENCE).low is None
    assert np.isnan(difference_in_differences((four[:0], four[:0]), (many, many), CONFIDENCE).value)


def test_a_preference_is_the_mean_difference_from_what_is_expected() -> None:
    found = paired_difference(column("1" * 20), np.full((20, 1), 1 / 3), CONFIDENCE)
    assert found.value == pytest.approx(2 / 3) and found.excludes_zero()


def told_by_chance(draws: int, size: int, *, independent: bool, seed: int) -> int:
    """How often no effect is told from zero; items differ in how hard they are."""
    rng = np.random.default_rng(seed)
    told = 0
    for _ in range(draws):
        ease = rng.beta(1.2, 0.8, size=(size + 100, 1))
        shape = (size + 100, 3) if independent else (size + 100, 1)
        answers = np.broadcast_to(rng.random(shape) < ease, (size + 100, 3)).astype(float)
        told += contrast(answers[:size], answers[size:], CONFIDENCE).significant
    return told


@pytest.mark.parametrize("size", [6, 15, 60])
@pytest.mark.parametrize("independent", [True, False])
def test_no_effect_is_told_as_seldom_as_it_is_said(size: int, independent: bool) -> None:
    # 95 % intervals: of 400 studies at most as many as a binomial with 5 % has in 999 of 1,000.
    told = told_by_chance(400, size, independent=independent, seed=size)
    assert told <= binom.ppf(0.999, 400, 1 - CONFIDENCE)
    assert told >= 1 or size < 15, "intervals that are never wrong are too wide"


def test_no_adjusted_effect_is_told_as_seldom_as_it_is_said() -> None:
    # Overlapping items are easier for both the model and the rule.
    rng = np.random.default_rng(8)
    told = 0
    for _ in range(300):
        ease = np.r_[rng.uniform(0.3, 0.7, 20), rng.uniform(0.1, 0.5, 100)][:, None]
        rule = (rng.random((120, 1)) < ease).astype(float)
        model = (rng.random((120, 3)) < ease + 0.2).astype(float)
        found = difference_in_differences(
            (model[:20], rule[:20]), (model[20:], rule[20:]), CONFIDENCE
        )
        told += found.excludes_zero()
    assert told <= binom.ppf(0.999, 300, 1 - CONFIDENCE)


def test_a_planted_effect_is_told() -> None:
    rng = np.random.default_rng(5)
    told = 0
    for _ in range(100):
        overlapping = (rng.random((40, 3)) < 0.95).astype(float)
        clean = (rng.random((120, 3)) < 0.6).astype(float)
        told += contrast(overlapping, clean, CONFIDENCE).significant
    assert told >= 95

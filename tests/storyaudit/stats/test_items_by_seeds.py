"""Intervals over items and seeds: by hand, against scipy, and by how often they hold the truth."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from storyaudit.stats.estimate import FEWEST
from storyaudit.stats.items_by_seeds import accuracy, difference

T_9 = 2.262157  # of a t table: 97.5 % with 9 degrees of freedom


def column(values: list[float]) -> np.ndarray:
    return np.array(values, dtype="float64")[:, None]


def one_stratum(count: int) -> np.ndarray:
    return np.zeros(count, dtype="int64")


def test_the_value_is_the_difference_of_macro_accuracies() -> None:
    # Stratum 0: 2/4 against 1/4; stratum 1: 3/4, from seeds with 2/2 and 1/2, against 1/2.
    variant = np.array([[1, 1], [1, 1], [0, 0], [0, 0], [1, 1], [1, 0]], dtype="float64")
    reference = column([1, 0, 0, 0, 0, 1])
    strata = np.array([0, 0, 0, 0, 1, 1])
    found = difference(variant, reference, strata, 0.95)
    assert found.estimate.value == pytest.approx(1 / 4)
    assert (found.items, found.seeds, found.one_seed) == (6, (2, 1), True)


def test_the_interval_over_items_by_hand() -> None:
    # Ten differences: two of 1, one of −1. Two further items have 1, 0, 0, −1 a half each, so the
    # sum of squares is 3 + 1, the sum 1, over 12: the variance is (4/12 − 1/144) · 12/11.
    variant, reference = column([1] * 3 + [0] * 7), column([0, 0, 1, 1] + [0] * 6)
    found = difference(variant, reference, one_stratum(10), 0.95)
    error = sqrt((4 / 12 - 1 / 144) * 12 / 11 / 10)
    assert found.se_items == pytest.approx(error)
    assert found.se_seeds == 0
    ends = found.estimate.low, found.estimate.high
    assert ends == pytest.approx((0.1 - T_9 * error, 0.1 + T_9 * error), abs=1e-6)
    assert found.half_width == pytest.approx(T_9 * error, abs=1e-6)


def test_an_accuracy_by_hand() -> None:
    # 5 of 10 right; two further items, one right: (6/12 − 1/4) · 12/11.
    found = accuracy(column([1, 0] * 5), one_stratum(10), 0.95)
    assert found.se_items == pytest.approx(sqrt(1 / 4 * 12 / 11 / 10))
    assert found.estimate.value == 0.5


def test_the_se_seeds_by_hand() -> None:
    # The variant's seeds have 6/10 and 4/10: variance 0.02, over 2 seeds 0.01. The reference's have
    # 5/10, 5/10, 2/10: variance 0.03, over 3 seeds 0.01.
    variant = np.column_stack([[1] * n + [0] * (10 - n) for n in (6, 4)]).astype("float64")
    reference = np.column_stack([[1] * n + [0] * (10 - n) for n in (5, 5, 2)]).astype("float64")
    found = difference(variant, reference, one_stratum(10), 0.95)
    assert found.se_seeds == pytest.approx(sqrt(0.02))
    assert not found.one_seed
    # Satterthwaite: (v + 0.02)² / (v²/9 + 0.01²/1 + 0.01²/2).
    v = found.se_items**2
    df = (v + 0.02) ** 2 / (v**2 / 9 + 0.01**2 + 0.01**2 / 2)
    assert found.half_width == pytest.approx(stats.t.ppf(0.975, df) * sqrt(v + 0.02))


def test_with_many_items_it_is_the_paired_t_interval() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 2, (2, 20_000)).astype("float64")
    found = difference(column(list(first)), column(list(second)), one_stratum(20_000), 0.9)
    expected = stats.ttest_1samp(first - second, 0).confidence_interval(0.9)
    assert (found.estimate.low, found.estimate.high) == pytest.approx(tuple(expected), abs=2e-5)


def test_strata_count_alike_whatever_their_sizes() -> None:
    # 990 items of one stratum, 10 of the other: macro is the mean of 0.5 and 1.
    outcomes = column([1, 0] * 495 + [1] * 10)
    strata = np.repeat([0, 1], [990, 10])
    assert accuracy(outcomes, strata, 0.95).estimate.value == pytest.approx(0.75)


def test_items_of_no_stratum_do_not_count() -> None:
    rng = np.random.default_rng(2)
    variant, reference = rng.integers(0, 2, (2, 40, 3)).astype("float64")
    strata = np.arange(40) % 2
    lacking = np.concatenate([strata, np.full(15, -1)])
    further = rng.integers(0, 2, (2, 15, 3)).astype("float64")
    found = difference(
        np.concatenate([variant, further[0]]),
        np.concatenate([reference, further[1]]),
        lacking,
        0.95,
    )
    assert found == difference(variant, reference, strata, 0.95)
    assert found.items == 40


def test_variants_that_agree_everywhere_are_not_known_to_agree_on_other_items() -> None:
    same = column([1, 0, 0, 1] * 10)
    found = difference(same, same, one_stratum(40), 0.95)
    # Only the two further items differ: squares 1/42, over 41/42 · 40.
    assert found.se_items == pytest.approx(sqrt(1 / 41 / 40))
    assert found.estimate.low < 0 < found.estimate.high


def test_a_constant_accuracy_has_an_interval_inside_0_and_1() -> None:
    found = accuracy(column([1] * 30), one_stratum(30), 0.95).estimate
    assert found.value == found.high == 1 and 0.8 < found.low < 1


def test_few_items_have_no_interval() -> None:
    few = column([1, 0, 1] * 3)
    assert len(few) == FEWEST - 1
    found = accuracy(few, one_stratum(9), 0.95)
    assert (found.estimate.low, found.estimate.high, found.half_width) == (None, None, None)
    each_its_own = accuracy(column([1, 0] * 6), np.arange(12), 0.95)
    assert each_its_own.estimate.low is None


BITS = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 5), min_size=12, max_size=20)


@settings(max_examples=40)
@given(BITS, st.randoms(use_true_random=False))
def test_sides_items_and_seeds_have_no_order(bits: list[tuple[float, ...]], random: object) -> None:
    outcomes, strata = np.array(bits), np.arange(len(bits)) % 2
    found = difference(outcomes[:, :3], outcomes[:, 3:], strata, 0.95)
    turned = difference(outcomes[:, 3:], outcomes[:, :3], strata, 0.95)
    assert turned.estimate.value == pytest.approx(-found.estimate.value)
    assert turned.half_width == pytest.approx(found.half_width)
    order = list(range(len(bits)))
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = outcomes[order][:, [2, 0, 1, 4, 3]]
    other = difference(moved[:, :3], moved[:, 3:], strata[order], 0.95)
    assert other.estimate.value == pytest.approx(found.estimate.value)
    assert other.half_width == pytest.approx(found.half_width)


def latent(
    rng: np.random.Generator, shift: float, difficulty: np.ndarray, of_seed: float, seeds: int
) -> np.ndarray:
    """Right where a normal sum of difficulty, item, seed and their interaction lies above 0."""
    items = len(difficulty)
    worth = shift + difficulty[:, None] + rng.normal(0, 0.3, (items, 1))
    return (
        worth + rng.normal(0, of_seed, (1, seeds)) + rng.normal(0, 0.2, (items, seeds)) > 0
    ).astype("float64")


@pytest.mark.parametrize(
    ("of_seed", "seeds", "items_alone_do"), [(0.0, 3, True), (0.2, 3, False), (0.2, 5, False)]
)
def test_intervals_hold_the_difference_over_other_items_and_seeds(
    of_seed: float, seeds: int, items_alone_do: bool
) -> None:
    # The true accuracies are normal integrals: 1 − Φ(−shift / √(1 + 0.3² + of_seed² + 0.2²)).
    rng = np.random.default_rng(7)
    spread = sqrt(1 + 0.3**2 + of_seed**2 + 0.2**2)
    true = stats.norm.cdf(0.3 / spread) - 0.5
    strata = np.arange(200) % 5
    held = alone = 0
    for _ in range(300):
        difficulty = rng.normal(0, 1, 200)
        found = difference(
            latent(rng, 0.3, difficulty, of_seed, seeds),
            latent(rng, 0.0, difficulty, of_seed, seeds),
            strata,
            0.95,
        )
        held += found.estimate.low <= true <= found.estimate.high
        alone += abs(found.estimate.value - true) <= 1.97 * found.se_items
    # Of 300 intervals that hold with chance 0.95, fewer than 272 hold with chance below 0.001.
    assert stats.binom.cdf(271, 300, 0.95) < 0.001
    assert held >= 272
    assert (alone >= 272) == items_alone_do

from itertools import combinations, product

import numpy as np
import pytest

from storyaudit.stats.sign_flip_test import EXACT, sign_flip

RNG = np.random.default_rng(0)


def p_by_loop(differences: list[float]) -> float:
    total = abs(sum(differences))
    patterns = list(product((1, -1), repeat=len(differences)))
    extreme = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in patterns
    ]
    return sum(value >= total - 1e-9 for value in extreme) / len(patterns)


@pytest.mark.parametrize("size", [1, 2, 5, 8])
@pytest.mark.parametrize("seed", range(3))
def test_p_is_that_of_a_loop_over_all_patterns(size: int, seed: int) -> None:
    differences = np.random.default_rng(seed).integers(-9, 15, size) / 2
    found = sign_flip(differences, RNG, 0.95)
    assert found.p == p_by_loop(differences.tolist())
    assert found.estimate.value == pytest.approx(differences.mean())


def test_five_groups_cannot_reach_five_percent() -> None:
    found = sign_flip(np.array([3.0, 4, 5, 6, 7]), RNG, 0.95)
    assert found.p == found.smallest == 0.0625
    assert found.estimate.low is None and found.estimate.high is None
    ninety = sign_flip(np.array([3.0, 4, 5, 6, 7]), RNG, 0.9)
    assert ninety.estimate.low == 3.0 and ninety.estimate.high == 7.0


def test_the_interval_is_of_subset_means() -> None:
    differences = [1.0, 2.5, -3.0, 8.0, 4.0, 0.5, 6.0]
    means = sorted(
        float(np.mean(subset)) for size in range(1, 8) for subset in combinations(differences, size)
    )
    found = sign_flip(np.array(differences), RNG, 0.95)
    # 2.5 % of the 128 parts is 3.2: the third mean from each end.
    assert (found.estimate.low, found.estimate.high) == pytest.approx((means[2], means[-3]))


def test_half_the_parts_lie_between_the_quartiles_of_subset_means() -> None:
    # Subset means are 1, 1.5, 2, 7/3, 2.5, 3 and 4: the two outer of eight parts on each side go.
    found = sign_flip(np.array([1.0, 2.0, 4.0]), RNG, 0.5).estimate
    assert (found.low, found.high) == (1.5, 3)


@pytest.mark.parametrize("seed", range(5))
def test_the_interval_holds_what_the_test_does_not_reject(seed: int) -> None:
    rng = np.random.default_rng(seed)
    differences = rng.normal(1, 3, 9)
    found = sign_flip(differences, rng, 0.95).estimate
    assert found.low is not None and found.high is not None
    inside, below = found.low + 1e-6, found.low - 1e-6
    assert sign_flip(differences - inside, rng, 0.95).p > 0.05
    assert sign_flip(differences - below, rng, 0.95).p <= 0.05
    assert sign_flip(differences - found.high + 1e-6, rng, 0.95).p > 0.05
    assert sign_flip(differences - found.high - 1e-6, rng, 0.95).p <= 0.05


def test_the_interval_covers_a_planted_mean() -> None:
    rng = np.random.default_rng(12)
    covered = 0
    for _ in range(400):
        found = sign_flip(rng.laplace(2, 3, 10), rng, 0.95).estimate
        assert found.low is not None and found.high is not None
        covered += found.low <= 2 <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_many_differences_are_sampled_and_nearly_exact() -> None:
    rng = np.random.default_rng(3)
    differences = rng.normal(0.8, 2, EXACT)
    exact = sign_flip(differences, rng, 0.95)
    more = np.append(differences, 1e-12)  # one more, which changes nothing
    sampled = sign_flip(more, rng, 0.95)
    assert sampled.p == pytest.approx(exact.p, abs=0.01)
    assert sampled.smallest == 1e-4 and exact.smallest == 2 / 2**EXACT


def test_no_difference_at_all() -> None:
    found = sign_flip(np.zeros(6), RNG, 0.95)
    assert found.p == 1 and found.estimate.value == 0

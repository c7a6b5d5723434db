import math

import numpy as np
import pytest

from storyaudit.stats.exact_proportion import exact_bounds


def test_all_of_n() -> None:
    # All of n are good with probability p^n: 0.05^(1/20) and 0.025^(1/20).
    found = exact_bounds(20, 20, 0.95)
    assert found.at_least == pytest.approx(0.05 ** (1 / 20))
    assert found.low == pytest.approx(0.025 ** (1 / 20))
    assert (round(found.at_least, 2), round(found.low, 2), found.high) == (0.86, 0.83, 1)


def test_none_of_n() -> None:
    found = exact_bounds(0, 10, 0.95)
    assert (found.at_least, found.low) == (0, 0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 10))


def tail(n: int, counts: range, p: float) -> float:
    return sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in counts)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("n", [1, 7, 20])
def test_at_a_bound_the_tail_has_its_probability(n: int, confidence: float) -> None:
    for k in range(n + 1):
        found = exact_bounds(k, n, confidence)
        if k > 0:
            more = range(k, n + 1)
            assert tail(n, more, found.at_least) == pytest.approx(1 - confidence)
            assert tail(n, more, found.low) == pytest.approx((1 - confidence) / 2)
        if k < n:
            assert tail(n, range(k + 1), found.high) == pytest.approx((1 - confidence) / 2)


@pytest.mark.parametrize(
    ("k", "n", "level"), [(0, 0, 0.95), (6, 5, 0.95), (-1, 5, 0.95), (5, 5, 1)]
)
def test_what_is_no_proportion_of_a_sample(k: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match="no proportion of a sample"):
        exact_bounds(k, n, level)


def test_bounds_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(3)
    covered = [exact_bounds(int(k), 20, 0.95).at_least <= 0.9 for k in rng.binomial(20, 0.9, 300)]
    assert np.mean(covered) >= 0.95

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau

from storyaudit.protocol.judge_agreement import tau_average


def judges(scores):
    return np.array(scores, dtype=float)


def test_known_value_with_ties():
    # shared/ORACLES.md: tau-b of these two is −0.4714.
    tau = tau_average(judges([[12, 2, 1, 12, 2], [1, 4, 7, 1, 0]]))
    assert tau == pytest.approx(-0.4714, abs=5e-5)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([[1, 2, 3, 4], [10, 20, 30, 40]], 1),
        ([[1, 2, 3, 4], [4, 3, 2, 1]], -1),
        # One of six pairs is discordant: (5 − 1) / 6.
        ([[1, 2, 3, 4], [2, 1, 3, 4]], 4 / 6),
        # Pairs of judges: 1, −1 and −1.
        ([[1, 2], [1, 2], [2, 1]], -1 / 3),
        # The constant judge's two pairs count as 0: (1 + 0 + 0) / 3.
        ([[1, 2, 3], [1, 2, 3], [5, 5, 5]], 1 / 3),
        ([[5, 5], [5, 5]], 0),
    ],
)
def test_hand_derived(scores, expected):
    assert tau_average(judges(scores)) == pytest.approx(expected)


SHAPES = st.tuples(st.integers(2, 5), st.integers(2, 6))


@given(SHAPES.flatmap(lambda shape: arrays(float, shape, elements=st.integers(1, 4).map(float))))
def test_agrees_with_scipy_over_pairs_of_judges(scores):
    taus = [kendalltau(one, other).statistic for one, other in combinations(scores, 2)]
    expected = np.mean([0 if math.isnan(tau) else tau for tau in taus])
    assert tau_average(scores) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("scores", [[[1, 2, 3]], [[1], [2]]])
def test_needs_two_judges_and_two_stories(scores):
    with pytest.raises(ValueError, match="two judges and two stories"):
        tau_average(judges(scores))


def test_a_tau_that_is_a_fraction_is_that_fraction():
    # Of the ten pairs of judges six agree wholly and four not at all: (6 − 4) / 10, which a mean
    # of floats can miss by a bit.
    agree, opposed = [1, 2, 3, 4], [4, 3, 2, 1]
    assert tau_average(judges([agree, agree, agree, agree, opposed])) == 0.2
    swapped = [2, 1, 3, 4]  # tau 4/6 with the others
    for number in range(2, 12):
        of = judges([agree] * (number - 1) + [swapped])
        pairs = number * (number - 1) // 2
        expected = (pairs - (number - 1) + (number - 1) * 4 / 6) / pairs
        assert tau_average(of) == round(expected, 12)

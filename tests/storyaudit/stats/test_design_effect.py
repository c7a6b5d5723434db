import numpy as np
import pytest

from storyaudit.stats.design_effect import kish_design_effect, seeds_design_effect
from storyaudit.stats.estimate import Estimate


def test_kishs() -> None:
    # Clusters of 10 of which two values correlate by 0.5: 1 + 9 · 0.5.
    found = kish_design_effect(Estimate(0.5, 0.4, 0.6), 10)
    assert (found.value, found.low, found.high) == pytest.approx((5.5, 4.6, 6.4))
    assert kish_design_effect(Estimate(0.0), 10) == Estimate(1.0)


def test_it_is_what_the_variance_of_a_mean_grows_by() -> None:
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(4000, 20, 1)) + rng.normal(size=(4000, 20, 5))  # correlate by 0.5
    grown = shared.mean(axis=(1, 2)).var() / (2 / 100)
    assert grown == pytest.approx(kish_design_effect(Estimate(0.5), 5).value, rel=0.1)


def test_seeds_that_agree_or_do_not() -> None:
    rng = np.random.default_rng(1)
    right = (rng.random((300, 1)) < 0.5).astype(float)
    assert seeds_design_effect(np.repeat(right, 4, axis=1)) == pytest.approx(1, abs=0.01)
    coins = (rng.random((3000, 4)) < 0.5).astype(float)
    assert seeds_design_effect(coins) == pytest.approx(1 / 4, abs=0.02)
    assert seeds_design_effect(np.ones((5, 3))) == 1

import numpy as np
import pytest
from scipy import stats

from pipeline.reward.baselines import at_random, longest


def test_longest_counts_words() -> None:
    stories = ["", "One.", "Don't -- stop, now!", "一二 three", "a " * 500]
    assert longest(stories).tolist() == [0, 1, 3, 3, 500]


def test_random_rewards_are_uniform_and_seeded() -> None:
    drawn = at_random(5000, np.random.default_rng(1))
    assert stats.kstest(drawn, "uniform").pvalue > 0.001
    assert drawn.tolist() == at_random(5000, np.random.default_rng(1)).tolist()
    assert drawn.tolist() != at_random(5000, np.random.default_rng(2)).tolist()
    assert drawn.tolist() == pytest.approx(np.round(drawn, 12).tolist(), abs=0)

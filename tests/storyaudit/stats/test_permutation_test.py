import numpy as np
import pytest
from scipy.stats import permutation_test

from storyaudit.stats.permutation_test import permutation_p


def test_one_is_added_to_both_counts() -> None:
    # Of 4 permutations 2 are as large, one of them but for the last bits.
    assert permutation_p(0.3, np.array([0.1, 0.2, 0.1 + 0.2, 0.9])) == 3 / 5
    assert permutation_p(1.0, np.array([0.0, 0.5])) == 1 / 3
    assert permutation_p(1.0, np.array([])) == 1


def test_it_is_scipys_of_the_same_permutations() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.7, 1, 12), rng.normal(0, 1, 12)
    theirs = permutation_test(
        (first, second),
        lambda x, y: x.mean() - y.mean(),
        n_resamples=500,
        alternative="greater",
        rng=np.random.default_rng(2),
    )
    assert permutation_p(theirs.statistic, theirs.null_distribution) == pytest.approx(theirs.pvalue)

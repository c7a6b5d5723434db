"""The p value of a Monte Carlo permutation test."""

import numpy as np

from storyaudit.stats.estimate import Array

_TIE = 1e-9
"""Statistics so close are equal but for the last bits."""


def permutation_p(observed: float, drawn: Array) -> float:
    """Return (1 + b) / (1 + m), b of m statistics being as large (Phipson and Smyth 2010).

    Args:
        observed: the statistic, large against the hypothesis.
        drawn: the same of data permuted at random, one a permutation; of none p is 1.
    """
    return (1 + int(np.count_nonzero(drawn >= observed - _TIE))) / (1 + len(drawn))

"""The sign-flip test of paired differences, exact where the patterns can be counted."""

from dataclasses import dataclass

import numpy as np

from storyaudit.stats.estimate import Array, Estimate

EXACT = 16
"""Up to so many differences all patterns of signs are counted."""
SAMPLED = 9_999


@dataclass(frozen=True)
class SignFlip:
    """A test's outcome.

    Attributes:
        estimate: the mean difference with its interval.
        p: two-sided.
        smallest: the smallest p that so many differences can give.
        n: differences.
    """

    estimate: Estimate
    p: float
    smallest: float
    n: int


def sign_flip(differences: Array, rng: np.random.Generator, confidence: float) -> SignFlip:
    """Test whether paired differences are symmetric about zero (Fisher 1935).

    Under the hypothesis each difference may as well have the other sign; p is the share of
    patterns of signs whose mean is as far from zero as the observed one. The interval holds the
    centres that the test does not reject: with n differences, the means of all 2ⁿ − 1 subsets cut
    the line into equally likely parts (Hartigan 1969). Where even the smallest p is above
    1 − confidence there is none.

    Args:
        differences: one a unit; at least one.
        rng: draws patterns where there are more than ``EXACT`` differences.
        confidence: of the interval.
    """
    n = len(differences)
    if n <= EXACT:
        chosen = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1).astype("float64")
        smallest = min(1.0, 2 / 2**n)
    else:
        drawn = rng.integers(0, 2, size=(SAMPLED, n)).astype("float64")
        chosen = np.vstack([np.zeros(n), drawn])
        smallest = 1 / len(chosen)
    total = float(differences.sum())
    inside = chosen @ differences
    tolerance = 1e-9 * float(np.abs(differences).sum())
    p = float((np.abs(2 * inside - total) >= abs(total) - tolerance).mean())
    sizes = chosen.sum(axis=1)
    means = np.sort(inside[sizes > 0] / sizes[sizes > 0])
    cut = int(np.floor((1 - confidence) / 2 * (len(means) + 1) + 1e-9))
    low, high = (float(means[cut - 1]), float(means[-cut])) if cut else (None, None)
    return SignFlip(Estimate(total / n, low, high), p, smallest, n)

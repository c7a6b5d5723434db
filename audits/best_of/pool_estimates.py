"""Estimates over pools, and how they are said."""

import numpy as np

from storyaudit.stats.estimate import Array, Estimate, over_units
from storyaudit.stats.macro_accuracy import resample_ratio


def over_pools(totals: Array, sizes: Array, weights: Array, confidence: float) -> Estimate:
    """Return the sum of totals over the sum of sizes, with a bootstrap interval of pools.

    A mean over pools is the case of sizes 1, or 0 for a pool that says nothing. From fewer than
    ten pools there is no interval.

    Args:
        totals: one a pool.
        sizes: one a pool; some are above zero.
        weights: how often each pool stands in each bootstrap sample, samples × pools.
        confidence: of the interval.
    """
    value, samples = resample_ratio(totals, sizes, weights)
    return over_units(value, samples, int(np.count_nonzero(sizes)), confidence)


def ranks(estimate: Estimate) -> str:
    """Return an estimate in ranks for a sentence."""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:z.1f} (interval cannot be told)"
    return f"{estimate.value:z.1f} ({estimate.low:z.1f} to {estimate.high:z.1f})"

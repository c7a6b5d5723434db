"""Intervals from bootstrap samples."""

import numpy as np
from numpy.typing import NDArray

MOST_UNDEFINED = 0.05
"""With a larger share of samples in which a statistic is undefined, no interval is given."""


def percentile_interval(
    samples: NDArray[np.float64], confidence: float
) -> tuple[float, float] | tuple[None, None]:
    """Return the percentile interval of a statistic's bootstrap samples (Efron 1981).

    Two None where more than ``MOST_UNDEFINED`` of the samples are NaN, or all are equal:
    resampling then says nothing about the spread.
    """
    told = samples[np.isfinite(samples)]
    if len(told) < (1 - MOST_UNDEFINED) * len(samples) or np.ptp(told) < 1e-12:
        return None, None
    tail = (1 - confidence) / 2
    low, high = np.quantile(told, [tail, 1 - tail])
    return float(low), float(high)

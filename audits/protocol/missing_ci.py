"""Why an estimate has no confidence interval, as a clause."""

import numpy as np

from storyaudit.stats.bootstrap import MOST_UNDEFINED
from storyaudit.stats.estimate import FEWEST, Array, Estimate


def too_few(units: str) -> str:
    """Return the reason where fewer units than ten were resampled: 'no CI: fewer than 10 items'."""
    return f"no CI: fewer than {FEWEST} {units}"


def no_ci(samples: Array, number: int, units: str = "items") -> str:
    """Return why bootstrap samples give no percentile interval; '' where they give one.

    Args:
        samples: of the statistic; NaN where it is undefined in a sample.
        number: units resampled.
        units: what they are called.
    """
    if number < FEWEST:
        return too_few(units)
    defined = samples[np.isfinite(samples)]
    if len(defined) < (1 - MOST_UNDEFINED) * len(samples):
        return f"no CI: undefined in more than {100 * MOST_UNDEFINED:g} % of the bootstrap samples"
    return "no CI: equal in all bootstrap samples" if np.ptp(defined) < 1e-12 else ""


def no_ci_of_mean(mean: Estimate, number: int, units: str) -> str:
    """Return why a mean over units has no interval; '' where it has one.

    Args:
        mean: of values, one a unit or a cluster.
        number: units resampled.
        units: what they are called.
    """
    if mean.low is not None:
        return ""
    return too_few(units) if number < FEWEST else f"no CI: no variation between {units}"

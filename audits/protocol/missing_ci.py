"""Why an estimate has no confidence interval, as a clause."""

import numpy as np

from storyaudit.phrasing import no_bootstrap_ci
from storyaudit.stats.bootstrap import MOST_UNDEFINED
from storyaudit.stats.estimate import FEWEST, Array


def no_ci(samples: Array, number: int, units: str = "items") -> str:
    """Return why bootstrap samples give no percentile interval; '' where they give one.

    Args:
        samples: of the statistic; NaN where it is undefined in a sample.
        number: units resampled.
        units: what they are called.
    """
    if number < FEWEST:
        return no_bootstrap_ci(number, units)
    defined = samples[np.isfinite(samples)]
    if len(defined) < (1 - MOST_UNDEFINED) * len(samples):
        return f"no CI: undefined in more than {100 * MOST_UNDEFINED:g} % of the bootstrap samples"
    return "no CI: equal in all bootstrap samples" if np.ptp(defined) < 1e-12 else ""

"""The bootstrap of units, and its percentile intervals (Efron 1979, 1981)."""

from typing import NamedTuple

import numpy as np

from storyaudit.stats.estimate import FEWEST, Array, Estimate

MOST_UNDEFINED = 0.05
"""With a larger share of samples in which a statistic is undefined, no interval is given."""


def bootstrap_counts(units: int, resamples: int, rng: np.random.Generator) -> Array:
    """Return how often each unit stands in each bootstrap sample of units (Efron 1979).

    Returns:
        One row a sample, one column a unit; each row sums to ``units``.
    """
    return rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype("float64")


def percentile_ci(samples: Array, confidence: float) -> tuple[float, float] | tuple[None, None]:
    """Return the percentile interval of a statistic's bootstrap samples (Efron 1981).

    Two None where more than ``MOST_UNDEFINED`` of the samples are NaN, or all are equal:
    resampling then says nothing about the spread.
    """
    defined = samples[np.isfinite(samples)]
    if len(defined) < (1 - MOST_UNDEFINED) * len(samples) or np.ptp(defined) < 1e-12:
        return None, None
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def bootstrap_estimate(value: float, samples: Array, units: int, confidence: float) -> Estimate:
    """Return a statistic with its percentile interval; from fewer than ten units without one.

    Args:
        value: the statistic.
        samples: the same of each bootstrap sample.
        units: how many were resampled.
        confidence: of the interval.
    """
    if units < FEWEST:
        return Estimate(value)
    return Estimate(value, *percentile_ci(samples, confidence))


class Bootstrapped(NamedTuple):
    """A statistic with its bootstrap samples.

    Attributes:
        value: NaN where it is undefined.
        samples: one a bootstrap sample; NaN where it is undefined in a sample.
        units: how many units it is over.
    """

    value: float
    samples: Array
    units: int

    def less(self, other: "Bootstrapped") -> "Bootstrapped":
        """Return the difference from another statistic over the same samples."""
        units = min(self.units, other.units)
        return Bootstrapped(self.value - other.value, self.samples - other.samples, units)

    def percent_over(self, other: "Bootstrapped") -> "Bootstrapped":
        """Return the relative difference in percent; NaN where the other may not be positive."""
        if not np.nanmin(other.samples) > 0:
            return Bootstrapped(float("nan"), np.full_like(self.samples, np.nan), self.units)
        value, samples = self.value / other.value - 1, self.samples / other.samples - 1
        return Bootstrapped(100 * value, 100 * samples, self.units)

    def estimate(self, confidence: float) -> Estimate:
        """Return it with its percentile interval; from fewer than ten units without one."""
        return bootstrap_estimate(self.value, self.samples, self.units, confidence)


def bootstrap_ratio(totals: Array, sizes: Array, counts: Array) -> Bootstrapped:
    """Return the sum of totals over the sum of sizes, and the same of each bootstrap sample.

    A mean over units is the case of sizes 1, or 0 for a unit that says nothing; a mean over the
    rows of clusters that of the clusters' sums and numbers of rows (Davison and Hinkley 1997,
    section 3.8).

    Args:
        totals: one a unit.
        sizes: one a unit.
        counts: how often each unit stands in each sample, samples × units.

    Returns:
        The units are those with a size; NaN where sizes sum to 0.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(np.divide(totals.sum(), sizes.sum()))
        samples: Array = (counts @ totals) / (counts @ sizes)
    return Bootstrapped(value, samples, int(np.count_nonzero(sizes)))

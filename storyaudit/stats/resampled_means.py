"""Means over rows of items or premises, with bootstrap samples of these."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.stats.estimate import Array, Estimate, over_units, resample_weights
from storyaudit.stats.macro_accuracy import resample_ratio


class Sampled(NamedTuple):
    """A mean.

    Attributes:
        value: NaN where nothing is averaged.
        samples: one a bootstrap sample; NaN where a sample holds nothing to average.
        units: how many items or premises it is over.
    """

    value: float
    samples: Array
    units: int

    def less(self, other: "Sampled") -> "Sampled":
        """Return the difference from another mean over the same samples."""
        units = min(self.units, other.units)
        return Sampled(self.value - other.value, self.samples - other.samples, units)

    def percent_over(self, other: "Sampled") -> "Sampled":
        """Return the relative difference in percent; NaN where the other may not be positive."""
        if not np.nanmin(other.samples) > 0:
            return Sampled(float("nan"), np.full_like(self.samples, np.nan), self.units)
        value, samples = self.value / other.value - 1, self.samples / other.samples - 1
        return Sampled(100 * value, 100 * samples, self.units)

    def estimate(self, confidence: float) -> Estimate:
        """Return it with its percentile interval; from fewer than ten units without one."""
        return over_units(self.value, self.samples, self.units, confidence)


@dataclass(frozen=True)
class Resampled:
    """Bootstrap samples of units, each with all its rows (Efron 1979).

    Attributes:
        unit: each row's unit, as a number.
        weights: how often each unit stands in each sample, samples × units.
    """

    unit: NDArray[np.int64]
    weights: Array

    @classmethod
    def draw(cls, units: pd.Series, resamples: int, rng: np.random.Generator) -> Self:
        """Draw samples of the units that rows belong to."""
        names, unit = np.unique(units.to_numpy(dtype=str), return_inverse=True)
        return cls(unit, resample_weights(len(names), resamples, rng))

    def mean(self, values: pd.Series, of: pd.Series) -> Sampled:
        """Return the mean of the values of those rows for which ``of`` is true."""
        inside = of.to_numpy(dtype=bool)
        units = self.weights.shape[1]
        total = np.bincount(
            self.unit[inside], values.to_numpy(dtype="float64")[inside], minlength=units
        ).astype("float64")
        size = np.bincount(self.unit[inside], minlength=units).astype("float64")
        value, samples = resample_ratio(total, size, self.weights)
        return Sampled(value, samples, int((size > 0).sum()))

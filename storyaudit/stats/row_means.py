"""Means over rows that belong to items or premises, with bootstrap samples of these."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from storyaudit.stats.bootstrap import Bootstrapped, bootstrap_counts, bootstrap_ratio
from storyaudit.stats.estimate import Array, Codes


@dataclass(frozen=True)
class RowSamples:
    """Bootstrap samples of units, each with all its rows (Efron 1979).

    Attributes:
        unit: each row's unit, as a number.
        counts: how often each unit is in each sample, samples × units.
    """

    unit: Codes
    counts: Array

    @classmethod
    def draw(cls, units: pd.Series, resamples: int, rng: np.random.Generator) -> Self:
        """Draw samples of the units that rows belong to."""
        names, unit = np.unique(units.to_numpy(dtype=str), return_inverse=True)
        return cls(unit, bootstrap_counts(len(names), resamples, rng))

    def mean(self, values: pd.Series, of: pd.Series) -> Bootstrapped:
        """Return the mean of the values of those rows for which ``of`` is true; NaN of none."""
        inside = of.to_numpy(dtype=bool)
        units = self.counts.shape[1]
        total = np.bincount(
            self.unit[inside], values.to_numpy(dtype="float64")[inside], minlength=units
        ).astype("float64")
        size = np.bincount(self.unit[inside], minlength=units).astype("float64")
        return bootstrap_ratio(total, size, self.counts)

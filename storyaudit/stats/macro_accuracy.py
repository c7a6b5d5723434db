"""Bootstrap samples: of macro accuracies, paired and stratified, and of ratios."""

import numpy as np
from numpy.typing import NDArray

from storyaudit.stats.estimate import Array

_BATCH = 4_000_000  # drawn indices held at once


def macro(outcomes: Array, strata: NDArray[np.int64]) -> Array:
    """Return the unweighted mean over strata of the means within each, one a model.

    Args:
        outcomes: one row an item, one column a model.
        strata: each item's stratum, 0, 1, …; an item with −1 stands in none.
    """
    names = np.unique(strata[strata >= 0])
    means = [outcomes[strata == stratum].mean(axis=0) for stratum in names]
    return np.asarray(np.mean(means, axis=0))


def resample_macro(
    outcomes: Array,
    strata: NDArray[np.int64],
    *,
    resamples: int,
    rng: np.random.Generator,
) -> Array:
    """Return macro accuracies of bootstrap samples of items (Efron 1979).

    Items are drawn with replacement within their stratum, so that each sample keeps the strata's
    sizes; one draw serves all models, so that their differences are paired.

    Args:
        outcomes: one row an item, one column a model.
        strata: each item's stratum, 0, 1, …; an item with −1 stands in none and is not drawn.
        resamples: number of samples.
        rng: drawn from once a stratum and batch.

    Returns:
        One row a sample, one column a model.
    """
    total = np.zeros((resamples, outcomes.shape[1]))
    names = np.unique(strata[strata >= 0])
    for name in names:
        inside = outcomes[strata == name]
        size = len(inside)
        step = max(1, _BATCH // size)
        for start in range(0, resamples, step):
            stop = min(start + step, resamples)
            drawn = rng.integers(0, size, size=(stop - start, size))
            for model in range(outcomes.shape[1]):
                total[start:stop, model] += inside[drawn, model].mean(axis=1)
    return total / len(names)


def resample_ratio(totals: Array, sizes: Array, weights: Array) -> tuple[float, Array]:
    """Return the sum of totals over the sum of sizes, and the same of each bootstrap sample.

    A mean over units is the case of sizes 1, or 0 for a unit that says nothing.

    Args:
        totals: one a unit.
        sizes: one a unit.
        weights: how often each unit stands in each sample, samples × units.

    Returns:
        Both NaN where the sizes sum to 0.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(np.divide(totals.sum(), sizes.sum()))
        samples: Array = (weights @ totals) / (weights @ sizes)
    return value, samples

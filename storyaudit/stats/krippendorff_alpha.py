"""Krippendorff's alpha over any number of raters (Krippendorff 2011)."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Level = Literal["ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("ordinal", "interval")
Array = NDArray[np.float64]
_BATCH = 4_000_000
"""Numbers held at once while resampling."""


def counts(unit: NDArray[np.int64], score: Array) -> tuple[Array, Array]:
    """Return how often each label was given to each unit, and the sorted labels.

    Returns:
        Counts (one row a unit, one column a label) and labels.
    """
    values, labels = np.unique(score, return_inverse=True)
    table = np.zeros((int(unit.max(initial=-1)) + 1, len(values)))
    np.add.at(table, (unit, labels), 1)
    return table, values


def alpha(table: Array, values: Array, level: Level) -> float | None:
    """Return alpha by the package ``krippendorff``.

    Args:
        table: how often each label was given to each unit.
        values: the labels.
        level: ordinal takes only the labels' order, interval their distances.

    Returns:
        None where it cannot be told: one label only, or no unit with two ratings.
    """
    import krippendorff

    paired = table[table.sum(axis=1) > 1]
    if (paired.sum(axis=0) > 0).sum() < 2:
        return None
    return float(
        krippendorff.alpha(value_counts=paired, value_domain=values, level_of_measurement=level)
    )


def resample_alpha(
    table: Array, values: Array, level: Level, story: NDArray[np.int64], weights: Array
) -> Array:
    """Return alpha in bootstrap samples of stories.

    Both metrics are squared distances of positions: of the labels (interval), or of their mean
    ranks among all paired ratings of the sample (ordinal). So observed and expected disagreement
    need each unit's sum and sum of squares only.

    Args:
        table: how often each label was given to each unit.
        values: the labels.
        level: as in ``alpha``.
        story: each unit's story, as a column of ``weights``.
        weights: how often each story stands in each sample.

    Returns:
        One value a sample; NaN where it is undefined.
    """
    ratings = table.sum(axis=1)
    paired = ratings > 1
    table, ratings, story = table[paired], ratings[paired], story[paired]
    step = max(1, _BATCH // max(1, len(table)))
    parts = [
        _alpha(table, ratings, values, level, weights[start : start + step][:, story])
        for start in range(0, len(weights), step)
    ]
    return np.concatenate(parts)


def _alpha(table: Array, ratings: Array, values: Array, level: Level, weights: Array) -> Array:
    given = weights @ table
    number = given.sum(axis=1)
    if level == "ordinal":
        position = np.cumsum(given, axis=1) - given / 2
    else:
        position = np.broadcast_to(values, given.shape)
    squares = position**2
    share = weights / (ratings - 1)
    observed = (((share * ratings) @ table) * squares).sum(axis=1)
    observed -= (share * (position @ table.T) ** 2).sum(axis=1)
    expected = number * (given * squares).sum(axis=1) - (given * position).sum(axis=1) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 1e-9, 1 - (number - 1) * observed / expected, np.nan)

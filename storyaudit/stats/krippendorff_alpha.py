"""Krippendorff's alpha over any number of raters, at every level of measurement.

Krippendorff 2011, Computing Krippendorff's alpha-reliability: with coincidences
o_ck = Σ_u n_uc (n_uk − [c = k]) / (m_u − 1) over the units u of m_u ≥ 2 ratings, their margins n_c
and sum n, alpha = 1 − (n − 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck. A single rating of a unit counts
nowhere.
"""

from typing import Literal

import numpy as np

from storyaudit.stats.estimate import Array, Codes

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
_BATCH = 4_000_000
"""Numbers held at once while resampling."""


def label_counts(unit: Codes, score: Array) -> tuple[Array, Array]:
    """Return how often each label was given to each unit, and the sorted labels.

    Args:
        unit: each rating's unit, 0, 1, …
        score: each rating's label.

    Returns:
        Counts (one row a unit, one column a label) and labels.
    """
    values, labels = np.unique(score, return_inverse=True)
    table = np.zeros((int(unit.max(initial=-1)) + 1, len(values)))
    np.add.at(table, (unit, labels), 1)
    return table, values


def alpha(table: Array, values: Array, level: Level) -> float | None:
    """Return alpha by the matrix of coincidences.

    Args:
        table: how often each label was given to each unit, units × labels.
        values: the labels in ascending order, one a column; nominal does not look at them.
        level: nominal tells labels apart, ordinal takes their order, interval their distances,
            ratio these relative to their sums.

    Returns:
        None where it is undefined: a single label, or no unit with two ratings.

    Raises:
        ValueError: a negative label at the level ratio.
    """
    ratings = table.sum(axis=1)
    paired, ratings = table[ratings > 1], ratings[ratings > 1]
    weighted = paired / (ratings - 1)[:, None]
    coincidences = weighted.T @ paired - np.diag(weighted.sum(axis=0))
    margins = coincidences.sum(axis=0)
    if (margins > 0).sum() < 2:
        return None
    distance = _squared_distance(values, margins, level)
    observed, expected = (coincidences * distance).sum(), margins @ distance @ margins
    return float(1 - (margins.sum() - 1) * observed / expected)


def _squared_distance(values: Array, margins: Array, level: Level) -> Array:
    """Return δ², labels × labels."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "ratio":
        if (values < 0).any():
            raise ValueError("a ratio scale has no negative labels")
        difference, total = (np.abs(f(values[:, None], values)) for f in (np.subtract, np.add))
        ratio = np.divide(difference, total, out=np.zeros_like(total), where=total > 0)
        return np.asarray(ratio**2)
    # The ratings between two labels and half of those at them: a difference of mean ranks.
    position = np.cumsum(margins) - margins / 2 if level == "ordinal" else values
    return np.asarray((position[:, None] - position) ** 2)


def bootstrap_alpha(
    table: Array, values: Array, level: Level, cluster: Codes, counts: Array
) -> Array:
    """Return alpha in bootstrap samples of clusters of units, such as stories.

    Observed disagreement and margins are sums over units, so that a sample is one row of counts.
    The ordinal distance depends on the sample's margins; as a squared difference of positions it
    needs each unit's sum and sum of squares only.

    Args:
        table: how often each label was given to each unit.
        values: the labels in ascending order.
        level: as in ``alpha``.
        cluster: each unit's cluster, as a column of ``counts``.
        counts: how often each cluster stands in each sample (``bootstrap_counts``).

    Returns:
        One value a sample; NaN where it is undefined.
    """
    ratings = table.sum(axis=1)
    paired = ratings > 1
    table, ratings, cluster = table[paired], ratings[paired], cluster[paired]
    step = max(1, _BATCH // max(1, len(table)))
    parts = [
        _alphas(table, ratings, values, level, counts[start : start + step][:, cluster])
        for start in range(0, len(counts), step)
    ]
    return np.concatenate(parts)


def _alphas(table: Array, ratings: Array, values: Array, level: Level, counts: Array) -> Array:
    margins = counts @ table
    number = margins.sum(axis=1)
    if level == "ordinal":
        position = np.cumsum(margins, axis=1) - margins / 2
        squares = position**2
        share = counts / (ratings - 1)
        observed = (((share * ratings) @ table) * squares).sum(axis=1)
        observed -= (share * (position @ table.T) ** 2).sum(axis=1)
        expected = number * (margins * squares).sum(axis=1) - (margins * position).sum(axis=1) ** 2
    else:
        distance = _squared_distance(values, margins, level)
        observed = counts @ (((table @ distance) * table).sum(axis=1) / (ratings - 1))
        expected = ((margins @ distance) * margins).sum(axis=1)
    several = (margins > 0).sum(axis=1) > 1
    alphas = np.full(len(counts), np.nan)
    np.divide((number - 1) * observed, expected, out=alphas, where=several)
    return np.asarray(1 - alphas)

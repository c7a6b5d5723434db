"""Cohen's kappa of two ratings of one story's item (Cohen 1960, 1968)."""

from typing import Literal

import numpy as np

from storyaudit.stats.estimate import Array, Codes, Estimate

Weighting = Literal["unweighted", "linear", "quadratic"]
WEIGHTINGS: tuple[Weighting, ...] = ("unweighted", "linear", "quadratic")
BANDS = ((0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
"""Landis and Koch (1977): a kappa up to the number is called so; above the last, almost perfect."""


def kappa(first: Array, second: Array, weighting: Weighting, confidence: float) -> Estimate | None:
    """Return kappa with its analytic interval (Fleiss, Cohen and Everitt 1969; statsmodels).

    Weights are by the distance of the scores themselves, so that a label nobody gave changes
    nothing. The interval takes the pairs as independent.

    Args:
        first: scores, one a pair.
        second: the other rater's scores of the same.
        weighting: none, by distance (Cicchetti and Allison 1971) or by its square (Fleiss and
            Cohen 1973).
        confidence: of the interval, which is None where its standard error is zero.

    Returns:
        None where it is undefined: no pair, or one label only.
    """
    from scipy.stats import norm
    from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]

    values, numbers = np.unique(np.concatenate([first, second]), return_inverse=True)
    if len(values) < 2:
        return None
    table = np.zeros((len(values), len(values)))
    np.add.at(table, (numbers[: len(first)], numbers[len(first) :]), 1)
    with np.errstate(divide="ignore", invalid="ignore"):  # of its test of kappa = 0
        if weighting == "unweighted":
            result = cohens_kappa(table)
        else:
            result = cohens_kappa(table, weights=values, wt=weighting)
    variance = float(result.var_kappa)
    if not variance > 1e-12:
        return Estimate(float(result.kappa))
    half = float(norm.ppf((1 + confidence) / 2)) * variance**0.5
    return Estimate(float(result.kappa), float(result.kappa) - half, float(result.kappa) + half)


def bootstrap_kappa(
    first: Array,
    second: Array,
    story: Codes,
    weights: Array,
    weighting: Weighting,
) -> Array:
    """Return kappa in bootstrap samples of stories.

    Observed disagreement and both raters' distributions are sums over stories, so that a sample
    is one row of weights and no table is built again.

    Args:
        first: scores, one a pair.
        second: the other rater's scores.
        story: each pair's story, as a column of ``weights``.
        weights: how often each story stands in each sample (``bootstrap_counts``).
        weighting: as in ``kappa``.

    Returns:
        One value a sample; NaN where it is undefined.
    """
    values, numbers = np.unique(np.concatenate([first, second]), return_inverse=True)
    rows, columns = numbers[: len(first)], numbers[len(first) :]
    distance = np.abs(values[:, None] - values[None, :])
    cost = {
        "unweighted": (distance > 0).astype("float64"),
        "linear": distance,
        "quadratic": distance**2,
    }[weighting]
    stories = weights.shape[1]
    observed = np.bincount(story, weights=cost[rows, columns], minlength=stories)
    first_counts, second_counts = (np.zeros((stories, len(values))) for _ in range(2))
    np.add.at(first_counts, (story, rows), 1)
    np.add.at(second_counts, (story, columns), 1)
    first_total, second_total = weights @ first_counts, weights @ second_counts
    pairs = first_total.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = ((first_total @ cost) * second_total).sum(axis=1) / pairs
        return np.where(expected > 1e-12, 1 - weights @ observed / expected, np.nan)


def band(value: float) -> str:
    """Return what Landis and Koch (1977) call a kappa of that size."""
    return next((name for top, name in BANDS if value <= top), "almost perfect")

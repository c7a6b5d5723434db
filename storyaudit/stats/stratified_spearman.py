"""Spearman's correlation within strata, with a stratified bootstrap."""

import numpy as np

from storyaudit.stats.bootstrap import percentile_ci
from storyaudit.stats.estimate import Array, Codes, Estimate

FEWEST = 6
"""Fewer pairs get no rank correlation."""


def stratified_spearman(
    x: Array,
    y: Array,
    stratum: Codes,
    *,
    resamples: int,
    confidence: float,
    rng: np.random.Generator,
) -> Estimate | None:
    """Return Spearman's correlation of deviations from stratum means, with a bootstrap interval.

    With one stratum it is Spearman's correlation (1904). Pairs are drawn with replacement within
    their stratum and centred again in every sample (Davison and Hinkley 1997, section 3.2).

    Args:
        x: one value a pair.
        y: one value a pair.
        stratum: each pair's stratum, 0, 1, …
        resamples: bootstrap samples.
        confidence: of the percentile interval.
        rng: draws the samples.

    Returns:
        None where it is undefined, with a constant side, or of fewer than ``FEWEST`` pairs.
    """
    if len(x) < FEWEST:
        return None
    drawn = np.empty((resamples, len(x)), dtype="int64")
    for name in range(int(stratum.max()) + 1):
        inside = np.flatnonzero(stratum == name)
        drawn[:, inside] = inside[rng.integers(0, len(inside), size=(resamples, len(inside)))]
    members = (stratum[:, None] == np.arange(stratum.max() + 1)).astype("float64")
    value = _spearman(x[None, :], y[None, :], members)[0]
    if not np.isfinite(value):
        return None
    samples = _spearman(x[drawn], y[drawn], members)
    return Estimate(float(value), *percentile_ci(samples, confidence))


def _spearman(x: Array, y: Array, members: Array) -> Array:
    from scipy.stats import rankdata

    sides = []
    for values in (x, y):
        means = values @ members / members.sum(axis=0)
        centred = np.round(values - means @ members.T, 9)
        ranks = rankdata(centred, axis=1)
        sides.append(ranks - ranks.mean(axis=1, keepdims=True))
    power = (sides[0] ** 2).sum(axis=1) * (sides[1] ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(power > 0, (sides[0] * sides[1]).sum(axis=1) / np.sqrt(power), np.nan)

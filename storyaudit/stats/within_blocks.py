"""Least squares within blocks, with a bootstrap of clusters that needs no second pass over rows."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from storyaudit.stats.estimate import Array, Codes

_ESTIMABLE = 1 - 1e-6


class Moments(NamedTuple):
    """Sums of squares and products, one a cluster: clusters × p × p, and clusters × p."""

    xx: Array
    xy: Array


def demeaned(values: Array, block: Codes) -> Array:
    """Return the columns of ``values`` less their means within each block of rows."""
    sizes = np.maximum(np.bincount(block), 1)
    means = np.stack([np.bincount(block, column) / sizes for column in values.T], axis=1)
    within: Array = values - means[block]
    return within


def moments(x: Array, y: Array, cluster: Codes, clusters: int) -> Moments:
    """Return the moments of demeaned rows.

    Args:
        x: rows × p.
        y: one a row.
        cluster: each row's cluster, 0, 1, ….
        clusters: how many there are.
    """
    xx = np.zeros((clusters, x.shape[1], x.shape[1]))
    xy = np.zeros((clusters, x.shape[1]))
    order = np.argsort(cluster, kind="stable")
    ends = np.searchsorted(cluster[order], np.arange(clusters + 1))
    for number, (start, stop) in enumerate(pairwise(ends)):
        rows = order[start:stop]
        xx[number] = x[rows].T @ x[rows]
        xy[number] = x[rows].T @ y[rows]
    return Moments(xx, xy)


def coefficients(of: Moments, weights: Array) -> Array:
    """Return least-squares coefficients in samples of clusters.

    Args:
        of: see ``moments``.
        weights: how often each cluster stands in each sample, samples × clusters.

    Returns:
        Samples × p; NaN where the rows of a sample do not determine a coefficient.
    """
    clusters, p = of.xy.shape
    xx = (weights @ of.xx.reshape(clusters, p * p)).reshape(-1, p, p)
    xy = weights @ of.xy
    inverse = np.linalg.pinv(xx, rcond=1e-9, hermitian=True)
    found = np.einsum("rij,rj->ri", inverse, xy)
    determined = np.einsum("rij,rji->ri", inverse, xx)
    return np.where(determined > _ESTIMABLE, found, np.nan)

"""Agreement on answers without an order: raw, by chance, and Krippendorff's alpha (2011)."""

from typing import NamedTuple

import numpy as np

from storyaudit.stats.estimate import Array


class Nominal(NamedTuple):
    """Agreement in samples of items; each has one value a sample.

    Attributes:
        raw: share of the pairs of annotators within items who answer alike.
        chance: share of all pairs of answers, across items too, that are alike.
        alpha: Krippendorff's, nominal; NaN where a sample holds one answer only.
    """

    raw: Array
    chance: Array
    alpha: Array


def nominal(table: Array, weights: Array) -> Nominal:
    """Return the agreement in samples of items.

    alpha = (A − C) / (1 − C), A being the share of alike pairs in which every annotator of an item
    counts once, whatever their number, and C the chance agreement (Krippendorff 2011, equation for
    nominal data by coincidences). With two annotators an item, A is ``raw``.

    Args:
        table: how often each answer was given to each item, items × answers; two or more an item.
        weights: how often each item stands in each sample, samples × items.
    """
    annotators = table.sum(axis=1)
    alike = (table * (table - 1)).sum(axis=1)
    raw = weights @ alike / (weights @ (annotators * (annotators - 1)))
    totals = weights @ table
    number = totals.sum(axis=1)
    observed = weights @ (alike / (annotators - 1)) / number
    chance = (totals * (totals - 1)).sum(axis=1) / (number * (number - 1))
    several = (totals > 0).sum(axis=1) > 1
    alpha = np.full(len(weights), np.nan)
    np.divide(observed - chance, 1 - chance, out=alpha, where=several)
    return Nominal(raw, chance, alpha)

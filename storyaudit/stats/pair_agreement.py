"""How often two annotators of an item answer alike, and how often they would by chance."""

from storyaudit.stats.estimate import Array


def pair_agreement(table: Array, counts: Array) -> Array:
    """Return the share of the pairs of annotators within items who answer alike.

    Args:
        table: how often each answer was given to each item, items × answers; two or more an item.
        counts: how often each item stands in each sample, samples × items.

    Returns:
        One value a sample.
    """
    annotators = table.sum(axis=1)
    alike = (table * (table - 1)).sum(axis=1)
    shares: Array = counts @ alike / (counts @ (annotators * (annotators - 1)))
    return shares


def chance_agreement(table: Array, counts: Array) -> Array:
    """Return the share of all pairs of answers, across items too, that are alike.

    It is 1 less the disagreement that Krippendorff's alpha, nominal, expects (2011).

    Args:
        table: as in ``pair_agreement``.
        counts: as in ``pair_agreement``.

    Returns:
        One value a sample.
    """
    totals = counts @ table
    number = totals.sum(axis=1)
    shares: Array = (totals * (totals - 1)).sum(axis=1) / (number * (number - 1))
    return shares

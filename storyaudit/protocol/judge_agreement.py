"""Agreement of orders: Kendall's tau between judges and between annotators."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def tau_average(scores: NDArray[np.float64]) -> float:
    """Return the mean tau-b over the J(J−1)/2 pairs of judges (StoryAlign, section 2.2).

    A judge who gives every story the same score ranks nothing; tau-b is undefined with such a
    judge and counts as 0, so that annotators rank the item.

    Args:
        scores: overall scores, one row a judge, one column a story; no missing values.

    Raises:
        ValueError: fewer than two judges or two stories.
    """
    judges, stories = scores.shape
    if judges < 2 or stories < 2:
        raise ValueError(f"tau needs two judges and two stories, got {judges} and {stories}")
    left, right = np.triu_indices(stories, k=1)
    order = np.sign(scores[:, left] - scores[:, right])
    untied = np.abs(order).sum(axis=1)
    concordance = order @ order.T
    first, second = np.triu_indices(judges, k=1)
    scale = np.sqrt(untied[first] * untied[second])
    taus = np.divide(concordance[first, second], scale, out=np.zeros_like(scale), where=scale > 0)
    return round(float(taus.mean()), 12)  # a tau that equals the threshold on paper is not below it


def mean_tau(orders: Sequence[Sequence[str]]) -> float:
    """Return the mean Kendall's tau-b over pairs of orders of the same stories, best first."""
    stories = sorted(orders[0])
    ranks = [[order.index(story) for story in stories] for order in orders]
    return tau_average(np.array(ranks, dtype="float64"))


def same_first(orders: Sequence[Sequence[str]]) -> float:
    """Return the proportion of pairs of orders that put the same story first."""
    counts = Counter(order[0] for order in orders)
    number = len(orders)
    return sum(count * (count - 1) for count in counts.values()) / (number * (number - 1))

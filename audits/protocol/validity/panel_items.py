"""Every item that a panel's stories can form, and how judges and raters decide it."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from storyaudit.stats.estimate import Array, Mask

CANDIDATES = 4
"""Stories an item (StoryAlign, section 2.2)."""
_DIGITS = 9
"""Means that differ by the order of their sums only must tie. Rounding a mean of rounded numbers
would part them again, so that numbers are rounded when they are compared, and not before."""
_TAU_DIGITS = 12
"""A tau that is exactly a threshold must not fall below it by the order of a sum."""


def llm_items(automatic: int) -> NDArray[np.int64]:
    """Return all sets of four automatic authors, one row an item."""
    return _sets(automatic, CANDIDATES)


def human_items(automatic: int) -> NDArray[np.int64]:
    """Return the human author, who stands behind the automatic ones, with all sets of three."""
    three = _sets(automatic, CANDIDATES - 1)
    return np.column_stack([np.full(len(three), automatic), three])


def _sets(authors: int, size: int) -> NDArray[np.int64]:
    sets = list(combinations(range(authors), size))
    return np.array(sets, dtype="int64").reshape(-1, size)


def taus(scores: Array, items: NDArray[np.int64]) -> Array:
    """Return ``storyaudit.protocol.judge_agreement.tau_average`` of every item at once.

    Two stories' order does not depend on the item. So each pair of stories is compared once, and
    an item's concordance is a sum over its pairs.

    Args:
        scores: judge × premise × author.
        items: one row an item, the authors in it.

    Returns:
        premise × item.
    """
    judges, premises, authors = scores.shape
    left, right = np.triu_indices(authors, k=1)
    number = np.zeros((authors, authors), dtype="int64")
    number[left, right] = np.arange(len(left))
    inside = np.zeros((len(left), len(items)))
    for one, other in combinations(range(items.shape[1]), 2):
        lower = np.minimum(items[:, one], items[:, other])
        upper = np.maximum(items[:, one], items[:, other])
        inside[number[lower, upper], np.arange(len(items))] = 1
    rounded = np.round(scores, _DIGITS)
    order = np.sign(rounded[:, :, left] - rounded[:, :, right])
    untied = np.abs(order) @ inside
    total = np.zeros((premises, len(items)))
    for one, other in combinations(range(judges), 2):
        scale = np.sqrt(untied[one] * untied[other])
        concordance = (order[one] * order[other]) @ inside
        total += np.divide(concordance, scale, out=np.zeros_like(scale), where=scale > 0)
    average: Array = np.round(total / (judges * (judges - 1) / 2), _TAU_DIGITS)
    return average


def firsts(values: Array, items: NDArray[np.int64]) -> Mask:
    """Return which of an item's stories share its highest value.

    Args:
        values: premise × author.
        items: one row an item.

    Returns:
        premise × item × story.
    """
    inside = np.round(values, _DIGITS)[:, items]
    return np.asarray(inside == inside.max(axis=-1, keepdims=True))


def credit(chosen: Mask, best: Mask) -> Array:
    """Return the chance that one of the chosen, drawn at random, is among the best.

    Args:
        chosen: premise × item × story.
        best: the same.

    Returns:
        premise × item.
    """
    return np.asarray((chosen & best).sum(axis=-1) / chosen.sum(axis=-1))


class Decided(NamedTuple):
    """Items as judges and raters decide them; all arrays are premise × item.

    Attributes:
        tau: mean tau over the judges' pairs.
        credit: whether the judges' first choice is a humans' best; a proportion where it is tied.
        chance: the proportion of the item's stories that are humans' best.
        judges_tie: whether the judges' first place is tied.
        humans_tie: whether the humans' best are several.
        kept: whether the item counts.
    """

    tau: Array
    credit: Array
    chance: Array
    judges_tie: Mask
    humans_tie: Mask
    kept: Mask


def decide(
    scores: Array,
    human: Array,
    items: NDArray[np.int64],
    *,
    ranked: NDArray[np.int64] | None = None,
    usable: Mask | None = None,
) -> Decided:
    """Let judges and raters decide every item.

    Args:
        scores: judge × premise × author.
        human: the raters' values, premise × author.
        items: one row an item.
        ranked: the authors in each item whom tau is about; all if None.
        usable: premise × author; an item with another story does not count.
    """
    chosen = firsts(scores.mean(axis=0), items)
    best = firsts(human, items)
    if usable is None:
        usable = np.ones(human.shape, dtype="bool")
    return Decided(
        taus(scores, items if ranked is None else ranked),
        credit(chosen, best),
        best.mean(axis=-1),
        chosen.sum(axis=-1) > 1,
        best.sum(axis=-1) > 1,
        np.asarray(usable[:, items].all(axis=-1)),
    )

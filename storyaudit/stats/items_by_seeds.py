"""Accuracies and their differences, with intervals over items and over training seeds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from storyaudit.stats.estimate import FEWEST, Array, Codes, Estimate
from storyaudit.stats.macro_accuracy import macro

_FURTHER = 2.0  # items that the variance is computed with beside those at hand


class Term(NamedTuple):
    """One variant's term in a contrast.

    Attributes:
        sign: 1 or −1.
        outcomes: one row an item, one column a seed; 1 is right, 0 wrong.
    """

    sign: int
    outcomes: Array


@dataclass(frozen=True)
class Crossed:
    """An estimate over items and seeds.

    Attributes:
        estimate: without an interval from fewer than ten items, or no more items than strata.
        items: how many count in macro accuracy.
        seeds: of each term.
        se_items: standard error of other items.
        se_seeds: standard error of other seeds; 0 for a term of one seed, which shows none.
    """

    estimate: Estimate
    items: int
    seeds: tuple[int, ...]
    se_items: float
    se_seeds: float

    @property
    def one_seed(self) -> bool:
        """Whether a term has one seed, so that the interval leaves out how seeds vary."""
        return min(self.seeds) == 1

    @property
    def half_width(self) -> float | None:
        """The smallest difference that would have been significant; None without interval."""
        return None if self.estimate.high is None else self.estimate.high - self.estimate.value


def accuracy(outcomes: Array, strata: Codes, confidence: float) -> Crossed:
    """Return a variant's macro accuracy; its interval ends at 0 and 1."""
    found = crossed([Term(1, outcomes)], strata, confidence)
    value, low, high = found.estimate.value, found.estimate.low, found.estimate.high
    if low is None or high is None:
        return found
    return replace(found, estimate=Estimate(value, max(low, 0.0), min(high, 1.0)))


def difference(variant: Array, reference: Array, strata: Codes, confidence: float) -> Crossed:
    """Return the variant's macro accuracy less the reference's, paired by item."""
    return crossed([Term(1, variant), Term(-1, reference)], strata, confidence)


def crossed(terms: Sequence[Term], strata: Codes, confidence: float) -> Crossed:
    """Return the signed sum of macro accuracies, items and seeds both being samples.

    Seeds and items are crossed random factors: every seed meets every item. The variance is that
    of the mean over items of each item's signed sum of seed means, within strata, plus for each
    side the sample variance of its seeds' macro accuracies over their number. A bootstrap that
    draws the seeds again would come out (s − 1)/s too small with s seeds (Davison and Hinkley 1997,
    section 2.3). What a seed does to a single item is in both terms, so that the interval is a
    little wide and not narrow, as in Owen's pigeonhole bootstrap (2007). Degrees of freedom by
    Satterthwaite (1946). The sides' seeds count as independent, whatever their numbers.

    Two variants may agree on every item of a stratum, which does not show that they always would:
    the variance within strata is computed with two further items, shared out over the strata, on
    which every combination of right and wrong is as frequent (Agresti and Min 2005 for matched
    proportions, Agresti and Coull 1998 for one).

    Args:
        terms: outcomes on the same items in the same order.
        strata: each item's stratum; macro accuracy is the unweighted mean over strata. An item with
            −1 stands in none and does not count.
        confidence: of the interval.
    """
    from scipy.stats import t

    inside = strata >= 0
    names = np.unique(strata[inside])
    items = int(inside.sum())
    by_item = np.sum([term.sign * term.outcomes.mean(axis=1) for term in terms], axis=0)
    combinations = product((0, 1), repeat=len(terms))
    further = np.array([np.dot([term.sign for term in terms], right) for right in combinations])
    within = [by_item[strata == name] for name in names]
    of_items = sum(_variance_of_mean(part, further, _FURTHER / len(names)) for part in within)
    of_items /= len(names) ** 2
    of_seeds = [_seed_variance(term.outcomes, strata) for term in terms]
    value = float(np.mean([part.mean() for part in within]))
    seeds = tuple(term.outcomes.shape[1] for term in terms)
    variance = of_items + sum(of_seeds)
    low = high = None
    if items >= FEWEST and items > len(names):
        shares = [of_items**2 / (items - len(names))]
        shares += [
            part**2 / (count - 1) for part, count in zip(of_seeds, seeds, strict=True) if part
        ]
        half = float(t.ppf((1 + confidence) / 2, variance**2 / sum(shares))) * variance**0.5
        low, high = value - half, value + half
    return Crossed(
        Estimate(value, low, high), items, seeds, float(of_items**0.5), float(sum(of_seeds) ** 0.5)
    )


def _variance_of_mean(values: Array, further: Array, weight: float) -> float:
    """Return the variance of a mean, its spread that of the values and ``weight`` further ones."""
    size = len(values) + weight
    mean = (values.sum() + weight * further.mean()) / size
    square = ((values**2).sum() + weight * (further**2).mean()) / size
    return float((square - mean**2) * size / (size - 1) / len(values))


def _seed_variance(outcomes: Array, strata: Codes) -> float:
    """Return the variance of a mean over seeds; 0 where one seed shows none."""
    seeds = outcomes.shape[1]
    if seeds == 1:
        return 0.0
    return float(np.var(macro(outcomes, strata), ddof=1) / seeds)

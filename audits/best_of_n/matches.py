"""Two models' picks from the same pools: who wins, pool by pool."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from audits.best_of_n.pool_picks import Picks
from storyaudit.stats.bootstrap import bootstrap_ratio
from storyaudit.stats.estimate import Array, Estimate


@dataclass(frozen=True)
class Match:
    """Two models' picks compared on the pools from which both pick.

    Each seed of one model is compared with each seed of the other. Where stories tie for the
    highest reward a comparison counts by the probabilities of its outcomes.

    Attributes:
        model: the one with more wins than losses; of two with as many, the first by name.
        against: the other.
        wins: comparisons in which the model's pick ranks higher; ties: both pick the same story;
            losses: the others. One a pool.
        comparisons: one a pool.
        shared: comparisons in which stories tie for the highest reward of either, over all pools.
    """

    model: str
    against: str
    wins: Array
    ties: Array
    losses: Array
    comparisons: Array
    shared: int

    def reversed(self) -> "Match":
        """Return the match from the other's side."""
        return Match(
            self.against,
            self.model,
            self.losses,
            self.ties,
            self.wins,
            self.comparisons,
            self.shared,
        )


@dataclass(frozen=True)
class Result:
    """A match with intervals over pools; ``net`` is the net win rate: wins less losses."""

    match: Match
    win: Estimate
    loss: Estimate
    net: Estimate


def matches(picks: Picks) -> list[Match]:
    """Return the match of every two models, from the side of the one with more wins."""
    found = [
        match_of(picks, *sorted(pair, key=picks.models.__getitem__))
        for pair in combinations(range(len(picks.models)), 2)
    ]
    return [
        match.reversed() if match.wins.sum() < match.losses.sum() - 1e-9 else match
        for match in found
    ]


def match_of(picks: Picks, one: int, other: int) -> Match:
    """Return the match of two models, from the side of the first."""
    a, b = picks.by_pool(one), picks.by_pool(other)
    better = np.triu(np.ones((a.shape[1], a.shape[1])), k=1)  # ranks better than each column's
    wins, losses = ((a @ better) * b).sum(axis=1), ((b @ better) * a).sum(axis=1)
    comparisons = np.rint(a.sum(axis=1) * b.sum(axis=1))
    sole_a, sole_b = (
        (picks.chances[model].max(axis=2) > 1 - 1e-9).sum(axis=0) for model in (one, other)
    )
    return Match(
        picks.models[one],
        picks.models[other],
        wins,
        (a * b).sum(axis=1),
        losses,
        comparisons,
        int((comparisons - sole_a * sole_b).sum()),
    )


def estimated_matches(picks: Picks, counts: Array, confidence: float) -> list[Result]:
    """Return every match that has a pool, those with the largest net win rate first."""
    found = [
        Result(
            match,
            *(
                bootstrap_ratio(totals, match.comparisons, counts).estimate(confidence)
                for totals in (match.wins, match.losses, match.wins - match.losses)
            ),
        )
        for match in matches(picks)
        if match.comparisons.any()
    ]
    return sorted(found, key=lambda r: (-round(r.net.value, 9), r.match.model, r.match.against))

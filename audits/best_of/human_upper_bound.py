"""What people's disagreement leaves to be reached."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from audits.best_of.pool_picks import Picks
from audits.best_of.pools import Order, Pools
from audits.best_of.rankers import rank_of_firsts
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import tenths, with_ci
from storyaudit.stats.bootstrap import bootstrap_ratio
from storyaudit.stats.estimate import Array, Estimate


class BySingle(NamedTuple):
    """A model's mean rank by single rankers, and how far that is behind people's own firsts."""

    model: str
    rank: Estimate
    behind: Estimate
    pools: int


def upper_bound_finding(
    picks: Picks,
    pools: Pools,
    rankings: Mapping[str, Mapping[str, Order]],
    weights: Array,
    *,
    confidence: float,
) -> Finding | Unchecked:
    """Return how far models' picks are from one ranker's first, both ranked by other rankers.

    The ranking that stands holds each ranker's own, so that a ranker's first would look too good
    by it. By single rankers, a person and a model are measured alike.

    Args:
        picks: what the models pick.
        pools: from these pools.
        rankings: by annotators who are no adjudicators, by pool, then by annotator.
        weights: how often each pool stands in each bootstrap sample, samples × pools.
        confidence: of every interval.
    """
    shared = {item: rankings[item] for item in pools.finals if len(rankings.get(item, {})) > 1}
    if not shared:
        return Unchecked(
            id="ceiling",
            check="how far people's disagreement limits what a model can reach",
            reason="no pool with a ranking that stands was ranked by two people who are no "
            "adjudicators",
        )
    names = list(pools.stories)
    sizes = np.array([float(item in shared) for item in names])
    human = np.array([rank_of_firsts(shared[i]) if i in shared else 0.0 for i in names])
    chance = np.array([(len(pools.stories[i]) + 1) / 2 if i in shared else 0.0 for i in names])
    reach = bootstrap_ratio(human, sizes, weights).estimate(confidence)
    gain = bootstrap_ratio(chance - human, sizes, weights).estimate(confidence)
    rows = _models(picks, pools, shared, human, weights, confidence)
    told = gain.excludes_zero() and gain.value > 0
    untold = gain.low is not None and not told
    return Finding(
        id="ceiling",
        severity="warn" if untold else "note",
        statement=f"By single rankers, another's first is at rank {with_ci(reach, tenths)} on "
        f"{counted(len(shared), 'pool')} (1 at best, {chance.sum() / sizes.sum():.1f} by chance): "
        f"a model that agrees with people as they agree with each other comes to that and not to 1."
        + (
            f" The best of the models, {rows[0].model}, comes to {rows[0].rank.value:.1f}."
            if rows
            else ""
        )
        + (" People's own firsts are not told from a random pick." if untold else ""),
        numbers={
            **reach.numbers("rank"),
            **gain.numbers("gain"),
            "pools": len(shared),
            "unit": "pool",
            "confidence": confidence,
        },
        evidence=evidence(
            {
                "model": row.model,
                **row.rank.numbers("rank"),
                **row.behind.numbers("behind_people"),
                "pools": row.pools,
            }
            for row in rows
        ),
    )


def _models(
    picks: Picks,
    pools: Pools,
    shared: Mapping[str, Mapping[str, Order]],
    human: Array,
    weights: Array,
    confidence: float,
) -> list[BySingle]:
    """Return the models that pick from such pools, the best first."""
    rows = []
    for n, model in enumerate(picks.models):
        ranks, present = _by_single(picks.by_pool(n), pools, shared)
        if present.any():
            rank = bootstrap_ratio(ranks, present, weights).estimate(confidence)
            behind = bootstrap_ratio((ranks - human) * present, present, weights).estimate(
                confidence
            )
            rows.append(BySingle(model, rank, behind, int(present.sum())))
    return sorted(rows, key=lambda row: (round(row.rank.value, 9), row.model))


def _by_single(
    by_pool: Array, pools: Pools, shared: Mapping[str, Mapping[str, Order]]
) -> tuple[Array, Array]:
    """Return the mean rank of a model's picks by single rankers, and where it picks; by pool."""
    ranks, present = np.zeros(len(by_pool)), np.zeros(len(by_pool))
    for n, item in enumerate(pools.stories):
        if item not in shared or not by_pool[n].any():
            continue
        final, orders = pools.finals[item], shared[item].values()
        of_place = np.mean([[order.index(s) + 1 for s in final] for order in orders], axis=0)
        ranks[n] = by_pool[n, : len(of_place)] @ of_place / by_pool[n].sum()
        present[n] = 1.0
    return ranks, present

"""The human reference: how well one annotator's top story ranks by another annotator."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from audits.best_of_n.pool_picks import Picks
from audits.best_of_n.pools import Order, Pools
from audits.best_of_n.rank_phrasing import estimate_of, resampled
from audits.best_of_n.rankers import rank_of_firsts
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import decimal, no_bootstrap_ci, significance, tenths
from storyaudit.stats.bootstrap import bootstrap_ratio
from storyaudit.stats.estimate import FEWEST, Array, Estimate


class BySingle(NamedTuple):
    """A model's mean rank by single annotators, and how far that is behind annotators' firsts."""

    model: str
    rank: Estimate
    behind: Estimate
    pools: int


def upper_bound_finding(
    picks: Picks,
    pools: Pools,
    rankings: Mapping[str, Mapping[str, Order]],
    counts: Array,
    *,
    confidence: float,
) -> Finding | Unchecked:
    """Return how far models' picks are from one annotator's first, both ranked by the others.

    The final ranking contains each annotator's own, so that an annotator's first would look too
    good by it. By single annotators, a person and a model are measured in the same way.

    Args:
        picks: what the models pick.
        pools: from these pools.
        rankings: by annotators who are no adjudicators, by pool, then by annotator.
        counts: how often each pool is in each bootstrap sample, samples × pools.
        confidence: of every interval.
    """
    shared = {item: rankings[item] for item in pools.finals if len(rankings.get(item, {})) > 1}
    if not shared:
        return Unchecked(
            id="human-upper-bound",
            check="human reference for the rank of a model's picks",
            reason="no pool with a final ranking was ranked by two annotators other than "
            "adjudicators",
        )
    names = list(pools.stories)
    sizes = np.array([float(item in shared) for item in names])
    human = np.array([rank_of_firsts(shared[i]) if i in shared else 0.0 for i in names])
    chance = np.array([(len(pools.stories[i]) + 1) / 2 if i in shared else 0.0 for i in names])
    reach = bootstrap_ratio(human, sizes, counts).estimate(confidence)
    gain = bootstrap_ratio(chance - human, sizes, counts).estimate(confidence)
    rows = _models(picks, pools, shared, human, counts, confidence)
    significant = gain.excludes_zero() and gain.value > 0
    doubtful = gain.low is not None and not significant
    shown = estimate_of(reach, len(shared), confidence, tenths)
    return Finding(
        id="human-upper-bound",
        severity="warn" if doubtful else "note",
        statement=f"Human reference: one annotator's top story has mean rank {shown} by another "
        f"annotator (1 at best, {chance.sum() / sizes.sum():.1f} by chance)."
        + (" A model can do better than this reference." if round(reach.value, 9) > 1 else "")
        + (_beside_model(rows[0], len(shared), confidence) if rows else "")
        + (
            " The annotators' top stories are not significantly better than a random pick."
            if doubtful
            else ""
        )
        + f" {resampled(len(shared))}",
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
                **row.behind.numbers("behind_annotators"),
                "pools": row.pools,
            }
            for row in rows
        ),
    )


def _beside_model(row: BySingle, pools: int, confidence: float) -> str:
    """Return how a model compares with the annotators' top stories, as sentences after a space."""
    found = row.behind
    on = f"annotators' top stories on the same {counted(row.pools, 'pool')}"
    if round(found.value, 9) == 0:
        compared = f"equals the mean rank of {on}"
    else:
        side = "better" if found.value < 0 else "worse"
        compared = f"is {decimal(abs(found.value))} ranks {side} than {on}"
    if found.low is not None:
        compared += f": {significance(found, confidence)}"
    elif pools >= FEWEST:
        compared += f" ({no_bootstrap_ci(row.pools, 'pools')})"
    return (
        f" The best model, {row.model}, has mean rank {tenths(row.rank.value)} by single "
        f"annotators. That {compared}."
    )


def _models(
    picks: Picks,
    pools: Pools,
    shared: Mapping[str, Mapping[str, Order]],
    human: Array,
    counts: Array,
    confidence: float,
) -> list[BySingle]:
    """Return the models that pick from such pools, the best first."""
    rows = []
    for n, model in enumerate(picks.models):
        ranks, present = _by_single(picks.by_pool(n), pools, shared)
        if present.any():
            rank = bootstrap_ratio(ranks, present, counts).estimate(confidence)
            behind = bootstrap_ratio((ranks - human) * present, present, counts).estimate(
                confidence
            )
            rows.append(BySingle(model, rank, behind, int(present.sum())))
    return sorted(rows, key=lambda row: (round(row.rank.value, 9), row.model))


def _by_single(
    by_pool: Array, pools: Pools, shared: Mapping[str, Mapping[str, Order]]
) -> tuple[Array, Array]:
    """Return the mean rank of a model's picks by single annotators, and where it picks; by pool."""
    ranks, present = np.zeros(len(by_pool)), np.zeros(len(by_pool))
    for n, item in enumerate(pools.stories):
        if item not in shared or not by_pool[n].any():
            continue
        final, orders = pools.finals[item], shared[item].values()
        mean_rank = np.mean([[order.index(s) + 1 for s in final] for order in orders], axis=0)
        ranks[n] = by_pool[n, : len(mean_rank)] @ mean_rank / by_pool[n].sum()
        present[n] = 1.0
    return ranks, present

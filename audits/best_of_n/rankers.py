"""Agreement between annotators who rank the same pools."""

from collections.abc import Callable, Collection, Mapping
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.best_of_n.pools import Order, Pools
from audits.best_of_n.rank_phrasing import estimate_of, resampled
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import decimal, percent, tenths
from storyaudit.protocol.judge_agreement import mean_tau, same_first
from storyaudit.stats.bootstrap import bootstrap_ratio
from storyaudit.stats.estimate import Array, Estimate, rounded

CHECK = "agreement between annotators who rank pools"


class RankerPair(NamedTuple):
    """Two annotators who ranked some pools in common.

    Attributes:
        ranker: one annotator.
        other: the other annotator.
        pools: how many both ranked.
        tau: mean Kendall's tau-b over these.
        same_first: on how many the first is the same.
    """

    ranker: str
    other: str
    pools: int
    tau: float
    same_first: int


class OfPool(NamedTuple):
    """What is measured in one pool of several annotators: means over their pairs, and chance."""

    tau: float
    same_first: float
    rank_of_first: float
    same_first_chance: float
    rank_chance: float


def by_rankers(pools: Pools, adjudicators: Collection[str]) -> dict[str, dict[str, Order]]:
    """Return the rankings by annotators who are no adjudicators, by pool, then by annotator."""
    kept = {
        item: {name: order for name, order in orders.items() if name not in adjudicators}
        for item, orders in pools.individual.items()
    }
    return {item: orders for item, orders in kept.items() if orders}


def rank_of_firsts(orders: Mapping[str, Order]) -> float:
    """Return the mean rank that one annotator gives another's first; 1 where all agree on it."""
    return float(np.mean([b.index(a[0]) + 1 for a, b in permutations(orders.values(), 2)]))


def ranker_findings(
    pools: Pools, rankings: Mapping[str, Mapping[str, Order]], counts: Array, *, confidence: float
) -> list[Finding | Unchecked]:
    """Return how far two annotators of a pool agree: on the order, and on the first.

    All are means over pairs of a pool's annotators, then over pools.

    Args:
        pools: the pools.
        rankings: see ``by_rankers``.
        counts: how often each pool is in each bootstrap sample, samples × pools.
        confidence: of every interval.
    """
    shared = {item: orders for item, orders in rankings.items() if len(orders) > 1}
    if not shared:
        reason = "no pool was ranked by two annotators other than adjudicators"
        return [Unchecked(id="rankers", check=CHECK, reason=reason)]
    names = list(pools.stories)
    sizes = np.array([float(item in shared) for item in names])
    measured = {item: _of_pool(orders) for item, orders in shared.items()}
    nothing = OfPool(0, 0, 0, 0, 0)
    columns = pd.DataFrame([measured.get(item, nothing) for item in names], dtype="float64")
    tau, first, rank = (
        bootstrap_ratio(columns[name].to_numpy(), sizes, counts).estimate(confidence)
        for name in ("tau", "same_first", "rank_of_first")
    )
    first_chance, rank_chance = (
        float(columns[name].sum() / sizes.sum()) for name in ("same_first_chance", "rank_chance")
    )
    pairs = _pairs(shared)
    number, same = sum(pair.pools for pair in pairs), sum(pair.same_first for pair in pairs)
    first_by_chance = first.low is not None and first.low <= first_chance
    thin = tau.not_above(0) or first_by_chance

    def shown(found: Estimate, as_text: Callable[[float], str]) -> str:
        return estimate_of(found, len(shared), confidence, as_text)

    findings: list[Finding | Unchecked] = [
        Finding(
            id="rankers",
            severity="warn" if thin else "note",
            statement=f"Kendall's tau-b between two annotators of a pool is {shown(tau, decimal)} "
            f"on average (0 by chance). They agree on the top story in {same} of "
            f"{counted(number, 'comparison')}. The mean over pools is {shown(first, percent)}, "
            f"{percent(first_chance)} by chance."
            + (" That is not significantly above chance." if first_by_chance else "")
            + f" One annotator's top story has mean rank {shown(rank, tenths)} by another, "
            f"{tenths(rank_chance)} by chance. {resampled(len(shared))}",
            numbers={
                "pools": len(shared),
                "pairs": number,
                "same_first_count": same,
                **tau.numbers("tau"),
                **first.numbers("same_first"),
                "same_first_chance": rounded(first_chance, 4),
                **rank.numbers("rank_of_others_first"),
                "rank_chance": rounded(rank_chance),
                "unit": "pool",
                "confidence": confidence,
                "resamples": len(counts),
            },
            evidence=evidence(
                {"item_id": item, "tau": rounded(of.tau), "same_first": rounded(of.same_first)}
                for item, of in sorted(measured.items(), key=lambda pair: (pair[1].tau, pair[0]))
            ),
        )
    ]
    if len(pairs) > 1:
        most = pairs[0]
        findings.append(
            Finding(
                id="rankers-pairs",
                severity="note",
                statement=f"{len(pairs)} pairs of annotators share a pool. {most.ranker} and "
                f"{most.other} share the most, {counted(most.pools, 'pool')}, with mean tau-b "
                f"{decimal(most.tau)}.",
                numbers={
                    "pairs": len(pairs),
                    "most_pools": most.pools,
                    "tau": rounded(most.tau),
                },
                evidence=evidence({**pair._asdict(), "tau": rounded(pair.tau)} for pair in pairs),
            )
        )
    return findings


def _of_pool(orders: Mapping[str, Order]) -> OfPool:
    listed = list(orders.values())
    size = len(listed[0])
    return OfPool(
        tau=mean_tau(listed),
        same_first=same_first(listed),
        rank_of_first=rank_of_firsts(orders),
        same_first_chance=1 / size,
        rank_chance=(size + 1) / 2,
    )


def _pairs(shared: Mapping[str, Mapping[str, Order]]) -> list[RankerPair]:
    """Return each pair of annotators of a pool, those with the most pools first."""
    together: dict[tuple[str, str], list[tuple[Order, Order]]] = {}
    for orders in shared.values():
        for one, other in combinations(sorted(orders), 2):
            together.setdefault((one, other), []).append((orders[one], orders[other]))
    pairs = [
        RankerPair(
            ranker=one,
            other=other,
            pools=len(both),
            tau=float(np.mean([mean_tau(orders) for orders in both])),
            same_first=sum(a[0] == b[0] for a, b in both),
        )
        for (one, other), both in together.items()
    ]
    return sorted(pairs, key=lambda pair: (-pair.pools, pair))

"""How far rankers of the same pools agree, and how far that limits what a model can reach."""

from collections.abc import Collection, Mapping
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.best_of.pools import Order, Pools
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import level, percent, tenths, with_ci
from storyaudit.protocol.judge_agreement import mean_tau, same_first
from storyaudit.stats.bootstrap import bootstrap_ratio
from storyaudit.stats.estimate import Array, rounded

CHECK = "agreement between those who rank pools"


class Couple(NamedTuple):
    """Two rankers of some pools: how many, their mean tau-b, how often the first is the same."""

    ranker: str
    other: str
    pools: int
    tau: float
    same_first: int


class OfPool(NamedTuple):
    """What is measured in one pool of several rankers: means over their couples, and chance."""

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
    """Return the mean rank that one ranker gives another's first; 1 where all share the first."""
    return float(np.mean([b.index(a[0]) + 1 for a, b in permutations(orders.values(), 2)]))


def ranker_findings(
    pools: Pools, rankings: Mapping[str, Mapping[str, Order]], weights: Array, *, confidence: float
) -> list[Finding | Unchecked]:
    """Return how far two rankers of a pool agree: on the order, and on the first.

    All are means over couples of a pool's rankers, then over pools.

    Args:
        pools: the pools.
        rankings: see ``by_rankers``.
        weights: how often each pool stands in each bootstrap sample, samples × pools.
        confidence: of every interval.
    """
    shared = {item: orders for item, orders in rankings.items() if len(orders) > 1}
    if not shared:
        reason = "no pool was ranked by two people who are no adjudicators"
        return [Unchecked(id="rankers", check=CHECK, reason=reason)]
    names = list(pools.stories)
    sizes = np.array([float(item in shared) for item in names])
    measured = {item: _of_pool(orders) for item, orders in shared.items()}
    nothing = OfPool(0, 0, 0, 0, 0)
    columns = pd.DataFrame([measured.get(item, nothing) for item in names], dtype="float64")
    tau, first, rank = (
        bootstrap_ratio(columns[name].to_numpy(), sizes, weights).estimate(confidence)
        for name in ("tau", "same_first", "rank_of_first")
    )
    first_chance, rank_chance = (
        float(columns[name].sum() / sizes.sum()) for name in ("same_first_chance", "rank_chance")
    )
    couples = _couples(shared)
    pairs, same = sum(c.pools for c in couples), sum(c.same_first for c in couples)
    first_told = first.low is not None and first.low > first_chance
    thin = tau.not_above(0) or (first.low is not None and not first_told)
    caution = "" if first_told else " The agreement on the first is not told from chance."
    findings: list[Finding | Unchecked] = [
        Finding(
            id="rankers",
            severity="warn" if thin else "note",
            statement=f"{counted(len(shared), 'pool was', 'pools were')} ranked by two people or "
            f"more, {counted(pairs, 'couple')}: Kendall's tau-b of two rankers' orders is "
            f"{with_ci(tau)} on average (0 by chance); they put the same story first "
            f"{counted(same, 'time')}, in {with_ci(first, percent)} ({first_chance:.0%} by "
            f"chance); one's first is at rank {with_ci(rank, tenths)} by the other (1 at best, "
            f"{rank_chance:.1f} by chance). {level(confidence)} intervals: bootstrap of "
            f"pools.{caution}",
            numbers={
                "pools": len(shared),
                "couples": pairs,
                "same_first_count": same,
                **tau.numbers("tau"),
                **first.numbers("same_first"),
                "same_first_chance": rounded(first_chance, 4),
                **rank.numbers("rank_of_others_first"),
                "rank_chance": rounded(rank_chance),
                "unit": "pool",
                "confidence": confidence,
                "resamples": len(weights),
            },
            evidence=evidence(
                {"item_id": item, "tau": rounded(of.tau), "same_first": rounded(of.same_first)}
                for item, of in sorted(measured.items(), key=lambda pair: (pair[1].tau, pair[0]))
            ),
        )
    ]
    if len(couples) > 1:
        most = couples[0]
        findings.append(
            Finding(
                id="rankers-couples",
                severity="note",
                statement=f"{len(couples)} couples of rankers ranked a pool together; "
                f"{most.ranker} and {most.other} the most, {most.pools}, with a mean tau-b of "
                f"{most.tau:z.2f}.",
                numbers={
                    "couples": len(couples),
                    "most_pools": most.pools,
                    "tau": rounded(most.tau),
                },
                evidence=evidence({**c._asdict(), "tau": rounded(c.tau)} for c in couples),
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


def _couples(shared: Mapping[str, Mapping[str, Order]]) -> list[Couple]:
    """Return each couple of rankers of a pool, those with the most pools first."""
    together: dict[tuple[str, str], list[tuple[Order, Order]]] = {}
    for orders in shared.values():
        for one, other in combinations(sorted(orders), 2):
            together.setdefault((one, other), []).append((orders[one], orders[other]))
    couples = [
        Couple(
            ranker=one,
            other=other,
            pools=len(pairs),
            tau=float(np.mean([mean_tau(pair) for pair in pairs])),
            same_first=sum(a[0] == b[0] for a, b in pairs),
        )
        for (one, other), pairs in together.items()
    ]
    return sorted(couples, key=lambda couple: (-couple.pools, couple))

"""Whose ranking of a pool stands, and whether it follows from what people ranked."""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise

from audits.best_of.pools import Order, Pools
from storyaudit.findings import Finding, counted, evidence
from storyaudit.forms.adjudicated import MEAN_RANK
from storyaudit.vocabulary import Severity

ADJUDICATOR = "by an adjudicator"
MEAN = "by the rankers' mean rank"
RANKER = "by one ranker"
OTHER = "in a way that nothing tells"
KINDS = (ADJUDICATOR, MEAN, RANKER, OTHER)


def final_rankings_finding(pools: Pools, adjudicators: Collection[str]) -> Finding:
    """Return whose rankings stand, and how many contradict what people ranked.

    An adjudicator's or a ranker's ranking must be the one that this person gave; mean ranks of
    the rankers must not fall from one place of the ranking to the next.

    Args:
        pools: the pools; some ranking stands.
        adjudicators: annotators who only rank what others disagree on.
    """
    whose = {item: _whose(item, pools, adjudicators) for item in pools.finals}
    counts = Counter(whose.values())
    against = [
        item
        for item, order in pools.finals.items()
        if whose[item] != OTHER
        and not (
            _by_mean_rank(order, pools.individual[item], adjudicators)
            if whose[item] == MEAN
            else order == pools.individual[item][pools.final_by[item]]
        )
    ]
    alone = [
        item for item, kind in whose.items() if kind == RANKER and len(pools.individual[item]) > 1
    ]
    number = len(pools.finals)
    made = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    statement = f"{counted(number, 'ranking stands', 'rankings stand')}: {made}"
    severity: Severity = "pass"
    rows = against
    if against:
        severity = "fail"
        statement += (
            f"; {counted(len(against), 'contradicts', 'contradict')} what these people ranked."
        )
    elif alone:
        severity, rows = "warn", alone
        statement += (
            f"; on {counted(len(alone), 'pool')} one ranker's ranking stands although others "
            f"ranked there too: if this person adjudicated, name them among the adjudicators "
            f"(best_of in params.yaml), as only pools on which others differ reach them."
        )
    elif counts[OTHER]:
        severity = "note"
        statement += (
            "; whether they follow from what people ranked cannot be told."
            if counts[OTHER] == number
            else "; the others follow from what people ranked."
        )
    else:
        statement += "; all follow from what people ranked."
    return Finding(
        id="rankings-standing",
        severity=severity,
        statement=statement,
        numbers={
            "pools": number,
            "adjudicated": counts[ADJUDICATOR],
            "mean_rank": counts[MEAN],
            "one_ranker": counts[RANKER],
            "unexplained": counts[OTHER],
            "contradicted": len(against),
        },
        evidence=evidence({"item_id": item, "annotator": pools.final_by[item]} for item in rows),
    )


def _whose(item: str, pools: Pools, adjudicators: Collection[str]) -> str:
    by, orders = pools.final_by[item], pools.individual.get(item, {})
    if by in orders:
        return ADJUDICATOR if by in adjudicators else RANKER
    several = len(orders.keys() - set(adjudicators)) > 1 and item not in pools.unread
    return MEAN if by == MEAN_RANK and several else OTHER


def _by_mean_rank(final: Order, orders: Mapping[str, Order], adjudicators: Collection[str]) -> bool:
    """Return whether the rankers' mean rank falls nowhere along a ranking; ties go either way."""
    rankers = [order for name, order in orders.items() if name not in adjudicators]
    sums = [sum(order.index(story) for order in rankers) for story in final]
    return all(earlier <= later for earlier, later in pairwise(sums))

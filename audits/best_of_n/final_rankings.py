"""How each pool's final ranking came about, and whether it fits the annotators' rankings."""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise

from audits.best_of_n.pools import Order, Pools
from storyaudit.findings import Finding, counted, evidence
from storyaudit.forms.adjudicated import MEAN_RANK
from storyaudit.vocabulary import Severity

ADJUDICATOR = "by an adjudicator"
MEAN = "by the annotators' mean rank"
RANKER = "by one annotator"
OTHER = "of unknown origin"
KINDS = (ADJUDICATOR, MEAN, RANKER, OTHER)


def final_rankings_finding(pools: Pools, adjudicators: Collection[str]) -> Finding:
    """Return where final rankings come from, and how many contradict the annotators' rankings.

    An adjudicator's or an annotator's final ranking must be the one that this person gave; the
    annotators' mean ranks must not fall from one position of the final ranking to the next.

    Args:
        pools: the pools; some have a final ranking.
        adjudicators: annotators who rank only pools on which others disagree.
    """
    origin = {item: _origin(item, pools, adjudicators) for item in pools.finals}
    counts = Counter(origin.values())
    against = [
        item
        for item, order in pools.finals.items()
        if origin[item] != OTHER
        and not (
            _by_mean_rank(order, pools.individual[item], adjudicators)
            if origin[item] == MEAN
            else order == pools.individual[item][pools.final_by[item]]
        )
    ]
    alone = [
        item for item, kind in origin.items() if kind == RANKER and len(pools.individual[item]) > 1
    ]
    number = len(pools.finals)
    made = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    statement = f"{counted(number, 'final ranking')}: {made}."
    severity: Severity = "pass"
    rows = against
    if against:
        severity = "fail"
        statement += (
            f" {counted(len(against), 'contradicts', 'contradict')} the annotators' rankings."
        )
    elif alone:
        severity, rows = "warn", alone
        statement += (
            f" On {counted(len(alone), 'pool')} one annotator's ranking is final although others "
            f"ranked too. If that annotator adjudicated, list them under adjudicators "
            f"(--adjudicator, or best_of_n in params.yaml)."
        )
    elif counts[OTHER]:
        severity = "note"
        statement += (
            " Consistency with the annotators' rankings is not determinable from what is reported."
            if counts[OTHER] == number
            else " The others are consistent with the annotators' rankings."
        )
    else:
        statement += " All are consistent with the annotators' rankings."
    return Finding(
        id="final-ranking-origin",
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


def _origin(item: str, pools: Pools, adjudicators: Collection[str]) -> str:
    by, orders = pools.final_by[item], pools.individual.get(item, {})
    if by in orders:
        return ADJUDICATOR if by in adjudicators else RANKER
    several = len(orders.keys() - set(adjudicators)) > 1 and item not in pools.unread
    return MEAN if by == MEAN_RANK and several else OTHER


def _by_mean_rank(final: Order, orders: Mapping[str, Order], adjudicators: Collection[str]) -> bool:
    """Return whether the mean rank falls nowhere along a final ranking; ties go either way."""
    kept = [order for name, order in orders.items() if name not in adjudicators]
    sums = [sum(order.index(story) for order in kept) for story in final]
    return all(earlier <= later for earlier, later in pairwise(sums))

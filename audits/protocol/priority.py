"""The priority order of the dimension rule: what it decides, and which orders fit a benchmark."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

from audits.protocol.replayed_items import ChosenItem
from storyaudit.findings import Finding, counted, evidence
from storyaudit.phrasing import percent
from storyaudit.protocol.gold import item_dimension
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import DIMENSIONS

Order = tuple[str, ...]


def tied_dimensions(
    cases: Sequence[ChosenItem], params: ProtocolParams
) -> dict[str, frozenset[str]]:
    """Return the dimensions among which the priority decides, for each item that it decides."""
    orders = [[first, *(d for d in DIMENSIONS if d != first)] for first in DIMENSIONS]
    led_by = [params.model_copy(update={"priority": order}) for order in orders]
    return {
        case.item.item_id: frozenset(
            item_dimension(case.scores, case.chosen, each).dimension for each in led_by
        )
        for case in cases
        if case.gold.rule == "priority"
    }


def picks(order: Order, tied: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Return each item's dimension under an order."""
    return {item: min(dimensions, key=order.index) for item, dimensions in tied.items()}


def best_fit(
    tied: Mapping[str, frozenset[str]], stated: Mapping[str, str], first: Sequence[str]
) -> tuple[Order, int]:
    """Return the order that contradicts the fewest stated dimensions, and how many do as well.

    Args:
        tied: see ``tied_dimensions``.
        stated: dimensions by item, as a benchmark states them.
        first: the order that is taken where no other fits better.
    """
    orders = list(permutations(first))
    against = [
        sum(stated.get(item) != dimension for item, dimension in picks(order, tied).items())
        for order in orders
    ]
    fewest = min(against)
    return orders[against.index(fewest)], against.count(fewest)


def priority_finding(
    cases: Sequence[ChosenItem], params: ProtocolParams, *, fitting: int | None
) -> Finding:
    """Return how many items the priority decides, and how far another order would move counts.

    Args:
        cases: items with a chosen story.
        params: the order, and everything else.
        fitting: how many orders fit the benchmark best, where the study does not state its own;
            None where it does.
    """
    tied = tied_dimensions(cases, params)
    fixed = Counter(case.gold.dimension for case in cases if case.item.item_id not in tied)
    orders = permutations(params.priority)
    counts = [fixed + Counter(picks(order, tied).values()) for order in orders]
    rows: list[dict[str, str | int]] = [
        {
            "dimension": name,
            "items": counts[0][name],
            "fewest": min(count[name] for count in counts),
            "most": max(count[name] for count in counts),
        }
        for name in DIMENSIONS
    ]
    if not tied:
        return Finding(
            id="priority-order",
            severity="pass",
            statement=f"The priority order decides the dimension of 0 of "
            f"{counted(len(cases), 'item')}.",
            numbers={"items": len(cases), "decided": 0},
        )
    widest = max(rows, key=lambda row: int(row["most"]) - int(row["fewest"]))
    return Finding(
        id="priority-order",
        severity="warn" if fitting else "note",
        statement=f"The priority order decides the dimension of {len(tied)} of {len(cases)} items "
        f"({percent(len(tied) / len(cases))}). Over all {len(counts)} orders of the dimensions, "
        f"the number of items per dimension varies most for {widest['dimension']} "
        f"({widest['fewest']} to {widest['most']})."
        + (_fit(fitting, len(counts)) if fitting else ""),
        numbers={
            "items": len(cases),
            "decided": len(tied),
            "orders": len(counts),
            "order": ", ".join(params.priority),
            "order_stated": fitting is None,
        },
        evidence=evidence(rows),
    )


def _fit(fitting: int, orders: int) -> str:
    """Return how many orders fit a benchmark best, as sentences."""
    unstated = " The order is not stated."
    if fitting == orders:
        return f"{unstated} All {orders} orders fit the benchmark's dimensions equally well."
    if fitting == 1:
        return f"{unstated} 1 of {orders} orders fits the benchmark's dimensions best."
    return (
        f"{unstated} {fitting} of {orders} orders fit the benchmark's dimensions equally well, and "
        "better than the others."
    )

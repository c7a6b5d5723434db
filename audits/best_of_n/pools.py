"""The pools of stories, and how annotators ranked them."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.best_of_n.pool_candidates import pool_stories
from storyaudit.data.tables import ANNOTATIONS
from storyaudit.findings import Finding, left_out
from storyaudit.protocol.human_decisions import DecisionError, read_decision

Order = tuple[str, ...]
"""A pool's stories, best first."""


class Pools(NamedTuple):
    """Pools of stories on one premise each, by item ID, in its order.

    Attributes:
        stories: each pool's stories.
        finals: the final ranking, of the pools that have a complete one.
        final_by: the annotator named for that ranking.
        individual: each annotator's complete rankings, by pool, then by annotator.
        unread: pools of which some annotator's ranking is not complete.
    """

    stories: dict[str, frozenset[str]]
    finals: dict[str, Order]
    final_by: dict[str, str]
    individual: dict[str, dict[str, Order]]
    unread: frozenset[str]


def read_pools(
    candidates: pd.DataFrame, annotations: pd.DataFrame, individual: pd.DataFrame
) -> tuple[Pools, list[Finding]]:
    """Return the pools with their rankings, and findings on what cannot be used.

    Args:
        candidates: the candidates table of the pools, valid or not; likewise the others.
        annotations: the final ranking of each pool.
        individual: every annotator's rankings.
    """
    stories, findings = pool_stories(candidates)
    finals, no_finals = _orders(annotations, ["item_id"], stories)
    findings += left_out(
        "rankings-final",
        "final rankings are not complete rankings of a pool's stories (1, 2, …). Their pools are "
        "left out of the comparison of models",
        no_finals,
        len(finals) + len(no_finals),
    )
    unranked = sorted(stories.keys() - set(annotations["item_id"]))
    if len(annotations):
        findings += left_out(
            "rankings-absent",
            "pools have no final ranking and are left out of the comparison of models",
            pd.DataFrame({"item_id": unranked}),
            len(stories),
            "warn",
        )
    orders, no_orders = _orders(individual, ["item_id", "annotator"], stories)
    findings += left_out(
        "rankings-individual",
        "annotators' rankings are not complete rankings of a pool's stories (1, 2, …). They are "
        "left out of the agreement between annotators",
        no_orders,
        len(orders) + len(no_orders),
    )
    by_pool: dict[str, dict[str, Order]] = {}
    for (item, annotator), order in orders.items():
        by_pool.setdefault(item, {})[annotator] = order
    by = annotations.drop_duplicates("item_id").set_index("item_id")["annotator"]
    pools = Pools(
        stories=stories,
        finals={item: order for (item,), order in finals.items()},
        final_by={item: str(by[item]) for (item,) in finals},
        individual=by_pool,
        unread=frozenset(no_orders["item_id"].dropna()),
    )
    return pools, findings


def _orders(
    annotations: pd.DataFrame, key: list[str], stories: Mapping[str, frozenset[str]]
) -> tuple[dict[tuple[str, ...], Order], pd.DataFrame]:
    """Return the complete rankings by key, in its order, and key and reason of the others."""
    orders: dict[tuple[str, ...], Order] = {}
    unread: list[tuple[object, ...]] = []
    declared = annotations[[column.name for column in ANNOTATIONS.columns]]
    for names, rows in declared.groupby(key, dropna=False):
        try:
            orders[tuple(map(str, names))] = _order(rows, stories.get(str(names[0]), frozenset()))
        except DecisionError as error:
            unread.append((*names, str(error)))
    return orders, pd.DataFrame(unread, columns=[*key, "reason"])


def _order(rows: pd.DataFrame, stories: frozenset[str]) -> Order:
    if rows.isna().any(axis=None) or np.isinf(rows["value"]).any():
        raise DecisionError("a value is missing")
    if len(stories) < 2:
        raise DecisionError("the pool has fewer than two candidates")
    decision = read_decision(rows)
    if decision.verdict is not None:
        raise DecisionError("expected a ranking alone, found a verdict")
    if not stories.issuperset(decision.ranking):
        raise DecisionError("a story is ranked that is no candidate of the pool")
    if len(decision.ranking) < len(stories):
        raise DecisionError(
            f"expected ranks of {len(stories)} stories, found {len(decision.ranking)}"
        )
    return decision.ranking

"""How far annotators' orders of an item's stories agree."""

from operator import itemgetter

import numpy as np
import pandas as pd

from audits.protocol.annotators.agreement_caution import caution, deciders
from storyaudit.findings import Finding, evidence
from storyaudit.phrasing import percent, with_ci
from storyaudit.protocol.gold import CANDIDATES_PER_ITEM
from storyaudit.protocol.judge_agreement import mean_tau, same_first
from storyaudit.stats.bootstrap import bootstrap_estimate
from storyaudit.stats.estimate import Array, rounded
from storyaudit.vocabulary import RANKING


def ranking_finding(rows: pd.DataFrame, weights: Array, *, confidence: float) -> Finding:
    """Return the mean Kendall's tau-b of two annotators' orders, and how often the first is one.

    Both are means over the pairs of an item's annotators, then over items.

    Args:
        rows: rankings of items that two or more annotators ranked (``shared``).
        weights: how often each item stands in each bootstrap sample, samples × items.
        confidence: of every interval.
    """
    by_item = {str(item): list(part) for item, part in rows.groupby("item_id")["order"]}
    orders = list(by_item.values())
    items, annotators = len(orders), rows["annotator"].nunique()
    pairs = sum(len(part) * (len(part) - 1) // 2 for part in orders)
    taus = np.array([mean_tau(part) for part in orders])
    firsts = np.array([same_first(part) for part in orders])
    tau, first = (
        bootstrap_estimate(float(values.mean()), weights @ values / items, items, confidence)
        for values in (taus, firsts)
    )
    least = sorted(zip(taus.tolist(), firsts.tolist(), by_item, strict=True), key=itemgetter(0, 2))
    chance = 1 / CANDIDATES_PER_ITEM
    return Finding(
        id=f"annotators-{RANKING}",
        severity="warn" if tau.not_above(0) else "note",
        statement=f"{items} items were ranked by {deciders(annotators)}: Kendall's tau-b of two "
        f"orders of an item's stories is {with_ci(tau)} on average (0 by chance), and two put the "
        f"same story first in {with_ci(first, percent)} ({percent(chance)} by chance); {pairs} "
        f"pairs, means within items, then over items.{caution(tau, items)}",
        numbers={
            "items": items,
            "pairs": pairs,
            "annotators": annotators,
            **tau.numbers("tau"),
            **first.numbers("same_first"),
            "same_first_chance": chance,
            "unit": "item",
            "confidence": confidence,
            "resamples": len(weights),
        },
        evidence=evidence(
            {"item_id": item, "tau": rounded(mean), "same_first": rounded(same)}
            for mean, same, item in least
        ),
    )

"""How far annotators' orders of an item's stories agree."""

from operator import itemgetter

import numpy as np
import pandas as pd

from audits.protocol.annotators.agreement_caution import against_chance, deciders
from audits.protocol.missing_ci import no_ci
from storyaudit.findings import Finding, counted, evidence
from storyaudit.phrasing import estimated, percent
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
    drawn = [weights @ values / items for values in (taus, firsts)]
    tau, first = (
        bootstrap_estimate(float(values.mean()), samples, items, confidence)
        for values, samples in zip((taus, firsts), drawn, strict=True)
    )
    shown_tau = estimated(tau, confidence, no_ci=no_ci(drawn[0], items))
    shown_first = estimated(first, confidence, percent, no_ci=no_ci(drawn[1], items))
    least = sorted(zip(taus.tolist(), firsts.tolist(), by_item, strict=True), key=itemgetter(0, 2))
    chance = 1 / CANDIDATES_PER_ITEM
    return Finding(
        id=f"annotators-{RANKING}",
        severity="warn" if tau.not_above(0) else "note",
        statement=f"{counted(items, 'item was', 'items were')} ranked by {deciders(annotators)}. "
        f"Mean Kendall's tau-b of two rankings: {shown_tau}, 0 expected by chance. "
        f"Same story first: {shown_first}, {percent(chance)} expected by chance."
        f"{against_chance('Tau-b', tau)} Means over {counted(pairs, 'pair')} within items, then "
        f"over items"
        f"{'' if tau.low is None and first.low is None else f'; bootstrap over {items} items'}.",
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

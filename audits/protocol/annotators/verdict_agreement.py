"""How far annotators agree in their verdicts on items."""

import numpy as np
import pandas as pd

from audits.protocol.annotators.agreement_caution import PAIR, caution, deciders
from storyaudit.findings import Finding, Number, evidence
from storyaudit.phrasing import percent, with_ci
from storyaudit.ratings.prevalence import PREVAILS
from storyaudit.stats.bootstrap import bootstrap_estimate
from storyaudit.stats.cohen_kappa import bootstrap_kappa, kappa
from storyaudit.stats.estimate import Array, Estimate, rounded
from storyaudit.stats.krippendorff_alpha import alpha as krippendorff_alpha
from storyaudit.stats.krippendorff_alpha import bootstrap_alpha
from storyaudit.stats.pair_agreement import chance_agreement, pair_agreement
from storyaudit.vocabulary import BEST, CONFIRMATION

ASKED = {
    CONFIRMATION: "whether the judges' first is the best",
    BEST: "which story of a Human–LLM item is the best (any but the human one is one answer)",
}


def verdict_finding(rows: pd.DataFrame, task: str, weights: Array, *, confidence: float) -> Finding:
    """Return raw agreement and Krippendorff's alpha; Cohen's kappa where the same two decided all.

    Where annotators differ from item to item they are taken as exchangeable, as alpha does.

    Args:
        rows: decisions of one task on items that two or more annotators decided (``shared``).
        task: confirmation or best.
        weights: how often each item stands in each bootstrap sample, samples × items, in the order
            of their IDs.
        confidence: of every interval.
    """
    given = pd.crosstab(rows["item_id"], rows["answer"])
    table = given.to_numpy(dtype="float64")
    items, annotators = len(table), rows["annotator"].nunique()
    pairs = int((table.sum(axis=1) * (table.sum(axis=1) - 1)).sum()) // 2
    once, labels = np.ones((1, items)), np.arange(table.shape[1], dtype="float64")
    alike = float(pair_agreement(table, once)[0])
    raw = bootstrap_estimate(alike, pair_agreement(table, weights), items, confidence)
    totals = given.sum()
    most = str(totals.idxmax())
    share = float(totals.max() / totals.sum())
    statement = (
        f"{items} items were decided by {deciders(annotators)}, asked {ASKED[task]}: two "
        f"agree in {with_ci(raw, percent)} of {pairs} pairs"
    )
    numbers: dict[str, Number] = {"items": items, "pairs": pairs, "annotators": annotators}
    numbers |= {**raw.numbers("raw"), "most_frequent": most, "most_frequent_share": rounded(share)}
    warn = False
    value = krippendorff_alpha(table, labels, "nominal")
    if value is None:
        statement += (
            f". All answers are '{most}', so that whether they agree more than by chance cannot "
            f"be told."
        )
        numbers["alpha"] = None
    else:
        drawn = bootstrap_alpha(table, labels, "nominal", np.arange(items), weights)
        alpha = bootstrap_estimate(value, drawn, items, confidence)
        chance = float(chance_agreement(table, once)[0])
        numbers |= {**alpha.numbers("alpha"), "chance": rounded(chance)}
        statement += (
            f" ({percent(chance)} by chance). Krippendorff's alpha, nominal: {with_ci(alpha)}"
        )
        cohens = _kappa(rows, weights, confidence) if annotators == PAIR else None
        if cohens is not None:
            numbers |= cohens.numbers("kappa")
            statement += f"; Cohen's kappa: {with_ci(cohens)}"
        statement += f".{_prevalence(most, share)}{caution(alpha, items)}"
        warn = alpha.not_above(0)
    numbers |= {"unit": "item", "confidence": confidence, "resamples": len(weights)}
    return Finding(
        id=f"annotators-{task}",
        severity="warn" if warn else "note",
        statement=statement,
        numbers=numbers,
        evidence=evidence(
            {"answer": answer, "decisions": int(count)} for answer, count in totals.items()
        ),
    )


def _kappa(rows: pd.DataFrame, weights: Array, confidence: float) -> Estimate | None:
    """Return Cohen's kappa of two annotators who decided all the items."""
    codes = rows.assign(code=pd.factorize(rows["answer"], sort=True)[0].astype("float64"))
    first, second = codes.pivot(index="item_id", columns="annotator", values="code").to_numpy().T
    point = kappa(first, second, "unweighted", confidence)
    if point is None:
        return None
    samples = bootstrap_kappa(first, second, np.arange(len(first)), weights, "unweighted")
    return bootstrap_estimate(point.value, samples, len(first), confidence)


def _prevalence(most: str, share: float) -> str:
    if share <= PREVAILS:
        return ""
    return (
        f" {share:.0%} of the answers are '{most}', so that chance agreement is high: an alpha "
        f"near 0 beside high raw agreement then says that the answers hardly tell items apart, "
        f"not that annotators contradict each other."
    )

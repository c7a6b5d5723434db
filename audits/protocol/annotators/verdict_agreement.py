"""How far annotators agree in their verdicts on items."""

import numpy as np
import pandas as pd

from audits.protocol.annotators.agreement_caution import PAIR, against_chance, deciders
from audits.protocol.missing_ci import no_ci
from storyaudit.findings import Finding, Number, counted, evidence
from storyaudit.phrasing import estimated, percent
from storyaudit.ratings.prevalence import PREVAILS
from storyaudit.stats.bootstrap import bootstrap_estimate
from storyaudit.stats.cohen_kappa import bootstrap_kappa, kappa
from storyaudit.stats.estimate import Array, Estimate, rounded
from storyaudit.stats.krippendorff_alpha import alpha as krippendorff_alpha
from storyaudit.stats.krippendorff_alpha import bootstrap_alpha
from storyaudit.stats.pair_agreement import chance_agreement, pair_agreement
from storyaudit.vocabulary import BEST, CONFIRMATION

ASKED = {
    CONFIRMATION: "whether the judges' first story is the best",
    BEST: "which story of a Human–LLM item is the best (answers: human, other or unsure)",
}
"""The question, as a clause."""


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
    drawn = pair_agreement(table, weights)
    raw = bootstrap_estimate(float(pair_agreement(table, once)[0]), drawn, items, confidence)
    totals = given.sum()
    most = str(totals.idxmax())
    proportion = float(totals.max() / totals.sum())
    shown = estimated(raw, confidence, percent, no_ci=no_ci(drawn, items))
    statement = (
        f"{counted(items, 'item was', 'items were')} decided by {deciders(annotators)}, asked "
        f"{ASKED[task]}. Raw agreement: {shown} of {counted(pairs, 'pair')} of decisions"
    )
    numbers: dict[str, Number] = {"items": items, "pairs": pairs, "annotators": annotators}
    numbers |= {
        **raw.numbers("raw"),
        "most_frequent": most,
        "most_frequent_proportion": rounded(proportion),
    }
    warn = False
    value = krippendorff_alpha(table, labels, "nominal")
    if value is None:
        statement += f". Krippendorff's alpha is undefined: a single label ('{most}')."
        numbers["alpha"] = None
    else:
        drawn = bootstrap_alpha(table, labels, "nominal", np.arange(items), weights)
        alpha = bootstrap_estimate(value, drawn, items, confidence)
        chance = float(chance_agreement(table, once)[0])
        numbers |= {**alpha.numbers("alpha"), "chance": rounded(chance)}
        statement += (
            f", {percent(chance)} expected by chance. Krippendorff's alpha, nominal: "
            f"{estimated(alpha, confidence, no_ci=no_ci(drawn, items))}."
        )
        if annotators == PAIR:
            cohens, drawn = _kappa(rows, weights, confidence)
            if cohens is not None:
                numbers |= cohens.numbers("kappa")
                shown = estimated(cohens, confidence, no_ci=no_ci(drawn, items))
                statement += f" Cohen's kappa: {shown}."
        statement += against_chance("Alpha", alpha) + _prevalence(most, proportion)
        warn = alpha.not_above(0)
    if raw.low is not None or numbers.get("alpha_low") is not None:
        statement += f" Bootstrap over {items} items."
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


def _kappa(rows: pd.DataFrame, weights: Array, confidence: float) -> tuple[Estimate | None, Array]:
    """Return Cohen's kappa of two annotators who decided all the items, and of the samples."""
    codes = rows.assign(code=pd.factorize(rows["answer"], sort=True)[0].astype("float64"))
    first, second = codes.pivot(index="item_id", columns="annotator", values="code").to_numpy().T
    samples = bootstrap_kappa(first, second, np.arange(len(first)), weights, "unweighted")
    point = kappa(first, second, "unweighted", confidence)
    if point is None:
        return None, samples
    return bootstrap_estimate(point.value, samples, len(first), confidence), samples


def _prevalence(most: str, proportion: float) -> str:
    if proportion <= PREVAILS:
        return ""
    return (
        f" {percent(proportion)} of the answers are '{most}'. Such prevalence raises chance "
        f"agreement: alpha near 0 beside high raw agreement does not show that annotators "
        f"contradict each other."
    )

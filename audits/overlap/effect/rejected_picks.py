"""Whether a model is drawn to the rejected stories that it was trained on."""

import numpy as np
import pandas as pd

from audits.overlap.effect.effect_phrasing import Threshold, interval
from audits.overlap.effect.model_answers import Answers
from audits.overlap.effect.seen_items import Seen, rejected_seen
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence, slugs
from storyaudit.phrasing import points, verdict
from storyaudit.stats.estimate import Array, Estimate
from storyaudit.stats.paired_by_item import FEWEST, paired_difference

TAUGHT = {
    "all": ("chosen", "rejected", "both"),
    "chosen": ("chosen",),
    "rejected": ("rejected",),
}
"""What training made of the overlapping stories that a row of evidence is about."""
Row = dict[str, Number]


def picks_findings(
    results: pd.DataFrame,
    answers: Answers,
    seen: Seen,
    candidates: pd.DataFrame,
    gold: pd.DataFrame,
    thresholds: list[Threshold],
    confidence: float,
) -> list[Finding | Unchecked]:
    """Return a finding a trained model.

    Within an item: a wrong pick falls on an overlapping rejected story, or on another. Were all
    rejected stories alike, it would fall on the overlapping ones by their share. Overlap with
    stories that training chose should draw the model, with those it rejected drive it off.

    Args:
        results: sound rows.
        answers: of the same rows.
        seen: overlaps of the items.
        candidates: the candidates table.
        gold: item_id and chosen_id.
        thresholds: from which overlaps count.
        confidence: of the intervals.
    """
    tables = {
        (threshold.name, taught): table
        for threshold in thresholds
        for taught, values in TAUGHT.items()
        if len(table := _items(seen, candidates, answers, threshold.least, values))
    }
    reason = "" if tables else "no rejected story of an item with others overlaps"
    if "picked_id" not in results or results["picked_id"].isna().all():
        reason = "the results do not say which story was picked (picked_id)"
    if reason:
        check = "whether trained models are drawn to the rejected stories that they saw"
        return [Unchecked(id="picked", check=check, reason=reason)]
    chosen = gold.set_index("item_id")["chosen_id"]
    trained = answers.of_role("trained")
    found: list[Finding | Unchecked] = []
    for model, name in zip(trained, slugs([answers.names[m] for m in trained]), strict=True):
        picks = _picks(results, answers, model)
        estimates = {
            kind: _estimate(picks, table, chosen, confidence) for kind, table in tables.items()
        }
        found.append(_finding(answers.names[model], name, estimates, confidence))
    return found


def _items(
    seen: Seen, candidates: pd.DataFrame, answers: Answers, least: float, taught: tuple[str, ...]
) -> pd.DataFrame:
    table = rejected_seen(seen, candidates, least, taught)
    return table.loc[table["item_id"].isin(answers.items)]


def _picks(results: pd.DataFrame, answers: Answers, model: int) -> pd.DataFrame:
    """Return the picked stories, one row an item and one column a seed; missing for a tie."""
    variant, named = answers.keys[model]
    same = (results["variant"].astype("str") == variant) & (results["model"].astype("str") == named)
    picks = results[same].pivot(index="item_id", columns="seed", values="picked_id")
    return picks.reindex(answers.items)


def _estimate(
    picks: pd.DataFrame, table: pd.DataFrame, chosen: pd.Series, confidence: float
) -> tuple[Row, Estimate]:
    picked, expected = _outcomes(picks.loc[table["item_id"]], table, chosen)
    estimate = paired_difference(picked, expected, confidence)
    row: Row = {
        "items": len(table),
        "answers": picked.size,
        "picked": round(float(picked.sum())),
        "expected": round(float(expected.sum()), 2),
    }
    told = estimate.excludes_zero()
    return {**row, **estimate.numbers("difference", 4), "told": told}, estimate


def _outcomes(picks: pd.DataFrame, table: pd.DataFrame, chosen: pd.Series) -> tuple[Array, Array]:
    stories = picks.to_numpy(dtype=object)
    hits = [
        [pick in overlapping for pick in row]
        for row, overlapping in zip(stories, table["stories"], strict=True)
    ]
    right = stories == chosen.loc[table["item_id"]].to_numpy(dtype=object)[:, None]
    wrong = picks.notna().to_numpy() & ~right
    expected = wrong * table["share"].to_numpy(dtype="float64")[:, None]
    return np.array(hits, dtype="float64"), expected


def _finding(
    model: str, name: str, estimates: dict[tuple[str, str], tuple[Row, Estimate]], confidence: float
) -> Finding:
    row, estimate = next(iter(estimates.values()))
    if estimate.low is None:
        told = f"cannot be told from fewer than {FEWEST} items"
    else:
        told = verdict(estimate)
    return Finding(
        id=f"picked-{name}",
        severity="note",
        statement=f"{model} picked an overlapping rejected story in {row['picked']} of "
        f"{row['answers']} answers on {counted(int(row['items'] or 0), 'item')}; were wrong picks "
        f"to fall on all rejected stories alike, it would be {row['expected']}: "
        f"{points(estimate.value)} points ({interval(estimate, confidence)}), {told}.",
        numbers={**row, "confidence": confidence},
        evidence=evidence(
            {"overlap": overlap, "taught": taught, **other}
            for (overlap, taught), (other, _) in estimates.items()
        ),
    )

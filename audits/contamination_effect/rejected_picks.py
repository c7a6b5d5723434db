"""Whether a model picks the rejected stories that it was trained on more often than others."""

import numpy as np
import pandas as pd

from audits.contamination_effect.effect_phrasing import Threshold, conclusion, difference
from audits.contamination_effect.model_answers import Answers
from audits.contamination_effect.seen_items import Seen, rejected_seen
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence, slugs
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

    Within an item: a wrong pick falls on a contaminated rejected story, or on another. If all
    rejected stories are equally probable, the contaminated ones have their proportion of the wrong
    picks. Overlap with stories that training chose should raise that, with rejected ones lower it.

    Args:
        results: valid rows.
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
    reason = "" if tables else "no item has both contaminated and uncontaminated rejected stories"
    if "picked_id" not in results or results["picked_id"].isna().all():
        reason = "not determinable from what is reported: the results have no picked_id"
    if reason:
        check = "whether trained models pick contaminated rejected stories more often than expected"
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
    significant = estimate.excludes_zero()
    return {**row, **estimate.numbers("difference", 4), "significant": significant}, estimate


def _outcomes(picks: pd.DataFrame, table: pd.DataFrame, chosen: pd.Series) -> tuple[Array, Array]:
    stories = picks.to_numpy(dtype=object)
    hits = [
        [pick in overlapping for pick in row]
        for row, overlapping in zip(stories, table["stories"], strict=True)
    ]
    right = stories == chosen.loc[table["item_id"]].to_numpy(dtype=object)[:, None]
    wrong = picks.notna().to_numpy() & ~right
    expected = wrong * table["proportion"].to_numpy(dtype="float64")[:, None]
    return np.array(hits, dtype="float64"), expected


def _finding(
    model: str, name: str, estimates: dict[tuple[str, str], tuple[Row, Estimate]], confidence: float
) -> Finding:
    row, estimate = next(iter(estimates.values()))
    found = difference(estimate, confidence, no_ci=f"no CI: fewer than {FEWEST} items")
    return Finding(
        id=f"picked-{name}",
        severity="note",
        statement=f"{model} picked a contaminated rejected story in {row['picked']} of "
        f"{row['answers']} answers on {counted(int(row['items'] or 0), 'item')}. If wrong picks "
        f"fell on all rejected stories of an item with equal probability, {row['expected']} would "
        f"be expected. The difference is {found}{conclusion(estimate, confidence)}.",
        numbers={**row, "confidence": confidence},
        evidence=evidence(
            {"overlap": overlap, "taught": taught, **other}
            for (overlap, taught), (other, _) in estimates.items()
        ),
    )

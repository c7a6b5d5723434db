"""Whether a model's errors go to stories of uneven sentence lengths."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablation_phrasing import conclusion_of
from audits.ablations.benchmark_picks import length_kurtoses, picks_table
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import (
    decimal,
    estimated,
    no_bootstrap_ci,
    signed_decimal,
)
from storyaudit.stats.bootstrap import Bootstrapped
from storyaudit.stats.estimate import rounded
from storyaudit.stats.row_means import RowSamples

CHECK = "burstiness of the reference's wrong picks"


def burstiness_findings(
    results: pd.DataFrame,
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame,
    stories: pd.DataFrame,
    params: ExperimentsParams,
    paper: Mapping[str, float],
    rng: np.random.Generator,
) -> list[Finding | Unchecked]:
    """Return the kurtosis of sentence lengths of picks minus that of other stories.

    StoryAlign (appendix H.4) takes this kurtosis as a measure of burstiness, and compares the means
    over all, right and wrong picks with the mean over all gold stories. A right pick is its item's
    gold story: it differs from the mean of all gold only by which items the model gets right. A
    preference for bursty stories shows in the wrong picks, against the gold and, better, against
    the rejected stories of the same items that the model did not pick.

    Args:
        results: valid results of the reference alone, by one model.
        benchmark: the benchmark table.
        candidates: the candidates table.
        stories: the stories table.
        params: resamples and confidence.
        paper: printed figures.
        rng: draws the bootstrap samples of items, each with all its seeds.
    """
    if "picked_id" not in results.columns:
        reason = "the results do not name the story that was picked"
        return [Unchecked(id="burstiness", check=CHECK, reason=reason)]
    known = length_kurtoses(stories, candidates["story_id"].dropna())
    rows, findings = picks_table(results, benchmark, candidates, known)
    both = rows["pick"].notna() & rows["gold"].notna()
    if not both.any():
        reason = "no pick and its item's gold story both have a kurtosis of sentence lengths"
        return [*findings, Unchecked(id="burstiness", check=CHECK, reason=reason)]
    sample = RowSamples.draw(rows["item_id"], params.resamples, rng)
    differences = []
    for name, column, whose in (
        ("wrong", "gold", "the gold stories of the same items"),
        ("rejected", "others", "the other rejected stories of the same items"),
    ):
        of = ~rows["correct"] & rows["pick"].notna() & rows[column].notna()
        mean = sample.mean(rows["pick"] - rows[column], of)
        differences.append(_difference(name, whose, mean, int(of.sum()), params))
    return [*findings, _table(rows, both, sample, params, paper), *differences]


def _table(
    rows: pd.DataFrame,
    both: pd.Series,
    sample: RowSamples,
    params: ExperimentsParams,
    paper: Mapping[str, float],
) -> Finding:
    """Return the finding that compares StoryAlign's table 8 with the study's own."""
    first = rows["gold"].notna() & ~rows["item_id"].duplicated()
    all_gold = sample.mean(rows["gold"], first)
    table = []
    kinds = {"all": both, "right": both & rows["correct"], "wrong": both & ~rows["correct"]}
    for name, of in kinds.items():
        picks = sample.mean(rows["pick"], of)
        percent = picks.percent_over(all_gold).estimate(params.confidence)
        table.append(
            {
                "picks": name,
                "count": int(of.sum()),
                "items": picks.units,
                "kurtosis": rounded(picks.value, 4),
                "gold_of_the_same_items": rounded(sample.mean(rows["gold"], of).value, 4),
                **picks.less(all_gold).estimate(params.confidence).numbers("over_all_gold", 4),
                **percent.numbers("percent", 1),
                "printed": paper[f"kurtosis.{name}"],
                "printed_gold": paper["kurtosis.gold"],
            }
        )
    means = ", ".join(
        f"{row['picks']} {decimal(float(row['kurtosis']))}"
        for row in table
        if row["kurtosis"] is not None
    )
    left_out = int((~both).sum())
    return Finding(
        id="burstiness-picks",
        severity="note",
        statement=f"Mean excess kurtosis of sentence lengths over "
        f"{counted(int(both.sum()), 'pick')} of {params.reference}: {means}. Mean over all gold "
        f"stories: {decimal(all_gold.value)} ({counted(all_gold.units, 'item')}). "
        f"Left out for a tie or an undefined kurtosis: {counted(left_out, 'pick')}. "
        f"A right pick is its item's gold story. The means of right picks and of all gold stories "
        f"can differ only because right picks cover a subset of the items"
        f"{', or cover some of them more often' if rows['item_id'].duplicated().any() else ''}.",
        numbers={
            "gold": rounded(all_gold.value, 4),
            "gold_items": all_gold.units,
            "picks": int(both.sum()),
            "left_out": left_out,
            "confidence": params.confidence,
        },
        evidence=evidence(table),
    )


def _difference(
    name: str, whose: str, found: Bootstrapped, picks: int, params: ExperimentsParams
) -> Finding | Unchecked:
    """Return by how much wrong picks differ from other stories of their items."""
    if not picks:
        reason = f"no wrong pick of {params.reference} and those stories both have a kurtosis"
        check = f"burstiness of wrong picks minus {whose}"
        return Unchecked(id=f"burstiness-{name}", check=check, reason=reason)
    estimate = found.estimate(params.confidence)
    if estimate.low is None:
        conclusion = "Neither a difference nor its absence is shown"
    else:
        conclusion = conclusion_of(estimate, params)
    no_ci = no_bootstrap_ci(found.units)
    method = "" if estimate.low is None else "bootstrap over "
    return Finding(
        id=f"burstiness-{name}",
        severity="note",
        statement=f"Excess kurtosis of sentence lengths, {counted(picks, 'wrong pick')} of "
        f"{params.reference} minus {whose}: "
        f"{estimated(estimate, params.confidence, signed_decimal, no_ci=no_ci)}, "
        f"{method}{counted(found.units, 'item')}. {conclusion}.",
        numbers={
            **estimate.numbers("difference", 4),
            "significant": estimate.excludes_zero(),
            "picks": picks,
            "items": found.units,
            "confidence": params.confidence,
        },
    )

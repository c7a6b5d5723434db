"""Whether a model's errors go to stories of uneven sentence lengths."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from audits.experiments.benchmark_picks import length_kurtoses, picks_table
from audits.experiments.experiment_params import ExperimentsParams
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import UNTOLD, interval, signed_decimal
from storyaudit.stats.bootstrap import Bootstrapped
from storyaudit.stats.estimate import rounded
from storyaudit.stats.row_means import RowSamples

CHECK = "whether the reference's errors go to stories of uneven sentence lengths"


def burstiness_findings(
    results: pd.DataFrame,
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame,
    stories: pd.DataFrame,
    params: ExperimentsParams,
    paper: Mapping[str, float],
    rng: np.random.Generator,
) -> list[Finding | Unchecked]:
    """Return how the kurtosis of sentence lengths of picks stands to other stories'.

    StoryAlign (appendix H.4) takes this kurtosis as a measure of burstiness, and compares the means
    over all, right and wrong picks with the mean over all gold stories. A right pick is its item's
    gold story: it differs from the mean of all gold only by which items the model gets right. What
    can tell a liking for bursty stories is the wrong picks, against the gold and, better, against
    the rejected stories of the same items that the model did not pick.

    Args:
        results: sound results of the reference alone, by one model.
        benchmark: the benchmark table.
        candidates: the candidates table.
        stories: the stories table.
        params: resamples and confidence.
        paper: printed figures.
        rng: draws the bootstrap samples of items, each with all its seeds.
    """
    if "picked_id" not in results.columns:
        reason = "the results do not say which story was picked"
        return [Unchecked(id="burstiness", check=CHECK, reason=reason)]
    known = length_kurtoses(stories, candidates["story_id"].dropna())
    rows, findings = picks_table(results, benchmark, candidates, known)
    both = rows["pick"].notna() & rows["gold"].notna()
    if not both.any():
        reason = "no pick has a kurtosis of sentence lengths beside its item's gold story"
        return [*findings, Unchecked(id="burstiness", check=CHECK, reason=reason)]
    sample = RowSamples.draw(rows["item_id"], params.resamples, rng)
    apart = []
    for name, column, whose in (
        ("wrong", "gold", "the gold stories of the same items"),
        ("rejected", "others", "the mean of the same items' other rejected stories"),
    ):
        of = ~rows["correct"] & rows["pick"].notna() & rows[column].notna()
        mean = sample.mean(rows["pick"] - rows[column], of)
        apart.append(_apart(name, whose, mean, int(of.sum()), params))
    return [*findings, _table(rows, both, sample, params, paper), *apart]


def _table(
    rows: pd.DataFrame,
    both: pd.Series,
    sample: RowSamples,
    params: ExperimentsParams,
    paper: Mapping[str, float],
) -> Finding:
    """Return the finding that has StoryAlign's table 8 beside the study's own."""
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
    told = ", ".join(
        f"{row['picks']} {row['kurtosis']:z.2f}" for row in table if row["kurtosis"] is not None
    )
    left_out = int((~both).sum())
    return Finding(
        id="burstiness-picks",
        severity="note",
        statement=f"Excess kurtosis of sentence lengths, mean over {params.reference}'s picks: "
        f"{told}; over all gold stories {all_gold.value:z.2f} ({counted(all_gold.units, 'item')}, "
        f"{counted(int(both.sum()), 'pick')}; {left_out} left out, of ties or without a kurtosis). "
        f"A right pick is its item's gold story: where right picks differ from all gold, as in "
        f"StoryAlign's table 8, it is by which items are got right.",
        numbers={
            "gold": rounded(all_gold.value, 4),
            "gold_items": all_gold.units,
            "picks": int(both.sum()),
            "left_out": left_out,
            "confidence": params.confidence,
        },
        evidence=evidence(table),
    )


def _apart(
    name: str, whose: str, found: Bootstrapped, picks: int, params: ExperimentsParams
) -> Finding | Unchecked:
    """Return how far wrong picks are from other stories of their items."""
    if not picks:
        reason = f"no wrong pick of {params.reference} and those stories have a kurtosis"
        check = f"how the burstiness of wrong picks differs from {whose}"
        return Unchecked(id=f"burstiness-{name}", check=check, reason=reason)
    estimate = found.estimate(params.confidence)
    untold = "no interval can be told"
    between = interval(estimate, params.confidence, signed_decimal, untold=untold)
    if estimate.excludes_zero():
        verdict = f"they are {'more' if found.value > 0 else 'less'} bursty."
    else:
        verdict = f"that they are more or less bursty {UNTOLD}."
    return Finding(
        id=f"burstiness-{name}",
        severity="note",
        statement=f"Where {params.reference} is wrong, its picks differ from {whose} by "
        f"{signed_decimal(found.value)} in kurtosis of sentence lengths ({between} over items; "
        f"{counted(picks, 'pick')} on {counted(found.units, 'item')}): {verdict}",
        numbers={
            **estimate.numbers("difference", 4),
            "told": estimate.excludes_zero(),
            "picks": picks,
            "items": found.units,
            "confidence": params.confidence,
        },
    )

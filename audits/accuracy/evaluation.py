"""External scores of a benchmark's candidates: are they valid, and how accurate are they?"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.accuracy.accuracy_report import AccuracyParams, accuracy_report
from audits.accuracy.coverage import covering_scores
from audits.accuracy.group_accuracies import group_findings, group_table
from storyaudit.findings import Finding, Report, Unchecked, counted, left_out
from storyaudit.phrasing import percent
from storyaudit.protocol.gold import CANDIDATES_PER_ITEM
from storyaudit.results.selection import length_bands, macro_mean, select

AUDIT = "evaluation"


class Evaluation(NamedTuple):
    """What is found, each item's outcome, and the accuracies within groups of items."""

    report: Report
    results: pd.DataFrame
    groups: pd.DataFrame


def evaluate(
    scores: pd.DataFrame,
    candidates: pd.DataFrame,
    stories: pd.DataFrame,
    gold: pd.DataFrame,
    params: AccuracyParams,
    rng: np.random.Generator,
    *,
    study: str,
) -> Evaluation:
    """Check scores against a benchmark, and report the accuracy of those that are valid.

    Args:
        scores: the columns of the scores table; anything may be missing or wrong.
        candidates: the candidates table, of any number an item, valid.
        stories: the stories table.
        gold: item_id, chosen_id, origin, dimension, and protocol and language where known.
        params: of the intervals; ``chance`` is computed from the candidates.
        rng: of the bootstrap.
        study: named in the report.
    """
    sizes = candidates["item_id"].value_counts().reindex(gold["item_id"], fill_value=0)
    gold = gold[gold["item_id"].isin(sizes[sizes > 1].index)].reset_index(drop=True)
    findings = _sizes(sizes)
    other = int(candidates.loc[~candidates["item_id"].isin(sizes.index), "item_id"].nunique())
    if other:
        findings.append(
            Finding(
                id="items-without-gold",
                severity="note",
                statement=f"{counted(other, 'item has', 'items have')} candidates but no gold. "
                f"They are left out with their scores.",
                numbers={"items": other},
            )
        )
    placed = candidates[candidates["item_id"].isin(gold["item_id"])]
    gold = gold.assign(length_band=gold["item_id"].map(length_bands(placed, stories)))
    faults, valid = covering_scores(scores, candidates, gold["item_id"])
    findings += faults
    results = select(valid, candidates, gold)
    if results.empty:
        gap = Unchecked(id="accuracy", check="accuracies", reason="no reward can be used")
        report = Report.of([*findings, gap], study=study, audit=AUDIT)
        return Evaluation(report, results, group_table(results, sizes, params.confidence))
    chance = 1 / sizes[sizes > 1]
    dimension = gold.set_index("item_id")["dimension"]
    by_chance = macro_mean(chance[dimension.index], dimension)
    report = accuracy_report(
        results, params.model_copy(update={"chance": by_chance}), rng, study=study
    )
    groups = group_table(results, chance, params.confidence)
    findings += group_findings(groups, params.confidence)
    report = report.model_copy(update={"audit": AUDIT}).plus(findings)
    return Evaluation(report, results, groups)


def columns_finding(found: Sequence[str]) -> Finding:
    """Return a note on what was read from where; ``found`` has a sentence a file, unended."""
    return Finding(id="columns", severity="note", statement=f"Read {'. '.join(found)}.")


def _sizes(sizes: pd.Series) -> list[Finding]:
    """Return what is to say of the number of candidates; ``sizes`` has it by item."""
    single = sizes[sizes < 2]
    findings = left_out(
        "items-without-choice",
        "items have fewer than two candidates and are left out",
        single.rename("candidates").sort_index().reset_index(),
        len(sizes),
    )
    numbers = sorted(Counter(sizes[sizes > 1].tolist()).items())
    if {size for size, _ in numbers} - {CANDIDATES_PER_ITEM}:
        (least, items), (most, _) = numbers[0], numbers[-1]
        findings.append(
            Finding(
                id="candidates-per-item",
                severity="warn" if len(numbers) > 1 else "note",
                statement=f"Items have {least} to {most} candidates, so that chance ranges from "
                f"{percent(1 / most)} to {percent(1 / least)}. An accuracy over all items averages "
                f"over different levels of chance."
                if len(numbers) > 1
                else f"{counted(items, 'item has', 'items have')} {least} candidates (chance "
                f"{percent(1 / least)}). Accuracies are not comparable with those on "
                f"{CANDIDATES_PER_ITEM} candidates.",
                numbers={f"items_of_{size}": number for size, number in numbers},
            )
        )
    return findings

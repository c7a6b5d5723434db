"""How far annotators agree with each other, where several decided one item."""

from collections.abc import Collection

import numpy as np
import pandas as pd

from audits.protocol.annotators.decided import TASKS, individual_decisions, shared
from audits.protocol.annotators.majority import majority_finding
from audits.protocol.annotators.ranking_agreement import ranking_finding
from audits.protocol.annotators.verdict_agreement import verdict_finding
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.stats.bootstrap import bootstrap_counts
from storyaudit.vocabulary import BEST, RANKING

CHECK = "agreement between annotators"


def annotator_findings(
    individual: pd.DataFrame | None,
    candidates: pd.DataFrame,
    *,
    humans: Collection[str] | None,
    adjudicators: Collection[str] = (),
    rng: np.random.Generator,
    resamples: int,
    confidence: float,
) -> list[Finding | Unchecked]:
    """Return the findings on agreement between annotators, and which checks could not run.

    Args:
        individual: the individual_annotations table, valid or not; None if there is none.
        candidates: the candidates table.
        humans: IDs of the stories that people wrote; None if that is not known.
        adjudicators: annotators who decided items because others differed: they are left out, as
            only disagreements reach them.
        rng: draws the bootstrap samples of items.
        resamples: how many.
        confidence: of every interval.
    """
    if individual is None or individual.empty:
        reason = "there is no table 'individual_annotations' of every annotator's decisions"
        return [Unchecked(id="annotators", check=CHECK, reason=reason)]
    adjudicated = individual["annotator"].isin(adjudicators)
    decided, left_out = individual_decisions(individual[~adjudicated], candidates, humans)
    found: list[Finding | Unchecked] = [] if left_out.empty else [_left_out(left_out, len(decided))]
    if adjudicated.any():
        found.append(_adjudicated(individual[adjudicated]))
    parts = {task: shared(decided, task) for task in TASKS}
    if all(part.empty for part in parts.values()):
        reason = "no item has decisions of two annotators"
        return [*found, Unchecked(id="annotators", check=CHECK, reason=reason)]
    for task, rows in parts.items():
        if rows.empty or (task == BEST and humans is None):
            reason = (
                "no item of this task has decisions of two annotators"
                if rows.empty
                else "which story is human is not determinable without the table 'stories'"
            )
            check = f"{CHECK} on the task '{task}'"
            found.append(Unchecked(id=f"annotators-{task}", check=check, reason=reason))
            continue
        weights = bootstrap_counts(rows["item_id"].nunique(), resamples, rng)
        if task == RANKING:
            finding = ranking_finding(rows, weights, confidence=confidence)
        else:
            finding = verdict_finding(rows, task, weights, confidence=confidence)
        found.append(finding)
    return [*found, majority_finding(decided)]


def _left_out(left_out: pd.DataFrame, read: int) -> Finding:
    number = len(left_out)
    return Finding(
        id="annotators-left-out",
        severity="warn",
        statement=f"Left out: {number} of {number + read} decisions (annotator by item) without a "
        f"valid answer to the task. Agreement between annotators rests on the others.",
        numbers={"left_out": number, "decisions": number + read},
        evidence=evidence(left_out),
    )


def _adjudicated(rows: pd.DataFrame) -> Finding:
    adjudicators, items = rows["annotator"].nunique(), rows["item_id"].nunique()
    return Finding(
        id="annotators-adjudicators",
        severity="note",
        statement=f"Left out of the agreement between annotators: decisions of "
        f"{counted(adjudicators, 'adjudicator')} on {counted(items, 'item')}. Adjudicators decide "
        f"only items on which other annotators differ.",
        numbers={"adjudicators": adjudicators, "items": items},
    )

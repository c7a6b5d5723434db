"""Accuracies with intervals, and which differences between models are significant."""

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from audits.accuracy.compared import Compared
from audits.accuracy.model_accuracies import model_findings
from audits.accuracy.model_differences import MODELS_NAMED, difference_findings
from storyaudit.findings import Finding, Report, Unchecked, left_out
from storyaudit.phrasing import agreeing
from storyaudit.results.gaps import dimension_gaps, reward_gaps
from storyaudit.results.outcomes import Outcomes, common_outcomes, remaining
from storyaudit.results.usable_results import valid_results
from storyaudit.runs.params import Params

AUDIT = "accuracy"


class AccuracyParams(Params):
    """The ``accuracy`` section of ``params.yaml``.

    Attributes:
        resamples: bootstrap samples.
        confidence: of every interval.
        chance: accuracy of a random choice: one of four candidates.
    """

    resamples: Annotated[int, Field(ge=100, le=1_000_000)] = 10_000
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    chance: Annotated[float, Field(gt=0, lt=1)] = 0.25


def accuracy_report(
    results: pd.DataFrame, params: AccuracyParams, rng: np.random.Generator, *, study: str
) -> Report:
    """Return the findings on a results table.

    Each model's macro accuracy and each difference between two models get a paired percentile
    interval over items, stratified by dimension. A model's outcome on an item is its mean over
    seeds: the intervals are over items, not over seeds, whose SD is reported separately.
    """
    faults, valid = valid_results(results)
    outcomes = common_outcomes(valid)
    parts: list[Finding | Unchecked] = [
        *faults,
        *reward_gaps(valid),
        *dimension_gaps(valid),
        *_lost(outcomes),
    ]
    if not len(outcomes.correct):
        reason = "no item has an outcome of every run"
        check = "accuracies and their differences"
        parts.append(Unchecked(id="comparison", check=check, reason=reason))
        return Report.of(parts, study=study, audit=AUDIT)
    compared = Compared.draw(outcomes, params.resamples, params.confidence, rng)
    models = model_findings(compared, chance=params.chance)
    parts += [
        *models,
        *difference_findings(compared, models),
        *_single_seeds(outcomes),
    ]
    return Report.of(parts, study=study, audit=AUDIT)


def _lost(outcomes: Outcomes) -> list[Finding]:
    lost = remaining(outcomes.dimensions, outcomes.lost_dimensions)
    number = len(outcomes.lost) + len(outcomes.correct)
    lack, are = (
        agreeing(len(outcomes.lost), number, *verb) for verb in (("lacks", "lack"), ("is", "are"))
    )
    return left_out(
        "items-common",
        f"items {lack} an outcome of some run and {are} left out of the comparison"
        + (f". {lost}" if lost and len(outcomes.correct) else ""),
        pd.DataFrame({"item_id": outcomes.lost}),
        number,
        "warn",
    )


def _single_seeds(outcomes: Outcomes) -> list[Unchecked]:
    single = [
        model
        for model, seeds in zip(outcomes.models, outcomes.by_seed, strict=True)
        if seeds.shape[1] == 1
    ]
    if not single:
        return []
    return [
        Unchecked(
            id="seed-variance",
            check="variance over seeds of the accuracy of "
            + (", ".join(single) if len(single) <= MODELS_NAMED else f"{len(single)} models"),
            reason="one seed was run (a deterministic rule needs no other)",
        )
    ]

"""What ablations of the training pairs show, and how accurate an external judge is."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.ablations import learning_curve
from audits.ablations.ablation import ablation_findings
from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.burstiness import CHECK, burstiness_findings
from audits.ablations.burstiness_rule import rule_finding
from audits.ablations.external import accuracy_findings, one_judges_scores
from audits.ablations.external_picks import picks_findings
from audits.ablations.human_chosen import human_chosen_findings
from audits.ablations.learning_curve import curve_findings
from audits.ablations.order import order_findings
from audits.ablations.variant_outcomes import together
from storyaudit.data.tables import RUN_KEY
from storyaudit.findings import Finding, Report, Unchecked, left_out
from storyaudit.results.gaps import dimension_gaps
from storyaudit.results.usable_results import valid_results

AUDIT = "ablations"
Parts = list[Finding | Unchecked]
_NAMED = 3  # ablations that a sentence lists


class Tables(NamedTuple):
    """What the audit reads; the last four may have no rows.

    Attributes:
        results: of the reference and the study's baselines.
        benchmark: of the study.
        candidates: of the study.
        stories: of the study.
        experiments: results of the ablations: variants trained on other choices of pairs.
        external: an external judge's scores of the benchmark's candidates and the pools'.
        pool_candidates: of Best-of-16.
        pool_scores: the models' rewards in the pools.
    """

    results: pd.DataFrame
    benchmark: pd.DataFrame
    candidates: pd.DataFrame
    stories: pd.DataFrame
    experiments: pd.DataFrame
    external: pd.DataFrame
    pool_candidates: pd.DataFrame
    pool_scores: pd.DataFrame


def ablations_report(
    tables: Tables,
    params: ExperimentsParams,
    paper: Mapping[str, float],
    rng: np.random.Generator,
    *,
    study: str,
) -> Report:
    """Return the findings on ablations, burstiness and an external judge.

    Args:
        tables: the study's; their content need not be valid.
        params: reference, resamples and confidence.
        paper: StoryAlign's printed figures, see ``paper_figures``.
        rng: of which each part gets a stream of its own.
        study: the study's name.
    """
    for_burstiness, for_picks = rng.spawn(2)
    parts = [
        *_trained(tables, params, paper, for_burstiness),
        *_external(tables, params, for_picks),
    ]
    return Report.of(parts, study=study, audit=AUDIT)


def _trained(
    tables: Tables, params: ExperimentsParams, paper: Mapping[str, float], rng: np.random.Generator
) -> Parts:
    faults, rows = valid_results(together(tables.results, tables.experiments))
    faults += dimension_gaps(rows)
    models = sorted(set(rows.loc[rows["variant"] == params.reference, "model"]))
    if len(models) != 1:
        reason = (
            f"the reference '{params.reference}' has no results that can be used"
            if not models
            else f"the reference '{params.reference}' has results of {len(models)} models"
        )
        check = "effect of the training pairs on accuracy"
        return [
            *faults,
            Unchecked(id="ablation", check=check, reason=reason),
            Unchecked(id="burstiness", check=CHECK, reason=reason),
        ]
    named = set(tables.experiments["variant"].dropna()) - {params.reference}
    of_model = rows["model"] == models[0]
    tried = rows[of_model & rows["variant"].isin(named | {params.reference})]
    variants = sorted(set(tried["variant"]) - {params.reference})
    pairs = [name for name in variants if not name.startswith(learning_curve.PREFIX)]
    reference = tried[tried["variant"] == params.reference]
    return [
        *faults,
        *_others(rows[rows["variant"].isin(named)], models[0]),
        *_lost(named, variants, models[0]),
        *ablation_findings(tried, pairs, params),
        *order_findings(tried, pairs, params, paper),
        *human_chosen_findings(tried, pairs, params, paper),
        *curve_findings(tried, variants, params),
        *burstiness_findings(
            reference, tables.benchmark, tables.candidates, tables.stories, params, paper, rng
        ),
        rule_finding(rows, params),
    ]


def _others(rows: pd.DataFrame, model: str) -> Parts:
    """Return a warning on runs of ablations by another model than the reference's."""
    runs = rows[RUN_KEY].drop_duplicates().sort_values(RUN_KEY)
    return [
        *left_out(
            "experiments-models",
            f"runs of ablations are of another model than the reference's, {model}, and are left "
            f"out",
            runs[runs["model"] != model],
            len(runs),
            "warn",
        )
    ]


def _lost(named: set[str], variants: list[str], model: str) -> Parts:
    """Return which ablations have no row that can be compared with the reference."""
    lost = sorted(named - set(variants))
    if not lost:
        return []
    return [
        Unchecked(
            id="ablation-lost",
            check="comparison with the reference of "
            + (", ".join(lost) if len(lost) <= _NAMED else f"{len(lost)} ablations"),
            reason=f"no usable result of the reference's model, {model}",
        )
    ]


def _external(tables: Tables, params: ExperimentsParams, rng: np.random.Generator) -> Parts:
    places = [tables.candidates, tables.pool_candidates]
    faults, scores, why = one_judges_scores(tables.external, places)
    return [
        *faults,
        *accuracy_findings(scores, tables.benchmark, tables.candidates, why, params),
        *picks_findings(scores, tables.pool_candidates, tables.pool_scores, why, params, rng),
    ]

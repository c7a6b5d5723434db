"""Best-of-N (StoryAlign, section 5): of a pool of stories a model picks one; how good is it?"""

import numpy as np
import pandas as pd
from pydantic import Field

from audits.best_of_n.design_power import power_finding
from audits.best_of_n.final_rankings import final_rankings_finding
from audits.best_of_n.human_upper_bound import upper_bound_finding
from audits.best_of_n.matches import estimated_matches
from audits.best_of_n.model_picks import best_model, model_findings
from audits.best_of_n.net_win_rates import net_win_rate_findings
from audits.best_of_n.pool_picks import picks
from audits.best_of_n.pools import Pools, read_pools
from audits.best_of_n.rankers import by_rankers, ranker_findings
from storyaudit.data.tables import (
    ANNOTATIONS,
    CANDIDATES,
    FURTHER_SCORES,
    POOL_ANNOTATIONS,
    POOL_CANDIDATES,
    POOL_INDIVIDUAL_ANNOTATIONS,
)
from storyaudit.findings import Finding, Report, Unchecked
from storyaudit.runs.params import Confidence, Params, Resamples
from storyaudit.stats.bootstrap import bootstrap_counts
from storyaudit.stats.estimate import Array

AUDIT = "best_of_n"
CHECK = "picks of the models"
READ = (POOL_CANDIDATES, POOL_ANNOTATIONS, POOL_INDIVIDUAL_ANNOTATIONS, FURTHER_SCORES)
"""The tables that the audit reads, in the order of its arguments."""
REQUIRED = (CANDIDATES, ANNOTATIONS)
"""Those that a command must be given, with rows."""


class BestOfParams(Params):
    """The ``best_of_n`` section of ``params.yaml``.

    Attributes:
        adjudicators: annotators who rank only pools on which others disagree.
        resamples: bootstrap samples.
        confidence: of every interval.
    """

    adjudicators: list[str] = Field(default=[])
    resamples: Resamples = 2000
    confidence: Confidence = 0.95


def best_of_n_report(
    candidates: pd.DataFrame,
    annotations: pd.DataFrame,
    individual: pd.DataFrame,
    scores: pd.DataFrame,
    params: BestOfParams,
    rng: np.random.Generator,
    *,
    study: str,
) -> Report:
    """Return the findings on pools of stories, annotators' rankings, and models' picks.

    The unit of resampling is the pool: intervals are over premises, not over seeds or annotators.

    Args:
        candidates: the candidates table of the pools; it may be empty, as may the others.
        annotations: the final ranking of each pool.
        individual: every annotator's rankings.
        scores: rewards of the pools' stories.
        params: of the audit.
        rng: draws the bootstrap samples of pools, once.
        study: the study's name.
    """
    pools, findings = read_pools(candidates, annotations, individual)
    parts: list[Finding | Unchecked] = [*findings]
    if pools.stories:
        counts = bootstrap_counts(len(pools.stories), params.resamples, rng)
        parts += _of_pools(pools, scores, counts, params)
    else:
        reason = "there are no pools of candidates"
        parts.append(Unchecked(id="best-of-n", check="Best-of-N selection", reason=reason))
    return Report.of(parts, study=study, audit=AUDIT)


def _of_pools(
    pools: Pools, scores: pd.DataFrame, counts: Array, params: BestOfParams
) -> list[Finding | Unchecked]:
    confidence = params.confidence
    rankings = by_rankers(pools, params.adjudicators)
    parts = ranker_findings(pools, rankings, counts, confidence=confidence)
    if not pools.finals:
        reason = "no pool has a complete final ranking"
        return [*parts, Unchecked(id="models", check=CHECK, reason=reason)]
    parts.append(final_rankings_finding(pools, params.adjudicators))
    picked, findings = picks(scores, pools)
    parts += findings
    if not any(chances.any() for chances in picked.chances):
        reason = "no run rewards every story of a ranked pool"
        return [*parts, Unchecked(id="models", check=CHECK, reason=reason)]
    matches = estimated_matches(picked, counts, confidence)
    return [
        *parts,
        *model_findings(picked, pools, counts, confidence=confidence),
        *net_win_rate_findings(matches, best_model(picked), confidence=confidence),
        power_finding(len(pools.finals), matches, confidence=confidence),
        upper_bound_finding(picked, pools, rankings, counts, confidence=confidence),
    ]

"""Inter-rater agreement: by criterion, pooled over criteria, and on totals."""

import numpy as np
import pandas as pd

from audits.ratings.agreement.data import Ratings
from audits.ratings.agreement.score_agreement import (
    alpha_finding,
    kappa_findings,
    prevalence_finding,
)
from audits.ratings.agreement.total_agreement import correlation_finding, icc_finding
from storyaudit.findings import Finding, Unchecked
from storyaudit.ratings.usable_ratings import rater_pairs, totals
from storyaudit.stats.bootstrap import bootstrap_counts


def agreement_findings(
    rows: pd.DataFrame, rng: np.random.Generator, *, confidence: float = 0.95, resamples: int = 2000
) -> list[Finding | Unchecked]:
    """Return the findings on agreement, and the checks that could not run.

    Args:
        rows: usable rows of the ratings table.
        rng: draws the bootstrap samples of stories.
        confidence: of every interval.
        resamples: bootstrap samples.
    """
    pairs = rater_pairs(rows)
    if pairs.empty:
        return [
            Unchecked(
                id="agreement",
                check="inter-rater agreement",
                reason="no story was scored by two raters on the same criterion",
            )
        ]
    weights = bootstrap_counts(rows["story_id"].nunique(), resamples, rng)
    data = Ratings(rows, pairs, totals(rows), weights, confidence)
    return [
        *kappa_findings(data),
        alpha_finding(data),
        prevalence_finding(data),
        icc_finding(data),
        correlation_finding(data),
    ]

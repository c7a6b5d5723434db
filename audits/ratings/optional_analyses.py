"""Agreement, variance components, comparisons and blinding of a ratings table."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from audits.ratings.agreement.agreement_findings import agreement_findings
from audits.ratings.author_labels import label_finding
from audits.ratings.boxes import box_finding
from audits.ratings.comparisons.robustness import DEFAULT_REFERENCE, comparison_findings
from audits.ratings.texts.blinding import blinding_findings
from audits.ratings.variance.components import component_finding, design_effect_finding
from storyaudit.findings import Finding, Unchecked
from storyaudit.ratings.rating_rows import OVERALL
from storyaudit.ratings.usable_ratings import totals, usable


def optional_analyses(
    ratings: pd.DataFrame,
    rng: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    reference: str | None = None,
    stories: pd.DataFrame | None = None,
    labels: pd.DataFrame | None = None,
    box_items: Sequence[str] = (),
) -> list[Finding | Unchecked]:
    """Return the findings beyond the table's own validity, and the checks that could not run.

    Args:
        ratings: the ratings table.
        rng: a stream of its own is spawned from it for each part.
        confidence: of every interval; 1 − confidence is the level of the tests.
        resamples: bootstrap samples.
        reference: the author to compare the others with; ``human`` if None.
        stories: the stories' texts, if at hand.
        labels: the stories' authors by two lists, if at hand.
        box_items: criteria whose boxes are shown beside those of totals.

    Raises:
        InputError: no such reference author.
    """
    rows = usable(ratings)
    row_totals = totals(rows)
    streams = rng.spawn(3)
    boxes = [box_finding(rows, row_totals, item) for item in (OVERALL, *box_items)]
    return [
        component_finding(row_totals, confidence),
        design_effect_finding(rows, confidence),
        *(box for box in boxes if box is not None),
        *([] if labels is None else [label_finding(labels)]),
        *agreement_findings(rows, streams[0], confidence=confidence, resamples=resamples),
        *comparison_findings(
            rows, row_totals, streams[1], reference=reference, confidence=confidence
        ),
        *blinding_findings(
            stories,
            rows,
            row_totals,
            streams[2],
            reference=reference or DEFAULT_REFERENCE,
            confidence=confidence,
            resamples=resamples,
        ),
    ]

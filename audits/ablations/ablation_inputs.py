"""What the audit of ablations reads, and where a study keeps it."""

from collections.abc import Collection

import pandas as pd

from storyaudit.data.tables import (
    BENCHMARK,
    CANDIDATES,
    FURTHER_RESULTS,
    FURTHER_SCORES,
    POOL_CANDIDATES,
    RESULTS,
    STORIES,
)
from storyaudit.vocabulary import UNTRAINED

OF_STUDY = {
    "results": RESULTS,
    "benchmark": BENCHMARK,
    "candidates": CANDIDATES,
    "stories": STORIES,
}
OF_POOL = {"pool_candidates": POOL_CANDIDATES, "pool_scores": FURTHER_SCORES}
ABLATED, EXTERNAL = FURTHER_RESULTS, FURTHER_SCORES
"""The results of the ablated variants, and the scores of an external judge."""


def parted(
    results: pd.DataFrame, reference: str, untrained: Collection[str] = UNTRAINED
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return results of the reference and of rules, and those of the other variants.

    Args:
        results: of all of them in one table.
        reference: the variant that the others are compared with.
        untrained: variants that no training gives.
    """
    kept = results["variant"].isna() | results["variant"].isin({reference, *untrained})
    return results[kept].reset_index(drop=True), results[~kept].reset_index(drop=True)

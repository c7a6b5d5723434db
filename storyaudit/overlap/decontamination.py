"""Training pairs without those that overlap with the benchmark."""

import pandas as pd

from storyaudit.vocabulary import SIDES, TRAIN_BENCHMARK


def with_training(overlaps: pd.DataFrame) -> pd.DataFrame:
    """Return the overlaps of benchmark texts with training texts: all where nothing else is said.

    A row that says nothing known of what was compared is one of them, to be found invalid.
    """
    if "comparison" not in overlaps:
        return overlaps
    return overlaps[~overlaps["comparison"].isin(set(SIDES) - {TRAIN_BENCHMARK})]


def drop_overlapping(
    pairs: pd.DataFrame, overlaps: pd.DataFrame, threshold: float
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the pairs of which no text overlaps with the benchmark, and how many others there are.

    A pair goes whole where its premise or either of its stories does. Overlaps within one side do
    not count.

    Args:
        pairs: the table of pairs.
        overlaps: the table of overlaps. Where it has no ``comparison``, all are of training texts
            (``right_id``) with benchmark texts.
        threshold: containment from which a pair goes.

    Returns:
        The pairs left, in their order; how many were dropped by method, of every method of
        ``pairs``.
    """
    found = with_training(overlaps[overlaps["containment"] >= threshold])
    premises = set(found.loc[found["level"] == "premise", "right_id"])
    # A premise of the benchmark inside a story is an overlap of the story.
    stories = set(found.loc[found["level"] != "premise", "right_id"])
    overlapping = (
        pairs["premise_id"].isin(premises)
        | pairs["chosen_id"].isin(stories)
        | pairs["rejected_id"].isin(stories)
    )
    dropped = overlapping.groupby(pairs["method"]).sum()
    return (
        pairs[~overlapping].reset_index(drop=True),
        {str(method): int(count) for method, count in dropped.items()},
    )

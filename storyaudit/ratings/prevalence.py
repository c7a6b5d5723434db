"""How often each score was given: what kappa and alpha near 0 can mean."""

import pandas as pd

from storyaudit.ratings.rating_rows import natural_order

PREVAILS = 0.8
"""Proportion of one score from which chance agreement is so high that kappa and alpha fall."""


def prevalence(rows: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return how a criterion's scores are distributed, and how often two raters agree exactly.

    Args:
        rows: usable rows of the ratings table.
        pairs: ``rater_pairs`` of them.

    Returns:
        Columns item, scores, labels (how many differ), mode (the lowest of the most frequent),
        modal_proportion, exact (proportion of pairs with equal scores; NaN without pairs),
        distribution
        (``score×count``, ascending).
    """
    equal = (pairs["first"] == pairs["second"]).groupby(pairs["item"]).mean()
    table = []
    for item, scores in sorted(
        rows.groupby("item")["score"], key=lambda pair: natural_order(pair[0])
    ):
        given = scores.value_counts().sort_index()
        table.append(
            {
                "item": item,
                "scores": len(scores),
                "labels": len(given),
                "mode": float(given.index[int(given.argmax())]),
                "modal_proportion": float(given.max() / len(scores)),
                "exact": float(equal.get(item, float("nan"))),
                "distribution": ", ".join(f"{s:g}×{n}" for s, n in given.items()),
            }
        )
    return pd.DataFrame(table)

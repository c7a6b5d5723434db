"""Box statistics of scores or totals by author."""

import numpy as np
import pandas as pd

from storyaudit.findings import Finding, counted, evidence, slugs
from storyaudit.ratings.rating_rows import OVERALL

WHISKER = 1.5
"""Whiskers end at the last value within so many interquartile ranges of the box (Tukey 1977)."""


def box_statistics(scores: pd.Series, authors: pd.Series) -> pd.DataFrame:
    """Return what a box plot shows of each author's scores, highest mean first.

    Quartiles interpolate linearly between order statistics (Hyndman and Fan 1996, type 7), as
    numpy and matplotlib do.

    Args:
        scores: one value a rating row, at least one.
        authors: their authors.

    Returns:
        Columns author, n, mean, median, q1, q3, whisker_low, whisker_high, outliers (the values
        beyond the whiskers, ascending, as text).
    """
    table = []
    for author, group in scores.groupby(authors):
        values = np.sort(group.to_numpy(dtype="float64"))
        q1, median, q3 = np.quantile(values, [0.25, 0.5, 0.75])
        reach = WHISKER * (q3 - q1)
        inside = values[(values >= q1 - reach) & (values <= q3 + reach)]
        outside = values[(values < q1 - reach) | (values > q3 + reach)]
        table.append(
            {
                "author": author,
                "n": len(values),
                "mean": float(values.mean()),
                "median": float(median),
                "q1": float(q1),
                "q3": float(q3),
                "whisker_low": float(inside[0]),
                "whisker_high": float(inside[-1]),
                "outliers": ", ".join(f"{value:g}" for value in outside),
            }
        )
    return pd.DataFrame(table).sort_values(
        "mean", ascending=False, kind="stable", ignore_index=True
    )


def box_finding(
    rows: pd.DataFrame, row_totals: pd.DataFrame, criterion: str = OVERALL
) -> Finding | None:
    """Return the box statistics of totals, or of one criterion, as a note; None without scores.

    Args:
        rows: usable rows of the ratings table.
        row_totals: totals of complete rating rows.
        criterion: its name; ``overall`` for totals.
    """
    if criterion == OVERALL:
        scores, authors, shown = row_totals["total"], row_totals["author"], "totals"
    else:
        of_criterion = rows[rows["item"] == criterion]
        scores, authors = of_criterion["score"], of_criterion["author"]
        shown = f"scores on criterion {criterion}"
    if scores.empty:
        return None
    table = box_statistics(scores, authors)
    outside = sum(len(text.split(", ")) for text in table["outliers"] if text)
    return Finding(
        id="boxes" if criterion == OVERALL else f"boxes-criterion-{slugs([criterion])[0]}",
        severity="note",
        statement=(
            f"In box plots of {counted(len(table), 'author')}, {outside} of {len(scores)} {shown} "
            f"{'lies' if outside == 1 else 'lie'} beyond the whiskers. Whiskers end at the "
            f"last value within {WHISKER:g} interquartile ranges of the box (linear quartiles)."
        ),
        numbers={"authors": len(table), "rating_rows": len(scores), "outliers": outside},
        evidence=evidence(table.round(2)),
    )

"""The correlation of two raters' totals of the same stories.

Pearson's; of each story's two raters, the one with the lower number is called the first.
Conventions: Spearman's, Kendall's tau-b, Pearson's within each pair of raters averaged over
pairs, of single scores, and its least and greatest value over who is called the first.
"""

from collections.abc import Mapping

import pandas as pd

from audits.claims.computations import Data, Named
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.correlation import Kind, correlation, pearson_by_order

COLUMNS = ("rater", "story_id", "author", "item", "score")
CONFIDENCE = 0.95


def _value(pairs: pd.DataFrame, kind: Kind) -> float | None:
    estimate = correlation(pairs["first"].to_numpy(), pairs["second"].to_numpy(), kind, CONFIDENCE)
    return None if estimate is None else estimate.value


def pearson_of_totals(data: Data) -> float | None:
    """Return Pearson's correlation of the first and second raters' totals."""
    return _value(data.pairs_of_totals, "pearson")


def _spearman(data: Data) -> float | None:
    return _value(data.pairs_of_totals, "spearman")


def _kendall(data: Data) -> float | None:
    return _value(data.pairs_of_totals, "kendall")


def _of_scores(data: Data) -> float | None:
    return _value(data.pairs, "pearson")


def _within_pairs(data: Data) -> float | None:
    blocks = data.pairs_of_totals.groupby(["first_rater", "second_rater"])
    defined = [value for _, part in blocks if (value := _value(part, "pearson")) is not None]
    return sum(defined) / len(defined) if defined else None


def _by_order(data: Data) -> tuple[float, float] | None:
    pairs = data.pairs_of_totals
    block, _ = codes(pairs["first_rater"] + "\0" + pairs["second_rater"])
    return pearson_by_order(pairs["first"].to_numpy(), pairs["second"].to_numpy(), block)


def _lowest(data: Data) -> float | None:
    ends = _by_order(data)
    return None if ends is None else ends[0]


def _highest(data: Data) -> float | None:
    ends = _by_order(data)
    return None if ends is None else ends[1]


CORRELATION: Mapping[str, Named] = {
    "pearson_of_totals": Named(
        pearson_of_totals,
        columns=COLUMNS,
        conventions={
            "Spearman's rho": _spearman,
            "Kendall's tau-b": _kendall,
            "Pearson's r within pairs of raters, averaged": _within_pairs,
            "Pearson's r of single scores": _of_scores,
            "Pearson's r, raters in the order that makes it least": _lowest,
            "Pearson's r, raters in the order that makes it greatest": _highest,
        },
    )
}

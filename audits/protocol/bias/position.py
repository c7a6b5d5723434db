"""Whether the place in which a judge sees a story moves its score."""

import numpy as np
import pandas as pd

from audits.protocol.bias.effects import Effects, effects
from audits.protocol.bias.overall_scores import Overall
from audits.protocol.bias.slopes import judge_slopes
from storyaudit.stats.estimate import Array, Codes
from storyaudit.stats.permutation_test import permutation_p

PLACES = 4


def position_effects(overall: Overall, weights: Array, confidence: float) -> Effects | None:
    """Return by how many points judges favour the first place over the last.

    The score is taken to fall by equal steps from place to place: the slope of the overall score
    on the position, within item and judge, times the number of steps.

    Returns:
        None where positions are missing, or do not vary apart from the authors.
    """
    rows = overall.rows[overall.rows["position"].notna()]
    if rows.empty:
        return None
    blocks = rows.groupby(["item_id", "judge"])["position"]
    steps = float((blocks.max() - blocks.min()).median())
    slopes = judge_slopes(overall, rows, ["position"], weights)
    return effects(
        slopes.judges, -steps * slopes.point, -steps * slopes.samples, slopes.items, confidence
    )


def balance(overall: Overall, draws: int, rng: np.random.Generator) -> tuple[float, int] | None:
    """Return the p value of 'positions were shuffled whoever wrote the stories', and the items.

    Pearson's chi-squared of author × position, against all shufflings of positions within items
    (Monte Carlo permutation test).

    Returns:
        None without authors, or without an item of four stories in four places.
    """
    if not overall.authors:
        return None
    blocks = _orders(overall)
    if blocks is None:
        return None
    authors = len(overall.authors)

    def statistic(author: Codes) -> float:
        cells = author * PLACES + np.arange(PLACES)
        table = np.bincount(cells.ravel(), minlength=authors * PLACES).reshape(authors, PLACES)
        expected = table.sum(axis=1, keepdims=True) / PLACES
        return float(
            np.divide(
                (table - expected) ** 2, expected, where=expected > 0, out=np.zeros(table.shape)
            ).sum()
        )

    observed = statistic(blocks)
    drawn = np.array([statistic(rng.permuted(blocks, axis=1)) for _ in range(draws)])
    return permutation_p(observed, drawn), len(blocks)


def _orders(overall: Overall) -> Codes | None:
    """Return the authors in the order in which judges saw them: one row an item and order.

    Judges who saw an item in the same order count once; an item in several orders counts by each.
    """
    rows = overall.rows.dropna(subset=["position"])
    sizes = rows.groupby(["item_id", "judge"])["position"].transform("nunique")
    rows = rows[
        (sizes == PLACES)
        & (rows.groupby(["item_id", "judge"])["position"].transform("size") == PLACES)
    ].sort_values(["item_id", "judge", "position"], kind="stable")
    if rows.empty:
        return None
    orders = pd.DataFrame(rows["story_id"].to_numpy(dtype=str).reshape(-1, PLACES))
    orders["item_id"] = rows["item_id"].to_numpy(dtype=str)[::PLACES]
    authors = np.searchsorted(overall.authors, rows["author"].to_numpy(dtype=str))
    once = ~orders.duplicated().to_numpy()
    distinct: Codes = authors.reshape(-1, PLACES)[once]
    return distinct

"""Position bias: whether the position in which a judge sees a story moves its score."""

import numpy as np
import pandas as pd

from audits.protocol.bias.effects import Effects, effects
from audits.protocol.bias.judge_bias import JudgeBias, Setting, effects_finding
from audits.protocol.bias.overall_scores import Overall
from audits.protocol.bias.slopes import judge_slopes
from storyaudit.findings import Finding, counted
from storyaudit.phrasing import p_value
from storyaudit.stats.estimate import Array, Codes
from storyaudit.stats.permutation_test import permutation_p

POSITIONS = 4
UNBALANCED = 0.01
"""A p value below which positions count as associated with authors."""


def position_effects(overall: Overall, weights: Array, confidence: float) -> Effects | None:
    """Return by how many points judges favour the first position over the last.

    The score is taken to fall by equal steps from position to position: the slope of the overall
    score on the position, within item and judge, times the number of steps.

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
        None without authors, or without an item of four stories in four positions.
    """
    if not overall.authors:
        return None
    blocks = _orders(overall)
    if blocks is None:
        return None
    authors = len(overall.authors)

    def statistic(author: Codes) -> float:
        cells = author * POSITIONS + np.arange(POSITIONS)
        table = np.bincount(cells.ravel(), minlength=authors * POSITIONS).reshape(
            authors, POSITIONS
        )
        expected = table.sum(axis=1, keepdims=True) / POSITIONS
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
        (sizes == POSITIONS)
        & (rows.groupby(["item_id", "judge"])["position"].transform("size") == POSITIONS)
    ].sort_values(["item_id", "judge", "position"], kind="stable")
    if rows.empty:
        return None
    orders = pd.DataFrame(rows["story_id"].to_numpy(dtype=str).reshape(-1, POSITIONS))
    orders["item_id"] = rows["item_id"].to_numpy(dtype=str)[::POSITIONS]
    authors = np.searchsorted(overall.authors, rows["author"].to_numpy(dtype=str))
    once = ~orders.duplicated().to_numpy()
    distinct: Codes = authors.reshape(-1, POSITIONS)[once]
    return distinct


def balance_finding(setting: Setting) -> Finding | str:
    """Return the finding on whether positions go with authors, or why there is none."""
    if setting.shuffled is None:
        return setting.no_stories or "no item has four stories of known authors in four positions"
    p, orders = setting.shuffled
    associated = p < UNBALANCED
    what = "significantly associated" if associated else "not significantly associated"
    return Finding(
        id="bias-balance",
        severity="warn" if associated else "note",
        statement=f"The position in which judges see a story is {what} with its author at level "
        f"{UNBALANCED:g} ({p_value(p)}). Permutation test within items over "
        f"{counted(orders, 'distinct pair')} of item and story order.",
        numbers={"p": round(p, 5), "orders": orders},
    )


def position_finding(setting: Setting) -> Finding | str:
    """Return the finding on the first position's advantage, or why there is none."""
    found = position_effects(setting.overall, setting.weights, setting.confidence)
    if found is None:
        return "positions are missing, or do not vary within authors"
    if setting.shuffled is None:
        caution = "Whether positions are balanced over authors is not determinable."
    elif setting.shuffled[0] < UNBALANCED:
        caution = (
            "Positions are associated with authors; the adjustment may not remove all confounding."
        )
    else:
        caution = "Positions are not significantly associated with authors."
    adjusted = ", adjusted for authors" if setting.overall.authors else ""
    return effects_finding(
        "position",
        f"Position bias (overall score, first position minus last, linear trend{adjusted})",
        caution,
        found,
        setting,
        "warn" if found.any_significant() else "note",
    )


BALANCE = JudgeBias("balance", "balance of positions over authors", balance_finding)
POSITION = JudgeBias("position", "position bias of the judges", position_finding)

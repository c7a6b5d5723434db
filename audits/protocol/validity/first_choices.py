"""How often judges' first choice is the humans' best, by the judges' agreement."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from audits.protocol.validity.analyses import Analysis
from audits.protocol.validity.panel_items import Decided, decide, llm_items
from storyaudit.findings import Number
from storyaudit.stats.clustered_means import ClusteredMean, difference_of_means, mean_of
from storyaudit.stats.estimate import Array, Mask, rounded

EDGES = (0.0, 0.2, 0.4, 0.6)
"""Between bands of tau."""


class Setting(NamedTuple):
    """What all findings share.

    Attributes:
        threshold: of tau.
        weights: how often each premise stands in each bootstrap sample, samples × premises.
        confidence: of every interval.
    """

    threshold: float
    weights: Array
    confidence: float

    def how(self) -> dict[str, Number]:
        """Return what every finding says of its intervals."""
        return {
            "premises": self.weights.shape[1],
            "unit": "premise",
            "confidence": self.confidence,
            "resamples": len(self.weights),
        }


class Sides(NamedTuple):
    """Agreement with the humans' best on the two sides of the threshold.

    Attributes:
        at_least: where tau reaches the threshold.
        below: where it does not.
        safer: the first minus the second.
        chance: of a story drawn at random, where tau reaches the threshold.
    """

    at_least: ClusteredMean
    below: ClusteredMean
    safer: ClusteredMean
    chance: float


def decided(analysis: Analysis, automatic: int) -> Decided:
    """Return the LLM–LLM items as an analysis decides them."""
    items = decide(analysis.scores, analysis.human, llm_items(automatic), usable=analysis.usable)
    if analysis.tied:
        return items
    return items._replace(kept=items.kept & ~items.judges_tie)


def sides(items: Decided, setting: Setting) -> Sides | None:
    """Return agreement on the two sides of the threshold, or None where one has no item."""
    high = items.kept & (items.tau >= setting.threshold)
    low = items.kept & (items.tau < setting.threshold)
    interval = setting.weights, setting.confidence
    at_least, below = (mean_of(items.credit, side, *interval) for side in (high, low))
    safer = difference_of_means(items.credit, high, low, *interval)
    if at_least is None or below is None or safer is None:
        return None
    return Sides(at_least, below, safer, float(items.chance[high].mean()))


def bands(items: Decided, setting: Setting) -> list[dict[str, Number]]:
    """Return one row of evidence for all items, each side of the threshold, and each band."""
    tau, threshold = items.tau, setting.threshold
    inside: dict[str, Mask] = {
        "all": np.ones(tau.shape, dtype="bool"),
        f"tau < {threshold:g}": tau < threshold,
        f"tau ≥ {threshold:g}": tau >= threshold,
        f"tau < {EDGES[0]:g}": tau < EDGES[0],
    }
    for low, high in pairwise(EDGES):
        inside[f"{low:g} ≤ tau < {high:g}"] = (tau >= low) & (tau < high)
    inside[f"tau ≥ {EDGES[-1]:g}"] = tau >= EDGES[-1]
    return [_row(name, items, items.kept & mask, setting) for name, mask in inside.items()]


def _row(name: str, items: Decided, kept: Mask, setting: Setting) -> dict[str, Number]:
    row: dict[str, Number] = {
        "band": name,
        "items": int(kept.sum()),
        "premises": int(kept.any(axis=1).sum()),
    }
    agreement = mean_of(items.credit, kept, setting.weights, setting.confidence)
    if agreement is None:
        return row
    return {
        **row,
        **agreement.estimate.numbers("agreement", 4),
        "chance": rounded(items.chance[kept].mean(), 4),
        "judges_tie": int(items.judges_tie[kept].sum()),
        "humans_tie": int(items.humans_tie[kept].sum()),
    }

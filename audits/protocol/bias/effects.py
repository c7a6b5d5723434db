"""Judges' biases with intervals: each judge's, each against the others', and all together."""

from dataclasses import dataclass

import numpy as np

from storyaudit.findings import Number
from storyaudit.stats.bootstrap import bootstrap_estimate
from storyaudit.stats.estimate import Array, Estimate


@dataclass(frozen=True)
class Effects:
    """A bias in points of the scores' scale.

    Attributes:
        judges: those whose bias can be told.
        each: each judge's; intervals hold for all judges at once (Bonferroni).
        against: each judge's less the mean of the others'; empty for one judge.
        mean: over judges.
        items: how many items each judge's rests on.
    """

    judges: list[str]
    each: list[Estimate]
    against: list[Estimate]
    mean: Estimate
    items: list[int]

    def rows(self) -> list[dict[str, Number]]:
        """Return a row a judge, as evidence."""
        rows: list[dict[str, Number]] = []
        for n, judge in enumerate(self.judges):
            row: dict[str, Number] = {"judge": judge, **self.each[n].numbers("points")}
            if self.against:
                row |= self.against[n].numbers("against_others")
            rows.append({**row, "items": self.items[n]})
        return rows

    def told(self) -> bool:
        """Return whether the mean or some judge's bias is told from zero."""
        return any(estimate.excludes_zero() for estimate in (self.mean, *self.each))

    def told_judges(self) -> list[str]:
        """Return the judges whose own bias is told from zero."""
        each = zip(self.judges, self.each, strict=True)
        return [judge for judge, estimate in each if estimate.excludes_zero()]


def effects(
    judges: list[str], point: Array, samples: Array, items: list[int], confidence: float
) -> Effects | None:
    """Return the biases with percentile intervals over items.

    Args:
        judges: names.
        point: one a judge; NaN where it cannot be told.
        samples: bootstrap samples × judges.
        items: how many items each judge's rests on.
        confidence: of every interval.

    Returns:
        None where no judge's can be told.
    """
    kept = np.flatnonzero(np.isfinite(point))
    if not len(kept):
        return None
    point, samples = point[kept], samples[:, kept]
    sizes = [items[n] for n in kept]
    joint = 1 - (1 - confidence) / len(kept)

    against = []
    if len(kept) > 1:
        share = len(kept) / (len(kept) - 1)  # own less others' mean = share · (own less all's mean)
        differences = share * (point - point.mean())
        drawn = share * (samples - samples.mean(axis=1, keepdims=True))
        against = [
            bootstrap_estimate(float(differences[n]), drawn[:, n], sizes[n], joint)
            for n in range(len(kept))
        ]
    return Effects(
        judges=[judges[n] for n in kept],
        each=[
            bootstrap_estimate(float(point[n]), samples[:, n], sizes[n], joint)
            for n in range(len(kept))
        ],
        against=against,
        mean=bootstrap_estimate(float(point.mean()), samples.mean(axis=1), min(sizes), confidence),
        items=sizes,
    )

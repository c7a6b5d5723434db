"""Judges' biases with intervals: each judge's, each against the others', and all together."""

from dataclasses import dataclass

import numpy as np

from audits.protocol.missing_ci import no_ci
from storyaudit.findings import Number
from storyaudit.stats.bootstrap import bootstrap_estimate
from storyaudit.stats.estimate import Array, Estimate


@dataclass(frozen=True)
class Effects:
    """A bias in points of the scores' scale.

    Attributes:
        judges: those whose bias the data determine.
        each: each judge's; intervals hold for all judges at once (Bonferroni).
        against: each judge's less the mean of the others'; empty for one judge.
        mean: over judges.
        items: how many items each judge's rests on.
        no_ci: why the mean has no interval; '' where it has one.
    """

    judges: list[str]
    each: list[Estimate]
    against: list[Estimate]
    mean: Estimate
    items: list[int]
    no_ci: str

    def rows(self) -> list[dict[str, Number]]:
        """Return a row a judge, as evidence."""
        rows: list[dict[str, Number]] = []
        for n, judge in enumerate(self.judges):
            row: dict[str, Number] = {"judge": judge, **self.each[n].numbers("points")}
            if self.against:
                row |= self.against[n].numbers("against_others")
            rows.append({**row, "items": self.items[n]})
        return rows

    def any_significant(self) -> bool:
        """Return whether the interval of the mean or of some judge's bias excludes zero."""
        return any(estimate.excludes_zero() for estimate in (self.mean, *self.each))

    def significant_judges(self) -> list[str]:
        """Return the judges whose own interval excludes zero."""
        each = zip(self.judges, self.each, strict=True)
        return [judge for judge, estimate in each if estimate.excludes_zero()]


def effects(
    judges: list[str], point: Array, samples: Array, items: list[int], confidence: float
) -> Effects | None:
    """Return the biases with percentile intervals over items.

    Args:
        judges: names.
        point: one a judge; NaN where the data do not determine it.
        samples: bootstrap samples × judges.
        items: how many items each judge's rests on.
        confidence: of every interval.

    Returns:
        None where the data determine no judge's.
    """
    kept = np.flatnonzero(np.isfinite(point))
    if not len(kept):
        return None
    point, samples = point[kept], samples[:, kept]
    sizes = [items[n] for n in kept]
    joint = 1 - (1 - confidence) / len(kept)

    against = []
    if len(kept) > 1:
        # Own less the others' mean is J / (J − 1) times own less the mean of all J judges.
        factor = len(kept) / (len(kept) - 1)
        differences = factor * (point - point.mean())
        drawn = factor * (samples - samples.mean(axis=1, keepdims=True))
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
        no_ci=no_ci(samples.mean(axis=1), min(sizes)),
    )

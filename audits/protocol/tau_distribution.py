"""How far the judges agree: the distribution of tau_avg about the threshold."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from audits.protocol.replayed_items import ORIGINS, ReplayedItem
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import percent

BANDS = (-1.0, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
NEAR = 0.05
QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def tau_finding(cases: Sequence[ReplayedItem], threshold: float) -> Finding | Unchecked:
    """Return quantiles of tau_avg, the proportion below the threshold, and how many are near it."""
    taus = {
        origin: np.array(
            [case.tau for case in cases if case.tau is not None and case.item.origin == origin]
        )
        for origin in ORIGINS
    }
    everything = np.concatenate(list(taus.values()))
    if not len(everything):
        return Unchecked(
            id="tau-distribution",
            check="distribution of tau_avg, the agreement of the judges",
            reason="no item has four candidates with complete scores",
        )
    near = int((np.abs(everything - threshold) <= NEAR + 1e-9).sum())
    sentences = []
    numbers: dict[str, int | float | str | None] = {"threshold": threshold}
    for origin, name in ORIGINS.items():
        values = taus[origin]
        numbers[f"{origin}_items"] = len(values)
        if not len(values):
            continue
        below = int((values < threshold).sum())
        numbers[f"{origin}_below"] = below
        numbers |= {
            f"{origin}_{quantile}": round(float(np.quantile(values, level)), 3)
            for quantile, level in QUANTILES.items()
        }
        sentences.append(
            f"{below} of {counted(len(values), f'{name} item')} ({percent(below / len(values))}; "
            f"median {np.median(values):.2f})"
        )
    apart = everything[everything < threshold], everything[everything >= threshold]
    numbers |= {
        "near": near,
        "highest_below": round(float(apart[0].max()), 6) if len(apart[0]) else None,
        "lowest_from": round(float(apart[1].min()), 6) if len(apart[1]) else None,
    }
    return Finding(
        id="tau-distribution",
        severity="note",
        statement=f"tau_avg, the mean Kendall's tau-b over pairs of judges, is below {threshold:g} "
        f"in {' and '.join(sentences)}. It is within {NEAR:g} of the threshold in "
        f"{counted(near, 'item')}.",
        numbers=numbers,
        evidence=evidence(_bands(taus, threshold)),
    )


def _bands(taus: dict[str, np.ndarray], threshold: float) -> list[dict[str, str | int]]:
    edges = sorted({*BANDS, threshold})
    rows: list[dict[str, str | int]] = []
    for low, high in pairwise(edges):
        last = high == edges[-1]
        row: dict[str, str | int] = {"tau_avg": f"{low:g} to {'' if last else 'below '}{high:g}"}
        for origin, values in taus.items():
            inside = (values >= low) & ((values <= high) if last else (values < high))
            row[f"{origin}_items"] = int(inside.sum())
        rows.append(row)
    return rows

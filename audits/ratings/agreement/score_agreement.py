"""Findings on agreement about single scores: by item, and pooled over items."""

import numpy as np
import pandas as pd

from audits.ratings.agreement.data import Ratings
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import with_ci
from storyaudit.ratings.prevalence import PREVAILS, prevalence
from storyaudit.ratings.rating_rows import item_order
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.bootstrap import percentile_ci
from storyaudit.stats.cohen_kappa import WEIGHTINGS, band, bootstrap_kappa, kappa
from storyaudit.stats.estimate import Array, Estimate, rounded
from storyaudit.stats.krippendorff_alpha import Level, alpha, bootstrap_alpha, label_counts

LEVELS: tuple[Level, ...] = ("ordinal", "interval")
POOLED = "all items"
ONE_LABEL = "cannot be told: one label only"


def _by_item(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the table, and its part of each item where there are several."""
    parts = sorted(table.groupby("item"), key=lambda part: item_order(part[0]))
    if len(parts) == 1:
        return [(str(parts[0][0]), table)]
    return [(POOLED, table), *((str(name), part) for name, part in parts)]


def kappa_findings(data: Ratings) -> list[Finding | Unchecked]:
    """Return Cohen's kappa by weights, and a warning where its verdict hangs on them."""
    findings: list[Finding | Unchecked] = []
    pooled: dict[str, Estimate] = {}
    for weighting in WEIGHTINGS:
        rows, of_items = [], []
        for item, part in _by_item(data.pairs):
            first, second = part["first"].to_numpy(), part["second"].to_numpy()
            point = kappa(first, second, weighting, data.confidence)
            row: dict[str, Number] = {"item": item, "pairs": len(part)}
            if point is None:
                rows.append({**row, "kappa": None, "why": ONE_LABEL})
                continue
            samples = bootstrap_kappa(first, second, data.story(part), data.weights, weighting)
            low, high = percentile_ci(samples, data.confidence)
            row["kappa"] = rounded(point.value)
            row |= {"analytic_low": rounded(point.low), "analytic_high": rounded(point.high)}
            rows.append({**row, "story_low": rounded(low), "story_high": rounded(high)})
            if part is data.pairs:
                pooled[weighting] = Estimate(point.value, low, high)
            else:
                of_items.append((point.value, samples))
        findings.append(_kappa(data, weighting, rows, pooled.get(weighting), of_items))
    if not pooled:
        reason = "all scores are equal: chance agreement is then as perfect as the agreement"
        return [Unchecked(id="kappa", check="Cohen's kappa", reason=reason)]
    bands = {weighting: band(estimate.value) for weighting, estimate in pooled.items()}
    if len(set(bands.values())) > 1:
        told = ", ".join(f"{pooled[w].value:.2f} {w} ({name})" for w, name in bands.items())
        findings.append(
            Finding(
                id="kappa-weights",
                severity="warn",
                statement=f"Pooled kappa is {told}, in the words of Landis and Koch (1977): how "
                f"good the agreement is called depends on the weights, so that a kappa without "
                f"its weights cannot be read.",
                numbers={
                    **{k: v for w, e in pooled.items() for k, v in e.numbers(w).items()},
                    "pairs": len(data.pairs),
                    **data.how(),
                },
            )
        )
    return findings


def _kappa(
    data: Ratings,
    weighting: str,
    rows: list[dict[str, Number]],
    pooled: Estimate | None,
    of_items: list[tuple[float, Array]],
) -> Finding:
    first = rows[0]
    if pooled is None:
        shown = "cannot be told, as one label was given only"
    else:
        shown = f"{with_ci(pooled)} (bootstrap of {data.weights.shape[1]} stories"
        if first["analytic_low"] is not None and first["analytic_high"] is not None:
            shown += (
                f"; analytic, as if pairs were independent, {first['analytic_low']:.2f} to "
                f"{first['analytic_high']:.2f}"
            )
        shown += ")"
    statement = f"Cohen's kappa, {weighting}, over {first['pairs']} pairs of ratings: {shown}."
    if data.pairs.duplicated(["story_id", "item"]).any():
        statement += " Each pair of a story's raters counts once, so that more raters weigh more."
    numbers: dict[str, Number] = {}
    if pooled is not None:
        numbers |= pooled.numbers("kappa")
    if of_items:
        values = [value for value, _ in of_items]
        samples = np.mean([sample for _, sample in of_items], axis=0)
        mean = Estimate(float(np.mean(values)), *percentile_ci(samples, data.confidence))
        numbers |= mean.numbers("mean_over_items")
        statement += (
            f" By item {min(values):.2f} to {max(values):.2f}, on average {with_ci(mean)}: pooling "
            "also counts that raters agree which items are hard."
        )
    untold = [str(row["item"]) for row in rows[1:] if row["kappa"] is None]
    if untold:
        statement += f" On item {', '.join(untold)} it {ONE_LABEL}."
    return Finding(
        id=f"kappa-{weighting}",
        severity="note",
        statement=statement,
        numbers={
            **numbers,
            "pairs": len(data.pairs),
            **data.how(),
        },
        evidence=evidence(rows),
    )


def alpha_finding(data: Ratings) -> Finding:
    """Return Krippendorff's alpha by item and pooled over items."""
    rows: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    sentences = []
    for item, part in _by_item(data.rows):
        unit, _ = codes(part["story_id"] + "\0" + part["item"])
        table, values = label_counts(unit, part["score"].to_numpy())
        of_unit = np.zeros(len(table), dtype="int64")
        of_unit[unit] = data.story(part)
        units = int((table.sum(axis=1) > 1).sum())
        row: dict[str, Number] = {"item": item, "units": units}
        for level in LEVELS:
            value = alpha(table, values, level)
            if value is None:
                row |= {level: None, "why": ONE_LABEL}
                continue
            samples = bootstrap_alpha(table, values, level, of_unit, data.weights)
            estimate = Estimate(value, *percentile_ci(samples, data.confidence))
            row |= estimate.numbers(level)
            if part is data.rows:
                numbers |= estimate.numbers(level)
                sentences.append(f"{level} {with_ci(estimate)}")
        rows.append(row)
    shown = ", ".join(sentences) or ONE_LABEL
    raters = data.rows["rater"].nunique()
    return Finding(
        id="alpha",
        severity="note",
        statement=f"Krippendorff's alpha over {rows[0]['units']} units of two or more ratings by "
        f"{raters} raters: {shown} (bootstrap of {data.weights.shape[1]} stories).",
        numbers={**numbers, "units": rows[0]["units"], "raters": raters, **data.how()},
        evidence=evidence(rows),
    )


def prevalence_finding(data: Ratings) -> Finding:
    """Return raw agreement and how scores are distributed, and what kappa and alpha make of it."""
    table = prevalence(data.rows, data.pairs)
    high = table[(table["modal_share"] >= PREVAILS) & (table["labels"] > 1)]
    single = table[table["labels"] == 1]["item"].tolist()
    exact = float((data.pairs["first"] == data.pairs["second"]).mean())
    near = float(((data.pairs["first"] - data.pairs["second"]).abs() <= 1).mean())
    statement = (
        f"Two raters give a story's item the same score in {exact:.0%} of {len(data.pairs)} "
        f"pairs, and scores at most one apart in {near:.0%}."
    )
    if high.empty:
        statement += (
            f" No item has one score in {PREVAILS:.0%} or more of its ratings, so that the low "
            f"variety of scores does not explain a low kappa or alpha."
        )
    for row in high.to_dict("records"):
        statement += (
            f" On item {row['item']}, {row['modal_share']:.0%} of the scores are {row['mode']:g}: "
            f"raters who give it whatever they read would agree about as often as these "
            f"({row['exact']:.0%}), so that kappa and alpha near 0 are right there and say that "
            f"the scores hardly tell stories apart, not that raters contradict each other."
        )
    if single:
        statement += f" On item {', '.join(single)} only one score was given: {ONE_LABEL}."
    return Finding(
        id="prevalence",
        severity="note",
        statement=statement,
        numbers={
            "pairs": len(data.pairs),
            "exact": rounded(exact),
            "within_one": rounded(near),
            "items_one_score_prevails": len(high),
        },
        evidence=evidence(table.round({"modal_share": 3, "exact": 3})),
    )

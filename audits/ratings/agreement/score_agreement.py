"""Findings on agreement about single scores: by criterion, and pooled over criteria."""

import numpy as np
import pandas as pd

from audits.ratings.agreement.data import Ratings
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import level, listed, percent
from storyaudit.ratings.prevalence import PREVAILS, prevalence
from storyaudit.ratings.rating_rows import natural_order
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.cohen_kappa import WEIGHTINGS, Weighting, band, bootstrap_kappa, kappa
from storyaudit.stats.estimate import Array, rounded
from storyaudit.stats.krippendorff_alpha import Level, alpha, bootstrap_alpha, label_counts

LEVELS: tuple[Level, ...] = ("ordinal", "interval")
POOLED = "all criteria"
SINGLE_LABEL = "undefined: a single label"
NO_UNIT = "undefined: no story with two ratings"
WITH_WEIGHTS: dict[Weighting, str] = {
    "unweighted": "unweighted",
    "linear": "with linear weights",
    "quadratic": "with quadratic weights",
}


def _by_criterion(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the table, and its part of each criterion where there are several."""
    parts = sorted(table.groupby("item"), key=lambda part: natural_order(part[0]))
    if len(parts) == 1:
        return [(str(parts[0][0]), table)]
    return [(POOLED, table), *((str(name), part) for name, part in parts)]


def _criteria(names: list[str]) -> str:
    """Return criteria by name: 'criterion 2', 'criteria 1 and 2', '5 criteria'."""
    if len(names) > 3:
        return listed(names, "criteria")
    return f"{'criterion' if len(names) == 1 else 'criteria'} {listed(names, 'criteria')}"


def kappa_findings(data: Ratings) -> list[Finding | Unchecked]:
    """Return Cohen's kappa by weights, and a warning where its band depends on them."""
    findings: list[Finding | Unchecked] = []
    pooled: dict[Weighting, tuple[float, Array]] = {}
    for weighting in WEIGHTINGS:
        rows, by_criterion = [], []
        for criterion, part in _by_criterion(data.pairs):
            first, second = part["first"].to_numpy(), part["second"].to_numpy()
            point = kappa(first, second, weighting, data.confidence)
            row: dict[str, Number] = {"item": criterion, "pairs": len(part)}
            if point is None:
                rows.append({**row, "kappa": None, "why": SINGLE_LABEL})
                continue
            samples = bootstrap_kappa(first, second, data.story(part), data.weights, weighting)
            found = data.estimate(point.value, samples)
            row["kappa"] = rounded(point.value)
            row |= {"analytic_low": rounded(point.low), "analytic_high": rounded(point.high)}
            row |= {"story_low": rounded(found.low), "story_high": rounded(found.high)}
            rows.append(row)
            if part is data.pairs:
                pooled[weighting] = point.value, samples
            else:
                by_criterion.append((point.value, samples))
        if weighting in pooled:
            findings.append(_kappa(data, weighting, rows, pooled[weighting], by_criterion))
    if not pooled:
        reason = f"{SINGLE_LABEL} (all scores are equal)"
        return [Unchecked(id="kappa", check="Cohen's kappa", reason=reason)]
    bands = {weighting: band(value) for weighting, (value, _) in pooled.items()}
    if len(set(bands.values())) > 1:
        findings.append(_weights(data, pooled, bands))
    return findings


def _weights(
    data: Ratings,
    pooled: dict[Weighting, tuple[float, Array]],
    bands: dict[Weighting, str],
) -> Finding:
    """Return the warning that the band of kappa depends on the weights."""
    sentences = [
        f"Pooled kappa is '{bands[weighting]}' {WITH_WEIGHTS[weighting]}: "
        f"{data.phrased(value, samples)}{data.bootstrap}."
        for weighting, (value, samples) in pooled.items()
    ]
    return Finding(
        id="kappa-weights",
        severity="warn",
        statement=f"{' '.join(sentences)} The bands are those of Landis and Koch (1977). They "
        "depend on the weights, so a kappa reported without its weights cannot be interpreted.",
        numbers={
            **{
                name: number
                for weighting, found in pooled.items()
                for name, number in data.estimate(*found).numbers(weighting).items()
            },
            "pairs": len(data.pairs),
            **data.how(),
        },
    )


def _kappa(
    data: Ratings,
    weighting: Weighting,
    rows: list[dict[str, Number]],
    pooled: tuple[float, Array],
    by_criterion: list[tuple[float, Array]],
) -> Finding:
    first = rows[0]
    statement = (
        f"Cohen's kappa ({WITH_WEIGHTS[weighting].removeprefix('with ')}) over "
        f"{counted(len(data.pairs), 'pair')} of ratings is "
        f"{data.phrased(*pooled)}{data.bootstrap}."
    )
    if first["analytic_low"] is not None and first["analytic_high"] is not None:
        statement += (
            f" The analytic {level(data.confidence)} CI, which takes the pairs as independent, is "
            f"{first['analytic_low']:.2f} to {first['analytic_high']:.2f}."
        )
    if data.pairs.duplicated(["story_id", "item"]).any():
        statement += (
            " Each pair of a story's raters counts once, so stories with more raters weigh more."
        )
    numbers: dict[str, Number] = {**data.estimate(*pooled).numbers("kappa")}
    if by_criterion:
        values = [value for value, _ in by_criterion]
        mean = float(np.mean(values))
        samples = np.mean([sample for _, sample in by_criterion], axis=0)
        numbers |= data.estimate(mean, samples).numbers("mean_over_criteria")
        statement += (
            f" By criterion kappa is between {min(values):.2f} and {max(values):.2f}; the mean "
            f"over criteria is {data.phrased(mean, samples)}. Pooled kappa includes agreement on "
            "differences between criteria, the mean over criteria does not."
        )
    undefined = [str(row["item"]) for row in rows[1:] if row["kappa"] is None]
    if undefined:
        statement += f" On {_criteria(undefined)} kappa is {SINGLE_LABEL}."
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
    """Return Krippendorff's alpha by criterion and pooled over criteria."""
    rows: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    estimates = []
    for criterion, part in _by_criterion(data.rows):
        unit, _ = codes(part["story_id"] + "\0" + part["item"])
        table, values = label_counts(unit, part["score"].to_numpy())
        of_unit = np.zeros(len(table), dtype="int64")
        of_unit[unit] = data.story(part)
        units = int((table.sum(axis=1) > 1).sum())
        row: dict[str, Number] = {"item": criterion, "units": units}
        for kind in LEVELS:
            value = alpha(table, values, kind)
            if value is None:
                row |= {kind: None, "why": SINGLE_LABEL if units else NO_UNIT}
                continue
            samples = bootstrap_alpha(table, values, kind, of_unit, data.weights)
            row |= data.estimate(value, samples).numbers(kind)
            if part is data.rows:
                numbers |= data.estimate(value, samples).numbers(kind)
                estimates.append(f"{kind} alpha is {data.phrased(value, samples)}")
        rows.append(row)
    raters = data.rows["rater"].nunique()
    shown = f"{' and '.join(estimates)}{data.bootstrap}" if estimates else f"is {SINGLE_LABEL}"
    return Finding(
        id="alpha",
        severity="note",
        statement=f"Krippendorff's {shown}. The units are {rows[0]['units']} combinations of story "
        f"and criterion that two or more of {raters} raters scored."
        if estimates
        else f"Krippendorff's alpha over {rows[0]['units']} combinations of story and criterion "
        f"that two or more of {raters} raters scored {shown}.",
        numbers={**numbers, "units": rows[0]["units"], "raters": raters, **data.how()},
        evidence=evidence(rows),
    )


def prevalence_finding(data: Ratings) -> Finding:
    """Return raw agreement and how scores are distributed, beside kappa and alpha."""
    table = prevalence(data.rows, data.pairs)
    high = table[(table["modal_proportion"] >= PREVAILS) & (table["labels"] > 1)]
    single = table[table["labels"] == 1]["item"].tolist()
    difference = (data.pairs["first"] - data.pairs["second"]).abs()
    exact, near = float((difference == 0).mean()), float((difference <= 1).mean())
    return Finding(
        id="prevalence",
        severity="note",
        statement=f"Two raters' scores of a story on one criterion are equal in "
        f"{int((difference == 0).sum())} of {counted(len(data.pairs), 'pair')} ({percent(exact)}). "
        f"They differ by at most 1 in {int((difference <= 1).sum())} of {len(data.pairs)} "
        f"({percent(near)}). {_of_prevalence(table, high, single)}",
        numbers={
            "pairs": len(data.pairs),
            "exact": rounded(exact),
            "within_one": rounded(near),
            "criteria_one_score_prevails": len(high),
        },
        evidence=evidence(table.round({"modal_proportion": 3, "exact": 3})),
    )


def _of_prevalence(table: pd.DataFrame, high: pd.DataFrame, single: list[str]) -> str:
    """Return what the scores' distributions say of kappa and alpha, as sentences."""
    sentences = []
    if high.empty and len(single) < len(table):
        sentences.append(
            f"No {'other ' if single else ''}criterion has one score in {percent(PREVAILS)} or "
            "more of its ratings."
        )
    elif len(high) > 3:
        sentences.append(
            f"On {len(high)} criteria one score makes up {percent(PREVAILS)} or more of the "
            "ratings. With so little variation, kappa and alpha can be near 0 although raters "
            "mostly agree."
        )
    else:
        sentences += [
            f"On criterion {row['item']}, {round(row['modal_proportion'] * row['scores'])} of "
            f"{row['scores']} scores ({percent(row['modal_proportion'])}) are {row['mode']:g}, and "
            f"{percent(row['exact'])} of the pairs are equal. With so little variation, kappa and "
            "alpha can be near 0 although raters mostly agree."
            for row in high.to_dict("records")
        ]
    if single:
        sentences.append(
            f"On {_criteria(single)} all scores are equal, so kappa and alpha are {SINGLE_LABEL}."
        )
    return " ".join(sentences)

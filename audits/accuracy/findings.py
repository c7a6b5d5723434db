"""Accuracies with intervals, and which differences between models the data can hold."""

from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field

from audits.accuracy.bootstrap import macro, resample_macro
from audits.accuracy.gaps import missing_dimensions, missing_rewards
from audits.accuracy.outcomes import Outcomes, common_outcomes, sound_rows
from storyaudit.bootstrap import percentile_interval
from storyaudit.findings import Finding, Number, Report, Unchecked, evidence, slugs
from storyaudit.params import Params
from storyaudit.selection import NO_DIMENSION

AUDIT = "accuracy"
SHOWN = 5
"""Models that a sentence lists; the evidence has all."""


class AccuracyParams(Params):
    """The ``accuracy`` section of ``params.yaml``.

    Attributes:
        resamples: bootstrap samples.
        confidence: of every interval.
        chance: accuracy of a random choice: one of four candidates.
    """

    resamples: Annotated[int, Field(ge=100, le=1_000_000)] = 10_000
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    chance: Annotated[float, Field(gt=0, lt=1)] = 0.25


def accuracy_report(
    results: pd.DataFrame,
    params: AccuracyParams,
    rng: np.random.Generator,
    *,
    study: str,
    command: str,
) -> Report:
    """Return the findings on a results table.

    Each model's macro accuracy and each difference between two models get a paired percentile
    interval over items, stratified by dimension. A model's outcome on an item is its mean over
    seeds: the intervals speak of other items, not of other seeds, whose spread stands beside.
    """
    findings, sound = sound_rows(results, command)
    lacking, unchecked = missing_rewards(sound, command)
    findings += [*lacking, *missing_dimensions(sound, command)]
    outcomes, left_out = common_outcomes(sound)
    if left_out:
        findings.append(
            Finding(
                id="items-common",
                severity="warn",
                statement=f"{left_out} items lack an outcome of some run; the comparison is over "
                f"the {len(outcomes.correct)} items that every run answered.",
                numbers={"left_out": left_out, "items": len(outcomes.correct)},
                command=command,
            )
        )
    if not len(outcomes.correct):
        return Report(
            study=study,
            audit=AUDIT,
            findings=findings,
            unchecked=[
                *unchecked,
                Unchecked(
                    id="comparison",
                    check="accuracies and their differences",
                    reason="no item has an outcome of every run",
                ),
            ],
        )
    samples = resample_macro(outcomes.correct, outcomes.strata, resamples=params.resamples, rng=rng)
    point = macro(outcomes.correct, outcomes.strata)
    models = [
        _model(number, name, outcomes, point, samples, params, command)
        for number, name in enumerate(slugs(outcomes.models))
    ]
    best = int(np.argmax(point))
    pairs = list(combinations(np.argsort(-point, kind="stable").tolist(), 2))
    names = slugs([" ".join(sorted(outcomes.models[model] for model in pair)) for pair in pairs])
    differences = [
        _difference(pair, name, best, outcomes, point, samples, params, command)
        for pair, name in zip(pairs, names, strict=True)
    ]
    findings += models + differences
    if len(outcomes.models) > 2:
        findings += [
            _against_best(best, pairs, models, differences, outcomes, command),
            Finding(
                id="multiplicity",
                severity="note",
                statement=f"{len(pairs)} differences are shown, each with its own "
                f"{_confidence(params)} interval; the intervals are not adjusted for their "
                f"number.",
                numbers={"differences": len(pairs)},
                command=command,
            ),
        ]
    unchecked += _unchecked(outcomes)
    return Report(study=study, audit=AUDIT, findings=findings, unchecked=unchecked)


def _model(
    number: int,
    name: str,
    outcomes: Outcomes,
    point: NDArray[np.float64],
    samples: NDArray[np.float64],
    params: AccuracyParams,
    command: str,
) -> Finding:
    model, seeds = outcomes.models[number], outcomes.by_seed[number]
    correct, tied = outcomes.correct[:, number], outcomes.tied[number]
    credit = outcomes.credit[:, number]
    credit_macro = float(macro(credit[:, None], outcomes.strata)[0])
    unspread = outcomes.unspread(correct)
    interval = None if unspread else _interval(samples[:, number], params)
    spread = float(macro(seeds, outcomes.strata).std(ddof=1)) if seeds.shape[1] > 1 else None
    if interval is None:
        range_text = f"its interval cannot be told by resampling ({unspread})"
    else:
        range_text = f"{_confidence(params)} interval {_percents(interval)}"
    return Finding(
        id=f"model-{name}",
        severity="note",
        statement=(
            f"{model}: macro accuracy {point[number]:.1%} ({range_text}; "
            f"{_items(outcomes)}, {_seeds(seeds.shape[1])}), micro "
            f"{correct.mean():.1%}."
            + (
                f" With ties broken at random ({tied} items have some): macro {credit_macro:.1%}, "
                f"micro {credit.mean():.1%}."
                if tied
                else ""
            )
            + (f" SD over seeds {100 * spread:.1f} points." if spread is not None else "")
            + (
                f" Not told apart from chance ({params.chance:.0%})."
                if interval and interval[0] <= params.chance <= interval[1]
                else ""
            )
        ),
        numbers={
            "macro": round(float(point[number]), 6),
            "low": None if interval is None else round(interval[0], 6),
            "high": None if interval is None else round(interval[1], 6),
            "micro": round(float(correct.mean()), 6),
            "credit_macro": round(credit_macro, 6),
            "credit_micro": round(float(credit.mean()), 6),
            "items": len(correct),
            "seeds": seeds.shape[1],
            "sd_over_seeds": None if spread is None else round(spread, 6),
            "items_with_ties": tied,
            "confidence": params.confidence,
            "resamples": params.resamples,
        },
        evidence=evidence(
            {
                "dimension": name,
                "items": int((outcomes.strata == stratum).sum()),
                "accuracy": round(float(correct[outcomes.strata == stratum].mean()), 4),
            }
            for stratum, name in enumerate(outcomes.dimensions)
        ),
        command=command,
    )


def _difference(
    pair: tuple[int, int],
    name: str,
    best: int,
    outcomes: Outcomes,
    point: NDArray[np.float64],
    samples: NDArray[np.float64],
    params: AccuracyParams,
    command: str,
) -> Finding:
    higher, lower = pair
    difference = float(point[higher] - point[lower])
    unspread = outcomes.unspread(outcomes.correct[:, higher] - outcomes.correct[:, lower])
    spread = samples[:, higher] - samples[:, lower]
    interval = None if unspread else _interval(spread, params)
    names = f"{outcomes.models[higher]} over {outcomes.models[lower]}"
    told = interval is not None and not interval[0] <= 0 <= interval[1]
    if interval is not None:
        range_text = f"{_confidence(params)} interval {_points(interval)}"
    else:
        range_text = f"its interval cannot be told by resampling ({unspread})"
    if told:
        conclusion = "the difference is told from zero."
    elif np.ptp(spread) < 1e-12 and abs(difference) > 1e-12:
        conclusion = "every item of a dimension has the same difference."
    elif interval is None and np.ptp(spread) >= 1e-12:
        conclusion = "whether they differ on other items cannot be told."
    else:
        conclusion = "the two cannot be told apart."
    thin = not told and higher == best
    return Finding(
        id=f"difference-{name}",
        severity="warn" if thin else "note",
        statement=f"{names}: {100 * difference:+.1f} points of macro accuracy ({range_text}, "
        f"paired over {outcomes.in_macro} items): " + conclusion,
        numbers={
            "difference": round(difference, 6),
            "low": None if interval is None else round(interval[0], 6),
            "high": None if interval is None else round(interval[1], 6),
            "items": outcomes.in_macro,
            "confidence": params.confidence,
        },
        command=command,
    )


def _against_best(
    best: int,
    pairs: list[tuple[int, int]],
    models: list[Finding],
    differences: list[Finding],
    outcomes: Outcomes,
    command: str,
) -> Finding:
    """Return the models from best to worst, with their differences from the best one."""
    names = outcomes.models
    rows = [{"model": names[best], **_part(models[best], "macro", "low", "high")}]
    alike = []
    for (higher, lower), difference in zip(pairs, differences, strict=True):
        if higher == best:
            further = _part(difference, "difference", "low", "high")
            low, high = further["low"], further["high"]
            told = isinstance(low, float) and isinstance(high, float) and not low <= 0 <= high
            alike += [] if told else [names[lower]]
            rows.append(
                {
                    "model": names[lower],
                    **_part(models[lower], "macro", "low", "high"),
                    "behind": further["difference"],
                    "behind_low": low,
                    "behind_high": high,
                    "told_apart": told,
                }
            )
    others = len(rows) - 1
    return Finding(
        id="against-best",
        severity="note",
        statement=f"Of {len(rows)} models {names[best]} has the highest macro accuracy, "
        f"{rows[0]['macro']:.1%}; {others - len(alike)} of {others} are told apart from it"
        + (f", not {_listed(alike)}." if alike else "."),
        numbers={"models": len(rows), "told_apart": others - len(alike)},
        evidence=evidence(rows),
        command=command,
    )


def _part(finding: Finding, *names: str) -> dict[str, Number]:
    return {name: finding.numbers[name] for name in names}


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def _unchecked(outcomes: Outcomes) -> list[Unchecked]:
    single = [
        model
        for model, seeds in zip(outcomes.models, outcomes.by_seed, strict=True)
        if seeds.shape[1] == 1
    ]
    if not single:
        return []
    return [
        Unchecked(
            id="seed-variance",
            check=f"how far the accuracy of {', '.join(single)} would move with another seed",
            reason="there is one seed; a rule that draws nothing at random needs no other",
        )
    ]


def _interval(samples: NDArray[np.float64], params: AccuracyParams) -> tuple[float, float] | None:
    low, high = percentile_interval(samples, params.confidence)
    return None if low is None or high is None else (low, high)


def _confidence(params: AccuracyParams) -> str:
    return f"{100 * params.confidence:g}%"


def _items(outcomes: Outcomes) -> str:
    if set(outcomes.dimensions) <= set(NO_DIMENSION):
        return f"{outcomes.in_macro} items without dimensions"
    number = len(outcomes.dimensions)
    return f"{outcomes.in_macro} items in {number} dimension{'' if number == 1 else 's'}"


def _seeds(count: int) -> str:
    return "1 seed" if count == 1 else f"mean of {count} seeds"


def _percents(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.1%} to {interval[1]:.1%}"


def _points(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:+.1f} to {100 * interval[1]:+.1f}"

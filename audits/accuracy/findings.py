"""Accuracies with intervals, and which differences between models the data can hold."""

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field

from audits.accuracy.bootstrap import macro, resample_macro
from storyaudit.bootstrap import percentile_interval
from storyaudit.findings import Finding, Report, Unchecked, evidence, slugs
from storyaudit.params import Params

AUDIT = "accuracy"
FEWEST = 5
"""A dimension of fewer items shows too little of its spread to resample it."""
RUN_ITEM = ["variant", "model", "seed", "item_id"]


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


@dataclass(frozen=True)
class Outcomes:
    """The models' outcomes on the items that all of them answered.

    Attributes:
        models: names of the models.
        by_seed: each model's outcomes, one row an item, one column a seed.
        tied: for each model, on how many items the highest reward was shared with some seed.
        correct: one row an item, one column a model: the share of seeds in which it was right.
        strata: each item's dimension, as a number.
        dimensions: the dimensions' names.
    """

    models: list[str]
    by_seed: list[NDArray[np.float64]]
    tied: list[int]
    correct: NDArray[np.float64]
    strata: NDArray[np.int64]
    dimensions: list[str]

    def unspread(self, values: NDArray[np.float64]) -> str:
        """Return why resampling cannot tell the spread of values, one an item; '' if it can.

        A dimension with a handful of items, or with one value on all of them, looks as if it had
        no spread, and an interval over it would be too narrow.
        """
        sizes = np.bincount(self.strata)
        few = [name for name, n in zip(self.dimensions, sizes, strict=True) if n < FEWEST]
        if few:
            return f"{', '.join(few)}: fewer than {FEWEST} items"
        constant = [
            name
            for stratum, name in enumerate(self.dimensions)
            if np.ptp(values[self.strata == stratum]) == 0
        ]
        return f"{', '.join(constant)}: the same on every item" if constant else ""


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
    findings, sound = _check(results, command)
    outcomes, left_out = _common(sound)
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
                Unchecked(
                    id="comparison",
                    check="accuracies and their differences",
                    reason="no item has an outcome of every run",
                )
            ],
        )
    samples = resample_macro(outcomes.correct, outcomes.strata, resamples=params.resamples, rng=rng)
    point = macro(outcomes.correct, outcomes.strata)
    findings += [
        _model(number, name, outcomes, point, samples, params, command)
        for number, name in enumerate(slugs(outcomes.models))
    ]
    best = int(np.argmax(point))
    pairs = list(combinations(np.argsort(-point, kind="stable").tolist(), 2))
    names = slugs([" ".join(sorted(outcomes.models[model] for model in pair)) for pair in pairs])
    findings += [
        _difference(pair, name, best, outcomes, point, samples, params, command)
        for pair, name in zip(pairs, names, strict=True)
    ]
    if len(outcomes.models) > 2:
        findings.append(
            Finding(
                id="multiplicity",
                severity="note",
                statement=f"{len(pairs)} differences are shown, each with its own "
                f"{_confidence(params)} interval; the intervals are not adjusted for their "
                f"number.",
                numbers={"differences": len(pairs)},
                command=command,
            )
        )
    return Report(study=study, audit=AUDIT, findings=findings, unchecked=_unchecked(outcomes))


def _check(results: pd.DataFrame, command: str) -> tuple[list[Finding], pd.DataFrame]:
    """Return findings on the table itself, and the rows that can be used."""
    findings = []
    complete = results.dropna(subset=[*RUN_ITEM, "dimension", "correct"])
    twice = complete.duplicated(RUN_ITEM)
    right = complete["correct"].astype("bool")
    impossible = (
        (right & (complete["ties"] != 0))
        | (right & (complete["credit"] != 1))
        | (complete["ties"] < 0)
        | ~complete["credit"].between(0, 1)
    )
    disagree = complete.groupby("item_id")["dimension"].nunique()
    wrong = set(disagree[disagree > 1].index)
    for name, rows, problem in (
        (
            "results-complete",
            results.loc[~results.index.isin(complete.index)],
            "lack a run, an item, a dimension or an outcome",
        ),
        ("results-once", complete[twice], "repeat a run's outcome on an item"),
        (
            "results-consistent",
            complete[impossible],
            "contradict themselves (an item is right only without ties; credit is 1 if it is "
            "right, and lies between 0 and 1)",
        ),
        (
            "dimension-agrees",
            complete[complete["item_id"].isin(wrong)],
            "belong to items that stand under different dimensions",
        ),
    ):
        if len(rows):
            findings.append(
                Finding(
                    id=name,
                    severity="fail",
                    statement=f"{len(rows)} of {len(results)} rows {problem}; they are left out.",
                    numbers={"rows": len(rows)},
                    evidence=evidence(rows[[*RUN_ITEM, "dimension"]]),
                    command=command,
                )
            )
    usable = ~twice & ~impossible & ~complete["item_id"].isin(wrong)
    return findings, complete[usable]


def _common(results: pd.DataFrame) -> tuple[Outcomes, int]:
    """Return the outcomes on the items that every run has, and how many items some run lacks."""
    wide = results.pivot(
        index="item_id", columns=["variant", "model", "seed"], values="correct"
    ).sort_index()
    common = wide.dropna().astype("float64")
    of_item = results[results["item_id"].isin(common.index)]
    dimension = of_item.drop_duplicates("item_id").set_index("item_id")["dimension"]
    dimensions, strata = np.unique(dimension[common.index].to_numpy(dtype=str), return_inverse=True)
    runs = [tuple(run) for run in common.columns]
    keys = sorted({run[:2] for run in runs})
    variants = [variant for variant, _ in keys]
    ties = of_item[of_item["ties"] > 0].groupby(["variant", "model"])["item_id"].nunique()
    by_seed = [common.loc[:, [run[:2] == key for run in runs]].to_numpy() for key in keys]
    outcomes = Outcomes(
        models=[v if variants.count(v) == 1 else f"{v}/{model}" for v, model in keys],
        by_seed=by_seed,
        tied=[int(ties.get(key, 0)) for key in keys],
        correct=np.array([seeds.mean(axis=1) for seeds in by_seed]).T,
        strata=strata,
        dimensions=dimensions.tolist(),
    )
    return outcomes, len(wide) - len(common)


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
    items = len(outcomes.correct)
    correct = outcomes.correct[:, number]
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
            f"{model}: macro accuracy {point[number]:.1%} ({range_text}; {items} items in "
            f"{len(outcomes.dimensions)} dimensions, {_seeds(seeds.shape[1])}), micro "
            f"{correct.mean():.1%}."
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
            "items": items,
            "seeds": seeds.shape[1],
            "sd_over_seeds": None if spread is None else round(spread, 6),
            "items_with_ties": outcomes.tied[number],
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
        f"paired over {len(outcomes.correct)} items): " + conclusion,
        numbers={
            "difference": round(difference, 6),
            "low": None if interval is None else round(interval[0], 6),
            "high": None if interval is None else round(interval[1], 6),
            "items": len(outcomes.correct),
            "confidence": params.confidence,
        },
        command=command,
    )


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


def _seeds(count: int) -> str:
    return "1 seed" if count == 1 else f"mean of {count} seeds"


def _percents(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.1%} to {interval[1]:.1%}"


def _points(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:+.1f} to {100 * interval[1]:+.1f}"

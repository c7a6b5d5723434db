"""Accuracies with intervals, and which differences between models the data can hold."""

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field

from audits.accuracy.bootstrap import macro, percentile_interval, resample_macro
from storyaudit.findings import Finding, Report, Unchecked, evidence
from storyaudit.stage import Params

AUDIT = "accuracy"
CHANCE = 0.25
RUN_ITEM = ["variant", "model", "seed", "item_id"]


class AccuracyParams(Params):
    """The ``accuracy`` section of ``params.yaml``."""

    resamples: Annotated[int, Field(ge=100, le=1_000_000)] = 10_000
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95


@dataclass(frozen=True)
class Outcomes:
    """The models' outcomes on the items that all of them answered.

    Attributes:
        models: names of the models.
        seeds: how many seeds each was trained or drawn with.
        correct: one row an item, one column a model: the share of seeds in which it was right.
        strata: each item's dimension, as a number.
        dimensions: the dimensions' names.
    """

    models: list[str]
    seeds: list[int]
    correct: NDArray[np.float64]
    strata: NDArray[np.int64]
    dimensions: list[str]


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
        _model(number, outcomes, point, samples, sound, params, command)
        for number in range(len(outcomes.models))
    ]
    best = int(np.argmax(point))
    findings += [
        _difference(pair, best, outcomes, point, samples, params, command)
        for pair in combinations(np.argsort(-point, kind="stable").tolist(), 2)
    ]
    if len(outcomes.models) > 2:
        count = len(outcomes.models) * (len(outcomes.models) - 1) // 2
        findings.append(
            Finding(
                id="multiplicity",
                severity="note",
                statement=f"{count} differences are shown, each with its own "
                f"{params.confidence:.0%} interval; the intervals are not adjusted for their "
                f"number.",
                numbers={"differences": count},
                command=command,
            )
        )
    return Report(study=study, audit=AUDIT, findings=findings, unchecked=_unchecked(outcomes))


def _check(results: pd.DataFrame, command: str) -> tuple[list[Finding], pd.DataFrame]:
    """Return findings on the table itself, and the rows that can be used."""
    findings = []
    complete = results.dropna(subset=[*RUN_ITEM, "dimension", "correct"])
    twice = complete.duplicated(RUN_ITEM)
    disagree = complete.groupby("item_id")["dimension"].nunique()
    wrong = set(disagree[disagree > 1].index)
    for name, rows, problem in (
        (
            "results-complete",
            results.loc[~results.index.isin(complete.index)],
            "lack an item, a dimension or an outcome",
        ),
        ("results-once", complete[twice], "repeat a run's outcome on an item"),
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
    return findings, complete[~twice & ~complete["item_id"].isin(wrong)]


def _common(results: pd.DataFrame) -> tuple[Outcomes, int]:
    several = results.groupby("variant")["model"].nunique() > 1
    name = results["variant"].where(
        ~results["variant"].map(several).astype(bool), results["variant"] + "/" + results["model"]
    )
    wide = (
        results.assign(name=name)
        .pivot(index="item_id", columns=["name", "seed"], values="correct")
        .sort_index()
    )
    dimension = results.drop_duplicates("item_id").set_index("item_id")["dimension"]
    common = wide.dropna().astype("float64")
    of_model = common.columns.get_level_values("name")
    models = sorted(set(of_model))
    names, strata = np.unique(dimension[common.index].to_numpy(dtype=str), return_inverse=True)
    correct = np.column_stack(
        [common.loc[:, of_model == model].to_numpy().mean(axis=1) for model in models]
    )
    seeds = [int((of_model == model).sum()) for model in models]
    return Outcomes(models, seeds, correct, strata, names.tolist()), len(wide) - len(common)


def _model(
    number: int,
    outcomes: Outcomes,
    point: NDArray[np.float64],
    samples: NDArray[np.float64],
    results: pd.DataFrame,
    params: AccuracyParams,
    command: str,
) -> Finding:
    model, items = outcomes.models[number], len(outcomes.correct)
    interval = percentile_interval(samples[:, number], params.confidence)
    correct = outcomes.correct[:, number]
    ties = results.loc[results["variant"] == model.split("/")[0], "ties"]
    spread = _seed_spread(model, outcomes, results)
    if interval is None:
        range_text = "its interval cannot be told by resampling: every item has the same outcome"
    else:
        range_text = f"{params.confidence:.0%} interval {_percents(interval)}"
    return Finding(
        id=f"model-{_slug(model)}",
        severity="note",
        statement=(
            f"{model}: macro accuracy {point[number]:.1%} ({range_text}; {items} items in "
            f"{len(outcomes.dimensions)} dimensions, {_seeds(outcomes.seeds[number])}), micro "
            f"{correct.mean():.1%}."
            + (f" SD over seeds {100 * spread:.1f} points." if spread is not None else "")
            + (
                f" Not told apart from chance ({CHANCE:.0%})."
                if interval and interval[0] <= CHANCE <= interval[1]
                else ""
            )
        ),
        numbers={
            "macro": round(float(point[number]), 6),
            "low": None if interval is None else round(interval[0], 6),
            "high": None if interval is None else round(interval[1], 6),
            "micro": round(float(correct.mean()), 6),
            "items": items,
            "seeds": outcomes.seeds[number],
            "sd_over_seeds": None if spread is None else round(spread, 6),
            "items_with_ties": int((ties > 0).sum()),
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


def _seed_spread(model: str, outcomes: Outcomes, results: pd.DataFrame) -> float | None:
    """Return the sample SD over seeds of the macro accuracy, or None with one seed."""
    variant, _, kind = model.partition("/")
    rows = results[results["variant"] == variant]
    if kind:
        rows = rows[rows["model"] == kind]
    by_seed = rows.groupby(["seed", "dimension"])["correct"].mean().groupby("seed").mean()
    return float(by_seed.std(ddof=1)) if len(by_seed) > 1 else None


def _difference(
    pair: tuple[int, int],
    best: int,
    outcomes: Outcomes,
    point: NDArray[np.float64],
    samples: NDArray[np.float64],
    params: AccuracyParams,
    command: str,
) -> Finding:
    higher, lower = pair
    difference = float(point[higher] - point[lower])
    interval = percentile_interval(samples[:, higher] - samples[:, lower], params.confidence)
    names = f"{outcomes.models[higher]} over {outcomes.models[lower]}"
    if interval is None:
        told, range_text = False, "its interval cannot be told by resampling"
    else:
        told = interval[0] > 0 or interval[1] < 0
        range_text = f"{params.confidence:.0%} interval {_points(interval)}"
    thin = not told and higher == best
    return Finding(
        id=f"difference-{_slug(outcomes.models[higher])}-{_slug(outcomes.models[lower])}",
        severity="warn" if thin else "note",
        statement=f"{names}: {100 * difference:+.1f} points of macro accuracy ({range_text}, "
        f"paired over {len(outcomes.correct)} items): "
        + ("the difference is told from zero." if told else "the two cannot be told apart."),
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
    single = [m for m, seeds in zip(outcomes.models, outcomes.seeds, strict=True) if seeds == 1]
    if not single:
        return []
    return [
        Unchecked(
            id="seed-variance",
            check=f"how far the accuracy of {', '.join(single)} would move with another seed",
            reason="there is one seed; a rule that draws nothing at random needs no other",
        )
    ]


def _slug(name: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower()).strip("-")
    return kept or "model"


def _seeds(count: int) -> str:
    return "1 seed" if count == 1 else f"mean of {count} seeds"


def _percents(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.1%} to {interval[1]:.1%}"


def _points(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:+.1f} to {100 * interval[1]:+.1f}"

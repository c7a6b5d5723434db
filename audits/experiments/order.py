"""Which method's pairs accuracy depends on most, and whether the order can be told."""

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from audits.experiments.experiment_params import ExperimentsParams
from audits.experiments.experiment_phrasing import lacking
from audits.experiments.variant_outcomes import of_variants
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import level, points
from storyaudit.stats.items_by_seeds import Crossed, difference
from storyaudit.vocabulary import (
    BACK_GENERATION,
    CONTINUATION,
    REMOVAL,
    REPLACEMENT,
    REWRITING,
    variant_of,
)

PRINTED = (REWRITING, CONTINUATION, BACK_GENERATION)
"""The methods that StoryAlign replaced."""


class Step(NamedTuple):
    """A method in the order of accuracies, the lowest first.

    Attributes:
        method: whose pairs were removed or replaced.
        drop: accuracy less the reference's.
        next: the next method and how much lower this one is; None for the last.
    """

    method: str
    drop: Crossed
    next: tuple[str, Crossed] | None


class Order(NamedTuple):
    """Methods in their order.

    Attributes:
        steps: one a method.
        over: how many items they are compared on, as a sentence has it.
    """

    steps: list[Step]
    over: str


def order_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams, paper: Mapping[str, float]
) -> list[Finding | Unchecked]:
    """Return the order of the methods by how far accuracy drops without their pairs.

    The order is told if each method is told from the next. That of replacements is set beside
    StoryAlign's (appendix H.1), which another study need not share.

    Args:
        rows: sound results of the reference and of the experiments.
        variants: names of experiments; those of 'removal/' and 'replacement/' count.
        params: reference and confidence.
        paper: printed figures.
    """
    found: list[Finding | Unchecked] = []
    for family in (REMOVAL, REPLACEMENT):
        methods = [name.partition("/")[2] for name in variants if name.startswith(f"{family}/")]
        order = _order(rows, family, methods, params)
        found.append(
            _of_family(family, order, params) if order.steps else _no_order(family, methods)
        )
    replaced = [method for method in PRINTED if variant_of(REPLACEMENT, method) in variants]
    whole = len(replaced) == len(PRINTED)
    order = _order(rows, REPLACEMENT, replaced if whole else [], params)
    return [*found, _beside_paper(order, paper)]


def _order(rows: pd.DataFrame, family: str, methods: list[str], params: ExperimentsParams) -> Order:
    """Return the order of methods; no steps without two methods and items in common."""
    outcomes = of_variants(rows, [params.reference, *(f"{family}/{name}" for name in methods)])
    if len(methods) < 2 or not len(outcomes.strata):
        return Order([], "")

    def less(first: str, second: str) -> Crossed:
        sides = outcomes.by_variant[first], outcomes.by_variant[second]
        return difference(*sides, outcomes.strata, params.confidence)

    drops = {method: less(f"{family}/{method}", params.reference) for method in methods}
    # Rounded, so that methods of equal accuracy stand by name whatever the last bits.
    ranked = sorted(methods, key=lambda method: (round(drops[method].estimate.value, 9), method))
    following = [
        (second, less(f"{family}/{first}", f"{family}/{second}"))
        for first, second in pairwise(ranked)
    ]
    steps = [
        Step(method, drops[method], after)
        for method, after in zip(ranked, [*following, None], strict=True)
    ]
    return Order(steps, counted(steps[0].drop.items, "item") + lacking(outcomes))


def _no_order(family: str, methods: list[str]) -> Unchecked:
    return Unchecked(
        id=f"order-{family}",
        check=f"the order of the methods by what their {family} does to accuracy",
        reason="no item has an outcome of every run"
        if len(methods) > 1
        else "fewer than two methods were put to it",
    )


def _of_family(family: str, order: Order, params: ExperimentsParams) -> Finding:
    steps = order.steps
    untold = _untold(steps)
    return Finding(
        id=f"order-{family}",
        severity="warn" if untold else "note",
        statement=f"Methods by their {family}, the lowest accuracy first: {_listed(steps)} points "
        f"against {params.reference} ({order.over}). "
        + (
            "This order cannot be told from this data: not told apart at "
            f"{level(params.confidence)} are {'; '.join(untold)}."
            if untold
            else f"Each is told from the next at {level(params.confidence)}."
        ),
        numbers={"methods": len(steps), "neighbours_untold": len(untold)},
        evidence=evidence(_row(step) for step in steps),
    )


def _row(step: Step) -> dict[str, Number]:
    row: dict[str, Number] = {"method": step.method, **step.drop.estimate.numbers("difference", 6)}
    if step.next is None:
        return row
    return {**row, "next": step.next[0], **step.next[1].estimate.numbers("less_next", 6)}


def _beside_paper(order: Order, paper: Mapping[str, float]) -> Finding | Unchecked:
    steps = order.steps
    if not steps:
        return Unchecked(
            id="paper-order",
            check="whether the methods come in the order of StoryAlign's table 2",
            reason=f"it takes replacements of {', '.join(PRINTED)} with items in common",
        )
    drops = {
        method: round(paper[f"ablation.{method.replace('_', '-')}"] - paper["ablation.full"], 1)
        for method in PRINTED
    }
    printed = sorted(PRINTED, key=lambda method: drops[method])
    same = [step.method for step in steps] == printed
    untold = len(_untold(steps))
    shown = ", ".join(f"{method} {drops[method]:+.1f}" for method in printed)
    return Finding(
        id="paper-order",
        severity="note",
        statement=f"StoryAlign prints {shown} points where a method's pairs are replaced (table "
        f"2, PDF p. 20); here {_listed(steps)} ({order.over}): "
        f"{'the same' if same else 'another'} order, which {'cannot be' if untold else 'is'} told "
        f"from this data.",
        numbers={"same_order": same, "neighbours_untold": untold},
        evidence=evidence({**_row(step), "printed": drops[step.method]} for step in steps),
    )


def _listed(steps: list[Step]) -> str:
    return ", ".join(f"{step.method} {points(step.drop.estimate.value)}" for step in steps)


def _untold(steps: list[Step]) -> list[str]:
    """Return the neighbours whose difference is not told from zero."""
    return [
        f"{step.method} and {step.next[0]}"
        for step in steps
        if step.next is not None and not step.next[1].estimate.excludes_zero()
    ]

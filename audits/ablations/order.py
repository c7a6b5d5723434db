"""Which method's pairs accuracy depends on most, and whether the order is significant."""

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablation_phrasing import lacking
from audits.ablations.variant_outcomes import of_variants
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import agreeing, level, points
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
_NAMED = 3  # methods that a sentence lists


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
        lacking: sentences on what was left out, or ''.
    """

    steps: list[Step]
    over: str
    lacking: str


def order_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams, paper: Mapping[str, float]
) -> list[Finding | Unchecked]:
    """Return the order of the methods by how far accuracy drops without their pairs.

    The order is significant if each method differs significantly from the next. That of
    replacements is compared with StoryAlign's (appendix H.1), which another study need not share.

    Args:
        rows: valid results of the reference and of the ablations.
        variants: names of ablations; those of 'removal/' and 'replacement/' count.
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
    return [*found, _beside_paper(order, params, paper)]


def _order(rows: pd.DataFrame, family: str, methods: list[str], params: ExperimentsParams) -> Order:
    """Return the order of methods; no steps without two methods and items in common."""
    outcomes = of_variants(rows, [params.reference, *(f"{family}/{name}" for name in methods)])
    if len(methods) < 2 or not len(outcomes.strata):
        return Order([], "", "")

    def less(first: str, second: str) -> Crossed:
        terms = outcomes.by_variant[first], outcomes.by_variant[second]
        return difference(*terms, outcomes.strata, params.confidence)

    drops = {method: less(f"{family}/{method}", params.reference) for method in methods}
    # Rounded, so that methods of equal accuracy are ordered by name whatever the last bits.
    ranked = sorted(methods, key=lambda method: (round(drops[method].estimate.value, 9), method))
    following = [
        (second, less(f"{family}/{first}", f"{family}/{second}"))
        for first, second in pairwise(ranked)
    ]
    steps = [
        Step(method, drops[method], after)
        for method, after in zip(ranked, [*following, None], strict=True)
    ]
    return Order(steps, counted(steps[0].drop.items, "item"), lacking(outcomes))


def _no_order(family: str, methods: list[str]) -> Unchecked:
    return Unchecked(
        id=f"order-{family}",
        check=f"order of the methods by the effect of their {family} on accuracy",
        reason="no item has an outcome of every run"
        if len(methods) > 1
        else "fewer than two methods have results",
    )


def _of_family(family: str, order: Order, params: ExperimentsParams) -> Finding:
    steps = order.steps
    inconclusive = _inconclusive(steps)
    open_order = " The order is not established." if inconclusive else ""
    return Finding(
        id=f"order-{family}",
        severity="warn" if inconclusive else "note",
        statement=f"Effect of the {family} of each method's pairs on macro accuracy: "
        f"{_listed(steps)} points versus {params.reference} ({order.over}). "
        + (_ties(steps) or f"{_neighbours(steps, params)}.{open_order}")
        + order.lacking,
        numbers={"methods": len(steps), "neighbours_inconclusive": inconclusive},
        evidence=evidence(_row(step) for step in steps),
    )


def _row(step: Step) -> dict[str, Number]:
    row: dict[str, Number] = {"method": step.method, **step.drop.estimate.numbers("difference", 6)}
    if step.next is None:
        return row
    return {**row, "next": step.next[0], **step.next[1].estimate.numbers("less_next", 6)}


def _beside_paper(
    order: Order, params: ExperimentsParams, paper: Mapping[str, float]
) -> Finding | Unchecked:
    steps = order.steps
    if not steps:
        return Unchecked(
            id="paper-order",
            check="agreement with the order of methods in StoryAlign's table 2",
            reason=f"it needs replacements of {', '.join(PRINTED)} with items in common",
        )
    drops = {
        method: round(paper[f"ablation.{method.replace('_', '-')}"] - paper["ablation.full"], 1)
        for method in PRINTED
    }
    printed = sorted(PRINTED, key=lambda method: drops[method])
    same = [step.method for step in steps] == printed
    compared = _ties(steps) or (
        f"The estimates are in {'the same' if same else 'a different'} order; "
        f"{_neighbours(steps, params)}"
        f"{', so the order is not established' if _inconclusive(steps) else ''}."
    )
    shown = ", ".join(f"{method} {drops[method]:+.1f}" for method in printed)
    return Finding(
        id="paper-order",
        severity="note",
        statement=f"StoryAlign (table 2, PDF p. 20) reports {shown} points for the replacement of "
        f"a method's pairs. Here: {_listed(steps)} points ({order.over}). "
        f"{compared}{order.lacking}",
        numbers={"same_order": same, "neighbours_inconclusive": _inconclusive(steps)},
        evidence=evidence({**_row(step), "printed": drops[step.method]} for step in steps),
    )


def _listed(steps: list[Step]) -> str:
    """Return the methods from the lowest accuracy on; of many, the lowest and the highest."""
    shown = [f"{step.method} {points(step.drop.estimate.value)}" for step in steps]
    if len(shown) <= _NAMED:
        return ", ".join(shown)
    return f"from {shown[0]} to {shown[-1]}"


def _ties(steps: list[Step]) -> str:
    """Return that methods have equal accuracies, so that they have no order; '' if none have."""
    equal = [_equal(step) for step in steps[:-1]]
    if not any(equal):
        return ""
    if all(equal):
        whole = "Both" if len(steps) == 2 else f"All {len(steps)}"
        return f"{whole} are equal, so there is no order to compare."
    zero = sum(equal)
    return (
        f"{zero} of {counted(len(equal), 'difference')} between neighbours "
        f"{agreeing(zero, len(equal), 'is', 'are')} 0, so the order is incomplete and not "
        f"established."
    )


def _equal(step: Step) -> bool:
    # Rounded, as for the order.
    return step.next is not None and round(step.next[1].estimate.value, 9) == 0


def _neighbours(steps: list[Step], params: ExperimentsParams) -> str:
    """Return how many differences between neighbours in the order are significant, unended."""
    pairs = len(steps) - 1
    significant = pairs - _inconclusive(steps)
    return (
        f"{significant} of {counted(pairs, 'difference')} between neighbours "
        f"{agreeing(significant, pairs, 'is', 'are')} significant "
        f"({level(params.confidence)} CI excludes 0)"
    )


def _inconclusive(steps: list[Step]) -> int:
    """Return how many neighbours do not differ significantly."""
    return sum(
        step.next is not None and not step.next[1].estimate.excludes_zero() for step in steps
    )

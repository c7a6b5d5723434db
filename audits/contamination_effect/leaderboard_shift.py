"""Findings on macro accuracies and ranks with and without the contaminated items."""

import numpy as np
from numpy.typing import NDArray

from audits.contamination_effect.effect_phrasing import Threshold, difference, some
from audits.contamination_effect.model_answers import Answers
from audits.contamination_effect.ranks import Macro, Swap, macro, swaps
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import NO_CI, level, percent, points
from storyaudit.stats.estimate import FEWEST, Estimate, rounded


def leaderboard_findings(
    answers: Answers, contaminated: NDArray[np.bool_], threshold: Threshold, confidence: float
) -> list[Finding | Unchecked]:
    """Return the models' macro accuracies and ranks on all items and on the uncontaminated ones.

    Both are over the dimensions that keep an item, so that they compare.

    Args:
        answers: of the models.
        contaminated: which items overlap from the threshold on.
        threshold: from which overlaps count.
        confidence: of the intervals.
    """
    others = ~contaminated
    kept = np.isin(answers.strata, answers.strata[others & (answers.strata >= 0)])
    on_all = macro(answers, kept, confidence)
    on_others = macro(answers, kept & others, confidence)
    if on_all is None or on_others is None:
        return [
            Unchecked(
                id=f"macro-{threshold.name}",
                check=f"macro accuracy without the items with {threshold.what}",
                reason="undefined: no other item has a dimension",
            )
        ]
    lost = sorted(set(answers.dimensions) - set(on_others.items))
    order = np.lexsort(
        (on_all.ranks, [("trained", "unknown", "control").index(role) for role in answers.roles])
    ).tolist()
    return [
        _macro(answers, order, on_all, on_others, lost, threshold, confidence),
        _ranks(
            answers,
            on_all,
            on_others,
            swaps(answers, kept, kept & others, confidence),
            threshold,
            confidence,
        ),
    ]


def _macro(
    answers: Answers,
    order: list[int],
    on_all: Macro,
    on_others: Macro,
    lost: list[str],
    threshold: Threshold,
    confidence: float,
) -> Finding:
    before, after = sum(on_all.items.values()), sum(on_others.items.values())
    changes = {m: on_others.estimates[m].value - on_all.estimates[m].value for m in order}
    named = [model for model in order if answers.roles[model] != "control"] or order
    parts = [
        f"{answers.names[m]} {percent(on_others.estimates[m].value)} instead of "
        f"{percent(on_all.estimates[m].value)} ({points(changes[m])} points)"
        for m in named
    ]
    sizes: dict[str, Number] = {}
    for dimension, size in on_all.items.items():
        sizes |= {
            f"all.{dimension}": size,
            f"uncontaminated.{dimension}": on_others.items[dimension],
        }
    rows: list[dict[str, Number]] = [
        {
            "model": answers.names[m],
            "trained": {"trained": True, "control": False}.get(answers.roles[m]),
            **on_all.estimates[m].numbers("macro", 4),
            **on_others.estimates[m].numbers("uncontaminated", 4),
            "change": rounded(changes[m], 4),
            "rank": on_all.ranks[m],
            "uncontaminated_rank": on_others.ranks[m],
        }
        for m in order
    ]
    dimensions = counted(len(on_others.items), "dimension")
    if before == after:
        same = [f"{answers.names[m]} {percent(on_all.estimates[m].value)}" for m in named]
        statement = (
            f"None of the {counted(before, 'compared item')} ({dimensions}) has {threshold.what}, "
            f"so macro accuracy does not change: {some(same, ', ')}."
        )
    else:
        statement = (
            f"Macro accuracy without the {before - after} of {counted(before, 'item')} with "
            f"{threshold.what}: {some(parts, ', ')}. Macro accuracy is the mean over {dimensions}."
        )
    if lost:
        statement += (
            f" Left out, as every item has {threshold.kind}: "
            f"{'dimension' if len(lost) == 1 else 'dimensions'} "
            f"{some([repr(dimension) for dimension in lost], ', ')}."
        )
    return Finding(
        id=f"macro-{threshold.name}",
        severity="note",
        statement=statement,
        numbers={
            "items": before,
            "uncontaminated": after,
            "dimensions": len(on_others.items),
            "dimensions_lost": len(lost),
            **sizes,
            "confidence": confidence,
        },
        evidence=evidence(rows),
    )


def _ranks(
    answers: Answers,
    on_all: Macro,
    on_others: Macro,
    swapped: list[Swap],
    threshold: Threshold,
    confidence: float,
) -> Finding:
    names = answers.names
    significant = [swap for swap in swapped if swap.significant]
    leads = [
        f"Macro accuracy of {names[s.first]} less that of {names[s.second]}: "
        f"{_lead(s.on_all, on_all, over, confidence)} on all items. Without these items: "
        f"{_lead(s.on_uncontaminated, on_others, over, confidence)}"
        for s in swapped
        for over in [_units(answers, s)]
    ]
    without = f"without the items with {threshold.what}"
    if len(names) == 1:
        statement = "Ranks cannot change: there is 1 model."
    elif swapped:
        pairs = counted(len(swapped), "model pair changes its", "model pairs change their")
        statement = (
            f"{pairs} order by macro accuracy {without}. {some(leads, '. ')}. Both differences are "
            f"significant ({level(confidence)} CI excludes 0) for {len(significant)} of "
            f"{counted(len(swapped), 'pair')}."
        )
    else:
        statement = f"The {len(names)} models keep their order by macro accuracy {without}."
    return Finding(
        id=f"ranks-{threshold.name}",
        severity="warn" if significant else "note" if swapped or len(names) == 1 else "pass",
        statement=statement,
        numbers={
            "models": len(names),
            "changed_ranks": sum(
                a != b for a, b in zip(on_all.ranks, on_others.ranks, strict=True)
            ),
            "changed_order": len(swapped),
            "significant": len(significant),
            "confidence": confidence,
        },
        evidence=evidence(
            {
                "ahead": names[s.first],
                "behind": names[s.second],
                **s.on_all.numbers("lead", 4),
                **s.on_uncontaminated.numbers("uncontaminated_lead", 4),
                "significant": s.significant,
            }
            for s in swapped
        ),
    )


def _units(answers: Answers, swap: Swap) -> str:
    """Return over which units a difference of two models has its interval."""
    several = [m for m in (swap.first, swap.second) if answers.by_model[m].shape[1] > 1]
    if not several:
        return "items"
    one = f" of {answers.names[several[0]]}" if len(several) == 1 else ""
    return f"items and seeds{one}"


def _lead(lead: Estimate, of: Macro, over: str, confidence: float) -> str:
    """Return a difference of macro accuracies, or why it has no interval."""
    no_ci = NO_CI if sum(of.items.values()) < FEWEST else "no CI: no more items than dimensions"
    return difference(lead, confidence, over=over, no_ci=no_ci)

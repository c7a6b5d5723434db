"""Findings on macro accuracies and ranks with and without the items that overlap."""

import numpy as np
from numpy.typing import NDArray

from audits.overlap.effect.effect_phrasing import Threshold, interval
from audits.overlap.effect.model_answers import Answers
from audits.overlap.effect.ranks import Macro, Swap, macro, swaps
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import points, unsigned_points
from storyaudit.stats.estimate import rounded

SHOWN = 3
"""Models or swaps that a sentence names; the evidence has more."""
OVER = "items and seeds"


def standing_findings(
    answers: Answers, overlapping: NDArray[np.bool_], threshold: Threshold, confidence: float
) -> list[Finding | Unchecked]:
    """Return the models' macro accuracies and ranks on all items and on those without overlap.

    Both are over the dimensions that keep an item, so that they compare.

    Args:
        answers: of the models.
        overlapping: which items overlap from the threshold on.
        threshold: from which overlaps count.
        confidence: of the intervals.
    """
    clean = ~overlapping
    kept = np.isin(answers.strata, answers.strata[clean & (answers.strata >= 0)])
    on_all, on_clean = (macro(answers, kept & part, confidence) for part in (clean | True, clean))
    if on_all is None or on_clean is None:
        return [
            Unchecked(
                id=f"macro-{threshold.name}",
                check=f"macro accuracy without items that have {threshold.told} in training",
                reason="no other item is left",
            )
        ]
    lost = sorted(set(answers.dimensions) - set(on_clean.items))
    order = np.lexsort(
        (on_all.ranks, [("trained", "unknown", "control").index(role) for role in answers.roles])
    ).tolist()
    return [
        _macro(answers, order, on_all, on_clean, lost, threshold, confidence),
        _ranks(
            answers,
            on_all,
            on_clean,
            swaps(answers, kept, kept & clean, confidence),
            threshold,
            confidence,
        ),
    ]


def _macro(
    answers: Answers,
    order: list[int],
    on_all: Macro,
    on_clean: Macro,
    lost: list[str],
    threshold: Threshold,
    confidence: float,
) -> Finding:
    before, after = sum(on_all.items.values()), sum(on_clean.items.values())
    named = [model for model in order if answers.roles[model] != "control"] or order
    parts = [
        f"{answers.names[m]} {on_clean.estimates[m].value:.1%} instead of "
        f"{on_all.estimates[m].value:.1%} "
        f"({points(on_clean.estimates[m].value - on_all.estimates[m].value)} points)"
        for m in named[:SHOWN]
    ]
    more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    sizes: dict[str, Number] = {}
    for dimension, size in on_all.items.items():
        sizes |= {f"all.{dimension}": size, f"clean.{dimension}": on_clean.items[dimension]}
    rows: list[dict[str, Number]] = [
        {
            "model": answers.names[m],
            "trained": {"trained": True, "control": False}.get(answers.roles[m]),
            **on_all.estimates[m].numbers("macro", 4),
            **on_clean.estimates[m].numbers("clean", 4),
            "change": rounded(on_clean.estimates[m].value - on_all.estimates[m].value, 4),
            "rank": on_all.ranks[m],
            "clean_rank": on_clean.ranks[m],
        }
        for m in order
    ]
    return Finding(
        id=f"macro-{threshold.name}",
        severity="note",
        statement=f"Macro accuracy without the {counted(before - after, 'item')} of {before} that "
        f"have {threshold.told} in training: {', '.join(parts)}{more}; over "
        f"{counted(len(on_clean.items), 'dimension')}"
        + (f", without {', '.join(lost)}, of which no item is left" if lost else "")
        + ".",
        numbers={
            "items": before,
            "clean": after,
            "dimensions": len(on_clean.items),
            "dimensions_lost": len(lost),
            **sizes,
            "confidence": confidence,
        },
        evidence=evidence(rows),
    )


def _ranks(
    answers: Answers,
    on_all: Macro,
    on_clean: Macro,
    swapped: list[Swap],
    threshold: Threshold,
    confidence: float,
) -> Finding:
    names = answers.names
    told = [swap for swap in swapped if swap.told]
    parts = [
        f"{names[s.first]} leads {names[s.second]} by {unsigned_points(s.on_all.value)} points "
        f"({interval(s.on_all, confidence, OVER)}) on all items and by {points(s.on_clean.value)} "
        f"({interval(s.on_clean, confidence, OVER)}) without them"
        for s in swapped[:SHOWN]
    ]
    more = f"; and {len(swapped) - SHOWN} more" if len(swapped) > SHOWN else ""
    without = f"without the items that have {threshold.told} in training"
    if len(names) == 1:
        statement = "There is one model: no rank can change."
    elif swapped:
        statement = (
            f"{counted(len(swapped), 'couple')} of models change their order {without}: "
            f"{'; '.join(parts)}{more}. "
            + (
                f"{len(told)} of these are told apart both ways."
                if told
                else "Which of them is better cannot be told from this data, so that no rank that "
                "was told changes."
            )
        )
    else:
        statement = f"The {len(names)} models keep their order by macro accuracy {without}."
    return Finding(
        id=f"ranks-{threshold.name}",
        severity="warn" if told else "note" if swapped or len(names) == 1 else "pass",
        statement=statement,
        numbers={
            "models": len(names),
            "changed_ranks": sum(a != b for a, b in zip(on_all.ranks, on_clean.ranks, strict=True)),
            "changed_order": len(swapped),
            "told": len(told),
            "confidence": confidence,
        },
        evidence=evidence(
            {
                "ahead": names[s.first],
                "behind": names[s.second],
                **s.on_all.numbers("lead", 4),
                **s.on_clean.numbers("clean_lead", 4),
                "told": s.told,
            }
            for s in swapped
        ),
    )

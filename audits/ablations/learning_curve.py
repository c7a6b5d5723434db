"""Accuracy over proportions of the training pairs."""

from itertools import pairwise

import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablation_phrasing import (
    difference_in_points,
    lacking,
    numbers,
    verdict,
)
from audits.ablations.variant_outcomes import of_variants
from storyaudit.findings import Finding, Unchecked, evidence
from storyaudit.phrasing import percent
from storyaudit.stats.items_by_seeds import accuracy, difference
from storyaudit.vocabulary import LEARNING_CURVE, variant_of

PREFIX = variant_of(LEARNING_CURVE, "")
_LISTED = 5  # points of the curve in a sentence


def curve_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams
) -> list[Finding | Unchecked]:
    """Return macro accuracy over proportions of the pairs, the reference having all.

    Args:
        rows: valid results of the reference and of the ablations.
        variants: names of ablations; those of 'learning_curve/' count.
        params: reference and confidence.
    """
    named = {name: _proportion(name) for name in variants if name.startswith(PREFIX)}
    valid = {name: part for name, part in named.items() if part is not None}
    unknown: list[Finding | Unchecked] = []
    if len(valid) < len(named):
        names = ", ".join(sorted(named.keys() - valid.keys()))
        reason = "a name must end in a proportion of the pairs between 0 and 1"
        check = f"position in the learning curve of {names}"
        unknown = [Unchecked(id="learning-curve-proportions", check=check, reason=reason)]
    ranked = [*sorted(valid, key=lambda name: (valid[name], name)), params.reference]
    outcomes = of_variants(rows, ranked)
    if len(ranked) < 2 or not len(outcomes.strata):
        reason = (
            "no item has an outcome of every run"
            if valid
            else "no variant was trained on a proportion of the pairs"
        )
        check = "accuracy by number of training pairs"
        return [Unchecked(id="learning-curve", check=check, reason=reason), *unknown]
    values = [outcomes.by_variant[name] for name in ranked]
    at = [accuracy(value, outcomes.strata, params.confidence) for value in values]
    steps = [
        difference(more, fewer, outcomes.strata, params.confidence)
        for fewer, more in pairwise(values)
    ]
    last = steps[-1]
    # Rounded, so that equal accuracies are equal whatever the last bits.
    rises = all(round(step.estimate.value, 9) > 0 for step in steps)
    shown = [f"{valid.get(name, 1):g}" for name in ranked]
    listed = [
        f"{percent(found.estimate.value)} at {part}" for found, part in zip(at, shown, strict=True)
    ]
    if len(listed) > _LISTED:
        listed = [listed[0], f"… ({len(listed) - 2} more)", listed[-1]]
    return [
        Finding(
            id="learning-curve",
            severity="warn" if outcomes.left_out else "note",
            statement=f"Macro accuracy by proportion of the training pairs: {', '.join(listed)}. "
            f"It {'rises' if rises else 'does not rise'} at every step. The last step: "
            f"{difference_in_points(last, params)}. {verdict(last, params)}{lacking(outcomes)}",
            numbers={
                **numbers("last_step", last.estimate),
                "rises": rises,
                "items": last.items,
                "left_out": outcomes.left_out,
                "confidence": params.confidence,
            },
            evidence=evidence(
                {
                    "proportion": float(part),
                    "seeds": found.seeds[0],
                    **found.estimate.numbers("macro", 6),
                    **({} if step is None else step.estimate.numbers("step", 6)),
                }
                for part, found, step in zip(shown, at, [None, *steps], strict=True)
            ),
        ),
        *unknown,
    ]


def _proportion(name: str) -> float | None:
    try:
        found = float(name.removeprefix(PREFIX))
    except ValueError:
        return None
    return found if 0 < found < 1 else None

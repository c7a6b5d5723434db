"""Accuracy over shares of the training pairs."""

from itertools import pairwise

import pandas as pd

from audits.experiments.experiment_params import ExperimentsParams
from audits.experiments.experiment_phrasing import interval, numbers, sizes, verdict
from audits.experiments.variant_outcomes import of_variants
from storyaudit.findings import Finding, Unchecked, evidence
from storyaudit.phrasing import points, unsigned_points
from storyaudit.stats.items_by_seeds import accuracy, difference
from storyaudit.vocabulary import LEARNING_CURVE, variant_of

PREFIX = variant_of(LEARNING_CURVE, "")


def curve_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams
) -> list[Finding | Unchecked]:
    """Return macro accuracy over shares of the pairs, the reference being the whole.

    Args:
        rows: sound results of the reference and of the experiments.
        variants: names of experiments; those of 'learning_curve/' count.
        params: reference and confidence.
    """
    shares = {name: _share(name) for name in variants if name.startswith(PREFIX)}
    sound = {name: share for name, share in shares.items() if share is not None}
    unknown: list[Finding | Unchecked] = []
    if len(sound) < len(shares):
        names = ", ".join(sorted(shares.keys() - sound.keys()))
        reason = "its name should end in a share of the pairs, between 0 and 1"
        check = f"how accuracy on {names} stands in the learning curve"
        unknown = [Unchecked(id="learning-curve-shares", check=check, reason=reason)]
    ranked = [*sorted(sound, key=lambda name: (sound[name], name)), params.reference]
    outcomes = of_variants(rows, ranked)
    if len(ranked) < 2 or not len(outcomes.strata):
        reason = "no item has an outcome of every run" if sound else "no share was trained on"
        check = "whether accuracy rises with the number of pairs"
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
    shown = [f"{sound.get(name, 1):g}" for name in ranked]
    listed = ", ".join(
        f"{unsigned_points(found.estimate.value)}% on {share}"
        for found, share in zip(at, shown, strict=True)
    )
    return [
        Finding(
            id="learning-curve",
            severity="warn" if outcomes.left_out else "note",
            statement=f"Macro accuracy by share of the training pairs: {listed}; it "
            f"{'rises with every step' if rises else 'does not rise with every step'}. The last "
            f"step: {points(last.estimate.value)} points ({interval(last, params)}; "
            f"{sizes(last, outcomes)}): {verdict(last)}",
            numbers={
                **numbers("last_step", last.estimate),
                "rises": rises,
                "items": last.items,
                "left_out": outcomes.left_out,
                "confidence": params.confidence,
            },
            evidence=evidence(
                {
                    "share": float(share),
                    "seeds": found.seeds[0],
                    **found.estimate.numbers("macro", 6),
                    **({} if step is None else step.estimate.numbers("step", 6)),
                }
                for share, found, step in zip(shown, at, [None, *steps], strict=True)
            ),
        ),
        *unknown,
    ]


def _share(name: str) -> float | None:
    try:
        share = float(name.removeprefix(PREFIX))
    except ValueError:
        return None
    return share if 0 < share < 1 else None

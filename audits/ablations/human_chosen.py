"""What training with human stories as the chosen ones does to each origin's items."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablation_phrasing import (
    accuracy_in_percent,
    bounds,
    difference_in_points,
    lacking,
    numbers,
    verdict,
)
from audits.ablations.variant_outcomes import VariantOutcomes, of_variants
from storyaudit.findings import Finding, Unchecked, slugs
from storyaudit.phrasing import percent
from storyaudit.stats.estimate import rounded
from storyaudit.stats.items_by_seeds import accuracy, difference
from storyaudit.vocabulary import HUMAN_CHOSEN, variant_of

PREFIX = variant_of(HUMAN_CHOSEN, "")


def human_chosen_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams, paper: Mapping[str, float]
) -> list[Finding | Unchecked]:
    """Return accuracies by origin of variants trained with human stories chosen.

    Differences from the reference are paired by item within an origin. Items of two origins are
    different items, so the origins are not compared with each other.

    Args:
        rows: valid results of the reference and of the ablations.
        variants: names of ablations; those of 'human_chosen/' count.
        params: reference and confidence.
        paper: printed figures.
    """
    members = [name for name in variants if name.startswith(PREFIX)]
    of = {name: of_variants(rows, [name, params.reference]) for name in members}
    of = {name: outcomes for name, outcomes in of.items() if len(outcomes.strata)}
    if not of:
        reason = "no item has an outcome of every run" if members else "no variant was so trained"
        check = "effect of training with human stories as the chosen ones"
        return [Unchecked(id="human-chosen", check=check, reason=reason)]
    places = [(name, str(origin)) for name in of for origin in np.unique(of[name].origins)]
    names = slugs([f"{name} {origin}" for name, origin in places])
    return [
        *(
            _of_origin(of[variant], origin, variant, name, params)
            for (variant, origin), name in zip(places, names, strict=True)
        ),
        *(
            _beside_paper(of[variant], variant, name, params, paper)
            for variant, name in zip(of, slugs(of), strict=True)
        ),
    ]


def _of_origin(
    outcomes: VariantOutcomes, origin: str, variant: str, name: str, params: ExperimentsParams
) -> Finding:
    inside = outcomes.origins == origin
    mine, reference = (outcomes.by_variant[key][inside] for key in (variant, params.reference))
    found = difference(mine, reference, np.zeros(len(mine), dtype="int64"), params.confidence)
    return Finding(
        id=f"origin-{name}",
        severity="note",
        statement=f"Accuracy on {origin} items: {variant} {percent(float(mine.mean()))}, "
        f"{params.reference} {percent(float(reference.mean()))}. Difference "
        f"{difference_in_points(found, params)}. {verdict(found, params)}",
        numbers={
            "accuracy": rounded(float(mine.mean()), 6),
            "reference_accuracy": rounded(float(reference.mean()), 6),
            **numbers("difference", found.estimate),
            **bounds(found),
            "confidence": params.confidence,
        },
    )


def _beside_paper(
    outcomes: VariantOutcomes,
    variant: str,
    name: str,
    params: ExperimentsParams,
    paper: Mapping[str, float],
) -> Finding:
    found = accuracy(outcomes.by_variant[variant], outcomes.strata, params.confidence)
    printed = paper["early-accuracy"]
    low, high = found.estimate.low, found.estimate.high
    if low is None or high is None:
        place = f"Whether it is below {printed:g} % is not shown"
    elif 100 * high < printed:
        place = f"That is significantly below {printed:g} %"
    elif 100 * low >= printed:
        place = f"That is not below {printed:g} %"
    else:
        place = f"The CI includes {printed:g} %"
    return Finding(
        id=f"paper-{name}",
        severity="note",
        statement=f"StoryAlign (appendix E.4, PDF p. 18) reports a mean accuracy below "
        f"{printed:g} % for an early version with whole human stories chosen. Here {variant} has "
        f"macro accuracy {accuracy_in_percent(found, params)}. {place}.{lacking(outcomes)}",
        numbers={**found.estimate.numbers("macro", 6), "items": found.items, "printed": printed},
    )

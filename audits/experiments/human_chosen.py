"""What training with people's own stories as the chosen ones does to each origin's items."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from audits.experiments.experiment_params import ExperimentsParams
from audits.experiments.experiment_phrasing import bounds, interval, numbers, sizes, verdict
from audits.experiments.variant_outcomes import VariantOutcomes, of_variants
from storyaudit.findings import Finding, Unchecked, slugs
from storyaudit.phrasing import points, unsigned_points
from storyaudit.stats.estimate import rounded
from storyaudit.stats.items_by_seeds import accuracy, difference
from storyaudit.vocabulary import HUMAN_CHOSEN, variant_of

PREFIX = variant_of(HUMAN_CHOSEN, "")


def human_chosen_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams, paper: Mapping[str, float]
) -> list[Finding | Unchecked]:
    """Return accuracies by origin of variants trained with people's stories chosen.

    Differences from the reference are paired by item within an origin. Items of two origins are
    different items, so the origins are not compared with each other.

    Args:
        rows: sound results of the reference and of the experiments.
        variants: names of experiments; those of 'human_chosen/' count.
        params: reference and confidence.
        paper: printed figures.
    """
    members = [name for name in variants if name.startswith(PREFIX)]
    of = {name: of_variants(rows, [name, params.reference]) for name in members}
    of = {name: outcomes for name, outcomes in of.items() if len(outcomes.strata)}
    if not of:
        reason = "no item has an outcome of every run" if members else "no variant was so trained"
        check = "what training with people's own stories as the chosen ones does"
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
        statement=f"{variant}: {mine.mean():.1%} of the {origin} items right, "
        f"{params.reference} {reference.mean():.1%}: {points(found.estimate.value)} points "
        f"({interval(found, params)}; {sizes(found)}): {verdict(found)}",
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
    if high is not None and 100 * high < printed:
        place = "it is below that too"
    elif low is not None and 100 * low >= printed:
        place = "it is not below that"
    else:
        place = "whether it is below that cannot be told from this data"
    return Finding(
        id=f"paper-{name}",
        severity="note",
        statement=f"StoryAlign reports that an early version with people's whole stories chosen "
        f"was right in less than {printed:g}% on average (appendix E.4, PDF p. 18). Here {variant} "
        f"has a macro accuracy of {unsigned_points(found.estimate.value)}% "
        f"({interval(found, params, sign=False)}; {sizes(found, outcomes)}): {place}.",
        numbers={**found.estimate.numbers("macro", 6), "items": found.items, "printed": printed},
    )

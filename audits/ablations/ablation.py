"""What training on other pairs does to accuracy: each ablation versus the reference."""

import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablation_phrasing import (
    bounds,
    difference_in_points,
    lacking,
    numbers,
    verdict,
)
from audits.ablations.variant_outcomes import of_variants
from storyaudit.findings import Finding, Unchecked, counted, evidence, slugs
from storyaudit.phrasing import agreeing, level
from storyaudit.stats.estimate import rounded
from storyaudit.stats.items_by_seeds import difference
from storyaudit.stats.macro_accuracy import macro

IN_EVIDENCE = ("macro", "difference", "difference_low", "difference_high", "significant")


def ablation_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams
) -> list[Finding | Unchecked]:
    """Return each ablation's difference of macro accuracy from the reference.

    Differences are paired by item; intervals are over items and over the seeds of either variant.

    Args:
        rows: valid results of the reference and of the ablations.
        variants: the ablations but for the learning curve, sorted.
        params: reference and confidence.
    """
    if not variants:
        return [
            Unchecked(
                id="ablation",
                check="effect of a method's pairs on accuracy",
                reason="no variant was trained with a method's pairs removed or replaced",
            )
        ]
    names = slugs(variants)
    compared = [
        _compared(rows, variant, name, params)
        for variant, name in zip(variants, names, strict=True)
    ]
    findings = [part for part in compared if isinstance(part, Finding)]
    return [*compared, _summary(findings, params)] if findings else [*compared]


def _compared(
    rows: pd.DataFrame, variant: str, name: str, params: ExperimentsParams
) -> Finding | Unchecked:
    outcomes = of_variants(rows, [variant, params.reference])
    if not len(outcomes.strata):
        return Unchecked(
            id=f"difference-{name}",
            check=f"difference of {variant} from {params.reference}",
            reason="no item has an outcome of every run of both",
        )
    mine, reference = (outcomes.by_variant[key] for key in (variant, params.reference))
    found = difference(mine, reference, outcomes.strata, params.confidence)
    return Finding(
        id=f"difference-{name}",
        severity="warn" if outcomes.left_out else "note",
        statement=f"Macro accuracy of {variant} minus {params.reference}: "
        f"{difference_in_points(found, params)}. {verdict(found, params)}{lacking(outcomes)}",
        numbers={
            **numbers("difference", found.estimate),
            **bounds(found),
            "macro": rounded(macro(mine, outcomes.strata).mean(), 6),
            "reference_macro": rounded(macro(reference, outcomes.strata).mean(), 6),
            "seeds": found.seeds[0],
            "reference_seeds": found.seeds[1],
            "left_out": outcomes.left_out,
            "confidence": params.confidence,
        },
    )


def _summary(findings: list[Finding], params: ExperimentsParams) -> Finding:
    significant = sum(bool(finding.numbers["significant"]) for finding in findings)
    no_ci = sum(finding.numbers["difference_low"] is None for finding in findings)
    inconclusive = len(findings) - significant
    kinds = {"not significant": inconclusive - no_ci, "without a CI": no_ci}
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    return Finding(
        id="differences-significant",
        severity="warn" if inconclusive else "note",
        statement=f"{significant} of {counted(len(findings), 'ablation')} "
        f"{agreeing(significant, len(findings), 'differs', 'differ')} significantly from "
        f"{params.reference} "
        f"({level(params.confidence)} CI excludes 0)."
        + (
            f" For {counted(inconclusive, 'ablation')} the data neither show nor rule out a change "
            f"({counts})."
            if inconclusive
            else ""
        )
        + " The CIs are not adjusted for multiple comparisons. The seeds of two variants count as "
        "independent.",
        numbers={"significant": significant, "inconclusive": inconclusive},
        evidence=evidence(
            {
                "experiment": finding.id.removeprefix("difference-"),
                **{name: finding.numbers[name] for name in IN_EVIDENCE},
            }
            for finding in findings
        ),
    )

"""What training on other pairs does to accuracy: each experiment against the reference."""

import pandas as pd

from audits.experiments.experiment_params import ExperimentsParams
from audits.experiments.experiment_phrasing import bounds, interval, numbers, sizes, verdict
from audits.experiments.variant_outcomes import of_variants
from storyaudit.findings import Finding, Unchecked, counted, evidence, slugs
from storyaudit.phrasing import level, points
from storyaudit.stats.estimate import rounded
from storyaudit.stats.items_by_seeds import difference
from storyaudit.stats.macro_accuracy import macro

IN_EVIDENCE = ("macro", "difference", "difference_low", "difference_high", "told")


def ablation_findings(
    rows: pd.DataFrame, variants: list[str], params: ExperimentsParams
) -> list[Finding | Unchecked]:
    """Return each experiment's difference of macro accuracy from the reference.

    Differences are paired by item; intervals are over items and over the seeds of either side.

    Args:
        rows: sound results of the reference and of the experiments.
        variants: the experiments but for the learning curve, sorted.
        params: reference and confidence.
    """
    if not variants:
        return [
            Unchecked(
                id="ablation",
                check="what a method's pairs do to accuracy",
                reason="no variant was trained without a method's pairs, or with others in place",
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
            check=f"how {variant} differs from {params.reference}",
            reason="no item has an outcome of every run of the two",
        )
    mine, reference = (outcomes.by_variant[key] for key in (variant, params.reference))
    found = difference(mine, reference, outcomes.strata, params.confidence)
    return Finding(
        id=f"difference-{name}",
        severity="warn" if outcomes.left_out else "note",
        statement=f"{variant}: {points(found.estimate.value)} points of macro accuracy against "
        f"{params.reference} ({interval(found, params)}; {sizes(found, outcomes)}): "
        f"{verdict(found)}",
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
    told = [finding for finding in findings if finding.numbers["told"]]
    untold = len(findings) - len(told)
    return Finding(
        id="differences-told",
        severity="warn" if untold else "note",
        statement=f"Told from {params.reference}: {len(told)} of "
        f"{counted(len(findings), 'experiment')}"
        + (
            "; that the others change the accuracy, or leave it, cannot be told from this data"
            if untold
            else ""
        )
        + f". Each interval has {level(params.confidence)} confidence of its own: they are not "
        "adjusted for their number. The seeds of two variants count as independent.",
        numbers={"told": len(told), "untold": untold},
        evidence=evidence(
            {
                "experiment": finding.id.removeprefix("difference-"),
                **{name: finding.numbers[name] for name in IN_EVIDENCE},
            }
            for finding in findings
        ),
    )

"""Findings on LLM–LLM items: the judges' first choice where they agree, and where they do not."""

from audits.protocol.validity.analyses import Analysis
from audits.protocol.validity.first_choices import Setting, Sides, bands, decided, sides
from audits.protocol.validity.panel_items import Decided
from audits.protocol.validity.validity_phrasing import BEST, UNIT, above_chance, resampled, shown
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import percent, points, significance
from storyaudit.stats.clustered_means import mean_of
from storyaudit.stats.estimate import rounded


def llm_findings(
    automatic: int, main: Analysis, others: list[Analysis], setting: Setting
) -> list[Finding | Unchecked]:
    """Return the findings on all sets of four automatic authors.

    Args:
        automatic: how many automatic authors there are, four at least.
        main: the main analysis.
        others: those that depart from it.
        setting: threshold, bootstrap samples and confidence.
    """
    items = decided(main, automatic)
    found = sides(items, setting)
    parts = [_confirmed(items, len(main.scores), setting), _bands(items, setting)]
    if found is None:
        reason = f"all items lie on one side of tau {setting.threshold:g}"
        check = f"whether the judges' first choice is {BEST} more often where judges agree"
        return [*parts, Unchecked(id="safer", check=check, reason=reason)]
    by_analysis = [(analysis, decided(analysis, automatic)) for analysis in others]
    all_sides = [(analysis, part, sides(part, setting)) for analysis, part in by_analysis]
    return [
        *parts,
        _safer(found, [other for _, _, other in all_sides], setting),
        _sensitivity([(main, items, found), *all_sides], setting),
    ]


def _confirmed(items: Decided, judges: int, setting: Setting) -> Finding | Unchecked:
    kept = items.kept & (items.tau >= setting.threshold)
    agreement = mean_of(items.credit, kept, setting.weights, setting.confidence)
    if agreement is None:
        return Unchecked(
            id="confirmed",
            check=f"how often the judges' first choice is {BEST} where judges agree",
            reason=f"no item has tau ≥ {setting.threshold:g}",
        )
    chance = float(items.chance[kept].mean())
    significant = agreement.estimate.above(chance)
    return Finding(
        id="confirmed",
        severity="note" if significant else "warn",
        statement=(
            f"{judges} judges agree (tau ≥ {setting.threshold:g}) in {agreement.items} of "
            f"{counted(int(items.kept.sum()), 'LLM–LLM item')}, from {agreement.clusters} of "
            f"{len(items.tau)} {UNIT}. There the judges' first choice is {BEST} in "
            f"{shown(agreement, setting.confidence)}: {above_chance(agreement.estimate, chance)}."
            f"{resampled(agreement)}"
        ),
        numbers={
            **agreement.estimate.numbers("agreement", 4),
            "chance": rounded(chance, 4),
            "items": agreement.items,
            "premises_with_items": agreement.clusters,
            "all_items": int(items.kept.sum()),
            "judges_tie": int(items.judges_tie[kept].sum()),
            "judges": judges,
            "tau_threshold": setting.threshold,
            **setting.how(),
        },
    )


def _bands(items: Decided, setting: Setting) -> Finding:
    ties = float(items.humans_tie[items.kept].mean())
    return Finding(
        id="tau-bands",
        severity="note",
        statement=(
            f"For {counted(int(items.kept.sum()), 'LLM–LLM item')} of "
            f"{counted(len(items.tau), 'premise')}, the evidence gives by band of tau how often "
            f"the judges' first choice is {BEST}. The raters' best are tied in {percent(ties)} "
            f"of the items; each tied story counts as correct."
        ),
        numbers={"items": int(items.kept.sum()), "humans_tie": rounded(ties, 4), **setting.how()},
        evidence=evidence(bands(items, setting)),
    )


def _safer(found: Sides, others: list[Sides | None], setting: Setting) -> Finding:
    holds = found.safer.estimate.above(0)
    as_well = sum(other is not None and other.safer.estimate.above(0) for other in others)
    difference = found.safer.estimate
    if difference.low is None:
        conclusion = ""
    elif difference.excludes_zero():
        conclusion = f": significantly {'below' if difference.value < 0 else 'above'} 0"
    else:
        conclusion = f": {significance(difference, setting.confidence)}"
    if difference.low is not None:
        conclusion += f". Paired bootstrap over {setting.weights.shape[1]} {UNIT}"
    size = shown(found.safer, setting.confidence, points, unit="points")
    return Finding(
        id="safer",
        severity="pass" if holds and as_well == len(others) else "warn",
        statement=(
            f"The judges' first choice is {BEST} in {percent(found.at_least.estimate.value)} of "
            f"items with tau ≥ {setting.threshold:g} and in {percent(found.below.estimate.value)} "
            f"below. Difference: {size}{conclusion}. "
            f"It is significantly above 0 in {as_well} of {len(others)} other analyses."
        ),
        numbers={
            **found.safer.estimate.numbers("difference", 4),
            **found.at_least.estimate.numbers("at_least", 4),
            **found.below.estimate.numbers("below", 4),
            "items_at_least": found.at_least.items,
            "items_below": found.below.items,
            "analyses": len(others),
            "analyses_significant": as_well,
            **setting.how(),
        },
    )


def _sensitivity(
    analyses: list[tuple[Analysis, Decided, Sides | None]], setting: Setting
) -> Finding:
    rows: list[dict[str, Number]] = []
    for analysis, items, found in analyses:
        row: dict[str, Number] = {"analysis": analysis.name, "all_items": int(items.kept.sum())}
        if found is not None:
            row |= {
                "items": found.at_least.items,
                "premises": found.at_least.clusters,
                **found.at_least.estimate.numbers("agreement", 4),
                "chance": rounded(found.chance, 4),
                "below": rounded(found.below.estimate.value, 4),
                **found.safer.estimate.numbers("difference", 4),
            }
        rows.append(row)
    sides_of = [found for _, _, found in analyses if found is not None]
    values = [found.at_least.estimate.value for found in sides_of]
    above = sum(found.at_least.estimate.above(found.chance) for found in sides_of)
    without = len(analyses) - sum(found.at_least.estimate.low is not None for found in sides_of)
    return Finding(
        id="sensitivity",
        severity="note" if above == len(analyses) else "warn",
        statement=(
            f"Sensitivity analysis over {len(analyses)} analyses, which vary prompt, judges, "
            f"raters or items. With tau ≥ {setting.threshold:g} the judges' "
            f"first choice is {BEST} in {percent(min(values))} to {percent(max(values))} of items. "
            f"Significantly above chance: {above} of {len(analyses)} analyses"
            f"{f'; {without} have no CI' if without else ''}."
        ),
        numbers={
            "analyses": len(analyses),
            "above_chance": above,
            "lowest": rounded(min(values), 4),
            "highest": rounded(max(values), 4),
            **setting.how(),
        },
        evidence=evidence(rows),
    )

"""Findings on LLM–LLM items: the judges' first choice where they agree, and where they do not."""

from audits.protocol.validity.analyses import Analysis
from audits.protocol.validity.first_choices import Setting, Sides, bands, decided, sides
from audits.protocol.validity.panel_items import Decided
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import fine_percent, percent, whole_points, with_ci
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
        check = "whether agreement of the judges makes their choice safer"
        return [*parts, Unchecked(id="safer", check=check, reason=reason)]
    told = [(analysis, decided(analysis, automatic)) for analysis in others]
    all_sides = [(analysis, part, sides(part, setting)) for analysis, part in told]
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
            check="how often judges' first choice is the humans' best where they agree",
            reason=f"no item has tau ≥ {setting.threshold:g}",
        )
    chance = float(items.chance[kept].mean())
    told = agreement.estimate.above(chance)
    return Finding(
        id="confirmed",
        severity="note" if told else "warn",
        statement=(
            f"Where {judges} judges agree (tau ≥ {setting.threshold:g}; {agreement.items} of "
            f"{items.kept.sum()} LLM–LLM items, from {agreement.clusters} of {len(items.tau)} "
            "premises) their first choice is the humans' best in "
            f"{with_ci(agreement.estimate, percent)}, chance "
            f"{percent(chance)}{'' if told else ': not told from chance'}."
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
            f"How often the judges' first choice is the humans' best, by tau, over "
            f"{items.kept.sum()} LLM–LLM items of {len(items.tau)} premises; the humans' best are "
            f"tied in {fine_percent(ties)} of them, and each of the tied counts as right."
        ),
        numbers={"items": int(items.kept.sum()), "humans_tie": rounded(ties, 4), **setting.how()},
        evidence=evidence(bands(items, setting)),
    )


def _safer(found: Sides, others: list[Sides | None], setting: Setting) -> Finding:
    holds = found.safer.estimate.above(0)
    as_well = sum(other is not None and other.safer.estimate.above(0) for other in others)
    if not holds:
        conclusion = "that agreement makes the judges' choice safer cannot be told"
    elif as_well == len(others):
        conclusion = f"told from zero, as in all {len(others)} other analyses"
    else:
        conclusion = (
            f"told from zero, but in {as_well} of {len(others)} other analyses only, so that it "
            f"depends on choices such as the prompt"
        )
    return Finding(
        id="safer",
        severity="pass" if holds and as_well == len(others) else "warn",
        statement=(
            f"With tau ≥ {setting.threshold:g} the judges' first choice is the humans' best in "
            f"{percent(found.at_least.estimate.value)} of the items, below in "
            f"{percent(found.below.estimate.value)}: "
            f"{with_ci(found.safer.estimate, whole_points)} points, paired over premises; "
            f"{conclusion}."
        ),
        numbers={
            **found.safer.estimate.numbers("difference", 4),
            **found.at_least.estimate.numbers("at_least", 4),
            **found.below.estimate.numbers("below", 4),
            "items_at_least": found.at_least.items,
            "items_below": found.below.items,
            "analyses": len(others),
            "analyses_that_tell": as_well,
            **setting.how(),
        },
    )


def _sensitivity(told: list[tuple[Analysis, Decided, Sides | None]], setting: Setting) -> Finding:
    rows: list[dict[str, Number]] = []
    for analysis, items, found in told:
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
    values = [found.at_least.estimate.value for _, _, found in told if found is not None]
    above = sum(
        found is not None and found.at_least.estimate.above(found.chance) for _, _, found in told
    )
    return Finding(
        id="sensitivity",
        severity="note" if above == len(told) else "warn",
        statement=(
            f"Over {len(told)} analyses, which differ in prompt, judges, raters' value or items "
            f"left out, the judges' first choice at tau ≥ {setting.threshold:g} is the humans' "
            f"best in {percent(min(values))} to {percent(max(values))}; {above} tell it from "
            f"chance."
        ),
        numbers={
            "analyses": len(told),
            "above_chance": above,
            "lowest": rounded(min(values), 4),
            "highest": rounded(max(values), 4),
            **setting.how(),
        },
        evidence=evidence(rows),
    )

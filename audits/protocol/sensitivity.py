"""Sensitivity analysis of the gold: the benchmark under other settings of the protocol."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from audits.protocol.alternative_protocols import (
    Outcome,
    under_params,
    under_variant,
    without_judge,
)
from audits.protocol.replayed_items import ChosenItem, items_of
from audits.protocol.usable_rows import Tables
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import BY_RANKING, DIMENSIONS, HUMAN_FIRST, UNSCORED

THRESHOLDS = np.arange(0.4, 0.81, 0.05).round(2).tolist()
TOLERANCES = np.arange(0, 1.01, 0.1).round(1).tolist()

CHANGES = {
    "route_changes": "with another annotation route",
    "judges_first_changes": "with another first place by the judges",
    "chosen_changes": "with another chosen story",
    "dimension_changes": "with another dimension",
    "not_determinable": "whose gold is not determinable from scores and annotations",
    UNSCORED: "with too few judges",
}
"""What is counted, and how a sentence names it."""


def sensitivity_findings(
    cases: Sequence[ChosenItem], tables: Tables, params: ProtocolParams
) -> list[Finding | Unchecked]:
    """Return a finding for each setting; ``priority_finding`` is the one on the priority order.

    Args:
        cases: items with a chosen story.
        tables: valid rows.
        params: the settings of the benchmark.
    """
    thresholds = {
        f"{value:g}": under_params(cases, params.model_copy(update={"tau_threshold": value}))
        for value in sorted({*THRESHOLDS, params.tau_threshold})
    }
    tolerances = {
        f"{value:g}": under_params(cases, params.model_copy(update={"tie_tolerance": value}))
        for value in sorted({*TOLERANCES, params.tie_tolerance})
    }
    found: list[Finding | Unchecked] = [
        _finding(
            "tau-threshold",
            "tau threshold",
            f"The tau threshold (set to {params.tau_threshold:g}) was varied from "
            f"{min(THRESHOLDS):g} to {max(THRESHOLDS):g}",
            thresholds,
            cases,
        ),
        _finding(
            "tie-tolerance",
            "tie tolerance",
            f"The tie tolerance (set to {params.tie_tolerance:g} score points) was varied from "
            f"{min(TOLERANCES):g} to {max(TOLERANCES):g}",
            tolerances,
            cases,
        ),
    ]
    judges = sorted({judge for case in cases for judge in case.scores.judges})
    if max(len(case.scores.judges) for case in cases) > 2:
        left = {judge: without_judge(cases, judge, params) for judge in judges}
        found.append(_finding("judges", "without", "Each judge was left out in turn", left, cases))
    else:
        found.append(
            Unchecked(
                id="sensitivity-judges",
                check="sensitivity of the gold to each judge",
                reason="no item has three judges, and tau_avg needs two after one is left out",
            )
        )
    variants = sorted(set(tables["judgements"]["prompt_variant"]) - {params.prompt_variant})
    if variants:
        by_variant = {}
        for variant in variants:
            other = params.model_copy(update={"prompt_variant": variant})
            by_variant[variant] = under_variant(cases, items_of(tables, other), other)
        found.append(
            _finding(
                "prompt-variant",
                "prompt variant",
                f"Prompt variant {params.prompt_variant} was replaced by each other variant",
                by_variant,
                cases,
            )
        )
    else:
        found.append(
            Unchecked(
                id="sensitivity-prompt-variant",
                check="sensitivity of the gold to the judges' prompt",
                reason="there is one prompt variant",
            )
        )
    return found


def _finding(
    name: str,
    column: str,
    varied: str,
    settings: Mapping[str, list[Outcome]],
    cases: Sequence[ChosenItem],
) -> Finding:
    rows = [{column: value, **_row(outcomes, cases)} for value, outcomes in settings.items()]
    most = {what: max(int(row[what] or 0) for row in rows) for what in CHANGES}
    changes = "".join(
        f" Items {text}: at most {most[what]} of {len(cases)}."
        for what, text in CHANGES.items()
        if most[what]
    )
    return Finding(
        id=f"sensitivity-{name}",
        severity="note",
        statement=f"{varied}.{changes or f' Items that change: 0 of {len(cases)}.'}",
        numbers={"items": len(cases), "settings": len(rows), **most},
        evidence=evidence(rows),
    )


def _row(outcomes: list[Outcome], cases: Sequence[ChosenItem]) -> dict[str, Number]:
    """Return how many items change, and the items of each dimension among those with a gold."""
    pairs = list(zip(outcomes, cases, strict=True))
    determined = [(found.gold, case.gold) for found, case in pairs if found.gold is not None]
    sizes = Counter(gold.dimension for gold, _ in determined)
    ranked = [(found, case) for found, case in pairs if found.route not in (HUMAN_FIRST, None)]
    return {
        "ranked": sum(found.route == BY_RANKING for found, _ in ranked),
        "route_changes": sum(found.route != case.gold.route for found, case in ranked),
        "judges_first_changes": sum(found.first != case.scores.first for found, case in ranked),
        "chosen_changes": sum(gold.chosen != base.chosen for gold, base in determined),
        "dimension_changes": sum(gold.dimension != base.dimension for gold, base in determined),
        "not_determinable": len(cases) - len(determined),
        UNSCORED: sum(found.route is None for found, _ in pairs),
        **{name: sizes[name] for name in DIMENSIONS},
    }

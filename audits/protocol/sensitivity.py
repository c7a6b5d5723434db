"""What hangs on the choices of the protocol: the benchmark under others, setting by setting."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from audits.protocol.alternative_protocols import (
    Outcome,
    under_params,
    under_variant,
    without_judge,
)
from audits.protocol.replayed_items import Kept, items_of
from audits.protocol.usable_rows import Tables
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import BY_RANKING, DIMENSIONS, HUMAN_FIRST, UNSCORED

THRESHOLDS = np.arange(0.4, 0.81, 0.05).round(2).tolist()
TOLERANCES = np.arange(0, 1.01, 0.1).round(1).tolist()

CHANGES = {
    "route_changes": "up to {} get their chosen story in another way",
    "judges_first_changes": "up to {} have another first place by the judges",
    "chosen_changes": "up to {} have another chosen story",
    "dimension_changes": "up to {} have another dimension",
    "cannot_be_told": "the gold of up to {} cannot be told (no person decided what it needs)",
    UNSCORED: "up to {} have too few judges",
}
"""What is counted, and how a sentence names it."""


def sensitivity_findings(
    cases: Sequence[Kept], tables: Tables, params: ProtocolParams
) -> list[Finding | Unchecked]:
    """Return a finding for each choice; ``priority_finding`` is the one on the priority order.

    Args:
        cases: items with a chosen story.
        tables: sound rows.
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
            f"The tau threshold ({params.tau_threshold:g}) from {min(THRESHOLDS):g} to "
            f"{max(THRESHOLDS):g}",
            thresholds,
            cases,
        ),
        _finding(
            "tie-tolerance",
            "tie tolerance",
            f"The tie tolerance ({params.tie_tolerance:g} points) from {min(TOLERANCES):g} to "
            f"{max(TOLERANCES):g}",
            tolerances,
            cases,
        ),
    ]
    judges = sorted({judge for case in cases for judge in case.scores.judges})
    if max(len(case.scores.judges) for case in cases) > 2:
        left = {judge: without_judge(cases, judge, params) for judge in judges}
        found.append(_finding("judges", "without", "Leaving out one judge", left, cases))
    else:
        found.append(
            Unchecked(
                id="sensitivity-judges",
                check="what hangs on each judge",
                reason="no item has three judges, and tau needs two when one is left out",
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
                f"Another prompt variant than {params.prompt_variant}",
                by_variant,
                cases,
            )
        )
    else:
        found.append(
            Unchecked(
                id="sensitivity-prompt-variant",
                check="what hangs on the judges' prompt",
                reason="there is one prompt variant",
            )
        )
    return found


def _finding(
    name: str,
    column: str,
    choice: str,
    settings: Mapping[str, list[Outcome]],
    cases: Sequence[Kept],
) -> Finding:
    rows = [{column: value, **_row(outcomes, cases)} for value, outcomes in settings.items()]
    most = {what: max(int(row[what] or 0) for row in rows) for what in CHANGES}
    changes = [text.format(most[what]) for what, text in CHANGES.items() if most[what]]
    return Finding(
        id=f"sensitivity-{name}",
        severity="note",
        statement=f"{choice}: of {len(cases)} items {'; '.join(changes) or 'none changes'}.",
        numbers={"items": len(cases), "settings": len(rows), **most},
        evidence=evidence(rows),
    )


def _row(outcomes: list[Outcome], cases: Sequence[Kept]) -> dict[str, Number]:
    """Return how many items change, and the denominators of the dimensions over those told."""
    pairs = list(zip(outcomes, cases, strict=True))
    told = [(found.gold, case.gold) for found, case in pairs if found.gold is not None]
    sizes = Counter(gold.dimension for gold, _ in told)
    ranked = [(found, case) for found, case in pairs if found.protocol not in (HUMAN_FIRST, None)]
    return {
        "ranked": sum(found.protocol == BY_RANKING for found, _ in ranked),
        "route_changes": sum(found.protocol != case.gold.protocol for found, case in ranked),
        "judges_first_changes": sum(found.first != case.scores.first for found, case in ranked),
        "chosen_changes": sum(gold.chosen != base.chosen for gold, base in told),
        "dimension_changes": sum(gold.dimension != base.dimension for gold, base in told),
        "cannot_be_told": len(cases) - len(told),
        UNSCORED: sum(found.protocol is None for found, _ in pairs),
        **{name: sizes[name] for name in DIMENSIONS},
    }

"""Which rule decided the items' dimensions."""

from collections import Counter
from collections.abc import Sequence

from audits.protocol.replayed_items import ORIGINS, Kept
from storyaudit.findings import Finding, evidence
from storyaudit.vocabulary import UNSCORED

RULES = ("mean_gap", "margin", "variance", "priority", UNSCORED)


def rules_finding(cases: Sequence[Kept]) -> Finding:
    """Return how many dimensions each rule decides, by origin."""
    counts = Counter((case.item.origin, case.gold.rule) for case in cases)
    sizes = Counter(case.item.origin for case in cases)
    by_rule = Counter(case.gold.rule for case in cases)
    rows = []
    for rule in RULES:
        if by_rule[rule]:
            row: dict[str, str | int | float] = {"rule": rule, "items": by_rule[rule]}
            for origin, size in sorted(sizes.items()):
                row[f"{origin}_items"] = counts[origin, rule]
                row[f"{origin}_share"] = round(counts[origin, rule] / size, 3)
            rows.append(row)
    shares = ", ".join(
        f"{rule.replace('_', ' ')} {by_rule[rule]} ({by_rule[rule] / len(cases):.1%})"
        for rule in RULES
        if by_rule[rule]
    )
    return Finding(
        id="dimension-rules",
        severity="note",
        statement=f"What decides the dimension of {len(cases)} items "
        f"({', '.join(f'{sizes[o]} {name}' for o, name in ORIGINS.items())}): {shares}.",
        numbers={"items": len(cases), **{rule: by_rule[rule] for rule in RULES if by_rule[rule]}},
        evidence=evidence(rows),
    )

"""Which rule decided the items' dimensions."""

from collections import Counter
from collections.abc import Sequence

from audits.protocol.replayed_items import ORIGINS, ChosenItem
from storyaudit.findings import Finding, counted, evidence
from storyaudit.phrasing import percent
from storyaudit.vocabulary import UNSCORED

RULES = ("mean_gap", "margin", "variance", "priority", UNSCORED)


def rules_finding(cases: Sequence[ChosenItem]) -> Finding:
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
                row[f"{origin}_proportion"] = round(counts[origin, rule] / size, 3)
            rows.append(row)
    gap, items, unscored = by_rule[RULES[0]], len(cases), by_rule[UNSCORED]
    broken = items - gap - unscored
    statement = (
        f"Of {counted(items, 'item')} "
        f"({', '.join(f'{sizes[o]} {name}' for o, name in ORIGINS.items())}), the largest mean gap "
        f"alone decides the dimension of {gap} ({percent(gap / items)})."
    )
    if broken:
        statement += (
            f" Tie-break rules decide {broken} of {items} ({percent(broken / items)}): margin, "
            f"variance, then priority order."
        )
    if unscored:
        statement += f" In {unscored} of {items} no judge scored the chosen story."
    return Finding(
        id="dimension-rules",
        severity="note",
        statement=statement,
        numbers={"items": len(cases), **{rule: by_rule[rule] for rule in RULES if by_rule[rule]}},
        evidence=evidence(rows),
    )

"""The replayed gold against the benchmark's rows, and items that only one of them has."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from audits.protocol.replayed_items import Case, Kept, with_chosen
from storyaudit.findings import Finding, Unchecked, evidence

TOLERANCE = 1e-6
FIELDS = {
    "chosen": ("chosen_id", "the chosen story"),
    "protocol": ("protocol", "the way to the chosen story"),
    "tau": ("tau_avg", "tau_avg"),
    "dimension": ("dimension", "the dimension"),
    "rule": ("dimension_rule", "the rule that decided the dimension"),
}
"""What a benchmark's row states of the gold: column and name."""


def replay_findings(
    cases: Sequence[Case], benchmark: pd.DataFrame, *, annotated: bool
) -> list[Finding | Unchecked]:
    """Return the findings on the benchmark's rows, one a field, and on its items.

    Args:
        cases: every item replayed.
        benchmark: rows with an item.
        annotated: whether the replay rests on people's decisions; if not, the stated chosen
            story was taken, and is not checked.
    """
    kept = {case.item.item_id: case for case in with_chosen(cases)}
    pairs = [
        (kept[row["item_id"]], row)
        for row in benchmark.to_dict("records")
        if row["item_id"] in kept
    ]
    found: list[Finding | Unchecked] = []
    for name, (column, what) in FIELDS.items():
        reason = ""
        if not pairs:
            reason = "no item of the benchmark can be replayed"
        elif name == "chosen" and not annotated:
            reason = "there is no table 'annotations' of people's decisions"
        if reason:
            found.append(Unchecked(id=f"gold-{name}", check=f"{what}, replayed", reason=reason))
        else:
            found.append(_field(name, column, what, pairs))
    return found + _items(cases, benchmark, annotated)


def _field(name: str, column: str, what: str, pairs: list[tuple[Kept, dict[Any, Any]]]) -> Finding:
    attribute = "tau_avg" if name == "tau" else name
    rows = []
    for case, row in pairs:
        stated, replayed = row[column], getattr(case.gold, attribute)
        same = abs(stated - replayed) <= TOLERANCE if name == "tau" else stated == replayed
        if not same:
            rows.append({"item_id": case.item.item_id, "stated": stated, "replayed": replayed})
    if rows:
        statement = (
            f"In {len(rows)} of {len(pairs)} items {what} is not the one that the protocol gives."
        )
    else:
        statement = f"In all {len(pairs)} items {what} is the one that the protocol gives."
    return Finding(
        id=f"gold-{name}",
        severity="fail" if rows else "pass",
        statement=statement,
        numbers={"items": len(pairs), "against": len(rows)},
        evidence=evidence(rows),
    )


def _items(
    cases: Sequence[Case], benchmark: pd.DataFrame, annotated: bool
) -> list[Finding | Unchecked]:
    """Return findings on items that lack a gold, candidates, or a reason to be missing."""
    stands = set(benchmark["item_id"])
    known = {case.item.item_id for case in cases}
    reasons = {case.item.item_id: case.problem for case in cases if case.problem}
    unsure = {
        case.item.item_id for case in cases if case.gold is not None and case.gold.chosen is None
    }
    kept = {case.item.item_id for case in with_chosen(cases)}
    twice = benchmark.loc[benchmark["item_id"].duplicated(), "item_id"]
    total = len(stands)
    checks: list[tuple[str, list[str], str, str]] = [
        (
            "items-once",
            sorted(set(twice)),
            "Items that stand in the benchmark more than once",
            "No item stands in the benchmark twice",
        ),
        (
            "items-known",
            sorted(stands - known),
            "Items of the benchmark that have no candidates",
            "Every item of the benchmark has candidates",
        ),
        (
            "items-replayable",
            sorted(stands & set(reasons)),
            "Items of the benchmark that cannot be replayed",
            "Every item of the benchmark can be replayed",
        ),
    ]
    if annotated:
        checks += [
            (
                "items-unsure",
                sorted(stands & unsure),
                "Items of the benchmark of which a person was unsure that the human story is best",
                "No item stands in the benchmark of which a person was unsure",
            ),
            (
                "items-missing",
                sorted(kept - stands),
                "Items that are missing from the benchmark without an 'unsure'",
                f"No item is missing from the benchmark but the {len(unsure - stands)} of which "
                f"a person was unsure",
            ),
        ]
    found: list[Finding | Unchecked] = [
        Finding(
            id=name,
            severity="fail" if items else "pass",
            statement=f"{problem}: {len(items)}." if items else f"{held} ({total} items).",
            numbers={"items": total, "against": len(items)},
            evidence=evidence(_row(item, reasons) for item in items),
        )
        for name, items, problem, held in checks
    ]
    undecided = sorted(set(reasons) - stands)
    if not annotated:
        found.append(
            Unchecked(
                id="items-missing",
                check="whether the items that are not in the benchmark were removed as unsure",
                reason="there is no table 'annotations' of people's decisions",
            )
        )
    elif undecided:
        found.append(
            Finding(
                id="items-undecided",
                severity="warn",
                statement="Items that are not in the benchmark and cannot be replayed, so that "
                f"whether they are missing rightly cannot be told: {len(undecided)}.",
                numbers={"items": len(undecided)},
                evidence=evidence(_row(item, reasons) for item in undecided),
            )
        )
    return found


def _row(item: str, reasons: dict[str, str]) -> dict[str, str]:
    return {"item_id": item} | ({"reason": reasons[item]} if item in reasons else {})

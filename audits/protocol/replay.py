"""The replayed gold against the benchmark's rows, and items that only one of them has."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from audits.protocol.replayed_items import ChosenItem, ReplayedItem, with_chosen
from storyaudit.findings import Finding, Unchecked, counted, evidence

TOLERANCE = 1e-6
FIELDS = {
    "chosen": ("chosen_id", "chosen", "chosen story"),
    "annotation-route": ("annotation_route", "route", "annotation route"),
    "tau": ("tau_avg", "tau_avg", "tau_avg"),
    "dimension": ("dimension", "dimension", "dimension"),
    "rule": ("dimension_rule", "rule", "dimension rule"),
}
"""What a benchmark's row states of the gold: column, attribute of ``Gold``, and name."""


def replay_findings(
    cases: Sequence[ReplayedItem], benchmark: pd.DataFrame, *, annotated: bool
) -> list[Finding | Unchecked]:
    """Return the findings on the benchmark's rows, one a field, and on its items.

    Args:
        cases: every item replayed.
        benchmark: rows with an item.
        annotated: whether the replay rests on human annotations; if not, the stated chosen
            story was taken, and is not checked.
    """
    kept = {case.item.item_id: case for case in with_chosen(cases)}
    pairs = [
        (kept[row["item_id"]], row)
        for row in benchmark.to_dict("records")
        if row["item_id"] in kept
    ]
    found: list[Finding | Unchecked] = []
    for name, (column, attribute, what) in FIELDS.items():
        reason = ""
        if not pairs:
            reason = "no item of the benchmark can be replayed"
        elif name == "chosen" and not annotated:
            reason = "there is no table 'annotations' of human annotations"
        if reason:
            found.append(
                Unchecked(
                    id=f"gold-{name}",
                    check=f"agreement of stated and replayed {what}",
                    reason=reason,
                )
            )
        else:
            found.append(_field(name, column, attribute, what, pairs))
    return found + _items(cases, benchmark, annotated)


def _field(
    name: str,
    column: str,
    attribute: str,
    what: str,
    pairs: list[tuple[ChosenItem, dict[Any, Any]]],
) -> Finding:
    rows = []
    for case, row in pairs:
        stated, replayed = row[column], getattr(case.gold, attribute)
        same = abs(stated - replayed) <= TOLERANCE if name == "tau" else stated == replayed
        if not same:
            rows.append({"item_id": case.item.item_id, "stated": stated, "replayed": replayed})
    if rows:
        statement = (
            f"In {len(rows)} of {counted(len(pairs), 'item')} the stated {what} differs from the "
            f"replayed one."
        )
    else:
        statement = (
            f"In {len(pairs)} of {counted(len(pairs), 'item')} the stated {what} equals the "
            f"replayed one."
        )
    return Finding(
        id=f"gold-{name}",
        severity="fail" if rows else "pass",
        statement=statement,
        numbers={"items": len(pairs), "against": len(rows)},
        evidence=evidence(rows),
    )


def _items(
    cases: Sequence[ReplayedItem], benchmark: pd.DataFrame, annotated: bool
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
    total, replayable = len(stands), len(stands & known)
    checks: list[tuple[str, list[str], str]] = [
        (
            "items-once",
            sorted(set(twice)),
            f"Items that are in the benchmark more than once: {{}} of {total}.",
        ),
        (
            "items-known",
            sorted(stands - known),
            f"Benchmark items without candidates: {{}} of {total}.",
        ),
        (
            "items-replayable",
            sorted(stands & set(reasons)),
            f"Benchmark items that have candidates and cannot be replayed: {{}} of {replayable}.",
        ),
    ]
    if annotated:
        checks += [
            (
                "items-unsure",
                sorted(stands & unsure),
                "Benchmark items whose annotator was unsure that the human story is the best: "
                f"{{}} of {total}.",
            ),
            (
                "items-missing",
                sorted(kept - stands),
                "Items with a replayed gold that are missing from the benchmark: "
                f"{{}} of {len(kept)}. Items removed because an annotator was unsure: "
                f"{len(unsure - stands)}.",
            ),
        ]
    found: list[Finding | Unchecked] = [
        Finding(
            id=name,
            severity="fail" if items else "pass",
            statement=statement.format(len(items)),
            numbers={"items": total, "against": len(items)},
            evidence=evidence(_row(item, reasons) for item in items),
        )
        for name, items, statement in checks
    ]
    undecided = sorted(set(reasons) - stands)
    if not annotated:
        found.append(
            Unchecked(
                id="items-missing",
                check="whether items outside the benchmark were removed as unsure",
                reason="there is no table 'annotations' of human annotations",
            )
        )
    elif undecided:
        found.append(
            Finding(
                id="items-undecided",
                severity="warn",
                statement="Items outside the benchmark that cannot be replayed: "
                f"{len(undecided)}. Whether they belong in the benchmark is not determinable.",
                numbers={"items": len(undecided)},
                evidence=evidence(_row(item, reasons) for item in undecided),
            )
        )
    return found


def _row(item: str, reasons: dict[str, str]) -> dict[str, str]:
    return {"item_id": item} | ({"reason": reasons[item]} if item in reasons else {})

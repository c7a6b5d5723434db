"""Accuracy within groups of items, with Wilson's intervals."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from storyaudit.findings import Finding, counted, evidence, slugs
from storyaudit.phrasing import estimated, percent
from storyaudit.results.selection import BANDS, model_names
from storyaudit.stats.estimate import Estimate
from storyaudit.stats.proportion import proportion_ci

KINDS = {
    "dimension": "dimension",
    "origin": "origin",
    "annotation_route": "annotation route",
    "language": "language",
    "length_band": "length",
}
"""The columns of a results table that group items, and their names in findings."""


def group_table(results: pd.DataFrame, chance: pd.Series, confidence: float) -> pd.DataFrame:
    """Return each model's accuracy within groups of items.

    An item's outcome is the mean over seeds. A kind of group that all items share is left out, as
    it would repeat micro accuracy.

    Args:
        results: the results table; every run has every item.
        chance: accuracy of a random choice, by item_id.
        confidence: of the intervals.

    Returns:
        model, kind, group, items, accuracy, low, high, chance.
    """
    kinds = {kind: name for kind, name in KINDS.items() if kind in results}
    models = list(results.groupby(["variant", "model"], sort=True))
    names = model_names([(str(variant), str(model)) for (variant, model), _ in models])
    rows = []
    for name, (_, runs) in zip(names, models, strict=True):
        items = runs.groupby("item_id")["correct"].mean()
        about = runs.drop_duplicates("item_id").set_index("item_id")
        for kind, named in kinds.items():
            groups = items.groupby(about[kind])
            if groups.ngroups < 2:
                continue
            for group in sorted(groups.groups, key=_order):
                inside = groups.get_group(group)
                accuracy = float(inside.mean())
                low, high = proportion_ci(accuracy, len(inside), confidence)
                by_chance = float(chance[inside.index].mean())
                rows.append((name, named, group, len(inside), accuracy, low, high, by_chance))
    columns = ["model", "kind", "group", "items", "accuracy", "low", "high", "chance"]
    return pd.DataFrame(rows, columns=columns)


def group_findings(table: pd.DataFrame, confidence: float) -> list[Finding]:
    """Return a finding a model on its groups."""
    models = table["model"].unique().tolist()
    findings = []
    for model, name in zip(models, slugs(models), strict=True):
        rows = table[table["model"] == model].drop(columns="model").round(4)
        ranked = rows.sort_values("accuracy", kind="stable").to_dict("records")
        several = rows["kind"].nunique() > 1
        findings.append(
            Finding(
                id=f"groups-{name}",
                severity="note",
                statement=f"{model}: accuracy in {counted(len(rows), 'group')} of items by "
                f"{counted(rows['kind'].nunique(), 'attribute')}, Wilson's intervals over items. "
                f"{_extremes(ranked, confidence)} "
                f"{'Groups by one attribute' if several else 'The groups'} hold different items.",
                numbers={"groups": len(rows), "confidence": confidence},
                evidence=evidence(rows),
            )
        )
    return findings


def _extremes(ranked: list[dict[Hashable, Any]], confidence: float) -> str:
    """Return the lowest and the highest accuracy, as sentences; one where all are equal."""
    first, last = ranked[0], ranked[-1]
    if first["accuracy"] == last["accuracy"]:
        return f"All groups have {percent(first['accuracy'])}."
    shown = []
    for name, row in (("Lowest", first), ("Highest", last)):
        equal = sum(other["accuracy"] == row["accuracy"] for other in ranked)
        among = f"{equal} groups, among them " if equal > 1 else ""
        shown.append(f"{name}: {among}{_group(row, confidence)}.")
    return " ".join(shown)


def _group(row: dict[Hashable, Any], confidence: float) -> str:
    found = Estimate(row["accuracy"], row["low"], row["high"])
    return (
        f"{row['kind']} {row['group']}, {estimated(found, confidence, percent)} on "
        f"{counted(row['items'], 'item')}"
    )


def _order(group: object) -> tuple[int, str]:
    return (BANDS.index(str(group)) if group in BANDS else -1, str(group))

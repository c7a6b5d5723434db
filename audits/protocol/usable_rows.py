"""Which rows of a study's tables the protocol can be replayed on; the others are findings."""

from collections.abc import Mapping

import pandas as pd

from storyaudit.data.tables import JUDGEMENTS
from storyaudit.findings import Finding, counted, evidence

Tables = Mapping[str, pd.DataFrame]
LARGEST = 1e6
"""A score beyond it is no score."""
NEEDED = {
    "candidates": ["item_id", "story_id", "premise_id", "origin"],
    "judgements": ["item_id", "story_id", "judge", "prompt_variant", "dimension"],
    "benchmark": ["item_id"],
    "annotations": ["item_id", "kind", "story_id"],
    "stories": ["story_id", "author_kind"],
}
"""Tables that the audit reads, and the columns without which a row says nothing."""


def valid_rows(tables: Tables) -> tuple[dict[str, pd.DataFrame], list[Finding]]:
    """Return the tables without rows that say nothing, and findings on what was left out.

    Scores that are not finite, or beyond a million, become missing; empty tables go.
    """
    kept: dict[str, pd.DataFrame] = {}
    findings = []
    for name, needed in NEEDED.items():
        if name not in tables or tables[name].empty:
            continue
        whole = tables[name][needed].notna().all(axis=1)
        kept[name] = tables[name][whole].reset_index(drop=True)
        if not whole.all():
            findings.append(
                _left_out(
                    f"{name}-complete",
                    f"of '{name}' that lack a required value",
                    tables[name][~whole],
                    len(whole),
                )
            )
    if "judgements" in kept:
        score = kept["judgements"]["score"]
        kept["judgements"]["score"] = score.where(score.abs() <= LARGEST)
        key = list(JUDGEMENTS.key)
        twice = kept["judgements"].duplicated(key, keep=False)
        if twice.any():
            findings.append(
                _left_out(
                    "judgements-once",
                    "of 'judgements' that score one story twice on one dimension",
                    kept["judgements"].loc[twice, [*key, "score"]],
                    len(twice),
                )
            )
    return kept, findings + _orphans(kept)


def _orphans(tables: Tables) -> list[Finding]:
    """Return findings on rows about items that have no candidates."""
    if "candidates" not in tables:
        return []
    known = set(tables["candidates"]["item_id"])
    findings = []
    for name in ("judgements", "annotations"):
        if name not in tables:
            continue
        orphans = tables[name][~tables[name]["item_id"].isin(known)]
        if len(orphans):
            items = orphans["item_id"].nunique()
            findings.append(
                Finding(
                    id=f"{name}-orphans",
                    severity="fail",
                    statement=f"Left out: {counted(len(orphans), 'row')} of '{name}' about "
                    f"{counted(items, 'item')} without candidates.",
                    numbers={"rows": len(orphans), "items": items},
                    evidence=evidence(orphans.drop_duplicates("item_id")[["item_id", "story_id"]]),
                )
            )
    return findings


def _left_out(name: str, problem: str, rows: pd.DataFrame, of: int) -> Finding:
    return Finding(
        id=name,
        severity="fail",
        statement=f"Left out: {len(rows)} of {counted(of, 'row')} {problem}.",
        numbers={"rows": len(rows), "of": of},
        evidence=evidence(rows),
    )

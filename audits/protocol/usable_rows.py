"""Which rows of a study's tables the protocol can be replayed on; the others are findings."""

from collections.abc import Mapping

import pandas as pd

from storyaudit.data.tables import JUDGEMENTS
from storyaudit.findings import Finding, evidence

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


def sound_rows(tables: Tables) -> tuple[dict[str, pd.DataFrame], list[Finding]]:
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
                    f"of '{name}' lack {', '.join(needed[:-1])} or {needed[-1]}"
                    if len(needed) > 1
                    else f"of '{name}' lack {needed[0]}",
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
                    "of 'judgements' score a story again that the judge has scored",
                    kept["judgements"].loc[twice, [*key, "score"]],
                    len(twice),
                )
            )
    return kept, findings + _strays(kept)


def _strays(tables: Tables) -> list[Finding]:
    """Return findings on rows about items that have no candidates."""
    if "candidates" not in tables:
        return []
    known = set(tables["candidates"]["item_id"])
    findings = []
    for name in ("judgements", "annotations"):
        if name not in tables:
            continue
        stray = tables[name][~tables[name]["item_id"].isin(known)]
        if len(stray):
            items = stray["item_id"].nunique()
            findings.append(
                Finding(
                    id=f"{name}-strays",
                    severity="fail",
                    statement=f"{len(stray)} rows of '{name}' are about {items} items that have "
                    f"no candidates; they are left out.",
                    numbers={"rows": len(stray), "items": items},
                    evidence=evidence(stray.drop_duplicates("item_id")[["item_id", "story_id"]]),
                )
            )
    return findings


def _left_out(name: str, problem: str, rows: pd.DataFrame, of: int) -> Finding:
    return Finding(
        id=name,
        severity="fail",
        statement=f"{len(rows)} of {of} rows {problem}; they are left out.",
        numbers={"rows": len(rows), "of": of},
        evidence=evidence(rows),
    )

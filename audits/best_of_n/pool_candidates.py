"""Which stories each pool holds, and findings on its table."""

import pandas as pd

from storyaudit.findings import Finding, evidence, left_out


def pool_stories(candidates: pd.DataFrame) -> tuple[dict[str, frozenset[str]], list[Finding]]:
    """Return each pool's stories, and findings on the candidates."""
    key = ["item_id", "story_id"]
    candidates = candidates.sort_values(key, ignore_index=True)
    lacking = candidates[key].isna().any(axis=1)
    complete = candidates[~lacking]
    twice = complete.duplicated(key)
    findings = [
        *left_out(
            "candidates-complete",
            "candidates lack a pool or a story and are left out",
            candidates[lacking],
            len(candidates),
        ),
        *left_out(
            "candidates-once",
            "candidates duplicate a story of their pool; each counts once",
            complete.loc[twice, key],
            len(candidates),
        ),
    ]
    stories = {str(item): frozenset(part) for item, part in complete.groupby("item_id")["story_id"]}
    sizes = {item: len(pool) for item, pool in stories.items()}
    if len(set(sizes.values())) > 1:
        rows = ({"item_id": item, "stories": size} for item, size in sizes.items())
        findings.append(
            Finding(
                id="pools-sizes",
                severity="warn",
                statement=f"Pools hold {min(sizes.values())} to {max(sizes.values())} stories. "
                f"Mean ranks, and their value by chance, average over pools of different sizes.",
                numbers={"least": min(sizes.values()), "most": max(sizes.values())},
                evidence=evidence(sorted(rows, key=lambda row: (row["stories"], row["item_id"]))),
            )
        )
    return stories, findings + _shared_premises(complete)


def _shared_premises(candidates: pd.DataFrame) -> list[Finding]:
    """Return a warning where several pools are on one premise."""
    places = candidates[["premise_id", "item_id"]].dropna().drop_duplicates()
    shared = places[places.duplicated("premise_id", keep=False)].sort_values(
        ["premise_id", "item_id"]
    )
    if shared.empty:
        return []
    return [
        Finding(
            id="pools-premises",
            severity="warn",
            statement=f"{shared['item_id'].nunique()} of {places['item_id'].nunique()} pools "
            f"share their premise with another. The CIs treat pools as independent and may be too "
            f"narrow.",
            numbers={
                "pools": int(shared["item_id"].nunique()),
                "premises": int(shared["premise_id"].nunique()),
            },
            evidence=evidence(shared),
        )
    ]

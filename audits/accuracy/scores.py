"""Are scores those of a benchmark's candidates, each once, and finite? And what is left of them?"""

import pandas as pd

from storyaudit.findings import Finding, Severity, evidence
from storyaudit.selection import PLACE, RUN

NAMED = [*RUN, *PLACE]


def sound_scores(
    scores: pd.DataFrame, candidates: pd.DataFrame, items: pd.Series, command: str
) -> tuple[list[Finding], pd.DataFrame]:
    """Return findings on anybody's scores, and their rows that can be used.

    IDs are compared, and rows never taken to be in the candidates' order: published files of scores
    hold wrong IDs (reward-bench, issue 273). A row twice with one reward counts once; with two, and
    with an infinite one, its reward is missing in what is returned.

    Args:
        scores: the columns of the scores table; anything may be missing or wrong.
        candidates: the candidates table.
        items: IDs of the items to choose in; scores of other candidates are left out.
        command: shows the findings again.
    """
    findings = []
    rows = scores[[*NAMED, "reward"]].sort_values([*NAMED, "reward"], ignore_index=True)
    number = len(rows)

    def leave_out(bad: pd.Series, name: str, problem: str) -> None:
        if bad.any():
            findings.append(_finding(name, "fail", rows[bad], f"of {number} {problem}", command))

    unnamed = rows[NAMED].isna().any(axis=1)
    leave_out(unnamed, "scores-named", "rows lack a variant, model, seed, item or story")
    rows = rows[~unnamed].astype({"seed": "int64"})
    stray = ~_among(rows, candidates)
    of_unknown = int((stray & ~rows["item_id"].isin(candidates["item_id"])).sum())
    leave_out(
        stray,
        "scores-known",
        f"rows score no candidate of the benchmark ({of_unknown} name an unknown item, "
        f"{int(stray.sum()) - of_unknown} a story that is none of their item's candidates)",
    )
    rows = rows[~stray & rows["item_id"].isin(items)]
    again = rows.duplicated(NAMED)
    different = rows.groupby(NAMED)["reward"].transform("nunique", dropna=False) > 1
    leave_out(
        again,
        "scores-once",
        f"rows score a candidate again; candidates with different rewards "
        f"({int((different & ~again).sum())}) count as without one",
    )
    leave_out(rows["reward"].isna(), "scores-present", "rows have no number for a reward")
    infinite = rows["reward"].abs() == float("inf")
    leave_out(infinite, "scores-finite", "rows have an infinite reward, which counts as none")
    rows = rows.assign(reward=rows["reward"].mask(different | infinite))[~again]
    absent = _absent(rows, candidates[candidates["item_id"].isin(items)])
    if len(absent):
        needed = len(rows[RUN].drop_duplicates()) * int(candidates["item_id"].isin(items).sum())
        findings.append(
            _finding(
                "scores-complete",
                "fail",
                absent,
                f"of {needed} candidates, counted once a run, are not scored (in "
                f"{len(absent[[*RUN, 'item_id']].drop_duplicates())} items; an item without all "
                f"its rewards counts as wrong)",
                command,
            )
        )
    if not findings and rows.empty:
        problem = f"of {number} rows score a candidate of an item to choose in"
        findings.append(_finding("scores-complete", "fail", rows, problem, command))
    if not findings:
        findings.append(
            Finding(
                id="scores-sound",
                severity="pass",
                statement=f"Each of {len(rows[RUN].drop_duplicates())} runs has one finite reward "
                f"for each candidate of {len(items)} items.",
                numbers={"rows": number, "items": len(items)},
                command=command,
            )
        )
    return [*findings, *_flat(rows, command)], rows


def _among(rows: pd.DataFrame, candidates: pd.DataFrame) -> pd.Series:
    placed = pd.MultiIndex.from_frame(candidates[PLACE])
    return pd.Series(pd.MultiIndex.from_frame(rows[PLACE]).isin(placed), index=rows.index)


def _absent(rows: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates of which a run has no row."""
    runs = rows[RUN].drop_duplicates()
    wanted = runs.merge(candidates[PLACE], how="cross")
    have = pd.MultiIndex.from_frame(rows[NAMED])
    absent = wanted[~pd.MultiIndex.from_frame(wanted[NAMED]).isin(have)]
    return absent.sort_values(NAMED, ignore_index=True)


def _flat(rows: pd.DataFrame, command: str) -> list[Finding]:
    """Return the runs that give all candidates of every item one reward.

    A padding token read in place of the text's end does this (RLHFlow, issue 49).
    """
    by_item = rows.groupby([*RUN, "item_id"])["reward"].agg(["count", "nunique"])
    highest = by_item.loc[by_item["count"] > 1, "nunique"].groupby(level=RUN).max()
    flat = highest[highest == 1].reset_index()[RUN]
    if flat.empty:
        return []
    problem = (
        f"of {len(highest)} runs with one reward for all candidates of an item, whatever the item: "
        f"nothing is chosen. Check that the model read the stories"
    )
    return [_finding("rewards-vary", "warn", flat, problem, command)]


def _finding(
    name: str, severity: Severity, rows: pd.DataFrame, problem: str, command: str
) -> Finding:
    return Finding(
        id=name,
        severity=severity,
        statement=f"{len(rows)} {problem}.",
        numbers={"rows": len(rows)},
        evidence=evidence(rows),
        command=command,
    )

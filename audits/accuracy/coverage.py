"""Do scores cover a benchmark's candidates, and do they differ between them?"""

import pandas as pd

from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY, among
from storyaudit.findings import Finding, counted, left_out
from storyaudit.phrasing import agreeing
from storyaudit.results.usable_scores import NAMED, valid_scores


def covering_scores(
    scores: pd.DataFrame, candidates: pd.DataFrame, items: pd.Series
) -> tuple[list[Finding], pd.DataFrame]:
    """Return findings on external scores of a benchmark, and their rows that can be used.

    Args:
        scores: the columns of the scores table; anything may be missing or wrong.
        candidates: the candidates table.
        items: IDs of the items to choose in; scores of other candidates are left out.
    """
    findings, rows = valid_scores(scores, candidates, items=items)
    findings += _absent(rows, candidates[candidates["item_id"].isin(items)])
    if not findings and rows.empty:
        problem = "rows score items that are not evaluated (no gold, or fewer than two candidates)"
        findings += left_out("scores-complete", problem, scores[NAMED], len(scores))
    if not findings:
        runs = len(rows[RUN_KEY].drop_duplicates())
        findings.append(
            Finding(
                id="scores-valid",
                severity="pass",
                statement=f"{counted(runs, 'run has', 'runs have')} "
                f"one finite reward for each candidate of {counted(len(items), 'item')}.",
                numbers={"rows": len(scores), "items": len(items)},
            )
        )
    return [*findings, *_flat(rows)], rows


def _absent(rows: pd.DataFrame, candidates: pd.DataFrame) -> list[Finding]:
    """Return a finding on the candidates of which a run has no row."""
    runs = rows[RUN_KEY].drop_duplicates()
    wanted = runs.merge(candidates[CANDIDATE_KEY], how="cross")
    absent = wanted[~among(wanted[NAMED], rows[NAMED])]
    items = len(absent[[*RUN_KEY, "item_id"]].drop_duplicates())
    return left_out(
        "scores-complete",
        f"scores are missing (one per candidate and run), in {counted(items, 'combination')} of "
        f"item and run. An item without all its rewards counts as wrong",
        absent.sort_values(NAMED),
        len(wanted),
    )


def _flat(rows: pd.DataFrame) -> list[Finding]:
    """Return the runs that give all candidates of every item one reward.

    A padding token read in place of the text's end does this (RLHFlow, issue 49).
    """
    by_item = rows.groupby([*RUN_KEY, "item_id"])["reward"].agg(["count", "nunique"])
    highest = by_item.loc[by_item["count"] > 1, "nunique"].groupby(level=RUN_KEY).max()
    flat = highest[highest == 1]
    return left_out(
        "rewards-vary",
        f"runs {agreeing(len(flat), len(highest), 'gives', 'give')} all candidates of each item "
        f"the same reward, so that nothing is chosen. Check that the model read the stories",
        flat.reset_index()[RUN_KEY],
        len(highest),
        "warn",
    )

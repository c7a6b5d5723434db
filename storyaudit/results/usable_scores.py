"""Are scores those of the candidates, each once, and finite? And what is left of them?"""

import pandas as pd

from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY, among
from storyaudit.findings import Finding, counted, left_out

NAMED = [*RUN_KEY, *CANDIDATE_KEY]


def valid_scores(
    scores: pd.DataFrame,
    candidates: pd.DataFrame,
    *,
    items: pd.Series | None = None,
    name: str = "scores",
    rows_of: str = "rows",
) -> tuple[list[Finding], pd.DataFrame]:
    """Return findings on external scores, and their rows that can be used.

    IDs are compared, and rows never taken to be in the candidates' order: published files of scores
    hold wrong IDs (reward-bench, issue 273). A row twice with one reward counts once; with two, and
    with an infinite one, its reward is missing in what is returned.

    Args:
        scores: the columns of the scores table; anything may be missing or wrong.
        candidates: the item and story of each, complete.
        items: IDs of the items to choose in, where not in all; scores of others are left out.
        name: with which the findings' ids start.
        rows_of: what the rows are called.
    """
    rows = scores[[*NAMED, "reward"]].astype({"reward": "float64"})
    rows = rows.sort_values([*NAMED, "reward"], ignore_index=True)
    number = len(rows)
    unnamed = rows[NAMED].isna().any(axis=1)
    named = rows[~unnamed].astype({"seed": "int64"})
    orphan = ~among(named[CANDIDATE_KEY], candidates[CANDIDATE_KEY])
    orphans = named[orphan]
    of_unknown = int((~orphans["item_id"].isin(candidates["item_id"])).sum())
    known = named[~orphan]
    if items is not None:
        known = known[known["item_id"].isin(items)]
    again = known.duplicated(NAMED)
    different = known.groupby(NAMED)["reward"].transform("nunique", dropna=False) > 1
    infinite = known["reward"].abs() == float("inf")
    findings = [
        finding
        for kind, bad, problem in (
            ("named", rows[unnamed], "lack a variant, model, seed, item or story"),
            (
                "known",
                orphans,
                f"score no candidate: {of_unknown} name an unknown item, "
                f"{len(orphans) - of_unknown} a story that is not a candidate of its item",
            ),
            (
                "once",
                known[again],
                f"duplicate the score of a candidate. "
                f"Conflicting rewards ({counted(int((different & ~again).sum()), 'candidate')}) "
                f"count as missing",
            ),
            ("present", known[known["reward"].isna()], "have no number for a reward"),
            ("finite", known[infinite], "have an infinite reward, which counts as missing"),
        )
        for finding in left_out(f"{name}-{kind}", f"{rows_of} {problem}", bad, number)
    ]
    return findings, known.assign(reward=known["reward"].mask(different | infinite))[~again]

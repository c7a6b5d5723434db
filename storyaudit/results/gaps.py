"""What results lack: rewards of some candidates, dimensions of some items."""

import pandas as pd

from storyaudit.data.tables import RUN_KEY
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import agreeing, percent
from storyaudit.results.selection import NO_DIMENSION, macro_mean, model_names


def reward_gaps(results: pd.DataFrame) -> list[Finding | Unchecked]:
    """Return which runs lack rewards, and their accuracy without these items."""
    if results.empty:
        return [_unchecked("no row of results can be used")]
    if "missing" not in results:
        return [_unchecked("not determinable from what is reported (no column 'missing')")]
    if results["missing"].isna().all():
        return [_unchecked("not determinable from what is reported (column 'missing' is empty)")]
    lacking = results["missing"].fillna(0) > 0
    runs = results.groupby(RUN_KEY, sort=True)
    models = sorted(set(zip(results["variant"], results["model"], strict=True)))
    names = dict(zip(models, model_names(models), strict=True))
    rows = [_row(run, lacking[run.index]) for _, run in runs if lacking[run.index].any()]
    if not rows:
        return [
            Finding(
                id="missing-rewards",
                severity="pass",
                statement=f"{counted(runs.ngroups, 'run has', 'runs have')} a reward for every "
                f"candidate of each item answered.",
                numbers={"runs": runs.ngroups, "runs_lacking": 0},
            )
        ]
    most = max(rows, key=lambda row: int(row["items_lacking"] or 0))
    return [
        Finding(
            id="missing-rewards",
            severity="warn",
            statement=f"{len(rows)} of {counted(runs.ngroups, 'run')} "
            f"{agreeing(len(rows), runs.ngroups, 'lacks', 'lack')} rewards of some candidates; "
            f"such an item counts as wrong. "
            f"{_sentence(names[most['variant'], most['model']], most)} "
            f"Accuracies over complete items alone are over different items in each run.",
            numbers={
                "runs": runs.ngroups,
                "runs_lacking": len(rows),
                "items": int(results.loc[lacking, "item_id"].nunique()),
            },
            evidence=evidence(rows),
        )
    ]


def _unchecked(reason: str) -> Unchecked:
    check = "whether every run had a reward for every candidate"
    return Unchecked(id="missing-rewards", check=check, reason=reason)


def _row(run: pd.DataFrame, lacking: pd.Series) -> dict[str, Number]:
    complete = run[~lacking]
    correct = complete["correct"].astype("float64")
    return {
        "variant": str(run["variant"].iloc[0]),
        "model": str(run["model"].iloc[0]),
        "seed": int(run["seed"].iloc[0]),
        "items": len(run),
        "items_lacking": int(lacking.sum()),
        "macro": round(macro_mean(run["correct"].astype("float64"), run["dimension"]), 4),
        "macro_of_complete": (
            None if complete.empty else round(macro_mean(correct, complete["dimension"]), 4)
        ),
    }


def _sentence(name: str, row: dict[str, Number]) -> str:
    of_complete = row["macro_of_complete"]
    without = "undefined" if of_complete is None else percent(float(of_complete))
    return (
        f"Most affected: {name}, seed {row['seed']} ({row['items_lacking']} of {row['items']} "
        f"items). Its macro accuracy is {percent(float(row['macro'] or 0))} with these items and "
        f"{without} without them."
    )


def dimension_gaps(results: pd.DataFrame) -> list[Finding]:
    """Return how many items have no dimension, and what that does to macro accuracy."""
    dimension = results.drop_duplicates("item_id")["dimension"]
    absent = int(dimension.isin(NO_DIMENSION).sum())
    if not absent:
        return []
    return [
        Finding(
            id="items-without-dimension",
            severity="note",
            statement=(
                "No item has a dimension, so that macro accuracy equals micro accuracy."
                if absent == len(dimension)
                else f"{absent} of {len(dimension)} items have no dimension: they count in micro "
                f"accuracy, not in macro accuracy."
            ),
            numbers={"items": len(dimension), "without_dimension": absent},
        )
    ]

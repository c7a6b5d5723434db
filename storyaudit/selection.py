"""Four-way selection: from scores and a benchmark's gold to each item's outcome."""

import pandas as pd

from storyaudit.errors import InputError
from storyaudit.tables import DIMENSIONS

RUN = ["variant", "model", "seed"]


def select(scores: pd.DataFrame, candidates: pd.DataFrame, benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return the results table: did each run choose each item's chosen story?

    An item is right only if the chosen story alone has the highest reward (StoryAlign, section
    4.1). ``ties`` counts the other candidates that share the highest reward; ``credit`` is the
    expected value of breaking the tie at random.

    Args:
        scores: the scores table, without missing values.
        candidates: the candidates table; items that are not in the benchmark are left out, and so
            are the scores of their candidates.
        benchmark: the benchmark table.

    Raises:
        InputError: a chosen story or a score for one that is no candidate of its item, or a
            candidate without a score; the message names the first one.
        ValueError: a key of one of the tables stands twice.
    """
    gold = benchmark[["item_id", "dimension", "origin", "chosen_id"]]
    places = candidates.loc[candidates["item_id"].isin(gold["item_id"]), ["item_id", "story_id"]]
    placed = pd.MultiIndex.from_frame(places)
    strays = gold[~pd.MultiIndex.from_frame(gold[["item_id", "chosen_id"]]).isin(placed)]
    if len(strays):
        raise _misaligned(
            f"chosen but no candidate: item_id {strays['item_id'].iloc[0]}, "
            f"story_id {strays['chosen_id'].iloc[0]} ({len(strays)} rows)"
        )
    removed = candidates.loc[~candidates["item_id"].isin(gold["item_id"]), ["item_id", "story_id"]]
    unasked = pd.MultiIndex.from_frame(removed)
    scores = scores[~pd.MultiIndex.from_frame(scores[["item_id", "story_id"]]).isin(unasked)]
    runs = scores[RUN].drop_duplicates()
    table = runs.merge(places, how="cross").merge(
        scores, on=[*RUN, "item_id", "story_id"], how="outer", indicator=True, validate="1:1"
    )
    for side, problem in (
        ("right_only", "scored but no candidate"),
        ("left_only", "candidate without a score"),
    ):
        rows = table.loc[table["_merge"] == side, [*RUN, "item_id", "story_id"]]
        if len(rows):
            first = ", ".join(f"{name} {value}" for name, value in rows.iloc[0].items())
            raise _misaligned(f"{problem}: {first} ({len(rows)} rows)")
    table = table.drop(columns="_merge").merge(gold, on="item_id", validate="m:1")
    by_item = table.groupby([*RUN, "item_id"], sort=False)["reward"]
    table["highest"] = table["reward"] == by_item.transform("max")
    table["chosen_highest"] = table["highest"] & (table["story_id"] == table["chosen_id"])
    results = table.groupby([*RUN, "item_id", "dimension", "origin"], as_index=False).agg(
        highest=("highest", "sum"), chosen_highest=("chosen_highest", "any")
    )
    results["ties"] = results["highest"].astype("int64") - 1
    results["correct"] = results["chosen_highest"] & (results["ties"] == 0)
    results["credit"] = results["chosen_highest"] / results["highest"]
    return results[[*RUN, "item_id", "dimension", "origin", "correct", "ties", "credit"]]


def _misaligned(problem: str) -> InputError:
    return InputError(f"{problem}.", "Score the candidates of this benchmark, each once.")


def accuracies(results: pd.DataFrame) -> dict[str, float]:
    """Return macro, micro, by dimension and by origin accuracy of one run's results.

    Macro is the unweighted mean over the dimensions present (StoryAlign, table 1); the five of
    StoryRMB come first in their order, others after them.
    """
    by_dimension = results.groupby("dimension")["correct"].mean()
    named = {
        f"accuracy.{name}": float(by_dimension[name])
        for name in [*DIMENSIONS, *sorted(set(by_dimension.index) - set(DIMENSIONS))]
        if name in by_dimension.index
    }
    by_origin = results.groupby("origin")["correct"].mean()
    return {
        "accuracy.macro": float(by_dimension.mean()),
        "accuracy.micro": float(results["correct"].mean()),
        **named,
        **{f"accuracy.{name}": float(value) for name, value in by_origin.items()},
        "ties": float((results["ties"] > 0).sum()),
    }

"""A model's picks, the gold and the other stories of their items."""

from collections.abc import Iterable, Mapping

import pandas as pd

from storyaudit.findings import Finding, left_out
from storyaudit.text.sentences import length_kurtosis


def length_kurtoses(stories: pd.DataFrame, wanted: Iterable[str]) -> dict[str, float]:
    """Return the kurtosis of sentence lengths by story; none for a story that has none.

    An ID with two texts has none either.

    Args:
        stories: the stories table.
        wanted: the story IDs that are asked for.
    """
    texts = stories[["story_id", "text"]].dropna().drop_duplicates()
    texts = texts.drop_duplicates("story_id", keep=False)
    asked = texts[texts["story_id"].isin(set(wanted))]
    found = {
        str(story): length_kurtosis(text)
        for story, text in zip(asked["story_id"], asked["text"], strict=True)
    }
    return {story: value for story, value in found.items() if value is not None}


def picks_table(
    results: pd.DataFrame,
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame,
    kurtosis: Mapping[str, float],
) -> tuple[pd.DataFrame, list[Finding]]:
    """Return a run's picks with their kurtosis, and a finding on rows that contradict others.

    Args:
        results: valid results of one variant by one model, with ``picked_id``.
        benchmark: the benchmark table.
        candidates: the candidates table.
        kurtosis: by story.

    Returns:
        One row an item and seed, sorted: item_id, seed, correct, and the kurtosis of the story
        that was picked (``pick``), of the chosen one (``gold``), and the mean of the rejected ones
        that were not picked (``others``). A kurtosis is missing where there is none, or no story
        was picked alone.
    """
    gold = benchmark.dropna(subset=["item_id", "chosen_id"]).drop_duplicates("item_id", keep=False)
    places = candidates[["item_id", "story_id"]].dropna().drop_duplicates()
    rows = results.merge(gold[["item_id", "chosen_id"]], on="item_id", how="left")
    rows = rows.sort_values(["item_id", "seed"], ignore_index=True)
    picked = rows["picked_id"].notna()
    pairs = pd.MultiIndex.from_frame(rows[["item_id", "picked_id"]])
    strange = rows["chosen_id"].isna() | (
        picked
        & (
            (rows["correct"].astype("bool") != (rows["picked_id"] == rows["chosen_id"]))
            | ~pairs.isin(pd.MultiIndex.from_frame(places))
        )
    )
    findings = left_out(
        "picks-consistent",
        "picks contradict the benchmark or the candidates and are left out. The pick is no "
        "candidate, the item has no chosen story, or the outcome does not follow from them",
        rows.loc[strange, ["seed", "item_id", "picked_id", "chosen_id", "correct"]],
        len(rows),
    )
    rows = rows[~strange].reset_index(drop=True)
    shown = rows[["item_id", "seed", "correct"]].astype({"correct": "bool"})
    shown["pick"] = rows["picked_id"].map(kurtosis).astype("float64")
    shown["gold"] = rows["chosen_id"].map(kurtosis).astype("float64")
    shown["others"] = _others(rows, places, kurtosis)
    return shown, findings


def _others(rows: pd.DataFrame, places: pd.DataFrame, kurtosis: Mapping[str, float]) -> pd.Series:
    """Return each row's mean over candidates that are neither picked nor chosen."""
    known = places.assign(kurtosis=places["story_id"].map(kurtosis).astype("float64"))
    each = rows.reset_index(names="row")[["row", "item_id", "picked_id", "chosen_id"]]
    each = each.merge(known.sort_values(["item_id", "story_id"]), on="item_id")
    left = (each["story_id"] != each["picked_id"]) & (each["story_id"] != each["chosen_id"])
    return each[left].groupby("row")["kurtosis"].mean().reindex(rows.index)

"""Faults in items, injected on request, each with its truth.

A fault leaves everything else as it was: a swapped label keeps the dimension of the story that was
chosen before.
"""

import numpy as np
import pandas as pd

from pipeline.simulation.fault_params import FaultsParams
from storyaudit.data.tables import Column, Table
from storyaudit.errors import InputError

FAULTS = Table(
    "faults",
    ("kind", "item_id"),
    (Column("kind"), Column("item_id"), Column("story_id", nullable=True)),
    may_be_empty=True,
)
"""``story_id`` is the item's chosen story before the fault, or missing where none was chosen yet.

Kinds: ``swapped_label`` (a rejected story in its place), ``length_shortcut`` (the longest story in
its place), ``missing_item`` (left out), ``doubled_item`` (stands again under this ``item_id``).
"""


def inject_faults(
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame,
    words_by_story: pd.Series,
    params: FaultsParams,
    rng: np.random.Generator,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the benchmark with faults on different items, and their table ``FAULTS``.

    Args:
        benchmark: the benchmark table without faults.
        candidates: of its items at least.
        words_by_story: numbers of words, indexed by story.
        params: how many of ``swapped_labels``, ``length_shortcut`` and ``missing_items``.
        rng: draws the items.

    Raises:
        InputError: fewer items than faults; the message names the parameter.
    """
    chosen = dict(zip(benchmark["item_id"], benchmark["chosen_id"], strict=True))
    ordered = candidates.sort_values("story_id")
    stories = ordered.groupby("item_id")["story_id"].agg(list).to_dict()
    left = rng.permutation(sorted(chosen)).tolist()
    wrong = {}
    if params.length_shortcut:
        words = words_by_story.to_dict()
        longest = {item: max(stories[item], key=words.__getitem__) for item in chosen}
        longer = [item for item in left if words[longest[item]] > words[chosen[item]]]
        wrong = {
            item: longest[item]
            for item in _first(longer, "length_shortcut", params.length_shortcut)
        }
    shortcuts = sorted(wrong)
    left = [item for item in left if item not in wrong]
    swapped = _first(left, "swapped_labels", params.swapped_labels)
    missing = _first(left[len(swapped) :], "missing_items", params.missing_items)
    for item in swapped:
        rejected = [story for story in stories[item] if story != chosen[item]]
        wrong[item] = rejected[rng.integers(len(rejected))]
    injected = benchmark[~benchmark["item_id"].isin(missing)].reset_index(drop=True)
    injected["chosen_id"] = [wrong.get(item, chosen[item]) for item in injected["item_id"]]
    kinds = {"length_shortcut": shortcuts, "swapped_label": swapped, "missing_item": missing}
    return injected, _truth([(kind, i, chosen[i]) for kind, items in kinds.items() for i in items])


def duplicate_items(
    candidates: pd.DataFrame, number: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the candidates with some items again, and the table ``FAULTS`` of these.

    An item stands again under the ID ``{item_id}-again``, its positions shuffled anew.

    Raises:
        InputError: fewer items than to be duplicated.
    """
    items = rng.permutation(sorted(candidates["item_id"].unique())).tolist()
    again = []
    for item in _first(items, "doubled_items", number):
        copy = candidates[candidates["item_id"] == item].sort_values("position")
        shuffled = rng.permutation(copy["position"].to_numpy())
        again.append(copy.assign(item_id=f"{item}-again", position=shuffled))
    truth = _truth([("doubled_item", copy["item_id"].iloc[0], None) for copy in again])
    return pd.concat([candidates, *again], ignore_index=True), truth


def _first(items: list[str], name: str, number: int) -> list[str]:
    if len(items) < number:
        raise InputError(
            f"faults.{name}: expected {number} items to inject the fault into, found {len(items)}.",
            "Ask for fewer faults, or make the study larger.",
            file="params.yaml",
        )
    return items[:number]


def _truth(rows: list[tuple[str, str, str | None]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=FAULTS.names)

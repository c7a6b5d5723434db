"""Every item as the protocol gives it: its gold replayed, or the reason why it has none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import pandas as pd

from audits.protocol.usable_rows import Tables
from storyaudit.data.tables import human_stories
from storyaudit.errors import InputError
from storyaudit.protocol.gold import Gold, checked_scores, item_dimension, item_gold, item_route
from storyaudit.protocol.judge_scores import ItemScores
from storyaudit.protocol.protocol_items import Item, assemble
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import HUMAN_LLM, LLM_LLM

ORIGINS = {LLM_LLM: "LLM–LLM", HUMAN_LLM: "Human–LLM"}
"""What an item can be, and how a sentence names it."""


@dataclass(frozen=True)
class ReplayedItem:
    """An item, replayed by the protocol.

    Attributes:
        item: its candidates, scores and annotations.
        scores: of the judges that count; None if they cannot rank it.
        tau: ``tau_avg``; None without scores.
        gold: what the protocol gives; without annotations, for the chosen story that the
            benchmark states.
        problem: why there is no gold; '' if there is one.
    """

    item: Item
    scores: ItemScores | None = None
    tau: float | None = None
    gold: Gold | None = None
    problem: str = ""


def items_of(tables: Tables, params: ProtocolParams) -> list[Item]:
    """Return the items of valid rows.

    Args:
        tables: candidates and judgements; annotations and stories if there are any.
        params: which judgements count.
    """
    annotations = tables.get("annotations")
    if annotations is None:
        columns = ["item_id", "annotator", "kind", "story_id", "value"]
        annotations = pd.DataFrame(columns=columns)
    humans = human_stories(tables["stories"]) if "stories" in tables else set()
    return assemble(tables["candidates"], tables["judgements"], annotations, humans, params)


def replayed(tables: Tables, params: ProtocolParams) -> list[ReplayedItem]:
    """Return every item of the candidates table replayed, sorted by ID."""
    origins = tables["candidates"].groupby("item_id")["origin"].agg(["nunique", "first"])
    known = origins["first"].isin(ORIGINS) & (origins["nunique"] == 1)
    unknown = set(origins.index[~known])
    stated: dict[str, str] | None = None
    if "annotations" not in tables:
        benchmark = tables["benchmark"].drop_duplicates("item_id")
        stated = dict(zip(benchmark["item_id"], benchmark["chosen_id"], strict=True))
    return [
        ReplayedItem(
            item, problem=f"item {item.item_id}: expected one origin of {', '.join(ORIGINS)}."
        )
        if item.item_id in unknown
        else _case(item, params, stated)
        for item in items_of(tables, params)
    ]


def _case(item: Item, params: ProtocolParams, stated: dict[str, str] | None) -> ReplayedItem:
    try:
        scores = checked_scores(item, params)
    except InputError as error:
        return ReplayedItem(item, problem=error.problem)
    route, tau = item_route(item, scores, params)
    case = ReplayedItem(item, scores, tau)
    try:
        if stated is None:
            return replace(case, gold=item_gold(item, params))
        chosen = stated.get(item.item_id)
        if chosen not in item.stories:
            problem = f"item {item.item_id}: the benchmark states no chosen story among its four."
            return replace(case, problem=problem)
        dimension = item_dimension(scores, chosen, params)
        return replace(case, gold=Gold(chosen, route, tau, *dimension))
    except InputError as error:
        return replace(case, problem=error.problem)


class ChosenItem(NamedTuple):
    """An item with a chosen story: its gold, and the scores behind it."""

    item: Item
    scores: ItemScores
    gold: Gold
    chosen: str


def with_chosen(cases: Sequence[ReplayedItem]) -> list[ChosenItem]:
    """Return the cases that have a chosen story."""
    return [
        ChosenItem(case.item, case.scores, case.gold, case.gold.chosen)
        for case in cases
        if case.scores is not None and case.gold is not None and case.gold.chosen is not None
    ]

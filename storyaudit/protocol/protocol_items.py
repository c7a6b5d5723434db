"""The items of a benchmark as the protocol sees them: candidates, scores, human annotations."""

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from storyaudit.protocol.judge_scores import ItemScores, scores_by_item
from storyaudit.protocol.protocol_params import ProtocolParams


@dataclass(frozen=True)
class Item:
    """One item.

    Attributes:
        stories: the candidates' IDs as they stand in the table.
        humans: those of them that people wrote.
        scores: of the prompt variant that counts; None if no judge scored a story of the item.
        annotations: the item's rows of the annotations table; empty if it has none.
    """

    item_id: str
    premise_id: str
    origin: str
    stories: tuple[str, ...]
    humans: frozenset[str]
    scores: ItemScores | None
    annotations: pd.DataFrame


def assemble(
    candidates: pd.DataFrame,
    judgements: pd.DataFrame,
    annotations: pd.DataFrame,
    humans: Collection[str],
    params: ProtocolParams,
) -> list[Item]:
    """Return the items, sorted by ID.

    Args:
        candidates: the candidates table.
        judgements: the judgements table.
        annotations: the annotations table.
        humans: IDs of the stories that people wrote.
        params: which judgements count.
    """
    counted = judgements.loc[judgements["prompt_variant"] == params.prompt_variant]
    if not params.judge_human_story:
        counted = counted.loc[~counted["story_id"].isin(humans)]
    scores = scores_by_item(counted)
    decided = dict(list(annotations.groupby("item_id", sort=False)))
    nothing = annotations.iloc[:0]
    items = []
    for item_id, group in candidates.groupby("item_id", sort=True):
        stories = tuple(group["story_id"])
        items.append(
            Item(
                item_id=str(item_id),
                premise_id=str(group["premise_id"].iloc[0]),
                origin=str(group["origin"].iloc[0]),
                stories=stories,
                humans=frozenset(stories) & frozenset(humans),
                scores=scores.get(str(item_id)),
                annotations=decided.get(item_id, nothing),
            )
        )
    return items

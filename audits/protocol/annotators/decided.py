"""What each annotator decided on each item, and which decisions cannot be read."""

from collections.abc import Collection
from typing import NamedTuple

import pandas as pd

from audits.protocol.replayed_items import ORIGINS
from storyaudit.data.tables import INDIVIDUAL_ANNOTATIONS
from storyaudit.protocol.gold import CANDIDATES_PER_ITEM
from storyaudit.protocol.human_decisions import Decision, DecisionError, read_decision
from storyaudit.vocabulary import BEST, CONFIRMATION, HUMAN_LLM, RANKING, UNSURE

TASKS = (CONFIRMATION, BEST, RANKING)
HUMAN, OTHER = "human best", "other best"
"""What an annotator who is sure can find of a Human–LLM item."""
_DECIDED = ["item_id", "annotator", "task", "answer", "vote", "story_id", "order"]
_LEFT_OUT = ["item_id", "annotator", "reason"]


class Individual(NamedTuple):
    """Each annotator's decisions.

    Attributes:
        decided: a row an item and annotator: item_id, annotator, task, answer (the same few over
            all items; None of a ranking, and of 'best' where the human story is not known), vote
            (what annotators of one item must share: the verdict, the story named best, or the
            first ranked), story_id (the one that the verdict is about; None of a ranking), order
            (of a ranking: the stories, best first; else empty).
        left_out: item_id, annotator and reason of decisions that cannot be read.
    """

    decided: pd.DataFrame
    left_out: pd.DataFrame


class _Item(NamedTuple):
    origin: str
    stories: frozenset[str]


def individual_decisions(
    rows: pd.DataFrame, candidates: pd.DataFrame, humans: Collection[str] | None
) -> Individual:
    """Return each annotator's decision on each item.

    A verdict on a Human–LLM item answers 'best', one on another item a confirmation; 'unsure' can
    be either. Annotators who were to confirm different stories of an item answered different
    questions: all of them are left out. An order given beside a verdict is no ranking: who gives
    one has seen the judges' first.

    Args:
        rows: the individual_annotations table.
        candidates: the candidates table.
        humans: IDs of the stories that people wrote; None if that is not known.
    """
    items = _items(candidates)
    decided: list[tuple[object, ...]] = []
    left_out: list[tuple[object, ...]] = []
    declared = rows[[column.name for column in INDIVIDUAL_ANNOTATIONS.columns]]
    for (item_id, annotator), part in declared.groupby(["item_id", "annotator"], dropna=False):
        try:
            decision = _read(part, items.get(item_id))
            answer = _answer(decision, items[item_id], humans)
        except DecisionError as error:
            left_out.append((item_id, annotator, str(error)))
        else:
            decided.append((item_id, annotator, *answer))
    table = pd.DataFrame(decided, columns=_DECIDED)
    asked = table[table["task"] == CONFIRMATION].groupby("item_id")["story_id"].nunique()
    differently = table["item_id"].isin(asked.index[asked > 1]) & (table["task"] == CONFIRMATION)
    reason = "annotators of the item were to confirm different stories"
    further = table.loc[differently, ["item_id", "annotator"]].assign(reason=reason)
    unread = pd.DataFrame(left_out, columns=_LEFT_OUT)
    return Individual(
        table[~differently].reset_index(drop=True), pd.concat([unread, further], ignore_index=True)
    )


def shared(decided: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return the decisions of one task on items that two or more annotators decided."""
    rows = decided[decided["task"] == task]
    several: pd.DataFrame = rows[rows.duplicated("item_id", keep=False)].reset_index(drop=True)
    return several


def _items(candidates: pd.DataFrame) -> dict[object, _Item]:
    """Return the items of four different candidates and one known origin."""
    items: dict[object, _Item] = {}
    for item_id, part in candidates.groupby("item_id"):
        origins, stories = set(part["origin"]), frozenset(part["story_id"])
        valid = len(part) == len(stories) == CANDIDATES_PER_ITEM and not part["story_id"].hasnans
        if valid and len(origins) == 1 and origins <= set(ORIGINS):
            items[item_id] = _Item(origins.pop(), stories)
    return items


def _read(rows: pd.DataFrame, item: _Item | None) -> Decision:
    if rows.isna().any(axis=None):
        raise DecisionError("a value is missing")
    if item is None:
        raise DecisionError("the item has not four different candidates of one known origin")
    decision = read_decision(rows)
    named = {*decision.ranking, decision.story} - {None}
    if not named <= item.stories:
        raise DecisionError("a story is named that is no candidate of the item")
    if decision.ranking and len(decision.ranking) < len(item.stories):
        raise DecisionError("expected a ranking of all candidates of the item")
    first = decision.ranking[:1] == (decision.story,)
    sure = decision.verdict not in (None, UNSURE)
    if decision.ranking and sure and first == (decision.verdict == "rejected"):
        raise DecisionError("the ranking contradicts the verdict beside it")
    return decision


def _answer(
    decision: Decision, item: _Item, humans: Collection[str] | None
) -> tuple[str, str | None, str | None, str | None, tuple[str, ...]]:
    """Return task, answer, vote, the story in question, and order."""
    verdict, story = decision.verdict, decision.story
    if verdict is None:
        return RANKING, None, decision.ranking[0], None, decision.ranking
    if item.origin != HUMAN_LLM:
        if verdict == BEST:
            raise DecisionError("'best' on an item that is to be confirmed")
        return CONFIRMATION, verdict, verdict, story, ()
    if verdict in ("confirmed", "rejected"):
        raise DecisionError("a confirmation of an item whose best story is to be named")
    vote = UNSURE if verdict == UNSURE else story
    if humans is None:
        return BEST, None, vote, story, ()
    human = item.stories & frozenset(humans)
    if len(human) != 1:
        raise DecisionError(f"expected one human story in the item, found {len(human)}")
    return BEST, UNSURE if vote == UNSURE else HUMAN if story in human else OTHER, vote, story, ()

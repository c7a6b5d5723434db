"""Which decision each item needs, with the texts that annotators must see."""

from collections.abc import Sequence

import pandas as pd

from storyaudit.errors import InputError
from storyaudit.forms.questions import BEST, BEST_OF, CONFIRMATION, LETTERS, POOL, RANKING, RUBRIC
from storyaudit.protocol.gold import checked_scores
from storyaudit.protocol.protocol_items import Item
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.protocol.ranking import route
from storyaudit.vocabulary import BY_RANKING, HUMAN_LLM


def protocol_task(item: Item, params: ProtocolParams) -> str:
    """Return the task that the protocol has for an item (StoryAlign, section 2.2 and 5).

    A pool of 16 is ranked; of a Human–LLM item annotators name the best; an LLM–LLM item is ranked
    where the judges disagree or tie for the first place, and confirmed otherwise.

    Raises:
        InputError: an LLM–LLM item without complete scores; see ``protocol.gold.checked_scores``.
    """
    if len(item.stories) == POOL:
        return BEST_OF
    if item.origin == HUMAN_LLM:
        return BEST
    if item.scores is None:
        raise _refusal(item, "no judge scored its stories, so its task is not determinable")
    way, _ = route(checked_scores(item, params).overall, tau_threshold=params.tau_threshold)
    return RANKING if way == BY_RANKING else CONFIRMATION


def items_for(items: Sequence[Item], task: str, params: ProtocolParams) -> list[Item]:
    """Return the items for which the protocol has this task; all of them for a rubric.

    Raises:
        InputError: see ``protocol_task``; scores are asked of no item of which they decide nothing.
    """
    if task == RUBRIC:
        return list(items)
    if task in (BEST, BEST_OF):
        items = [i for i in items if i.origin == HUMAN_LLM or len(i.stories) == POOL]
    return [item for item in items if protocol_task(item, params) == task]


def ask(item: Item, task: str, params: ProtocolParams) -> list[tuple[str, str, str, str, bool]]:
    """Return the rows of one item's question: task, item_id, story_id, premise_id, asked.

    'asked' marks the story in question: the judges' first, or the human story. A rubric asks about
    each story by itself, under the story's ID.

    Raises:
        InputError: not as many different stories as the task needs, no single first to confirm,
            or not one human story among those of which the best is named.
    """
    stories = sorted(set(item.stories))
    if len(stories) != len(item.stories) or not 2 <= len(stories) <= len(LETTERS):
        raise _refusal(
            item,
            f"expected 2 to {len(LETTERS)} different stories, found {len(item.stories)}, "
            f"{len(stories)} of them different",
        )
    if task == BEST_OF and len(stories) != POOL:
        raise _refusal(item, f"expected a pool of {POOL} stories, found {len(stories)}")
    asked: str | None = None
    if task == CONFIRMATION:
        first = checked_scores(item, params).first
        if len(first) > 1:
            raise _refusal(item, "the judges' first place is tied: there is nothing to confirm")
        asked = first[0]
    elif task == BEST:
        if len(item.humans) != 1:
            raise _refusal(item, f"expected one human story, found {len(item.humans)}")
        (asked,) = item.humans
    return [
        (task, story if task == RUBRIC else item.item_id, story, item.premise_id, story == asked)
        for story in stories
    ]


def task_table(
    items: Sequence[Item],
    stories: pd.DataFrame,
    premises: pd.DataFrame,
    params: ProtocolParams,
    *,
    task: str | None = None,
) -> pd.DataFrame:
    """Return the task table: one row a story that an annotator must see.

    Args:
        items: those that need a decision.
        stories: the stories table.
        premises: the premises table.
        params: the protocol's.
        task: what all items get; each the protocol's own if None.

    Returns:
        task, item_id, story_id, asked, author, premise, text; sorted, each row once.

    Raises:
        InputError: see ``protocol_task`` and ``ask``; a story or premise without text.
    """
    rows = [row for item in items for row in ask(item, task or protocol_task(item, params), params)]
    table = pd.DataFrame(rows, columns=["task", "item_id", "story_id", "premise_id", "asked"])
    table = table.drop_duplicates(["task", "item_id", "story_id"])  # a rubric's, of two items
    table = table.merge(stories[["story_id", "author", "text"]], on="story_id", how="left")
    shown = premises[["premise_id", "text"]].rename(columns={"text": "premise"})
    table = table.merge(shown, on="premise_id", how="left")
    for column, key in (("text", "story_id"), ("premise", "premise_id")):
        lacking = table.loc[table[column].isna() | (table[column] == ""), key]
        if len(lacking):
            raise InputError(
                f"expected a text of {key} {lacking.iloc[0]}, found none "
                f"({lacking.nunique()} such).",
                "Add it to the study's tables.",
            )
    columns = ["task", "item_id", "story_id", "asked", "author", "premise", "text"]
    return table[columns].sort_values(columns[:3], ignore_index=True)


def _refusal(item: Item, problem: str) -> InputError:
    return InputError(
        f"item {item.item_id}: {problem}.",
        "Correct the item or its judgements, or give it another task.",
    )

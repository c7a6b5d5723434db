"""Rewards by language models in a reward model's place, from their recorded answers."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal

import pandas as pd
from pydantic import AfterValidator

from pipeline.requests.rewarding import (
    Rewards,
    added,
    comparison_questions,
    ranking_question,
    score_questions,
)
from storyaudit.data.tables import SCORES
from storyaudit.errors import InputError
from storyaudit.llm.model_params import ModelParams, each_once
from storyaudit.llm.question import Ask, Question, answers
from storyaudit.runs.params import Params

RECORD = Path("data/records/score/score.jsonl")


class RecordedRewards(Params):
    """The key ``recorded`` of the ``score`` section of ``params.yaml``.

    Attributes:
        models: each is a variant under its own name.
        method: how they are asked: to rank an item's stories, to score each by itself, or to
            compare each with each.
        both_orders: ask for a comparison again with the other story first.
    """

    models: Annotated[list[ModelParams], AfterValidator(each_once)]
    method: Literal["ranking", "scores", "comparisons"]
    both_orders: bool


def recorded_rewards(
    candidates: pd.DataFrame,
    premises: Mapping[str, str],
    stories: Mapping[str, str],
    params: RecordedRewards,
    ask: Ask,
    record: Path = RECORD,
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the scores table, and what became of the requests, by model.

    A story whose answer is malformed, refused or truncated has no reward; so has, of comparisons,
    a story that lacks the answer to one of its own, since the number of those won would be too low.

    Args:
        candidates: the candidates table; an item's stories are shown in their positions.
        premises: {premise_id: text}.
        stories: {story_id: text}.
        params: whom to ask, and how.
        ask: gets the answers.
        record: where they are kept, for errors.

    Raises:
        InputError: see ``ask``; a model without one reward.
    """
    items = {
        str(item): (
            premises[group["premise_id"].iloc[0]],
            {str(story): stories[story] for story in group["story_id"]},
        )
        for item, group in candidates.sort_values("position").groupby("item_id", sort=True)
    }
    rows: list[tuple[str, str, int, str, str, float]] = []
    totals: dict[str, int] = {}
    for model in params.models:
        asked = [
            (item, question)
            for item, (premise, shown) in items.items()
            for question in _questions(item, premise, shown, model, params)
        ]
        questions = [question for _, question in asked]
        given = answers(ask, questions, model.attempts, totals, f"{model.model}.")
        values: dict[str, list[Rewards]] = {item: [] for item in items}
        for (item, _), value in zip(asked, given, strict=True):
            if value is not None:
                values[item].append(value)
        found = [
            (model.model, model.model, 0, item, story, reward)
            for item, (_, shown) in items.items()
            for story, reward in _complete(values[item], _mentions(len(shown), params)).items()
        ]
        if not found:
            raise InputError(
                f"not one answer of {model.model} holds rewards.",
                "Look at the answers: are they refused?",
                file=record,
            )
        rows += found
    return pd.DataFrame(rows, columns=SCORES.names), totals


def _questions(
    item: str,
    premise: str,
    shown: Mapping[str, str],
    model: ModelParams,
    params: RecordedRewards,
) -> list[Question[Rewards]]:
    if params.method == "ranking":
        return [ranking_question(item, premise, shown, model)]
    if params.method == "scores":
        return score_questions(item, premise, shown, model)
    return comparison_questions(item, premise, shown, model, both_orders=params.both_orders)


def _mentions(number: int, params: RecordedRewards) -> int:
    """Return how many answers speak of a story that stands among so many."""
    if params.method != "comparisons":
        return 1
    return (number - 1) * (1 + params.both_orders)


def _complete(values: Iterable[Rewards], mentions: int) -> Rewards:
    """Return the sums of an item's rewards, of the stories that all their answers speak of."""
    parts = list(values)
    spoken = Counter(story for part in parts for story in part)
    return {story: reward for story, reward in added(parts).items() if spoken[story] == mentions}

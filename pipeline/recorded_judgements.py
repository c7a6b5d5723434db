"""Judgements by language models, from their recorded answers."""

from pathlib import Path
from typing import Annotated

import pandas as pd
from pydantic import AfterValidator

from pipeline.requests.judging import arranged, judgement_rows, judging_questions
from storyaudit.data.tables import JUDGEMENTS
from storyaudit.errors import InputError
from storyaudit.llm.model_params import ModelParams, each_once
from storyaudit.llm.question import Ask, answers
from storyaudit.runs.params import Params

RECORD = Path("data/records/judgements/judgements.jsonl")


class RecordedJudges(Params):
    """The key ``recorded`` of the ``judgements`` section of ``params.yaml``.

    Attributes:
        models: the judges.
        together: the four stories of an item in one request, or a request a story.
        reverse: ask again with the stories in reverse order, as prompt variant '1-reversed'.
    """

    models: Annotated[list[ModelParams], AfterValidator(each_once)]
    together: bool = True
    reverse: bool = False


def recorded_judgements(
    candidates: pd.DataFrame,
    stories: pd.DataFrame,
    premises: pd.DataFrame,
    params: RecordedJudges,
    ask: Ask,
    *,
    prompt_variant: str,
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the judgements table, and what became of the requests, by judge.

    A judge whose answer on an item is malformed, refused or truncated has no score of it: the
    protocol then leaves the judge out of the item, or refuses the item.

    Raises:
        InputError: see ``ask``.
    """
    texts = stories.set_index("story_id")["text"]
    premise_texts = premises.set_index("premise_id")["text"]
    items = {
        str(item): (
            str(premise_texts[group["premise_id"].iloc[0]]),
            {str(story): str(texts[story]) for story in group["story_id"]},
        )
        for item, group in candidates.sort_values("position").groupby("item_id", sort=True)
    }
    orders = [(prompt_variant, False)]
    if params.reverse:
        orders.append((f"{prompt_variant}-reversed", True))
    rows: list[dict[str, object]] = []
    totals: dict[str, int] = {}
    for judge in params.models:
        asked = [
            (item, variant, question)
            for variant, reverse in orders
            for item, (premise, shown) in items.items()
            for question in judging_questions(
                item, premise, arranged(shown, reverse=reverse), judge, together=params.together
            )
        ]
        questions = [question for _, _, question in asked]
        given = answers(ask, questions, judge.attempts, totals, f"{judge.model}.")
        for (item, variant, _), scores in zip(asked, given, strict=True):
            if scores is not None:
                rows += judgement_rows(item, scores, judge=judge.model, prompt_variant=variant)
    if params.models and not rows:
        raise InputError(
            "not one answer holds scores.", "Look at the answers: are they refused?", file=RECORD
        )
    return pd.DataFrame(rows, columns=JUDGEMENTS.names), totals

"""Premises and stories that language models wrote, from their recorded answers."""

from pathlib import Path
from typing import Annotated

import pandas as pd
from pydantic import AfterValidator, Field

from pipeline.requests.premises import SEED_KINDS, premise_question, seed_question
from pipeline.requests.writing import story_question
from storyaudit.data.corpus import as_corpus, content_id
from storyaudit.data.tables import PREMISES
from storyaudit.errors import InputError
from storyaudit.llm.model_params import ModelParams, each_once
from storyaudit.llm.question import Ask, answers
from storyaudit.runs.params import Params, Positive
from storyaudit.vocabulary import LLM, USE_BENCHMARK

RECORD = Path("data/records/corpora/corpora.jsonl")


class WrittenPremises(Params):
    """Premises from themes (StoryAlign, section 2.1): a seed each, expanded into a premise.

    Attributes:
        model: writes seeds and premises.
        themes: of the study's framework.
        per_theme: seeds of either kind, 'conflict' and 'reversal', a theme.
        language: to write in, by its English name.
        code: the language's code in the tables.
        source: of these premises; part of their IDs.
    """

    model: ModelParams
    themes: Annotated[list[str], Field(min_length=1)]
    per_theme: Positive
    language: str = "English"
    code: Annotated[str, Field(min_length=1)] = "en"
    source: Annotated[str, Field(min_length=1)] = "written"


class Writers(Params):
    """Models that write a story each for every benchmark premise.

    Attributes:
        models: the writers.
        words: about how many each story has.
    """

    models: Annotated[list[ModelParams], AfterValidator(each_once)]
    words: Positive


def write_premises(params: WrittenPremises, ask: Ask) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the premises table, and what became of the requests.

    Equal premises are one. A seed or premise that was malformed, refused or truncated is left out
    and counted.

    Raises:
        InputError: see ``ask``.
    """
    wanted = [
        (theme, kind, sample)
        for theme in params.themes
        for kind in SEED_KINDS
        for sample in range(params.per_theme)
    ]
    model, language = params.model, params.language
    totals: dict[str, int] = {}
    of_seeds = [
        seed_question(theme, kind, model, language=language, sample=sample)
        for theme, kind, sample in wanted
    ]
    seeds = answers(ask, of_seeds, model.attempts, totals, "seeds.")
    of_premises = [
        premise_question(theme, kind, seed, model, language=language)
        for (theme, kind, _), seed in zip(wanted, seeds, strict=True)
        if seed is not None
    ]
    premises = answers(ask, of_premises, model.attempts, totals, "premises.")
    texts = list(dict.fromkeys(text for text in premises if text is not None))
    table = pd.DataFrame(
        {
            "premise_id": [content_id("p", text, params.source) for text in texts],
            "text": texts,
            "language": params.code,
            "source": params.source,
            "use": USE_BENCHMARK,
            "provenance": RECORD.name,
        },
        columns=PREMISES.names,
    )
    return table, totals


def write_stories(
    premises: pd.DataFrame, params: Writers, ask: Ask
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the stories table of every writer's story for every premise, and what became of them.

    A text that two writers wrote is one story, the first writer's, and counted: its premise then
    lacks a candidate.

    Args:
        premises: the premises table; those of one source and use.
        params: who writes.
        ask: returns answers.

    Raises:
        InputError: see ``ask``; no story at all.
    """
    tables: list[pd.DataFrame] = []
    totals: dict[str, int] = {}
    for (source, use, language), group in premises.astype("str").groupby(
        ["source", "use", "language"]
    ):
        for writer in params.models:
            questions = [
                story_question(premise_id, text, writer, words=params.words)
                for premise_id, text in zip(group["premise_id"], group["text"], strict=True)
            ]
            answered = answers(ask, questions, writer.attempts, totals, f"stories.{writer.model}.")
            frame = pd.DataFrame(
                [
                    {"text": story, "premise": text}
                    for text, story in zip(group["text"], answered, strict=True)
                    if story is not None
                ],
                columns=["text", "premise"],
            ).assign(author=writer.model, author_kind=LLM, provenance=RECORD.name)
            if len(frame):
                corpus = as_corpus(
                    frame, source=str(source), use=str(use), language=str(language), file=RECORD
                )
                tables.append(corpus.stories)
    if not tables:
        raise InputError(
            "not one answer is a story.", "Look at the answers: are they refused?", file=RECORD
        )
    stories = pd.concat(tables, ignore_index=True)
    again = stories["story_id"].duplicated()
    totals["stories.repeated_by_another_writer"] = int(again.sum())
    return stories[~again].reset_index(drop=True), totals

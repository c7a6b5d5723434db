"""Premises and stories that language models wrote, from their recorded answers."""

from collections import Counter
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
from storyaudit.llm.question import Ask, counts
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
    seeds = ask(
        [
            seed_question(theme, kind, params.model, language=params.language, sample=sample)
            for theme, kind, sample in wanted
        ],
        attempts=params.model.attempts,
    )
    premises = ask(
        [
            premise_question(theme, kind, seed.value, params.model, language=params.language)
            for (theme, kind, _), seed in zip(wanted, seeds, strict=True)
            if seed.value is not None
        ],
        attempts=params.model.attempts,
    )
    texts = list(dict.fromkeys(result.value for result in premises if result.value is not None))
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
    return table, {
        **{f"seeds.{name}": number for name, number in counts(seeds).items()},
        **{f"premises.{name}": number for name, number in counts(premises).items()},
    }


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
    totals: Counter[str] = Counter()
    for (source, use, language), group in premises.astype("str").groupby(
        ["source", "use", "language"]
    ):
        for writer in params.models:
            results = ask(
                [
                    story_question(premise_id, text, writer, words=params.words)
                    for premise_id, text in zip(group["premise_id"], group["text"], strict=True)
                ],
                attempts=writer.attempts,
            )
            frame = pd.DataFrame(
                [
                    {"text": result.value, "premise": text}
                    for text, result in zip(group["text"], results, strict=True)
                    if result.value is not None
                ],
                columns=["text", "premise"],
            ).assign(author=writer.model, author_kind=LLM, provenance=RECORD.name)
            for name, number in counts(results).items():
                totals[f"stories.{writer.model}.{name}"] += number
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

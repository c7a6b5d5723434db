"""Best-of-16 pools that a language model wrote, from its recorded answers."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from pipeline.requests.writing import story_question
from storyaudit.data.corpus import as_corpus, tidy
from storyaudit.errors import InputError
from storyaudit.llm.model_params import ModelParams
from storyaudit.llm.question import Ask, answers
from storyaudit.text.words import words
from storyaudit.vocabulary import LLM, USE_POOL

RECORD = Path("data/records/pool/pool.jsonl")
Sample = tuple[str, str, int]
"""A premise's ID and text, and which of several stories on it."""
OUTCOMES = ("answered", "malformed", "retried", "refused", "truncated")


def write_pools(
    premises: pd.DataFrame,
    writer: ModelParams,
    ask: Ask,
    *,
    wanted: int,
    stories: int,
    words_each: int,
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the stories table of so many full pools, and what became of the requests.

    A pool holds no story without a word, and none whose text another story of any pool has, but
    for white space. In the place of such a story, and of an answer that was malformed, refused or
    truncated, the writer is asked for one more, until it was asked for twice as many as a pool
    holds. A premise that is still short is left out, counted, and the next one takes its place.

    Args:
        premises: the premises table in the order in which premises become pools.
        writer: the one model that writes.
        ask: returns answers.
        wanted: how many pools.
        stories: of each pool.
        words_each: about how many words each story has.

    Raises:
        InputError: see ``ask``; too few premises on which the pool is full.
    """
    waiting = list(zip(premises["premise_id"], premises["text"], strict=True))
    totals = dict.fromkeys([*OUTCOMES, "repeated", "empty", "short_premises"], 0)
    seen: set[str] = set()
    full: dict[str, list[str]] = {}

    def write(samples: Sequence[Sample]) -> list[str | None]:
        questions = [
            story_question(premise, text, writer, words=words_each, sample=sample)
            for premise, text, sample in samples
        ]
        return answers(ask, questions, writer.attempts, totals, "")

    while len(full) < wanted:
        missing = wanted - len(full)
        if not waiting:
            raise InputError(
                f"expected {wanted} premises with {stories} different stories by {writer.model}, "
                f"found {len(full)} among {len(premises)} premises ({_told(totals)}).",
                "Look at the answers: raise the writer's temperature where they repeat, or lower "
                "pool.premises, or add premises to pool.files.",
                file=RECORD,
            )
        batch, waiting = waiting[:missing], waiting[missing:]
        written = _fill(batch, stories, write, seen, totals)
        full |= {premise: texts for premise, texts in written.items() if len(texts) == stories}
        totals["short_premises"] += sum(len(texts) < stories for texts in written.values())
    return _stories(premises, full, writer), {f"stories.{n}": c for n, c in totals.items()}


def _fill(
    batch: Sequence[tuple[str, str]],
    stories: int,
    write: Callable[[Sequence[Sample]], list[str | None]],
    seen: set[str],
    totals: dict[str, int],
) -> dict[str, list[str]]:
    """Return different texts by premise, as many as a pool holds where the writer gave them."""
    texts: dict[str, list[str]] = {premise: [] for premise, _ in batch}
    asked = dict.fromkeys(texts, 0)
    while True:
        samples = [
            (premise, text, sample)
            for premise, text in batch
            for sample in range(
                asked[premise], min(asked[premise] + stories - len(texts[premise]), 2 * stories)
            )
        ]
        if not samples:
            return texts
        for (premise, _, sample), value in zip(samples, write(samples), strict=True):
            asked[premise] = sample + 1
            story = tidy(value or "")
            plain = " ".join(story.split())
            if value is not None and not words(story):
                totals["empty"] += 1
            elif plain in seen:
                totals["repeated"] += 1
            elif value is not None:
                seen.add(plain)
                texts[premise].append(story)


def _stories(
    premises: pd.DataFrame, full: dict[str, list[str]], writer: ModelParams
) -> pd.DataFrame:
    rows = [
        {"text": text, "premise": row.text, "language": row.language, "source": row.source}
        for row in premises.itertuples()
        for text in full.get(str(row.premise_id), ())
    ]
    frame = pd.DataFrame(rows).assign(author=writer.model, author_kind=LLM, provenance=RECORD.name)
    tables = [
        as_corpus(own, source=str(source), use=USE_POOL, file=RECORD).stories
        for source, own in frame.groupby("source", sort=True)
    ]
    return pd.concat(tables, ignore_index=True)


def _told(totals: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in totals.items())

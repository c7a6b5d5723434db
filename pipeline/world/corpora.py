"""The simulated corpora as tables, with their truth."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, NamedTuple

import numpy as np
import pandas as pd
from pydantic import Field

from pipeline.world.authors import HUMAN as PERSON
from pipeline.world.authors import MODELS, draw_length, draw_quality
from pipeline.world.fault_params import FaultsParams
from pipeline.world.leaks import Leak, couple, leak_stories
from pipeline.world.platform import write_platform
from pipeline.world.premise import Premise, write_premise
from pipeline.world.quality import Quality
from pipeline.world.story import write_story
from pipeline.world.tables import (
    HUMAN,
    LEAKS,
    LLM,
    PLATFORM,
    QUALITIES,
    TRAINING,
)
from storyaudit.corpus import content_id
from storyaudit.params import Params, Positive, Share
from storyaudit.tables import DIMENSIONS, STORIES
from storyaudit.text import words

PREMISES_LLM, PREMISES_HUMAN = 624, 600
"""Premises of LLM–LLM and of Human–LLM items (StoryAlign, section 2; its appendix B says 533 of the
former)."""
PREMISES_TRAINING, PLATFORM_STORIES = 2400, 400
"""Ours, until training pairs are built in the paper's numbers."""
BENCHMARK, FOR_TRAINING = "benchmark", "training"


class CorporaParams(Params):
    """How large the simulated corpora are.

    Attributes:
        scale: 1 gives the paper's numbers of benchmark premises; all sizes grow with it.
        chinese_share: share of the premises, and so of the stories, that are Chinese, where
            language models wrote them; human premises are English, as those of WritingPrompts,
            and platform stories Chinese, as those of Douban.
        median_words: median length of the stories on premises, a Chinese character being a word.
    """

    scale: Annotated[float, Field(gt=0, le=100)]
    chinese_share: Share
    median_words: Positive

    def size(self, at_scale_1: int) -> int:
        """Return a number of texts at this scale: one at least."""
        return max(1, round(at_scale_1 * self.scale))


class Corpora(NamedTuple):
    """The tables of the simulated corpora, and of their truth."""

    premises: pd.DataFrame
    stories: pd.DataFrame
    qualities: pd.DataFrame
    leaks: pd.DataFrame
    briefs: pd.DataFrame


def simulate_corpora(
    params: CorporaParams,
    faults: FaultsParams,
    *,
    premises_rng: np.random.Generator,
    stories_rng: np.random.Generator,
    platform_rng: np.random.Generator,
    leaks_rng: np.random.Generator,
) -> Corpora:
    """Return premises, stories, the stories' hidden qualities, planted leaks, and briefs.

    Every premise gets one story by each of the four models; those of source ``simulated-human``
    have a human story besides. Platform stories have no premise. What is written on one premise
    does not depend on the others.

    Raises:
        InputError: more leaks than the corpora can hold.
    """
    leaks_of_premises, leaks_of_stories = leaks_rng.spawn(2)
    premises, written = _premises(params, premises_rng)
    shared = _leak_premises(premises, written, faults.leaked_premises, leaks_of_premises)
    stories = pd.DataFrame(
        [
            *_stories(premises, written, params.median_words, stories_rng),
            *_platform(params, platform_rng),
        ]
    )
    stories["words"] = [len(words(text)) for text in stories["text"]]
    planted = _leak_stories(stories, faults, leaks_of_stories)
    ids = [content_id("s", t, s) for t, s in zip(stories["text"], stories["source"], strict=True)]
    stories["story_id"] = ids
    leaks = [(ids[host], ids[origin], kind) for host, origin, kind in planted]
    off_premise = [(i, b) for i, b in zip(ids, stories["brief"], strict=True) if b is not None]
    briefs = [*zip((row["premise_id"] for row in premises), written, strict=True), *off_premise]
    return Corpora(
        pd.DataFrame(premises),
        stories[[c.name for c in STORIES.columns if c.name in stories]],
        stories[[c.name for c in QUALITIES.columns]],
        pd.DataFrame(shared + leaks, columns=[c.name for c in LEAKS.columns], dtype="str"),
        pd.DataFrame([{"brief_id": brief_id, **asdict(brief)} for brief_id, brief in briefs]),
    )


def _premises(
    params: CorporaParams, rng: np.random.Generator
) -> tuple[list[dict[str, str]], list[Premise]]:
    """The rows of the premises table, and the premises as they were written: no text twice."""
    rows: list[dict[str, str]] = []
    written: list[Premise] = []
    seen: set[str] = set()
    for source, use, at_scale_1, chinese_share in (
        (LLM, BENCHMARK, PREMISES_LLM, params.chinese_share),
        (HUMAN, BENCHMARK, PREMISES_HUMAN, 0.0),
        (TRAINING, FOR_TRAINING, PREMISES_TRAINING, params.chinese_share),
    ):
        size = params.size(at_scale_1)
        chinese = rng.permutation(size) < round(chinese_share * size)
        for language in np.where(chinese, "zh", "en").tolist():
            premise = write_premise(rng, language)
            while premise.text in seen:
                premise = write_premise(rng, language)
            seen.add(premise.text)
            written.append(premise)
            rows.append(
                {
                    "premise_id": f"p{len(written):06d}",
                    "text": premise.text,
                    "language": language,
                    "source": source,
                    "use": use,
                }
            )
    return rows, written


def _leak_premises(
    rows: list[dict[str, str]], written: list[Premise], count: int, rng: np.random.Generator
) -> list[tuple[str, str, str]]:
    """Put benchmark premises in the place of training premises; return the rows of ``leaks``."""
    if not count:
        return []
    couples = couple(
        [place for place, row in enumerate(rows) if row["use"] == FOR_TRAINING],
        [place for place, row in enumerate(rows) if row["use"] == BENCHMARK],
        [row["language"] for row in rows],
        count,
        rng,
        parameter="leaked_premises",
    )
    for host, origin in couples:
        written[host] = written[origin]
        rows[host]["text"] = rows[origin]["text"]
    return [
        (rows[host]["premise_id"], rows[origin]["premise_id"], "premise")
        for host, origin in couples
    ]


def _stories(
    premises: Sequence[dict[str, str]],
    written: Sequence[Premise],
    median_words: int,
    rng: np.random.Generator,
) -> list[dict[str, object]]:
    """The stories on the premises: by every model, and by a person where the source is human."""
    rows: list[dict[str, object]] = []
    models = [model.name for model in MODELS]
    streams = rng.spawn(len(premises))
    for row, premise, stream in zip(premises, written, streams, strict=True):
        for author in [*models, PERSON.name] if row["source"] == HUMAN else models:
            quality = draw_quality(author, stream)
            length = draw_length(author, stream, median_words)
            rows.append(
                {
                    "premise_id": row["premise_id"],
                    "author_kind": "human" if author == PERSON.name else "llm",
                    "author": author,
                    "language": row["language"],
                    "text": write_story(premise, quality, words=length, style=author, rng=stream),
                    "source": row["source"],
                    "use": row["use"],
                    "brief": None,
                    **_as_columns(quality),
                }
            )
    return rows


def _platform(params: CorporaParams, rng: np.random.Generator) -> list[dict[str, object]]:
    """The platform's stories."""
    return [
        {
            "premise_id": None,
            "author_kind": "human",
            "author": story.writer.name,
            "language": story.premise.language,
            "text": story.text,
            "source": PLATFORM,
            "use": FOR_TRAINING,
            "genre": story.genre,
            "column_id": story.writer.column_id,
            "readership": story.readership,
            "brief": story.premise,
            **_as_columns(story.quality),
        }
        for story in write_platform(params.size(PLATFORM_STORIES), params.median_words, rng)
    ]


def _as_columns(quality: Quality) -> dict[str, float]:
    return {name: round(value, 6) for name, value in asdict(quality).items()}


def _leak_stories(
    stories: pd.DataFrame, faults: FaultsParams, rng: np.random.Generator
) -> list[Leak]:
    """Plant leaks among the stories on training premises; return training and benchmark row, kind.

    A copied text is as good as the text it was copied from. One that is embedded makes a mixture,
    by words.
    """
    texts, leaks = leak_stories(
        stories,
        np.flatnonzero(stories["source"] == TRAINING).tolist(),
        np.flatnonzero(stories["use"] == BENCHMARK).tolist(),
        faults,
        rng,
    )
    lengths = stories["words"].tolist()
    qualities = stories[list(DIMENSIONS)].to_numpy(copy=True)
    for host, origin, kind in leaks:
        weights = [lengths[host] if kind == "embedded" else 0, lengths[origin]]
        qualities[host] = np.average(qualities[[host, origin]], axis=0, weights=weights).round(6)
        lengths[host] = len(words(texts[host]))
    stories["text"], stories["words"], stories[list(DIMENSIONS)] = texts, lengths, qualities
    return leaks

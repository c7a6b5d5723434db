"""The simulated corpora as tables, with their truth."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import compress
from typing import Annotated, NamedTuple, Self

import numpy as np
import pandas as pd
from pydantic import Field, field_validator, model_validator

from pipeline.simulation.authors import HUMAN as PERSON
from pipeline.simulation.authors import MODELS, draw_length, draw_quality
from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.languages import LANGUAGES
from pipeline.simulation.leaks import Leak, draw_row_pairs, leak_stories
from pipeline.simulation.premise import Premise, write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_platform import write_platform
from pipeline.simulation.story import write_story
from pipeline.simulation.truth_tables import (
    BRIEFS,
    HUMAN,
    LEAKS,
    LLM,
    PLATFORM,
    QUALITIES,
    TRAINING,
    TRAINING_HUMAN,
)
from storyaudit import vocabulary
from storyaudit.data.corpus import content_id
from storyaudit.data.tables import PREMISES, STORIES, Table
from storyaudit.runs.params import Params, Positive, Share
from storyaudit.text.words import words
from storyaudit.vocabulary import DIMENSIONS, USE_BENCHMARK, USE_TRAINING, Use

PREMISES_LLM, PREMISES_HUMAN = 624, 600
"""Premises of LLM–LLM and of Human–LLM items (StoryAlign, section 2; its appendix B says 533 of the
former)."""
PREMISES_TRAINING, PREMISES_TRAINING_HUMAN, PLATFORM_STORIES = 13_400, 11_000, 15_000
"""Ours: enough for StoryAlign's 93,729 pairs and for 30,000 further ones of its ablation. On a
training premise, four models' stories make six pairs, of which about 78,000 are needed. Of those
on which a person wrote, 30,000 rewritings are made, five a story at most, and 10,000 continuations,
one a story. Platform stories make 6,000 story pairs, once those with few readers are out."""
_MODELS = tuple(model.name for model in MODELS)


class _Source(NamedTuple):
    """Premises of one source, and who writes a story on each."""

    name: str
    prefix: str  # of the premises' ids
    use: Use
    at_scale_1: int
    authors: tuple[str, ...]


_SOURCES = (
    _Source(LLM, "pl", USE_BENCHMARK, PREMISES_LLM, _MODELS),
    _Source(HUMAN, "ph", USE_BENCHMARK, PREMISES_HUMAN, (*_MODELS, PERSON.name)),
    _Source(TRAINING, "pt", USE_TRAINING, PREMISES_TRAINING, _MODELS),
    _Source(TRAINING_HUMAN, "pw", USE_TRAINING, PREMISES_TRAINING_HUMAN, (PERSON.name,)),
)
_BY_MODELS = (LLM, TRAINING)
"""Sources whose premises language models wrote."""
_OF_REAL_TEXTS = ("provenance", "screening")


class CorporaParams(Params):
    """How large the simulated corpora are.

    Attributes:
        scale: 1 gives the paper's numbers of benchmark premises.
        training_scale: 1 gives texts for the paper's number of training pairs.
        chinese_share: share of the premises, and so of the stories, that are Chinese, where
            language models wrote them; human premises are English, as those of WritingPrompts,
            and platform stories Chinese, as those of Douban.
        further_languages: {code: share of the same premises} of other languages than English and
            Chinese; what is left is English.
        median_words: median length of the stories on premises, a Chinese character being a word.
    """

    scale: Annotated[float, Field(gt=0, le=100)]
    training_scale: Annotated[float, Field(gt=0, le=100)]
    chinese_share: Share
    median_words: Positive
    further_languages: dict[str, Share] = Field(default={})

    @field_validator("further_languages")
    @classmethod
    def _are_known(cls, shares: dict[str, float]) -> dict[str, float]:
        further = sorted(LANGUAGES.keys() - {"en", "zh"})
        for code in shares:
            if code not in further:
                raise ValueError(f"{code} is none of {', '.join(further) or 'no further language'}")
        return shares

    @model_validator(mode="after")
    def _leave_no_less_than_nothing(self) -> Self:
        if self.chinese_share + sum(self.further_languages.values()) > 1:
            raise ValueError("chinese_share and further_languages are more than all premises")
        return self

    def languages(self, size: int) -> list[str]:
        """Return the languages of so many premises that language models wrote."""
        codes = ["zh" if chinese else "en" for chinese in _spread(size, self.chinese_share)]
        left = 1 - self.chinese_share
        for code, share in self.further_languages.items():
            free = [place for place, known in enumerate(codes) if known == "en"]
            taken = _spread(len(free), share / left if left else 0.0)
            for place in compress(free, taken):
                codes[place] = code
            left -= share
        return codes

    def size(self, at_scale_1: int, use: Use) -> int:
        """Return a number of texts of a use at this scale: one at least."""
        return max(
            1, round(at_scale_1 * (self.scale if use == USE_BENCHMARK else self.training_scale))
        )


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
    uses: Collection[Use] = (USE_BENCHMARK, USE_TRAINING),
    premises_rng: np.random.Generator,
    stories_rng: np.random.Generator,
    platform_rng: np.random.Generator,
    leaks_rng: np.random.Generator,
) -> Corpora:
    """Return premises, stories, the stories' hidden qualities, injected leaks, and briefs.

    Every premise gets one story by each of the four models; those of source ``simulated-human``
    have a human story besides, those of ``simulated-training-human`` a human story alone. Platform
    stories have no premise. What is written on one premise does not depend on the others. But for
    leaks, a larger corpus begins with a smaller one's texts.

    Args:
        params: the sizes.
        faults: how many leaks.
        uses: what texts are needed for; others are not written.
        premises_rng: draws premises.
        stories_rng: draws the stories on them.
        platform_rng: draws the platform's stories.
        leaks_rng: draws what leaks.

    Raises:
        InputError: more leaks than the corpora can hold.
    """
    leaks_of_premises, leaks_of_stories = leaks_rng.spawn(2)
    premises, written = _premises(params, uses, premises_rng)
    shared = _leak_premises(premises, written, faults.leaked_premises, leaks_of_premises)
    rows = _stories(premises, written, params.median_words, stories_rng)
    if USE_TRAINING in uses:
        rows += _platform(params, platform_rng)
    stories = pd.DataFrame(rows, columns=[*_columns(STORIES), "brief", *DIMENSIONS])
    stories["words"] = [len(words(text)) for text in stories["text"]]
    injected = _leak_stories(stories, faults, leaks_of_stories)
    ids = [content_id("s", t, s) for t, s in zip(stories["text"], stories["source"], strict=True)]
    stories["story_id"] = ids
    leaks = [(ids[host], ids[origin], kind) for host, origin, kind in injected]
    off_premise = [
        (i, b) for i, b in zip(ids, stories["brief"], strict=True) if isinstance(b, Premise)
    ]
    briefs = [*zip((row["premise_id"] for row in premises), written, strict=True), *off_premise]
    return Corpora(
        pd.DataFrame(premises, columns=_columns(PREMISES)),
        stories[_columns(STORIES)],
        stories[_columns(QUALITIES)],
        pd.DataFrame(shared + leaks, columns=_columns(LEAKS), dtype="str"),
        pd.DataFrame(
            [{"brief_id": brief_id, **asdict(brief)} for brief_id, brief in briefs],
            columns=_columns(BRIEFS),
        ),
    )


def _premises(
    params: CorporaParams, uses: Collection[Use], rng: np.random.Generator
) -> tuple[list[dict[str, str]], list[Premise]]:
    """The rows of the premises table, and the premises as they were written: no text twice."""
    rows: list[dict[str, str]] = []
    written: list[Premise] = []
    seen: set[str] = set()
    for source, source_rng in zip(_SOURCES, rng.spawn(len(_SOURCES)), strict=True):
        if source.use not in uses:
            continue
        size = params.size(source.at_scale_1, source.use)
        codes = params.languages(size) if source.name in _BY_MODELS else ["en"] * size
        for number, (language, own_rng) in enumerate(
            zip(codes, source_rng.spawn(size), strict=True)
        ):
            premise = write_premise(own_rng, language)
            while premise.text in seen:
                premise = write_premise(own_rng, language)
            seen.add(premise.text)
            written.append(premise)
            rows.append(
                {
                    "premise_id": f"{source.prefix}{number + 1:06d}",
                    "text": premise.text,
                    "language": language,
                    "source": source.name,
                    "use": source.use,
                }
            )
    return rows, written


def _spread(size: int, share: float) -> list[bool]:
    """Which of so many are of a share of them: evenly, so that the first of more are the same."""
    so_far = np.floor(np.arange(size + 1) * share + 0.5)
    return [bool(more) for more in np.diff(so_far)]


def _leak_premises(
    rows: list[dict[str, str]], written: list[Premise], count: int, rng: np.random.Generator
) -> list[tuple[str, str, str]]:
    """Put benchmark premises in the place of training premises; return the rows of ``leaks``."""
    if not count:
        return []
    row_pairs = draw_row_pairs(
        [place for place, row in enumerate(rows) if row["source"] == TRAINING],
        [place for place, row in enumerate(rows) if row["use"] == USE_BENCHMARK],
        [row["language"] for row in rows],
        count,
        rng,
        parameter="leaked_premises",
    )
    for host, origin in row_pairs:
        written[host] = written[origin]
        rows[host]["text"] = rows[origin]["text"]
    return [
        (rows[host]["premise_id"], rows[origin]["premise_id"], "premise")
        for host, origin in row_pairs
    ]


def _stories(
    premises: Sequence[dict[str, str]],
    written: Sequence[Premise],
    median_words: int,
    rng: np.random.Generator,
) -> list[dict[str, object]]:
    """The stories on the premises, by each of the source's authors."""
    rows: list[dict[str, object]] = []
    for source, source_rng in zip(_SOURCES, rng.spawn(len(_SOURCES)), strict=True):
        own = [
            (row["premise_id"], premise)
            for row, premise in zip(premises, written, strict=True)
            if row["source"] == source.name
        ]
        for (premise_id, premise), own_rng in zip(own, source_rng.spawn(len(own)), strict=True):
            for author in source.authors:
                quality = draw_quality(author, own_rng)
                length = draw_length(author, own_rng, median_words)
                text = write_story(premise, quality, words=length, style=author, rng=own_rng)
                rows.append(
                    {
                        "premise_id": premise_id,
                        "author_kind": vocabulary.HUMAN
                        if author == PERSON.name
                        else vocabulary.LLM,
                        "author": author,
                        "language": premise.language,
                        "text": text,
                        "source": source.name,
                        "use": source.use,
                        "brief": None,
                        **_as_columns(quality),
                    }
                )
    return rows


def _platform(params: CorporaParams, rng: np.random.Generator) -> list[dict[str, object]]:
    """The platform's stories."""
    count = params.size(PLATFORM_STORIES, USE_TRAINING)
    return [
        {
            "premise_id": None,
            "author_kind": vocabulary.HUMAN,
            "author": story.writer.name,
            "language": story.premise.language,
            "text": story.text,
            "source": PLATFORM,
            "use": USE_TRAINING,
            "genre": story.genre,
            "column_id": story.writer.column_id,
            "readership": story.readership,
            "brief": story.premise,
            **_as_columns(story.quality),
        }
        for story in write_platform(count, params.median_words, rng)
    ]


def _columns(table: Table) -> list[str]:
    return [name for name in table.names if name not in _OF_REAL_TEXTS]


def _as_columns(quality: Quality) -> dict[str, float]:
    return {name: round(value, 6) for name, value in asdict(quality).items()}


def _leak_stories(
    stories: pd.DataFrame, faults: FaultsParams, rng: np.random.Generator
) -> list[Leak]:
    """Inject leaks among the stories on training premises; return training and benchmark row, kind.

    A copied text is as good as the text it was copied from. One that is embedded makes a mixture,
    by words.
    """
    texts, leaks = leak_stories(
        stories,
        np.flatnonzero(stories["source"] == TRAINING).tolist(),
        np.flatnonzero(stories["use"] == USE_BENCHMARK).tolist(),
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

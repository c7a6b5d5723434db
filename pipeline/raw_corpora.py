"""Real corpora from data/raw, in place of simulated ones."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from pipeline.simulation.authors import HUMAN, MODELS, draw_quality
from storyaudit import vocabulary
from storyaudit.data import corpus
from storyaudit.data.corpus import Corpus
from storyaudit.data.tables import PREMISES, STORIES, Table
from storyaudit.errors import InputError
from storyaudit.layouts.corpus_layouts import read_corpus
from storyaudit.runs.params import Count, Params, Positive
from storyaudit.runs.raw import RAW, lies_in
from storyaudit.runs.stage import PARAMS
from storyaudit.vocabulary import DIMENSIONS, Use


class CorpusFile(Params):
    """One entry of ``corpora.files``.

    Attributes:
        path: a file or a folder in ``data/raw``.
        reader: its layout, a name of ``storyaudit.layouts.corpus_layouts.READERS``.
        source: where it comes from; part of the IDs of its texts.
        use: what its premises and stories are for.
        language: of all its texts; null where a column says it, or the script.
        columns: {our column: its column}, for layouts that take a map.
        author_kind: who wrote its stories, for the reader 'table' where no column says it.
        clean: remove a leading task sentence and title, and put paragraphs in order.
        minimum_words: stories below it are dropped.
        sample_premises: draw so many of the source's premises at random, with their stories from
            all of its files; null keeps all.
    """

    path: Annotated[str, AfterValidator(lies_in(RAW))]
    reader: str
    source: Annotated[str, Field(min_length=1)]
    use: Use
    language: str | None = None
    columns: dict[str, str] | None = None
    author_kind: Literal["human", "llm"] | None = None
    clean: bool = False
    minimum_words: Count = 0
    sample_premises: Positive | None = None


def all_lie_in(folder: Path) -> Callable[[list[CorpusFile]], list[CorpusFile]]:
    """Return what lets entries pass whose paths lie in a folder, to check a parameter.

    What it returns raises ``ValueError`` for a path that lies elsewhere.
    """

    def checked(files: list[CorpusFile]) -> list[CorpusFile]:
        for file in files:
            lies_in(folder)(file.path)
        return files

    return checked


def read_raw_corpora(
    files: Sequence[CorpusFile], screening: pd.DataFrame | None, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, int]]:
    """Return premises, stories, and what was read and dropped, by source.

    Args:
        files: what to read.
        screening: verdicts of a content screening, if there was one; flagged stories are dropped.
        rng: draws the samples.

    Raises:
        InputError: see ``corpus_layouts.read_corpus``; a sample larger than the corpus.
    """
    premises: list[pd.DataFrame] = []
    stories: list[pd.DataFrame] = []
    counts: dict[str, int] = {}
    for file in files:
        read = read_corpus(
            Path(file.path),
            reader=file.reader,
            source=file.source,
            use=file.use,
            language=file.language,
            columns=file.columns,
            author_kind=file.author_kind,
        )
        if file.clean:
            read = corpus.clean_corpus(read)
        if file.minimum_words:
            read = corpus.drop_short(read, file.minimum_words)
        if screening is not None:
            read = corpus.apply_screening(read, screening)
        read = corpus.drop_flagged(read)
        premises.append(read.premises)
        stories.append(read.stories)
        for name, number in read.counts.items():
            counts[f"{file.source}.{name}"] = counts.get(f"{file.source}.{name}", 0) + number
    if not files:
        return _empty(PREMISES), _empty(STORIES), counts
    merged = Corpus(
        pd.concat(premises, ignore_index=True).drop_duplicates("premise_id", ignore_index=True),
        pd.concat(stories, ignore_index=True).drop_duplicates("story_id", ignore_index=True),
        counts,
    )
    lost = sum(map(len, stories)) - len(merged.stories)
    merged = merged._replace(counts=counts | {"repeated_in_another_file": lost})
    for source, number in _samples(files).items():
        merged = sample_premises(merged, source, number, rng)
    return merged.premises, merged.stories, merged.counts


def _samples(files: Sequence[CorpusFile]) -> dict[str, int]:
    """Return how many premises are drawn of a source.

    Raises:
        InputError: two files of a source say different numbers.
    """
    samples: dict[str, int] = {}
    for file in files:
        number = file.sample_premises
        if number is not None and samples.setdefault(file.source, number) != number:
            raise InputError(
                f"corpora.files: sample_premises of the source '{file.source}' is both "
                f"{samples[file.source]} and {number}.",
                "Say it once; it holds for all files of the source.",
                file=PARAMS,
            )
    return samples


def _empty(table: Table) -> pd.DataFrame:
    return pd.DataFrame(columns=table.names)


def sample_premises(read: Corpus, source: str, number: int, rng: np.random.Generator) -> Corpus:
    """Return the corpus with so many premises of a source, drawn at random, and their stories.

    Raises:
        InputError: fewer premises than that.
    """
    own = read.premises["source"] == source
    there = sorted(read.premises.loc[own, "premise_id"])
    if len(there) < number:
        raise InputError(
            f"corpora.files: expected {number} premises of the source '{source}' to draw "
            f"(sample_premises), found {len(there)}.",
            "Draw fewer.",
            file=PARAMS,
        )
    drawn = rng.choice(there, size=number, replace=False)
    left = (read.stories["source"] == source) & ~read.stories["premise_id"].isin(drawn)
    return Corpus(
        read.premises[~own | read.premises["premise_id"].isin(drawn)].reset_index(drop=True),
        read.stories[~left].reset_index(drop=True),
        read.counts | {f"{source}.not_drawn": int(left.sum())},
    )


def imagined_qualities(stories: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return qualities for real stories, drawn at random: they say nothing about the texts.

    Simulated judges and annotators need them. People's stories get qualities as the simulated
    people's have, each model's those of one of the simulated models, in turn.
    """
    authors = sorted(stories.loc[stories["author_kind"] != vocabulary.HUMAN, "author"].unique())
    styles = {author: MODELS[number % len(MODELS)].name for number, author in enumerate(authors)}
    rows = []
    for story in stories.sort_values("story_id").itertuples():
        author = HUMAN.name if story.author_kind == vocabulary.HUMAN else styles[str(story.author)]
        quality = draw_quality(author, rng)
        rows.append((story.story_id, *(round(float(getattr(quality, d)), 6) for d in DIMENSIONS)))
    return pd.DataFrame(rows, columns=["story_id", *DIMENSIONS])

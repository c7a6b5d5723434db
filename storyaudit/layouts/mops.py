"""Read the novels of MoPS (Ma et al., ACL 2024): model-written openings and their premises."""

from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import Corpus, as_corpus
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import Column, Table
from storyaudit.errors import InputError
from storyaudit.io.files import file_name
from storyaudit.vocabulary import LLM

AUTHOR = "recurrentgpt"
"""What wrote the novels: RecurrentGPT, says the authors' repository GAIR-NLP/MoPS."""

_STORIES = Table("MoPS's stories", (), (Column("premise"), Column("story")))


def read_mops(path: Path, *, source: str, use: str, language: str = "en") -> Corpus:
    """Read ``.jsonl`` files with premise and story; a file's name says where its premises are from.

    Most stories open with 'Name: …' and 'Outline: …', which repeats the premise. No mark parts the
    outline from the story, so both stay, counted as ``with_outline``.

    Args:
        path: a file, or a folder: then all of its ``.jsonl`` files.
        source: see ``as_corpus``; so are ``use`` and ``language``.

    Raises:
        InputError: no such file, none in the folder, a field absent or no text.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise InputError("expected .jsonl files, found none.", "Check the folder.", file=path)
    frame = pd.concat([_read(file) for file in files], ignore_index=True)
    corpus = as_corpus(
        frame, source=source, use=use, language=language, file=path, rows=frame["row"].to_numpy()
    )
    outlines = corpus.stories["text"].str.contains(r"\A(?:Name:.*\n+)?Outline:", regex=True)
    return corpus._replace(counts=corpus.counts | {"with_outline": int(outlines.sum())})


def _read(file: Path) -> pd.DataFrame:
    table, _, rows = read_table(file, _STORIES)
    provenance = [f"{file_name(file)}:{row}" for row in rows]
    return table.rename(columns={"story": "text"}).assign(
        author=AUTHOR, author_kind=LLM, provenance=provenance, row=rows
    )

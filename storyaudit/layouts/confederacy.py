"""Read the stories of *A Confederacy of Models* (Gómez-Rodríguez and Williams, EMNLP 2023)."""

import re
from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import Corpus, as_corpus
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import Column, Table
from storyaudit.errors import InputError
from storyaudit.layouts.story_files import read_story_files
from storyaudit.vocabulary import HUMAN, LLM

PREMISE = (
    "Write an epic narration of a single combat between Ignatius J. Reilly and a pterodactyl, "
    "in the style of John Kennedy Toole."
)
"""The one prompt of the study, as the authors' repository komoku/confederacy-of-models gives it."""

_MAP = Table("map of file names", (), (Column("Original"), Column("Anonymized")))
_CHATGPT = {"chatgpt-free": "chatgpt-gpt35", "chatgpt-gpt4": "chatgpt-gpt4"}


def read_confederacy(path: Path, *, source: str, use: str, language: str = "en") -> Corpus:
    """Read a folder of stories, one a .txt file named after its author.

    The folder ``stories`` or ``corpus-full`` in it holds the texts, or it does itself. With
    ``mapping-grouped.csv`` beside, the stories of the map are read and others counted as
    ``not_in_map``. Texts that are not UTF-8 are Windows-1252 (``decode_story``), counted.

    Args:
        path: the folder.
        source: see ``as_corpus``; so are ``use`` and ``language``.

    Raises:
        InputError: no such folder, a story of the map without a file, a text in another encoding.
    """
    folder = next((path / n for n in ("stories", "corpus-full") if (path / n).is_dir()), path)
    places = (path / "mapping-grouped.csv", path / "anonymization/mapping-grouped.csv")
    names = next((_file_names(place) for place in places if place.is_file()), None)
    stories = read_story_files(folder, names)
    absent = sorted(set(names or ()) - set(stories["file_name"]))
    if absent:
        raise InputError(
            f"expected the {len(names or ())} stories of the map, found {len(stories)}; "
            f"{absent[0]} is missing.",
            "Restore the file, or take it out of the map.",
            file=folder,
        )
    authors = stories["file_name"].map(author_of)
    frame = pd.DataFrame(
        {
            "text": stories["text"],
            "premise": PREMISE,
            "author": authors,
            "author_kind": authors.map(lambda author: HUMAN if author == HUMAN else LLM),
            "provenance": stories["file_name"],
        }
    )
    corpus = as_corpus(frame, source=source, use=use, language=language, file=folder)
    texts = sum(file.suffix.lower() == ".txt" for file in folder.iterdir())
    further = {
        "not_in_map": texts - len(stories),
        "windows_1252": int((stories["encoding"] == "cp1252").sum()),
    }
    return corpus._replace(counts=corpus.counts | further)


def author_of(file_name: str) -> str:
    """Return the author that a file is named after, by the name in the published ratings.

    'human' stands for every human author; the two models in ChatGPT are kept apart.
    """
    for start, author in _CHATGPT.items():
        if file_name.startswith(start):
            return author
    author = re.split(r"[-_.]", file_name, maxsplit=1)[0].lower()
    return HUMAN if re.fullmatch(r"human\d*", author) else author


def _file_names(path: Path) -> dict[str, str]:
    """Return the anonymous names by file name."""
    table = read_table(path, _MAP).frame
    return dict(zip(table["Original"], table["Anonymized"].str.removesuffix(".txt"), strict=True))

"""Read WritingPrompts (Fan et al., ACL 2018): premises and human stories, line by line."""

import re
from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import Corpus, as_corpus
from storyaudit.errors import InputError
from storyaudit.io.files import read_text
from storyaudit.io.row_files import PREMISES, STORIES
from storyaudit.text.detokenize import detokenise
from storyaudit.vocabulary import HUMAN

TAGS = re.compile(r"\A(?:\s*\[ ?[A-Za-z]{2} ?\])+\s*")
"""Tags such as '[ WP ]' before a premise."""
_NEWLINE = "<newline>"


def read_writing_prompts(path: Path, *, source: str, use: str, language: str = "en") -> Corpus:
    """Read pairs ``X.wp_source`` and ``X.wp_target``: line i of one belongs to line i of the other.

    Tokenised text is put right (``detokenise``), ``<newline>`` becomes a line break, and leading
    tags such as '[ WP ]' go from premises (counted as ``tagged``).

    Args:
        path: one of the two files, or a folder: then every pair in it.
        source: see ``as_corpus``; so are ``use`` and ``language``.

    Raises:
        InputError: a file without its partner, different numbers of lines, or text that is not
            UTF-8, with its line.
    """
    frames = [_read_pair(file) for file in _sources(path)]
    frame = pd.concat(frames, ignore_index=True)
    corpus = as_corpus(
        frame, source=source, use=use, language=language, file=path, rows=frame["row"].to_numpy()
    )
    return corpus._replace(counts=corpus.counts | {"tagged": int(frame["tagged"].sum())})


def _sources(path: Path) -> list[Path]:
    if path.is_dir():
        stems = sorted(
            {f.with_suffix("") for f in path.iterdir() if f.suffix in (PREMISES, STORIES)}
        )
        if not stems:
            raise InputError(
                f"expected files ending in {PREMISES} and {STORIES}, found none.",
                "Check the folder.",
                file=path,
            )
    elif path.suffix in (PREMISES, STORIES):
        stems = [path.with_suffix("")]
    else:
        raise InputError(
            f"expected a folder or a file ending in {PREMISES} or {STORIES}.",
            "Check the path.",
            file=path,
        )
    return [stem.with_name(stem.name + PREMISES) for stem in stems]


def _read_pair(source: Path) -> pd.DataFrame:
    target = source.with_suffix(STORIES)
    premises, stories = _lines(source), _lines(target)
    if len(premises) != len(stories):
        raise InputError(
            f"expected {len(premises)} lines as in {source.name}, found {len(stories)}.",
            "Line i of one file belongs to line i of the other: restore the missing lines.",
            file=target,
        )
    return pd.DataFrame(
        {
            "text": [line_text(line) for line in stories],
            "premise": [line_text(TAGS.sub("", line)) for line in premises],
            "author": HUMAN,
            "author_kind": HUMAN,
            "provenance": [f"{target.name}:{row}" for row in range(1, len(stories) + 1)],
            "row": range(1, len(stories) + 1),
            "tagged": [TAGS.match(line) is not None for line in premises],
        }
    )


def _lines(path: Path) -> list[str]:
    """Return the lines; only a line feed ends one, since U+2028 and the like stand in stories."""
    text = read_text(path)
    if "\n" not in text and "\r" in text.strip():
        raise InputError(
            "expected line feeds between the lines, found carriage returns only.",
            "Save it with the line ends of Unix or Windows.",
            file=path,
        )
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def line_text(line: str) -> str:
    """Return the text of a line, its own lines parted and its punctuation put right."""
    parts = (" ".join(part.split()) for part in line.split(_NEWLINE))
    return detokenise("\n".join(parts))

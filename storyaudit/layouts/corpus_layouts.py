"""Read a corpus by the name of its layout."""

from collections.abc import Callable, Mapping
from pathlib import Path

from storyaudit.data.corpus import Corpus
from storyaudit.errors import InputError
from storyaudit.layouts.benchmark_items import read_items
from storyaudit.layouts.confederacy import read_confederacy
from storyaudit.layouts.hanna import read_hanna
from storyaudit.layouts.mops import read_mops
from storyaudit.layouts.preferences import read_preferences
from storyaudit.layouts.story_platform import read_platform
from storyaudit.layouts.story_table import read_story_table
from storyaudit.layouts.writing_prompts import read_writing_prompts

_FIXED: dict[str, Callable[..., Corpus]] = {
    "writing_prompts": read_writing_prompts,
    "hanna": read_hanna,
    "confederacy": read_confederacy,
    "mops": read_mops,
}
_MAPPED: dict[str, Callable[..., Corpus]] = {
    "platform": read_platform,
    "table": read_story_table,
    "preferences": lambda path, **how: read_preferences(path, **how).corpus,
    "items": lambda path, **how: read_items(path, **how).corpus,
}
READERS = (*_FIXED, *_MAPPED)
"""The layouts; those of released corpora first, then those that take a column map."""


def read_corpus(
    path: Path,
    *,
    reader: str,
    source: str,
    use: str,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
    author_kind: str | None = None,
) -> Corpus:
    """Read premises and stories.

    Args:
        path: a file, or a folder where the layout has several.
        reader: one of ``READERS``; see the module of that name.
        source: see ``storyaudit.data.corpus.as_corpus``; so is ``use``.
        language: of all texts; None leaves it to the reader: English for the released corpora,
            otherwise guessed from the script.
        columns: {our column: their column}, for layouts that take a map.
        author_kind: of all stories; for the reader 'table' alone, the others know it.

    Raises:
        InputError: an unknown reader, what its layout does not take, or see the reader.
    """
    given = {} if language is None else {"language": language}
    if author_kind is not None:
        if reader != "table":
            raise InputError(
                f"the reader '{reader}' takes no author_kind.", "Remove it.", file=path
            )
        given["author_kind"] = author_kind
    if reader in _FIXED:
        if columns:
            raise InputError(
                f"the reader '{reader}' takes no column map.",
                "Remove it, or use the reader 'table'.",
                file=path,
            )
        return _FIXED[reader](path, source=source, use=use, **given)
    if reader in _MAPPED:
        return _MAPPED[reader](path, source=source, use=use, columns=columns, **given)
    raise InputError(
        f"expected a reader ({', '.join(READERS)}), found '{reader}'.", "Correct it.", file=path
    )

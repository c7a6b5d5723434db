"""From stories as read to valid premises and stories, with every loss counted."""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from storyaudit.data.tables import (
    PREMISES,
    STORIES,
    Column,
    Table,
    coerce_types,
    refuse_values,
    sort_by_key,
    validate,
)
from storyaudit.errors import InputError
from storyaudit.text.cleaning import STEPS, clean_story
from storyaudit.text.language_guess import guess_language
from storyaudit.text.words import words
from storyaudit.vocabulary import AUTHOR_KINDS, USES

SCREENING = ("clear", "flagged")
"""What a content screening says of a story."""

PASSED = ("provenance", "genre", "column_id", "readership", "screening")
"""The optional columns that go from stories as read into the stories table."""

RAW = Table(
    "stories as read",
    (),
    (
        Column("text"),
        Column("author"),
        Column("author_kind"),
        Column("premise", optional=True, nullable=True),
        Column("language", optional=True, nullable=True),
        *(STORIES.column(name) for name in PASSED),
    ),
)
"""The columns that ``as_corpus`` takes."""


class Corpus(NamedTuple):
    """A corpus as valid tables.

    Attributes:
        premises: the premises table.
        stories: the stories table; ``premise_id`` is missing where a story has no premise.
        counts: what was read and what became of it. ``read`` is always the sum of
            ``empty_texts``, ``repeated``, ``short``, ``screened_out`` and the stories left.
    """

    premises: pd.DataFrame
    stories: pd.DataFrame
    counts: dict[str, int]


def content_id(prefix: str, text: str, source: str) -> str:
    """Return a stable ID: the prefix and 12 hexadecimal digits of source and text (SHA-256)."""
    return prefix + hashlib.sha256(f"{source}\0{text}".encode()).hexdigest()[:12]


def tidy(text: str) -> str:
    """Return a text with line feeds for line ends, and no white space or BOM around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff").strip()


def as_corpus(
    frame: pd.DataFrame,
    *,
    source: str,
    use: str,
    language: str | None = None,
    file: Path,
    rows: Sequence[int] | np.ndarray | None = None,
) -> Corpus:
    """Turn stories as read into valid tables.

    Texts keep their characters, but for line ends and white space around them (``tidy``). IDs come
    from content and source, so that the same text from one source is one story, however often it
    stands there: the first row that has it counts. The same premise is one premise.

    Args:
        frame: the columns of ``RAW``; one row a story.
        source: where the corpus comes from; part of every ID.
        use: one of ``storyaudit.vocabulary.USES``.
        language: of premises and of stories; a column 'language' goes before it, and what
            neither names is guessed from each text's script (``guess_language``).
        file: named in errors.
        rows: each story's row as a person counts it; 1, 2, … if None.

    Raises:
        InputError: a column absent or of the wrong type, text that no encoding has or with a NUL, a
            value that is not one of those known, no story at all.
    """
    if use not in USES:
        raise InputError(
            f"expected a use ({', '.join(USES)}), found '{use}'.", "Correct it.", file=file
        )
    numbers = np.arange(1, len(frame) + 1) if rows is None else np.asarray(rows)
    raw, _ = coerce_types(frame, RAW, file=file, rows=numbers)
    _refuse_invalid(raw, file, numbers)
    for name in ("text", "premise"):
        raw[name] = _tidied(raw[name]) if name in raw else ""
    kept = raw[raw["text"] != ""]
    if kept.empty:
        raise InputError(
            f"expected stories, found {len(raw)} empty texts.", "Check the column.", file=file
        )
    stories = pd.DataFrame(
        {
            "story_id": [content_id("s", text, source) for text in kept["text"]],
            "premise_id": [content_id("p", p, source) if p else None for p in kept["premise"]],
            "author_kind": kept["author_kind"].tolist(),
            "author": kept["author"].tolist(),
            "language": _languages(kept, "text", language),
            "text": kept["text"].tolist(),
        }
    ).astype({"premise_id": "str"})
    stories["source"], stories["use"] = source, use
    stories["words"] = [len(words(text)) for text in stories["text"]]
    for name in PASSED:
        if name in kept:
            stories[name] = kept[name].to_numpy()
    premises = _premises(stories, kept, language)
    once, counts = _once(stories)
    counts = {
        "read": len(raw),
        "empty_texts": len(raw) - len(kept),
        **counts,
        "no_premise": int(once["premise_id"].isna().sum()),
    }
    premises, once = sort_by_key(premises, PREMISES), sort_by_key(once, STORIES)
    validate(premises, PREMISES, file=file)
    validate(once, STORIES, file=file)
    return Corpus(premises, once, counts)


def clean_corpus(corpus: Corpus) -> Corpus:
    """Return the corpus with every story preprocessed (``clean_story``), each step counted.

    A text that changes gets another ID: clean before anything refers to the stories.
    """
    premises = dict(zip(corpus.premises["premise_id"], corpus.premises["text"], strict=True))
    stories = corpus.stories.copy()
    cleaned = [
        clean_story(text, premise=premises.get(premise, ""))
        for text, premise in zip(stories["text"], stories["premise_id"], strict=True)
    ]
    stories["text"] = [story.text for story in cleaned]
    stories["story_id"] = [
        content_id("s", text, source)
        for text, source in zip(stories["text"], stories["source"], strict=True)
    ]
    stories["words"] = [len(words(text)) for text in stories["text"]]
    once, repeated = _once(stories)
    steps = {f"cleaned_{step}": sum(step in story.steps for story in cleaned) for step in STEPS}
    counts = _added(corpus.counts, **repeated) | steps
    return Corpus(corpus.premises, sort_by_key(once, STORIES), counts)


def drop_short(corpus: Corpus, minimum_words: int) -> Corpus:
    """Return the corpus without stories of fewer words (StoryAlign, appendix B: 100).

    A premise that loses its last story goes with it.
    """
    return _kept(corpus, corpus.stories["words"] >= minimum_words, "short")


def apply_screening(corpus: Corpus, verdicts: pd.DataFrame) -> Corpus:
    """Return the corpus with the verdicts of a content screening.

    A story that the verdicts do not name keeps what it had. ``unscreened`` counts the stories left
    without a verdict, ``flagged`` those flagged, ``screened_elsewhere`` verdicts on other stories.

    Args:
        corpus: the corpus.
        verdicts: columns story_id (each once) and screening ('clear' or 'flagged').
    """
    screened = dict(zip(verdicts["story_id"], verdicts["screening"], strict=True))
    stories = corpus.stories.copy()
    before = stories["screening"] if "screening" in stories else pd.Series(None, stories.index)
    stories["screening"] = stories["story_id"].map(screened).fillna(before).astype("str")
    counts = {
        "unscreened": int(stories["screening"].isna().sum()),
        "flagged": int((stories["screening"] == "flagged").sum()),
        "screened_elsewhere": len(set(screened) - set(stories["story_id"])),
    }
    return Corpus(corpus.premises, sort_by_key(stories, STORIES), corpus.counts | counts)


def drop_flagged(corpus: Corpus) -> Corpus:
    """Return the corpus without flagged stories; those without a verdict stay, counted."""
    if "screening" not in corpus.stories:
        return corpus._replace(counts=corpus.counts | {"unscreened": len(corpus.stories)})
    kept = _kept(corpus, corpus.stories["screening"] != "flagged", "screened_out")
    unscreened = int(kept.stories["screening"].isna().sum())
    return kept._replace(counts=kept.counts | {"unscreened": unscreened})


def _kept(corpus: Corpus, keep: pd.Series, reason: str) -> Corpus:
    """Return the stories to keep, without premises that lost their last story."""
    stories = corpus.stories[keep]
    lost = set(corpus.stories["premise_id"]) - set(stories["premise_id"])
    alone = corpus.premises["premise_id"].isin(lost)
    counts = _added(
        corpus.counts, **{reason: int((~keep).sum()), "premises_dropped": int(alone.sum())}
    )
    return Corpus(
        corpus.premises[~alone].reset_index(drop=True), stories.reset_index(drop=True), counts
    )


def _added(counts: dict[str, int], **further: int) -> dict[str, int]:
    return counts | {name: counts.get(name, 0) + number for name, number in further.items()}


def _once(stories: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the first row of each story, and how the others differ from it."""
    again = stories["story_id"].duplicated()
    first = stories[~again].set_index("story_id").loc[stories.loc[again, "story_id"]]
    columns = ["premise_id", "author"]
    differ = stories.loc[again, columns].fillna("").to_numpy() != first[columns].fillna("")
    return stories[~again], {
        "repeated": int(again.sum()),
        "repeated_under_another_premise": int(differ["premise_id"].sum()),
        "repeated_by_another_author": int(differ["author"].sum()),
    }


def _premises(stories: pd.DataFrame, raw: pd.DataFrame, language: str | None) -> pd.DataFrame:
    premises = pd.DataFrame(
        {
            "premise_id": stories["premise_id"].to_numpy(),
            "text": raw["premise"].to_numpy(),
            "language": _languages(raw, "premise", language),
            "source": stories["source"].to_numpy(),
            "use": stories["use"].to_numpy(),
        },
    )
    if "provenance" in stories:
        premises["provenance"] = stories["provenance"].to_numpy()
    premises = premises[premises["text"] != ""].drop_duplicates("premise_id")
    return premises.astype("str")


def _languages(raw: pd.DataFrame, column: str, language: str | None) -> list[str]:
    named = raw["language"] if "language" in raw else pd.Series(None, raw.index, dtype="object")
    return [
        given if isinstance(given, str) else language or guess_language(text)
        for given, text in zip(named, raw[column], strict=True)
    ]


def _tidied(texts: pd.Series) -> list[str]:
    return [tidy(text) if isinstance(text, str) else "" for text in texts]


def _refuse_invalid(raw: pd.DataFrame, file: Path, rows: np.ndarray) -> None:
    known = {"author_kind": AUTHOR_KINDS, "screening": SCREENING}
    refuse = partial(refuse_values, file=file, rows=rows)
    for name in raw.columns:
        values = raw[name]
        if name in ("author", "author_kind"):
            refuse(values.isna(), values, "a name", shown=lambda _: "nothing")
        if name in known:
            bad = values.notna() & ~values.isin(known[name])
            refuse(bad, values, f"one of {', '.join(known[name])}")
        elif name == "readership":
            refuse(values < 0, values, "readers, 0 or more", shown="{:g}".format)
        else:
            bad = values.str.contains("\0", regex=False, na=False)
            refuse(bad, values, "text without NUL characters")

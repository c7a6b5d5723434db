"""What a rater can see of a story without reading it: features that can betray an author."""

import re

import pandas as pd

from storyaudit.text.words import words

TITLE_WORDS = 12
"""A first line of at most so many words, without a full stop, is taken for a title."""
FEATURES = (
    "encoding",
    "line_ends",
    "line_ends_at_end",
    "paragraphs",
    "quotes",
    "apostrophes",
    "dash",
    "title",
    "ends_with_the_end",
)
"""Features of a kind, as against ``words``, a count."""

_DOUBLE_CURLY = re.compile("[“”„]")
_SINGLE_CURLY = re.compile(r"(?<!\w)‘|’(?!\w)")
_DOUBLE_STRAIGHT = re.compile('"')
_SINGLE_STRAIGHT = re.compile(r"(?:(?<=\s)|^)'(?=\w)", re.MULTILINE)


def features(stories: pd.DataFrame) -> pd.DataFrame:
    """Return the visible features of stories.

    Args:
        stories: columns story_id, text (line ends as in the file) and, where known, encoding.

    Returns:
        Indexed by story_id: the columns ``FEATURES``, each a text, and ``words``, a count.
        Encoding is ``unknown`` where it is not given.
    """
    rows = []
    encodings = stories["encoding"] if "encoding" in stories else ["unknown"] * len(stories)
    for text, encoding in zip(stories["text"], encodings, strict=True):
        body = text.replace("\r\n", "\n").replace("\r", "\n")
        rows.append(
            {
                "encoding": encoding,
                "line_ends": _line_ends(text),
                "line_ends_at_end": _trailing(body),
                "paragraphs": _paragraphs(body.strip()),
                "quotes": _quotes(body),
                "apostrophes": _apostrophes(body),
                "dash": _dash(body),
                "title": "yes" if _has_title(body.strip()) else "no",
                "ends_with_the_end": "yes" if re.search(r"\bthe end\W*\Z", body, re.I) else "no",
                "words": len(words(body)),
            }
        )
    return pd.DataFrame(rows, index=pd.Index(stories["story_id"], name="story_id"))


def _line_ends(text: str) -> str:
    pairs = text.count("\r\n")
    kinds = {
        "CRLF": pairs,
        "LF": text.count("\n") - pairs,
        "CR": text.count("\r") - pairs,
    }
    return " and ".join(kind for kind, count in kinds.items() if count) or "none"


def _trailing(body: str) -> str:
    count = len(body) - len(body.rstrip("\n"))
    return str(count) if count < 3 else "3 or more"


def _paragraphs(body: str) -> str:
    """Return what parts paragraphs: blank lines, single line ends, both, or nothing."""
    runs = [len(run) for run in re.findall(r"\n+", re.sub(r"[ \t]+\n", "\n", body))]
    if not runs:
        return "one paragraph"
    if min(runs) > 1:
        return "blank lines"
    return "line ends" if max(runs) == 1 else "both"


def _quotes(body: str) -> str:
    kinds = {
        "curly double": _DOUBLE_CURLY,
        "curly single": _SINGLE_CURLY,
        "straight double": _DOUBLE_STRAIGHT,
        "straight single": _SINGLE_STRAIGHT,
    }
    counts = {kind: len(pattern.findall(body)) for kind, pattern in kinds.items()}
    most = max(counts, key=lambda kind: counts[kind])
    return most if counts[most] > 1 else "none"


def _apostrophes(body: str) -> str:
    curly, straight = (len(re.findall(rf"\w{mark}\w", body)) for mark in "’'")
    if curly and straight:
        return "both"
    return "curly" if curly else "straight" if straight else "none"


def _dash(body: str) -> str:
    counts = {"em": body.count("—"), "en": body.count("–"), "double hyphen": body.count("--")}
    most = max(counts, key=lambda kind: counts[kind])
    return most if counts[most] else "none"


def _has_title(body: str) -> bool:
    first, _, rest = body.partition("\n")
    return bool(
        rest.strip()
        and 0 < len(first.split()) <= TITLE_WORDS
        and not re.search(r"""[.!?…:,;]["'”’)]*$""", first.strip())
    )

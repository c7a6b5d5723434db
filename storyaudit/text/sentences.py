"""Text to sentences, and how their lengths vary."""

import re
from collections.abc import Sequence

from storyaudit.text.words import words

FEWEST_SENTENCES = 4
"""Below it a story's kurtosis says nothing."""

_UNSPACED = frozenset("。！？｡")  # Chinese and Japanese marks need no white space behind them
_END = re.compile(r"[.!?…‽؟۔।。！？｡]++[\"'”’»)\]」』）】》]*+\s*+|\n\s*+")
_TITLES = "Mr|Mrs|Ms|Dr|Prof|St|Mt|Jr|Sr|Capt|Lt|Sgt|Col|Gen|vs|[A-HJ-Z]"  # 'I' is a word
_SHORTENED = re.compile(rf"(?<![\w.])(?:{_TITLES})$")
_LONGEST_TITLE = 4


def sentences(text: str) -> list[str]:
    """Return a text cut behind each sentence; the parts make up the whole text again.

    A sentence ends at closing marks before white space, at Chinese and Japanese ones also without
    any, and at a blank line. A full stop after a title or an initial ('Mr. A. Lee') ends none, nor
    do marks after which it goes on with a small letter ('"Stop!" he said.', 'well... no').
    """
    parts, start = [], 0
    for end in _END.finditer(text):
        if _ends(text, start, end):
            parts.append(text[start : end.end()])
            start = end.end()
    return [*parts, text[start:]] if start < len(text) else parts


def _ends(text: str, start: int, end: re.Match[str]) -> bool:
    found = end.group()
    mark = found.strip()
    if found.count("\n") > 1:
        return True
    if mark == ".":
        near = max(start, end.start() - _LONGEST_TITLE)
        if _SHORTENED.search(text, near, end.start()):
            return False
    elif (len(mark) > 1 or mark == "…") and text[end.end() : end.end() + 1].islower():
        return False
    spaced = found[-1].isspace() or end.end() == len(text)
    return bool(mark) and (spaced or not _UNSPACED.isdisjoint(mark) or "……" in mark)


def sentence_lengths(text: str) -> list[int]:
    """Return the words of each sentence that has any, in their order."""
    return [count for count in (len(words(part)) for part in sentences(text)) if count]


def kurtosis(lengths: Sequence[int]) -> float | None:
    """Return the excess kurtosis of whole numbers (Fisher's; of the numbers, not of a population).

    Reckoned in whole numbers up to the last division.

    Returns:
        None for fewer than four numbers, or if all are alike.
    """
    count, total = len(lengths), sum(lengths)
    squares = [(count * length - total) ** 2 for length in lengths]
    spread = sum(squares)
    if count < FEWEST_SENTENCES or not spread:
        return None
    return count * sum(square * square for square in squares) / (spread * spread) - 3


def length_kurtosis(text: str) -> float | None:
    """Return the kurtosis of a text's sentence lengths in words, a proxy of burstiness.

    StoryAlign, appendix H.4. A few sentences much longer than the rest make it large.

    Returns:
        None for fewer than four sentences, or if all have as many words.
    """
    return kurtosis(sentence_lengths(text))

"""Text to words, in one way for every part of the system."""

import re
import unicodedata

import regex

# A word is a run of letters and digits with the marks that combine with them, apostrophes inside
# it included; a letter of a script that sets no spaces is a word by itself.
_MARKS = r"[\p{M}\u200c\u200d]*"  # with the joiners that shape letters of a word
_UNSPACED = (  # scripts that set no space between words
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
)
_SINGLE = rf"[[\p{{L}}\p{{N}}]&&[{_UNSPACED}]]{_MARKS}"
_LETTER = rf"[[\p{{L}}\p{{N}}]--[{_UNSPACED}]]"
# One set of characters, not a group repeated: a group takes memory for each character of a word.
_RUN = rf"{_LETTER}[{_LETTER}||[\p{{M}}\u200c\u200d]]*+"
_IGNORED = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))  # invisible, and between no words
_WORD = regex.compile(rf"{_SINGLE}|{_RUN}(?:'{_RUN})*+", regex.VERSION1)


_MANY_MARKS = regex.compile(r"\p{M}{64,}")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_PLAIN = (("’", "'"), *((mark, " ") for mark in "“”‘—–…\u00a0"))
"""Marks that stand in English texts, and what words are parted by as well."""


def normalise(text: str) -> str:
    """Return text in Unicode's compatibility composition (NFKC), with case folded.

    The typographic apostrophe becomes the plain one; soft hyphens and other invisible marks that
    do not part words go.
    """
    folded = _composed(text.translate(_IGNORED)).casefold().replace("’", "'")
    # Folding can decompose ('İ'), so compose once more.
    return _composed(folded)


def _composed(text: str) -> str:
    # Python takes quadratic time to order a long run of marks that is out of order.
    return unicodedata.normalize("NFKC", _MANY_MARKS.sub(_ordered, text))


def _ordered(marks: "regex.Match[str]") -> str:
    """Return a run of marks decomposed and in canonical order (Unicode, section 3.11)."""
    placed: list[str] = []
    waiting: list[str] = []
    for mark in "".join(unicodedata.normalize("NFKD", mark) for mark in marks[0]):
        if unicodedata.combining(mark):
            waiting.append(mark)
            continue
        placed += [*sorted(waiting, key=unicodedata.combining), mark]
        waiting = []
    return "".join([*placed, *sorted(waiting, key=unicodedata.combining)])


def words(text: str) -> list[str]:
    """Return the normalised words of a text: punctuation and spacing do not count."""
    if not text.isascii():
        for mark, plain in _PLAIN:
            text = text.replace(mark, plain)
    if text.isascii():  # the same words, several times faster
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(normalise(text))

"""What every code point is to a word, and what it is normalised to, as tables for kernels.

Everything is asked of ``storyaudit.text.words``, of ``unicodedata`` and of ``regex`` as they are
installed, so that the tables know the same Unicode as the words they have to agree with.

A code point is packed with its kind into 32 bits: ``kind << 24 | code point``.
"""

import unicodedata
from functools import cache
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from storyaudit.text.words import _IGNORED, _MARKS, _UNSPACED, _WORD, normalise

CODE_POINTS = 0x110000
_BLOCK = 256  # code points looked at together

# The kinds. What is packed with another kind than a letter, a single or a mark has no code point.
SEPARATOR = 0
APOSTROPHE = 1  # inside a word where letters stand on both sides
MARK = 2  # belongs to the letter before it
SINGLE = 3  # a word by itself
LETTER = 4  # of a run
IGNORED = 5  # as if it were not there
SEVERAL = 6  # becomes several code points: packed with its place in ``Tables.several``
COMPLEX = 7  # what it becomes hangs on what stands before it
MANY = 8  # becomes more words than it has bytes, which kernels have no room for

_OTHERS = [*map(chr, _IGNORED), "’"]  # what normalising changes, beyond NFKC and case folding
_KINDS = (
    (MARK, regex.compile(f"(?:{_MARKS.removesuffix('*')})+", regex.VERSION1)),
    (LETTER, regex.compile(rf"[[\p{{L}}\p{{N}}]--[{_UNSPACED}]]+", regex.VERSION1)),
    (SINGLE, regex.compile(rf"[[\p{{L}}\p{{N}}]&&[{_UNSPACED}]]+", regex.VERSION1)),
)


class Tables(NamedTuple):
    """How a kernel reads text.

    Attributes:
        codes: shape (0x110000,): for every code point its kind and what it becomes, packed.
        several: what code points of the kind ``SEVERAL`` become: the number of packed code points,
            then these, at the places that ``codes`` says.
    """

    codes: NDArray[np.uint32]
    several: NDArray[np.uint32]


@cache
def normalised() -> Tables:
    """Return the tables for text that is normalised already: every code point is what it is."""
    codes = np.zeros(CODE_POINTS, dtype=np.uint32)
    characters = _characters(0, CODE_POINTS)
    for kind, pattern in _KINDS:
        for run in pattern.finditer(characters):
            first, last = run.span()
            codes[first:last] = np.arange(first, last, dtype=np.uint32) | np.uint32(kind << 24)
    codes[ord("'")] = APOSTROPHE << 24
    return _sealed(codes, [])


@cache
def folding() -> Tables:
    """Return the tables for text as it comes: every code point becomes what it is normalised to.

    A text is its code points' normal forms, one after another, unless one of them can move before
    or join with what stands before it: it has a combining class, or is a later part of some
    character's decomposition. Those are complex (Unicode Standard Annex #15, sections 9 and 13).
    """
    plain = normalised().codes
    codes = plain.copy()
    several: list[int] = []
    joining = _joining()
    codes[sorted(joining)] = COMPLEX << 24
    for character, composed, folded in _changing():
        point = ord(character)
        if point in joining or not joining.isdisjoint(map(ord, composed[:1] + folded[:1])):
            codes[point] = COMPLEX << 24
            continue
        packed = [int(plain[ord(part)]) for part in folded]
        kinds = {code >> 24 for code in packed}
        if not packed:
            codes[point] = IGNORED << 24
        elif len(packed) == 1:
            codes[point] = packed[0]
        elif packed[0] >> 24 == SEPARATOR and kinds <= {SEPARATOR, MARK}:
            codes[point] = SEPARATOR << 24
        elif len(_WORD.findall(folded)) > len(character.encode()):
            codes[point] = MANY << 24
        else:
            codes[point] = SEVERAL << 24 | len(several)
            several += [len(packed), *packed]
    return _sealed(codes, several)


def _joining() -> set[int]:
    """Return the code points that can move before, or join with, one that stands before them."""
    everything = _characters(0, CODE_POINTS)
    classes = np.frombuffer(bytes(map(unicodedata.combining, everything)), dtype=np.uint8)
    joining = set(np.flatnonzero(classes).tolist())
    for block in _blocks():
        if not unicodedata.is_normalized("NFD", block):
            for character in block:
                joining.update(map(ord, unicodedata.normalize("NFD", character)[1:]))
    return joining


def _changing() -> list[tuple[str, str, str]]:
    """Return the characters that normalising changes, composed (NFKC) and normalised."""
    characters = [
        character
        for block in _blocks()
        if not unicodedata.is_normalized("NFKD", block)
        or block.casefold() != block
        or any(other in block for other in _OTHERS)
        for character in block.replace("\n", "")
    ]
    together = "\n".join(characters)  # a line break keeps what stands on both sides apart
    composed = unicodedata.normalize("NFKC", together).split("\n")
    folded = normalise(together).split("\n")
    rows = zip(characters, composed, folded, strict=True)
    return [row for row in rows if row[0] != row[1] or row[0] != row[2]]


def _blocks() -> list[str]:
    return [_characters(first, first + _BLOCK) for first in range(0, CODE_POINTS, _BLOCK)]


def _characters(first: int, last: int) -> str:
    """Return the characters of a range of code points, lone surrogates among them."""
    return np.arange(first, last, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _sealed(codes: NDArray[np.uint32], several: list[int]) -> Tables:
    tables = Tables(codes, np.array(several or [0], dtype=np.uint32))
    for table in tables:
        table.flags.writeable = False
    return tables

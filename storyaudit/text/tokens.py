"""The words of many texts as 64-bit hashes, at the speed of compiled code.

The words are those of ``storyaudit.text.words``, the reference. A kernel reads UTF-8, looks every
code point up in tables (``codepoints.py``) and hashes what it becomes. Where a text has a code
point whose normal form hangs on its neighbours (an accent as a character of its own), Python
normalises that text, and the same kernel reads what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from storyaudit.text import codepoints
from storyaudit.text.codepoints import (
    APOSTROPHE,
    CODE_POINTS,
    COMPLEX,
    LETTER,
    MARK,
    SEPARATOR,
    SEVERAL,
    SINGLE,
)
from storyaudit.text.compiled import compiled
from storyaudit.text.words import normalise

if TYPE_CHECKING:
    import pyarrow as pa

_ROOM = 1 << 20  # tokens a kernel writes before they are copied
_SEED = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)

_NOTHING, _WORD, _ALONE, _PAUSED = range(4)  # what a kernel is in; paused: at an apostrophe


class Tokens(NamedTuple):
    """Hashes of the words of texts, one text after another.

    Attributes:
        hashes: shape (tokens of all texts,).
        starts: shape (texts + 1,): text i's are ``hashes[starts[i]:starts[i + 1]]``.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]


def tokenise(texts: pa.Array | pa.ChunkedArray | Sequence[str | None]) -> Tokens:
    """Return the hashes of the words of texts; a null has none.

    Arrow's texts are read where they lie. They have to be UTF-8, which readers see to: a byte that
    is not makes words of its text other than they should be, and nothing worse. Of a sequence's
    texts a lone surrogate, which UTF-8 cannot hold, parts words, as in the reference.

    Args:
        texts: Arrow strings of any kind, or Python's.

    Returns:
        Every character of a word is taken into its hash by a multiplication and a shift, as in the
        finalisers of SplitMix64 (Steele et al. 2014). Different words have the same hash with a
        probability of about 2**-64 for each pair of words.

    Raises:
        TypeError: an Arrow array that holds no strings.
    """
    if isinstance(texts, Sequence):
        return _tokens(*_encoded(texts))
    chunks = texts.chunks if hasattr(texts, "chunks") else [texts]
    parts = [_tokens(*_buffers(chunk)) for chunk in chunks]
    if len(parts) == 1:
        return parts[0]
    counts = [np.diff(part.starts) for part in parts]
    return _joined([part.hashes for part in parts], np.concatenate([[0], *counts]).cumsum())


def _encoded(texts: Sequence[str | None]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return texts as UTF-8, one after another, and where they start; '?' for lone surrogates."""
    parts = [b"" if text is None else text.encode("utf-8", "replace") for text in texts]
    offsets = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in parts], out=offsets[1:])
    return np.frombuffer(b"".join(parts), dtype=np.uint8), offsets


def _buffers(texts: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the UTF-8 of an Arrow array, not copied, and where its texts start and end in it."""
    import pyarrow as pa

    if pa.types.is_dictionary(texts.type) or pa.types.is_string_view(texts.type):
        texts = texts.cast(pa.large_string())
    elif pa.types.is_null(texts.type):
        texts = pa.nulls(len(texts), pa.string())
    if not (pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type)):
        raise TypeError(f"{texts.type} is no type of text")
    if texts.null_count:
        texts = texts.fill_null("")
    _, places, content = texts.buffers()
    if not len(texts):
        return np.empty(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    width = np.int32 if pa.types.is_string(texts.type) else np.int64
    offsets = np.frombuffer(places, dtype=width)[texts.offset : texts.offset + len(texts) + 1]
    data = np.frombuffer(content or b"", dtype=np.uint8)
    return data, offsets.astype(np.int64)


def _tokens(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Tokens:
    """Return the tokens of texts that lie in ``data`` from one offset to the next."""
    data.flags.writeable = False  # so that the kernel is compiled for one kind of array
    tables = codepoints.folding()
    texts = len(offsets) - 1
    longest = int(np.diff(offsets).max(initial=0))
    total = int(offsets[-1] - offsets[0])
    room = np.empty(max(longest, min(total, _ROOM)), dtype=np.uint64)
    starts = np.zeros(texts + 1, dtype=np.int64)
    parts: list[NDArray[np.uint64]] = []
    text = 0
    while text < texts:
        text, count, is_complex = _fill(data, offsets, text, *tables, room, starts)
        parts.append(room[:count].copy())
        if is_complex:
            written = _normalised(data[offsets[text] : offsets[text + 1]].tobytes())
            parts.append(written)
            text += 1
            starts[text] = starts[text - 1] + len(written)
    return _joined(parts, starts)


def _normalised(text: bytes) -> NDArray[np.uint64]:
    """Return the tokens of a text of which Python makes the normal form."""
    content = normalise(text.decode("utf-8", "replace")).encode()
    data = np.frombuffer(content, dtype=np.uint8)
    room = np.empty(len(data), dtype=np.uint64)
    count = _read(data, 0, len(data), *codepoints.normalised(), room, 0)
    return room[:count].copy()


def _joined(parts: Sequence[NDArray[np.uint64]], starts: NDArray[np.int64]) -> Tokens:
    if len(parts) == 1:
        return Tokens(parts[0], starts)
    return Tokens(np.concatenate([np.empty(0, dtype=np.uint64), *parts]), starts)


@compiled
def _fill(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    text: int,
    codes: NDArray[np.uint32],
    several: NDArray[np.uint32],
    room: NDArray[np.uint64],
    starts: NDArray[np.int64],
) -> tuple[int, int, bool]:
    """Write the tokens of texts from ``text`` on, until one is complex or may not have room.

    Returns:
        The text it stopped at, the tokens written, and whether the text is complex.
    """
    count = 0
    first = starts[text]
    while text < len(offsets) - 1:
        begin, end = offsets[text], offsets[text + 1]
        if end - begin > len(room) - count:  # more words than bytes it cannot have
            return text, count, False
        after = _read(data, begin, end, codes, several, room, count)
        if after < 0:
            return text, count, True
        count = after
        text += 1
        starts[text] = first + count
    return text, count, False


@compiled
def _read(
    data: NDArray[np.uint8],
    begin: int,
    end: int,
    codes: NDArray[np.uint32],
    several: NDArray[np.uint32],
    room: NDArray[np.uint64],
    count: int,
) -> int:
    """Write the tokens of one text at ``count`` and on; return the count then, or -1: not so."""
    state = _NOTHING
    hashed = _SEED  # of the word so far
    next_one = left = np.int64(0)  # of the several code points that one becomes
    place = begin
    while place < end or left > 0:
        if left > 0:
            code = several[next_one]
            next_one += 1
            left -= 1
        else:
            byte = data[place]
            if byte < 0x80:
                code = codes[byte]
                place += 1
            else:
                point, width = _decoded(data, place, end)
                code = codes[point]
                place += width
        kind = code >> 24
        if kind == LETTER:
            if state == _PAUSED:
                hashed = _taken_in(hashed, ord("'"))
            elif state != _WORD:
                if state == _ALONE:
                    room[count] = hashed
                    count += 1
                hashed = _SEED
            hashed = _taken_in(hashed, code)
            state = _WORD
            if left == 0:  # plain letters, of which most texts consist, go twice as fast here
                while place < end and data[place] < 0x80:
                    code = codes[data[place]]
                    if code >> 24 != LETTER:
                        break
                    hashed = _taken_in(hashed, code)
                    place += 1
        elif kind == SEPARATOR:
            if state != _NOTHING:
                room[count] = hashed
                count += 1
                state = _NOTHING
        elif kind == SINGLE:
            if state != _NOTHING:
                room[count] = hashed
                count += 1
            hashed = _taken_in(_SEED, code)
            state = _ALONE
        elif kind == APOSTROPHE:
            if state == _WORD:
                state = _PAUSED
            elif state != _NOTHING:
                room[count] = hashed
                count += 1
                state = _NOTHING
        elif kind == MARK:
            if state == _PAUSED:
                room[count] = hashed
                count += 1
                state = _NOTHING
            elif state != _NOTHING:
                hashed = _taken_in(hashed, code)
        elif kind == SEVERAL:
            next_one = np.int64(code & 0xFFFFFF) + 1
            left = np.int64(several[next_one - 1])
        elif kind >= COMPLEX:
            return -1
        # What is left is ignored.
    if state != _NOTHING:
        room[count] = hashed
        count += 1
    return count


@compiled
def _taken_in(hashed: np.uint64, code: int) -> np.uint64:
    """Return the hash of a word that goes on with a code point, packed or not."""
    hashed = (hashed ^ np.uint64(code & 0xFFFFFF)) * _FACTOR
    return hashed ^ (hashed >> _HALF)


@compiled
def _decoded(data: NDArray[np.uint8], place: int, end: int) -> tuple[np.int64, int]:
    """Return the code point above 0x7F at a place, and its bytes; (0, 1) where there is none."""
    byte = np.int64(data[place])
    width = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
    if byte < 0xC0 or place + width > end:
        return np.int64(0), 1
    point = byte & (0x7F >> width)
    for other in range(place + 1, place + width):
        point = point << 6 | (data[other] & 0x3F)
    if point >= CODE_POINTS:
        return np.int64(0), 1
    return point, width

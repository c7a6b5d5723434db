"""The distinct runs of words of many texts as 64-bit hashes."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from storyaudit.text.compiled import compiled
from storyaudit.text.tokens import Tokens

_BASE = np.uint64(0xA0761D6478BD642B)  # 3 modulo 8: see ``rolling``
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


class Shingles(NamedTuple):
    """Hashes of the shingles of texts, one text after another.

    Attributes:
        hashes: shape (shingles of all texts,); distinct within a text, and ascending.
        starts: shape (texts + 1,): text i's are ``hashes[starts[i]:starts[i + 1]]``.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]


def shingle(tokens: Tokens, size: int) -> Shingles:
    """Return the distinct runs of ``size`` tokens of every text, as hashes.

    A text of fewer tokens is one shingle, its whole; a text without tokens has none.

    Raises:
        ValueError: ``size`` is not positive.
    """
    if size < 1:
        raise ValueError("a shingle has at least one token")
    room = np.empty(len(tokens.hashes), dtype=np.uint64)
    starts = np.zeros(len(tokens.starts), dtype=np.int64)
    count = 0
    for text, (start, end) in enumerate(pairwise(tokens.starts.tolist()), start=1):
        written = rolling(tokens.hashes[start:end], size, room[count:])
        kept = _distinct(room[count : count + written])
        room[count : count + len(kept)] = kept
        count += len(kept)
        starts[text] = count
    return Shingles(room[:count].copy(), starts)


def _distinct(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the distinct hashes, ascending. To compile a sort would take seconds."""
    ordered = np.sort(hashes)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


@compiled
def rolling(tokens: NDArray[np.uint64], size: int, out: NDArray[np.uint64]) -> int:
    """Write the hashes of a text's shingles in order, repeated ones too; return their number.

    The hash is a polynomial of the tokens' hashes modulo 2**64 (Karp and Rabin 1987), mixed at the
    end as in SplitMix64 (Steele et al. 2014). Its base is 3 modulo 8, so that base**n - 1 has few
    factors of 2, and tokens that change places change the hash.

    Args:
        tokens: hashes of a text's tokens, shape (tokens,).
        size: tokens a shingle.
        out: room for at least ``len(tokens)`` hashes.
    """
    total = len(tokens)
    length = min(size, total)
    if length == 0:
        return 0
    hashed = np.uint64(0)
    leaving = np.uint64(1)
    for place in range(length):
        hashed = hashed * _BASE + tokens[place]
        leaving *= _BASE
    out[0] = _mixed(hashed)
    for place in range(length, total):
        hashed = hashed * _BASE + tokens[place] - leaving * tokens[place - length]
        out[place - length + 1] = _mixed(hashed)
    return total - length + 1


@compiled
def _mixed(hashed: np.uint64) -> np.uint64:
    hashed = (hashed ^ (hashed >> np.uint64(30))) * _FIRST
    hashed = (hashed ^ (hashed >> np.uint64(27))) * _SECOND
    return hashed ^ (hashed >> np.uint64(31))

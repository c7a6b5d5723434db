"""MinHash sketches of texts: signatures, the keys of their bands, and what an index then finds.

Broder (1997) for the sketch, Leskovec, Rajaraman and Ullman (*Mining of Massive Datasets*,
chapter 3) for the bands. Signatures equal those of datasketch 2, scheme ``affine32``, on the same
32-bit hashes of shingles.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from storyaudit.text.compiled import compiled
from storyaudit.text.shingles import rolling
from storyaudit.text.tokens import Tokens

if TYPE_CHECKING:
    from storyaudit.overlap.overlap_params import OverlapParams

SEED = 1
SCHEME = "affine32"
"""datasketch's default since 2.0; signatures of 1.x do not compare."""

_HIGHEST = np.uint32(0xFFFFFFFF)
_BLOCK = 4096  # shingles permuted at once, so that they stay in the nearest cache


@lru_cache
def permutations(count: int, seed: int = SEED) -> NDArray[np.uint32]:
    """Return datasketch's factors and offsets of its first ``count`` permutations: (2, count)."""
    from datasketch import MinHash

    sketch = MinHash(num_perm=count, seed=seed, scheme=SCHEME)
    return np.ascontiguousarray(sketch.permutations, dtype=np.uint32)


def signatures(tokens: Tokens, size: int, count: int, seed: int = SEED) -> NDArray[np.uint32]:
    """Return a signature a text, of shape (texts, count).

    Place k holds the lowest of ``factor_k * mix(h) + offset_k`` modulo 2^32 over the text's
    shingles h, where ``mix`` is the finaliser of MurmurHash3. A text without tokens keeps the
    highest value everywhere, as datasketch's empty sketch does; it must take part in nothing.

    Args:
        tokens: of the texts.
        size: tokens in a shingle.
        count: of permutations.
        seed: of the permutations.
    """
    out = np.full((len(tokens.starts) - 1, count), _HIGHEST, dtype=np.uint32)
    factors, offsets = permutations(count, seed)
    _sign(tokens.hashes, tokens.starts, size, factors, offsets, out)
    return out


def band_keys(signed: NDArray[np.uint32], bands: int) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each band of each signature, of shape (texts, bands).

    Two texts are proposed where a band's keys agree: always where its rows agree. Where they
    differ keys agree by chance, one in 2^64, which only proposes a pair for verification.
    """
    out = np.empty((len(signed), bands), dtype=np.uint64)
    _keys(signed, out)
    return out


def digests(tokens: Tokens) -> NDArray[np.uint64]:
    """Return 128 bits of each text's sequence of token hashes, of shape (texts, 2).

    Texts of equal tokens have equal digests. Of n different texts some two agree with a chance
    below n^2 / 2^129, beside the chance that their tokens' own hashes do.
    """
    out = np.empty((len(tokens.starts) - 1, 2), dtype=np.uint64)
    _digest(tokens.hashes, tokens.starts, out)
    return out


def recall(similarity: float, params: "OverlapParams") -> float:
    """Return the chance that a pair of this Jaccard similarity is proposed.

    1 − (1 − s^r)^b for b bands of r rows (Leskovec, Rajaraman and Ullman, section 3.4).
    """
    return float(1 - (1 - similarity**params.rows) ** params.bands)


@compiled
def _sign(
    hashes: NDArray[np.uint64],
    starts: NDArray[np.int64],
    size: int,
    factors: NDArray[np.uint32],
    offsets: NDArray[np.uint32],
    out: NDArray[np.uint32],
) -> None:
    longest = 0
    for text in range(len(starts) - 1):
        longest = max(longest, starts[text + 1] - starts[text])
    runs = np.empty(longest, dtype=np.uint64)
    mixed = np.empty(_BLOCK, dtype=np.uint32)
    for text in range(len(starts) - 1):
        if starts[text] == starts[text + 1]:
            continue
        count = rolling(hashes[starts[text] : starts[text + 1]], size, runs)
        for begin in range(0, count, _BLOCK):
            length = min(_BLOCK, count - begin)
            for place in range(length):
                run = runs[begin + place]
                value = np.uint32((run ^ (run >> np.uint64(32))) & np.uint64(0xFFFFFFFF))
                value = np.uint32((value ^ (value >> np.uint32(16))) * np.uint32(0x85EBCA6B))
                value = np.uint32((value ^ (value >> np.uint32(13))) * np.uint32(0xC2B2AE35))
                mixed[place] = value ^ (value >> np.uint32(16))
            for k in range(len(factors)):
                factor, offset, lowest = factors[k], offsets[k], out[text, k]
                for place in range(length):
                    lowest = min(lowest, np.uint32(factor * mixed[place] + offset))
                out[text, k] = lowest


@compiled
def _mix(value: np.uint64) -> np.uint64:
    """Return MurmurHash3's 64-bit finaliser of a value."""
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return value ^ (value >> np.uint64(33))


@compiled
def _keys(signed: NDArray[np.uint32], out: NDArray[np.uint64]) -> None:
    bands = out.shape[1]
    rows = signed.shape[1] // bands
    for text in range(len(signed)):
        for band in range(bands):
            key = np.uint64(0)
            for row in range(band * rows, (band + 1) * rows):
                key = _mix((key ^ np.uint64(signed[text, row])) + np.uint64(0x9E3779B97F4A7C15))
            out[text, band] = key


@compiled
def _digest(hashes: NDArray[np.uint64], starts: NDArray[np.int64], out: NDArray[np.uint64]) -> None:
    for text in range(len(starts) - 1):
        # Two chains of steps that can be undone: texts that differ in one token always differ.
        first = np.uint64(starts[text + 1] - starts[text])
        second = ~first
        for place in range(starts[text], starts[text + 1]):
            first = (first ^ hashes[place]) * np.uint64(0x9E3779B97F4A7C15)
            first ^= first >> np.uint64(32)
            second = (second ^ hashes[place]) * np.uint64(0xD6E8FEB86659FD93)
            second ^= second >> np.uint64(29)
        out[text, 0], out[text, 1] = _mix(first), _mix(second)

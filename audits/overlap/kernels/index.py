"""The benchmark's shingles in memory: which texts contain a shingle?"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from storyaudit.text.compiled import compiled
from storyaudit.text.shingles import Shingles

_MORE_BITS = 4  # bits: 2**_MORE_BITS for each bucket
_LEAST_BITS = 10


class Index(NamedTuple):
    """An inverted index over distinct shingles.

    A shingle is looked up in three steps, each less often than the one before: a bit by the hash's
    first bits, the bucket of those bits, and the hashes in the bucket, of which there is about one.
    Beside the texts' hashes it takes about 26 bytes a shingle.

    Attributes:
        bits: 64 to an element; bit p is set if some hash begins with the bits p.
        bit_shift: ``hash >> bit_shift`` is p.
        buckets: shape (buckets + 1,): hashes that begin with the bits q are
            ``hashes[buckets[q]:buckets[q + 1]]``.
        bucket_shift: ``hash >> bucket_shift`` is q.
        hashes: distinct and ascending.
        starts: shape (hashes + 1,): the texts that hold hash i are
            ``texts[starts[i]:starts[i + 1]]``.
        texts: numbers of texts, ascending for a hash.
    """

    bits: NDArray[np.uint64]
    bit_shift: np.uint64
    buckets: NDArray[np.uint32]
    bucket_shift: np.uint64
    hashes: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    texts: NDArray[np.uint32]


def build_index(shingles: Shingles) -> Index:
    """Return the index of some texts' shingles.

    Raises:
        ValueError: more than 2**32 - 1 shingles.
    """
    count = len(shingles.hashes)
    if count >= 2**32:
        raise ValueError("an index holds fewer than 2**32 shingles")
    order = np.argsort(shingles.hashes)  # not stable, which takes more than twice as long
    ordered = shingles.hashes[order]
    lengths = np.diff(shingles.starts)
    texts = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)[order]
    del order
    new = np.ones(count, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    starts = np.append(np.flatnonzero(new), count).astype(np.uint32)
    hashes = ordered[new]
    del ordered, new
    _sort_texts(starts, texts)

    log = max(len(hashes).bit_length(), _LEAST_BITS)
    bit_shift = np.uint64(64 - log - _MORE_BITS)
    bucket_shift = np.uint64(64 - log)
    bits = np.zeros(1 << (64 - int(bit_shift) - 6), dtype=np.uint64)
    _set_bits(hashes, bit_shift, bits)
    buckets = np.zeros((1 << log) + 1, dtype=np.uint32)
    _fill_buckets(hashes, bucket_shift, buckets)
    return Index(bits, bit_shift, buckets, bucket_shift, hashes, starts, texts)


@compiled
def _sort_texts(starts: NDArray[np.uint32], texts: NDArray[np.uint32]) -> None:
    """Sort the texts of each hash, in place; few hashes have several."""
    for entry in range(len(starts) - 1):
        start, stop = np.int64(starts[entry]), np.int64(starts[entry + 1])
        if stop - start > 1:
            texts[start:stop].sort()


@compiled
def _set_bits(hashes: NDArray[np.uint64], shift: np.uint64, bits: NDArray[np.uint64]) -> None:
    for hashed in hashes:
        place = hashed >> shift
        bits[place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))


@compiled
def _fill_buckets(
    hashes: NDArray[np.uint64], shift: np.uint64, buckets: NDArray[np.uint32]
) -> None:
    """Write the number of hashes below each bucket."""
    for hashed in hashes:
        buckets[np.int64(hashed >> shift) + 1] += np.uint32(1)
    for bucket in range(1, len(buckets)):
        buckets[bucket] += buckets[bucket - 1]


@compiled
def find_hits(
    shingles: NDArray[np.uint64],
    index: Index,
    first: int,
    places: NDArray[np.int64],
    found: NDArray[np.uint32],
) -> int:
    """Write which of some shingles are in the index; return how many.

    Args:
        shingles: hashes in the order of their text.
        index: to look them up in.
        first: the place of the first one in its text.
        places: room for the places of those found.
        found: room for their numbers in the index.
    """
    hits = 0
    bits, bit_shift = index.bits, index.bit_shift
    # Without a branch on the bit: what passes is written over what does not.
    for place in range(len(shingles)):
        bit = shingles[place] >> bit_shift
        word = bits[bit >> np.uint64(6)] >> (bit & np.uint64(63))
        places[hits] = place
        hits += int(np.int64(word & np.uint64(1)))
    passed, hits = hits, 0
    for number in range(passed):
        passing = places[number]
        hashed = shingles[passing]
        bucket = np.int64(hashed >> index.bucket_shift)
        entry = np.int64(index.buckets[bucket])
        stop = np.int64(index.buckets[bucket + 1])
        while entry < stop and index.hashes[entry] < hashed:
            entry += 1
        if entry < stop and index.hashes[entry] == hashed:
            places[hits] = first + passing
            found[hits] = entry
            hits += 1
    return hits

"""Hashed word n-grams, of many stories at once."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PREMISE = np.uint64(
    0x9E3779B97F4A7C15
)  # distinguishes a word that is in the premise from the word
_ODD = np.uint64(0xD6E8FEB86659FD93)
_SIGN = np.uint64(63)


class Hashes(dict[str, int]):
    """Words' hashes of 64 bits, the same on every machine; each distinct word is hashed once."""

    def __missing__(self, word: str) -> int:
        """Hash a word that is not there yet."""
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        found = self[word] = int.from_bytes(digest, "little")
        return found


@dataclass(frozen=True)
class Terms:
    """Some terms of several stories, all n-grams of one length.

    Attributes:
        row: the story of each term.
        place: where the term starts in the stories' words, one after another.
        hashed: its hash, 64 bits.
        length: in words.
        of_premise: whether they are the words that the premise has as well.
    """

    row: NDArray[np.int64]
    place: NDArray[np.int64]
    hashed: NDArray[np.uint64]
    length: int
    of_premise: bool = False

    def bucket(self, buckets_log2: int) -> NDArray[np.int64]:
        """Return each term's bucket."""
        return (self.hashed & np.uint64(2**buckets_log2 - 1)).astype("int64")

    def negative(self) -> NDArray[np.int64]:
        """Return 1 for terms that count −1, 0 for those that count +1.

        Half of them do, so that terms of one bucket cancel out on average (Weinberger et al. 2009).
        """
        return (self.hashed >> _SIGN).astype("int64")


def terms(
    stories: Sequence[Sequence[str]], shared: Sequence[frozenset[str]], ngrams: int, hashes: Hashes
) -> Iterator[Terms]:
    """Yield stories' n-grams of 1, 2, … words, then once more their words that the premise has.

    Args:
        stories: each story's words.
        shared: the words of each story's premise.
        ngrams: the longest n-grams.
        hashes: of the words met before.
    """
    lengths = np.array([len(story) for story in stories], dtype="int64")
    count = int(lengths.sum())
    row = np.repeat(np.arange(len(stories)), lengths)
    place = np.arange(count)
    every = chain.from_iterable(stories)
    single = np.fromiter(map(hashes.__getitem__, every), "uint64", count)
    yield Terms(row, place, single, 1)
    gram = single
    for length in range(2, ngrams + 1):
        gram = _mixed(gram[:-1] * _ODD + single[length - 1 :])
        inside = row[: len(gram)] == row[length - 1 :]
        yield Terms(row[: len(gram)][inside], place[: len(gram)][inside], gram[inside], length)
    both = zip(stories, shared, strict=True)
    found = chain.from_iterable(map(premise.__contains__, story) for story, premise in both)
    named = np.fromiter(found, "bool", count)
    yield Terms(row[named], place[named], _mixed(single[named] ^ _PREMISE), 1, of_premise=True)


def ngram_matrix(found: Sequence[Terms], rows: int, buckets_log2: int) -> Any:
    """Return a sparse matrix of float64, one row a story: signed counts, scaled to unit length.

    A story without words, or whose terms cancel out, is a row of zeros.
    """
    from scipy.sparse import csr_matrix

    keys = np.concatenate(
        [
            (of.row << (buckets_log2 + 1)) | (of.bucket(buckets_log2) << 1) | of.negative()
            for of in found
        ]
    )
    keys.sort()
    starts = np.flatnonzero(np.diff(keys >> 1, prepend=-1))
    counts = np.add.reduceat(1 - 2 * (keys & 1), starts) if len(keys) else keys
    cells = keys[starts][counts != 0] >> 1
    counts = counts[counts != 0]
    row = cells >> buckets_log2
    squares = np.bincount(row, counts * counts, minlength=rows)
    ends = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))])
    return csr_matrix(
        (
            counts / np.sqrt(squares)[row],
            (cells & (2**buckets_log2 - 1)).astype("int32"),
            ends.astype("int32"),
        ),
        shape=(rows, 2**buckets_log2),
    )


def _mixed(hashed: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread each bit over all of them (Steele, Lea and Flood 2014, SplitMix)."""
    hashed = (hashed ^ (hashed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    hashed = (hashed ^ (hashed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return hashed ^ (hashed >> np.uint64(31))

"""Which texts of a batch share enough shingles with a benchmark text to be looked at?

Counting costs as many steps as the shingles found have benchmark texts, and nearly all of them
come from a few stock phrases that many contain. So a window is counted without these first, and
in full only if some text might reach its need. Nothing is lost: a text gets at most one from each
stock phrase that it holds, so if the others give it less than its need less all of its stock
phrases, it cannot reach its need.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audits.overlap.kernels.index import Index, find_hits
from audits.overlap.kernels.verify import Candidates
from storyaudit.text.compiled import compiled
from storyaudit.text.shingles import Shingles, rolling
from storyaudit.text.tokens import Tokens

_BLOCK = 4096  # shingles looked up at once, so that their hashes stay in the first cache
_LEAST_COMMON = 16  # texts; below it, there is little to skip


class Needs(NamedTuple):
    """From how many shared shingles a pair counts.

    Attributes:
        full: for each benchmark text, of all its shingles; at least 1.
        light: for each benchmark text, of those that are not common; at least 1 too. A text that
            shares fewer of these cannot share ``full``.
        common: a shingle is common if more benchmark texts than this contain it.
    """

    full: NDArray[np.int64]
    light: NDArray[np.int64]
    common: int


def needed(shingles: Shingles, floor: float) -> NDArray[np.int64]:
    """Return for each text how many of its shingles reach a containment of ``floor``, at least 1.

    Containment is a quotient in double precision, here as wherever it is compared with the floor.
    """
    counts = np.diff(shingles.starts)
    divisors = np.maximum(counts, 1)
    need = np.ceil(floor * counts).astype(np.int64)
    need -= (need - 1) / divisors >= floor  # the product is rounded: one too many, or too few
    need += need / divisors < floor
    return np.maximum(need, 1)


def lighten(index: Index, need: NDArray[np.int64]) -> Needs:
    """Return the needs with and without the common shingles.

    The limit of what is common is the least power of two, from 16 on, at which every text holds
    fewer common shingles than it needs. In the end it is one that no shingle exceeds.

    Args:
        index: of the benchmark's shingles.
        need: shared shingles from which a pair counts, for each benchmark text; at least 1.
    """
    common = _LEAST_COMMON
    while True:
        light = need - _count_common(index, common, len(need))
        if (light >= 1).all():
            return Needs(need, light, common)
        common *= 2


@compiled
def _count_common(index: Index, common: int, texts: int) -> NDArray[np.int64]:
    """Return for each text how many of its shingles more than ``common`` texts contain."""
    held = np.zeros(texts, dtype=np.int64)
    for entry in range(len(index.hashes)):
        start, stop = np.int64(index.starts[entry]), np.int64(index.starts[entry + 1])
        if stop - start > common:
            for place in range(start, stop):
                held[index.texts[place]] += 1
    return held


def find_candidates(
    index: Index, needs: Needs, tokens: Tokens, *, size: int, window: int
) -> Candidates:
    """Return every pair of a benchmark text and a training text that may reach the floor.

    No pair that reaches it is left out, as long as different shingles have different hashes.

    Args:
        index: of the benchmark's shingles.
        needs: of the same index, from ``lighten``.
        tokens: of the training texts.
        size: tokens a shingle.
        window: tokens compared at once. A longer text is compared by windows that start half a
            window after the one before, the last of which ends with the text; of several windows
            the pair has the first of those that share most.
    """
    benchmark, training, starts = _find(tokens, index, needs, size, window)
    lengths = np.diff(tokens.starts)[training]
    return Candidates(benchmark, training, starts, np.minimum(starts + window, lengths))


@compiled
def _find(
    texts: Tokens,
    index: Index,
    needs: Needs,
    size: int,
    window: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return benchmark texts, training texts and the windows' starts."""
    found = 0
    out_benchmark = np.empty(64, dtype=np.int64)
    out_training = np.empty(64, dtype=np.int64)
    out_starts = np.empty(64, dtype=np.int64)
    rolled = np.empty(_BLOCK + size, dtype=np.uint64)
    places = np.empty(2 * _BLOCK, dtype=np.int64)
    entries = np.empty(2 * _BLOCK, dtype=np.uint32)
    need = needs.full
    counts = np.zeros_like(need)
    best = np.zeros_like(need)
    best_start = np.zeros_like(need)
    counted = np.empty_like(need)
    reached = np.empty_like(need)
    least = need.min() if len(need) else 0
    for text in range(len(texts.starts) - 1):
        tokens = texts.hashes[texts.starts[text] : texts.starts[text + 1]]
        hits = 0
        for first in range(0, max(len(tokens) - size, 0) + 1, _BLOCK):
            if hits + _BLOCK > len(places):
                places = np.append(places, np.empty_like(places))
                entries = np.append(entries, np.empty_like(entries))
            rolls = rolling(tokens[first : first + _BLOCK + size - 1], size, rolled)
            hits += find_hits(rolled[:rolls], index, first, places[hits:], entries[hits:])
        if hits < least:
            continue
        reaching = 0
        low = high = start = 0
        while True:
            while low < hits and places[low] < start:
                low += 1
            while high < hits and places[high] <= start + window - size:
                high += 1
            if high - low >= least:
                ordered = np.sort(entries[low:high])
                if not _may_reach(ordered, index, needs, counts, counted):
                    count = 0
                else:  # no entry has more texts than there are
                    count = _count_texts(ordered, index, len(need), counts, counted)
                for number in range(count):
                    other = counted[number]
                    if counts[other] >= need[other] and counts[other] > best[other]:
                        if best[other] == 0:
                            reached[reaching] = other
                            reaching += 1
                        best[other] = counts[other]
                        best_start[other] = start
                    counts[other] = 0
            if start + window >= len(tokens):
                break
            start = min(start + window // 2, len(tokens) - window)
        if found + reaching > len(out_benchmark):
            room = np.empty(found + reaching, dtype=np.int64)
            out_benchmark = np.append(out_benchmark, room)
            out_training = np.append(out_training, room)
            out_starts = np.append(out_starts, room)
        for number in range(reaching):
            other = reached[number]
            out_benchmark[found] = other
            out_training[found] = text
            out_starts[found] = best_start[other]
            best[other] = 0
            found += 1
    return out_benchmark[:found].copy(), out_training[:found].copy(), out_starts[:found].copy()


@compiled
def _may_reach(
    ordered: NDArray[np.uint32],
    index: Index,
    needs: Needs,
    counts: NDArray[np.int64],
    counted: NDArray[np.int64],
) -> bool:
    """Say whether some benchmark text reaches its light need; leave ``counts`` at 0."""
    reaches = False
    for number in range(_count_texts(ordered, index, needs.common, counts, counted)):
        text = counted[number]
        reaches |= counts[text] >= needs.light[text]
        counts[text] = 0
    return reaches


@compiled
def _count_texts(
    ordered: NDArray[np.uint32],
    index: Index,
    most: int,
    counts: NDArray[np.int64],
    counted: NDArray[np.int64],
) -> int:
    """Count for every benchmark text its distinct shingles among some entries of the index.

    Args:
        ordered: entries of the shingles found, ascending, repeated ones too.
        index: where they were found.
        most: an entry of more texts than this is left out.
        counts: one a benchmark text, 0 before.
        counted: room for the texts whose count is no longer 0.

    Returns:
        How many texts were counted.
    """
    count = 0
    for number in range(len(ordered)):
        entry = np.int64(ordered[number])
        if number and entry == ordered[number - 1]:
            continue
        start, stop = np.int64(index.starts[entry]), np.int64(index.starts[entry + 1])
        if stop - start > most:
            continue
        for place in range(start, stop):
            text = np.int64(index.texts[place])
            if counts[text] == 0:
                counted[count] = text
                count += 1
            counts[text] += 1
    return count

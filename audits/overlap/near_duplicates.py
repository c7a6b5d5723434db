"""Near-duplicates within one side: MinHash proposes, exact measures decide.

Only pairs of a high Jaccard similarity are proposed for sure: ``minhash.recall`` says how surely.
A text inside a much longer one is rarely proposed. Whoever needs every pair scans (``scan.py``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.overlap.kernels.buckets import bucket_pairs, shared_hashes
from audits.overlap.kernels.minhash import band_keys, digests, signatures
from audits.overlap.scan import Watch, text_bytes
from audits.overlap.star_groups import star_groups
from audits.overlap.threads import in_order
from storyaudit.errors import InputError
from storyaudit.io.row_batches import Batch
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.shingles import Shingles, shingle
from storyaudit.text.tokens import tokenise

PAIRS = ("left_id", "right_id", "left_count", "right_count", "containment", "jaccard")


class Limits(NamedTuple):
    """What bounds time and memory.

    Attributes:
        bucket: different texts in a bucket of the index up to which all are compared with all.
        first: of a larger bucket, all are compared with so many of its texts, the first by ID.
        shingles: kept in memory at once for verification, 8 bytes each.
    """

    bucket: int = 256
    first: int = 16
    shingles: int = 2**26


LIMITS = Limits()


class NearDuplicates(NamedTuple):
    """What near-duplicates there are among some texts.

    Attributes:
        pairs: pairs of different texts, in columns as in ``PAIRS``. Texts of the same tokens are
            one text, named by the first of their IDs; ``left_count`` and ``right_count`` say how
            many IDs have it. Containment is that of the text of fewer shingles.
        groups: as ``groups.star_groups`` makes them, with all IDs of identical texts.
        texts: how many there are, repeated ones and those without tokens included.
        empty: how many have no token and are similar to none.
        proposed: how many pairs of different texts were compared exactly.
        uncompared: at most so many pairs that share a bucket were not, since it was too large.
    """

    pairs: pd.DataFrame
    groups: pd.DataFrame
    texts: int
    empty: int
    proposed: int
    uncompared: int


def near_duplicates(
    batches: Callable[[], Iterable[Batch]],
    params: OverlapParams,
    *,
    threads: int = 2,
    watch: Watch | None = None,
    limits: Limits = LIMITS,
) -> NearDuplicates:
    """Return the near-duplicates among the proposed pairs, and groups of them.

    A near-duplicate has a containment of ``duplicate_threshold`` or more.

    The containment of the text of fewer shingles is never below the Jaccard similarity, so it
    alone decides. Whole texts are compared, whatever their length. Nothing depends on the order
    of texts, batches or threads.

    Args:
        batches: gives the texts, the same and in the same order whenever it is called: once to
            sketch them, and once more, or several times where candidates fill the memory, to
            verify.
        params: shingle, permutations, bands and ``duplicate_threshold``.
        threads: that sketch and verify.
        watch: see ``scan.Watch``; called for every reading, in this thread.
        limits: of buckets and memory; pairs that are left out are counted as ``uncompared``.

    Raises:
        InputError: the texts were not the same when they were read again.
    """
    sketches = _sketch(batches(), params, threads, watch)
    texts = _distinct(sketches)
    proposed, uncompared = propose(sketches.keys[texts.row], limits)
    measures = np.empty((len(proposed), 2))
    for part in _rounds(proposed, sketches.tokens[texts.row], limits.shingles):
        needed, places = np.unique(proposed[part], return_inverse=True)
        kept = _shingles(batches(), sketches.ids, texts.row[needed], params, threads, watch)
        measures[part] = compare(kept, places.reshape(-1, 2), threads)
    similar = measures[:, 0] >= params.duplicate_threshold
    pairs = pd.DataFrame(
        {
            "left": proposed[similar, 0],
            "right": proposed[similar, 1],
            "containment": measures[similar, 0],
            "jaccard": measures[similar, 1],
        }
    )
    several = np.flatnonzero(np.diff(texts.starts) > 1)
    members = {
        int(text): texts.names(text)
        for text in _ascending(np.concatenate([proposed[similar].ravel(), several]))
    }
    return NearDuplicates(
        pairs=_named(pairs, members),
        groups=star_groups(pairs, members),
        texts=len(sketches.ids),
        empty=int((sketches.tokens == 0).sum()),
        proposed=len(proposed),
        uncompared=uncompared,
    )


def propose(keys: NDArray[np.uint64], limits: Limits) -> tuple[NDArray[np.int64], int]:
    """Return the pairs of texts that share a band's key, and how many at most are left out.

    In a bucket of up to ``limits.bucket`` texts all are compared with all; in a larger one every
    text is compared with the ``limits.first`` lowest, so that the work grows with the bucket and
    not with its square. Where all of it are similar, one of those is the centre of their group.

    Args:
        keys: of the bands, of shape (texts, bands), a text once.
        limits: of buckets.

    Returns:
        Pairs of rows of ``keys``, of shape (pairs, 2), the lower first, distinct and sorted; and
        an upper bound of the pairs that share a bucket and are not among them.
    """
    count = len(keys)
    codes = np.empty(0, dtype=np.int64)
    skipped = 0
    crowded = np.zeros(count, dtype=bool)
    for band in range(keys.shape[1]):
        order = np.argsort(keys[:, band], kind="stable").astype(np.int64)
        sizes = _sizes(keys[order, band])
        large = sizes > limits.bucket
        crowded[order[np.repeat(large, sizes)]] = True
        reach = np.where(large, np.minimum(limits.first, sizes), sizes)
        rest = sizes - reach
        skipped += int((rest * (rest - 1) // 2).sum())
        found = np.empty(int((reach * (reach - 1) // 2 + reach * rest).sum()), dtype=np.int64)
        bucket_pairs(order, sizes, reach, count, found)
        codes = _ascending(np.concatenate([codes, np.sort(found)]))
    most = int(crowded.sum())
    pairs = np.stack([codes // max(count, 1), codes % max(count, 1)], axis=1)
    return pairs, min(skipped, most * (most - 1) // 2)


def compare(shingles: Shingles, pairs: NDArray[np.int64], threads: int = 1) -> NDArray[np.float64]:
    """Return the containment and the Jaccard similarity of pairs of texts, of shape (pairs, 2).

    Containment is that of the text of fewer shingles in the other (Broder 1997).

    Args:
        shingles: of the texts, at least one each.
        pairs: numbers of texts, of shape (pairs, 2).
        threads: to share the pairs among.
    """
    shared = np.empty(len(pairs), dtype=np.int64)
    with ThreadPoolExecutor(threads) as pool:
        parts = np.array_split(np.arange(len(pairs)), max(1, threads * 8))
        done = [
            pool.submit(
                shared_hashes,
                shingles.hashes,
                shingles.starts,
                pairs[part[0] : part[-1] + 1],
                shared[part[0] : part[-1] + 1],
            )
            for part in parts
            if len(part)
        ]
        for future in done:
            future.result()
    sizes = np.diff(shingles.starts)[pairs]
    return np.stack([shared / sizes.min(axis=1), shared / (sizes.sum(axis=1) - shared)], axis=1)


class _Sketches(NamedTuple):
    """Of all texts, row by row: IDs, lengths in tokens, digests (2 a text) and bands' keys."""

    ids: list[str]
    tokens: NDArray[np.int64]
    digests: NDArray[np.uint64]
    keys: NDArray[np.uint64]


class _Texts(NamedTuple):
    """Different texts with tokens, ordered by their first ID, then by their tokens' digest.

    Attributes:
        row: one of the rows that has each.
        starts: where each text's IDs start in ``ranks``.
        ranks: distinct IDs of each text, ascending, as places in ``ids``.
        ids: all distinct IDs, ascending.
    """

    row: NDArray[np.int64]
    starts: NDArray[np.int64]
    ranks: NDArray[np.int64]
    ids: NDArray[np.object_]

    def names(self, text: int) -> list[str]:
        """Return a text's IDs, ascending."""
        return [str(self.ids[rank]) for rank in self._ranks(text)]

    def _ranks(self, text: int) -> NDArray[np.int64]:
        return self.ranks[self.starts[text] : self.starts[text + 1]]


def _sketch(
    batches: Iterable[Batch], params: OverlapParams, threads: int, watch: Watch | None
) -> _Sketches:
    def sketch(batch: Batch) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        tokens = tokenise(batch.texts)
        signed = signatures(tokens, params.shingle, params.permutations)
        return np.diff(tokens.starts), digests(tokens), band_keys(signed, params.bands)

    ids: list[str] = []
    lengths = [np.empty(0, dtype=np.int64)]
    digested = [np.empty((0, 2), dtype=np.uint64)]
    keys = [np.empty((0, params.bands), dtype=np.uint64)]
    for batch, (length, digest, key) in in_order(sketch, batches, threads):
        ids += batch.ids
        lengths.append(length)
        digested.append(digest)
        keys.append(key)
        if watch:
            watch(text_bytes(batch), len(batch.ids))
    return _Sketches(ids, np.concatenate(lengths), np.concatenate(digested), np.concatenate(keys))


def _distinct(sketches: _Sketches) -> _Texts:
    """Return the different texts: rows of equal digests are one."""
    ranks, ids = pd.factorize(np.array(sketches.ids, dtype=object), sort=True)
    rows = np.flatnonzero(sketches.tokens)
    # Within a text by ID, and at last by row: identical rows, of which any serves.
    rows = rows[np.lexsort((ranks[rows], *sketches.digests[rows].T))]
    digested = sketches.digests[rows]
    change = np.ones(len(rows), dtype=bool)  # of text
    change[1:] = (digested[1:] != digested[:-1]).any(axis=1)
    text = np.cumsum(change) - 1
    # Texts in the order of their first IDs; those of one ID stay in the order of digests.
    order = np.argsort(ranks[rows[change]], kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    repeated = np.zeros(len(rows), dtype=bool)  # an ID with the same text as the row before
    repeated[1:] = ~change[1:] & (ranks[rows[1:]] == ranks[rows[:-1]])
    kept = np.flatnonzero(~repeated)
    kept = kept[np.argsort(place[text[kept]], kind="stable")]
    starts = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(np.bincount(place[text[kept]], minlength=len(order)), out=starts[1:])
    return _Texts(rows[change][order], starts, ranks[rows[kept]], np.asarray(ids, dtype=object))


def _rounds(pairs: NDArray[np.int64], tokens: NDArray[np.int64], budget: int) -> Iterator[slice]:
    """Part pairs into runs whose texts have at most ``budget`` tokens in all, or one pair."""
    if len(pairs) and tokens[_ascending(pairs.ravel())].sum() <= budget:
        yield slice(0, len(pairs))
        return
    start, held, size = 0, set[int](), 0
    for place, pair in enumerate(pairs.tolist()):
        more = sum(int(tokens[text]) for text in pair if text not in held)
        if held and size + more > budget:
            yield slice(start, place)
            start, held, size = place, set(), 0
            more = int(tokens[pair].sum())
        held.update(pair)
        size += more
    if len(pairs):
        yield slice(start, len(pairs))


def _shingles(
    batches: Iterable[Batch],
    ids: Sequence[str],
    rows: NDArray[np.int64],
    params: OverlapParams,
    threads: int,
    watch: Watch | None,
) -> Shingles:
    """Read the texts again and return the shingles of those at ``rows``, in that order."""
    order = np.argsort(rows)
    ascending = rows[order]

    def wanted() -> Iterator[tuple[Batch, NDArray[np.int64]]]:
        begin = 0
        for batch in batches:
            end = begin + len(batch.ids)
            if list(ids[begin:end]) != batch.ids:
                raise _changed()
            inside = ascending[np.searchsorted(ascending, begin) : np.searchsorted(ascending, end)]
            yield batch, inside - begin
            begin = end
        if begin != len(ids):
            raise _changed()

    def make(given: tuple[Batch, NDArray[np.int64]]) -> Shingles:
        batch, inside = given
        return shingle(tokenise(batch.texts.take(inside)), params.shingle)

    found = []
    for (batch, _), made in in_order(make, wanted(), threads):
        found.append(made)
        if watch:
            watch(text_bytes(batch), len(batch.ids))
    sizes = np.concatenate([np.diff(made.starts) for made in found])
    if not sizes.all():
        raise _changed()
    starts = np.concatenate([[0], np.cumsum(sizes)])
    hashes = np.concatenate([made.hashes for made in found])
    return _reordered(Shingles(hashes, starts), np.argsort(order))


def _reordered(shingles: Shingles, order: NDArray[np.int64]) -> Shingles:
    """Return the same texts' shingles in another order, if it is another."""
    if (order == np.arange(len(order))).all():
        return shingles
    sizes = np.diff(shingles.starts)[order]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(starts[-1]) + np.repeat(shingles.starts[order] - starts[:-1], sizes)
    return Shingles(shingles.hashes[places], starts)


def _changed() -> InputError:
    return InputError(
        "the texts were not the same when they were read again.",
        "Compare files that nobody writes to meanwhile.",
    )


def _named(pairs: pd.DataFrame, members: dict[int, list[str]]) -> pd.DataFrame:
    """Return pairs of texts as pairs of their first IDs, the lower on the left."""
    table = pd.DataFrame(
        {
            "left_id": [members[text][0] for text in pairs["left"]],
            "right_id": [members[text][0] for text in pairs["right"]],
            "left_count": [len(members[text]) for text in pairs["left"]],
            "right_count": [len(members[text]) for text in pairs["right"]],
            "containment": pairs["containment"],
            "jaccard": pairs["jaccard"],
        },
        columns=list(PAIRS),
    )
    # An ID that has several texts keeps its strongest pair, and makes none with itself.
    table = table[table["left_id"] != table["right_id"]]
    strength = ["containment", "jaccard", "left_count", "right_count"]
    table = table.sort_values(
        ["left_id", "right_id", *strength], ascending=[True, True, *[False] * len(strength)]
    )
    return table.drop_duplicates(["left_id", "right_id"], ignore_index=True)


def _ascending(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return distinct values, ascending; ``np.unique`` hashes them, many times slower on pairs."""
    ordered = np.sort(values, kind="stable")  # merges what is in ascending runs
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def _sizes(ordered: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the lengths of runs of equal values."""
    edges = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.diff(np.concatenate([[0], edges, [len(ordered)]])) if len(ordered) else edges

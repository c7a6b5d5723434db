"""Find every training text that contains a part of a benchmark text, in one pass.

The benchmark's shingles are kept in memory and every training text is looked up in them, so that
no pair at or above the floor is missed. What reaches the floor is measured again on its tokens in
full.

Some rules follow from comparing shingles:

- A text of fewer tokens than a shingle is one shingle, its whole: such a benchmark text is found
  where a training text equals it, and not inside a longer one.
- A training text of more tokens than a window is compared by windows, so that the stock phrases of
  a long document do not add up. A benchmark text that is itself longer than a window has at most
  the part of it that a window can hold.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.overlap.kernels.candidate_pairs import Needs, find_candidates, lighten, needed
from audits.overlap.kernels.index import Index, build_index
from audits.overlap.kernels.verify import verify
from audits.overlap.text_pairs import KEY, MEASURES, strongest
from audits.overlap.threads import in_order
from storyaudit.errors import InputError
from storyaudit.io.row_batches import Batch
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.shingles import shingle
from storyaudit.text.tokens import Tokens, tokenise

MOST_PAIRS = 5_000_000
"""More pairs than a reader can look at; they would take some gigabytes of memory."""


class Side(NamedTuple):
    """The benchmark's texts, in memory.

    Attributes:
        ids: one a text; an ID may have several.
        tokens: of the texts, in the same order.
    """

    ids: list[str]
    tokens: Tokens


Watch = Callable[[int, int], None]
"""Called with the bytes of UTF-8 and the number of texts of every batch that is done."""


def text_bytes(batch: Batch) -> int:
    """Return how many bytes of UTF-8 the texts of a batch have."""
    import pyarrow.compute as pc

    return pc.sum(pc.binary_length(batch.texts)).as_py() or 0


def read_side(batches: Iterable[Batch]) -> Side:
    """Return all texts of some batches as tokens."""
    ids: list[str] = []
    hashes: list[NDArray[np.uint64]] = [np.empty(0, dtype=np.uint64)]
    lengths: list[NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)]
    for batch in batches:
        tokens = tokenise(batch.texts)
        ids += batch.ids
        hashes.append(tokens.hashes)
        lengths.append(np.diff(tokens.starts))
    return Side(ids, Tokens(np.concatenate(hashes), np.cumsum(np.concatenate(lengths))))


def scan(
    benchmark: Side,
    batches: Iterable[Batch],
    params: OverlapParams,
    *,
    threads: int = 2,
    watch: Watch | None = None,
) -> tuple[pd.DataFrame, int]:
    """Return all pairs whose containment reaches ``min_containment``, and how many training texts
    hold no token and were compared with none.

    Neither the size nor the order of batches, nor the number of threads, changes what is returned.

    Args:
        benchmark: ``left_id`` of the result; containment is that of its texts in training texts.
        batches: the training texts, read once; ``right_id`` of the result.
        params: shingles, window and floor.
        threads: that work on batches; each holds one, and one more waits.
        watch: see ``Watch``; called in this thread.

    Returns:
        The columns left_id, right_id, containment, jaccard and longest_common_substring (tokens) of
        ``storyaudit.data.tables.OVERLAPS``, each pair of IDs once with its strongest row, the
        strongest first.

    Raises:
        InputError: more than ``MOST_PAIRS`` pairs.
    """
    known = _Known.of(benchmark, params)
    empty = 0
    found: list[pd.DataFrame] = []
    pairs = 0
    for batch, result in in_order(partial(_scan_batch, known, params), batches, threads):
        empty += result.empty
        pairs += int(known.times[result.pairs["text"]].sum())
        if pairs > MOST_PAIRS:
            raise InputError(
                f"expected at most {MOST_PAIRS} overlapping pairs, found more: the two sides share "
                "a passage that most of their texts contain.",
                "Take the passage out (a prompt's template, a licence), drop repeated texts from "
                "one side, or raise min_containment.",
            )
        if len(result.pairs):
            found.append(result.pairs)
        if watch is not None:
            watch(text_bytes(batch), len(batch.ids))
    return strongest(known.named(found)), empty


class _Known(NamedTuple):
    """The benchmark's distinct texts."""

    ids: NDArray[np.object_]  # those of equal texts are together, in the order of the texts
    firsts: NDArray[np.int64]
    times: NDArray[np.int64]
    tokens: Tokens
    needs: Needs
    postings: Index

    @classmethod
    def of(cls, side: Side, params: OverlapParams) -> "_Known":
        equal_to, tokens = _distinct(side.tokens)
        times = np.bincount(equal_to[equal_to >= 0], minlength=len(tokens.starts) - 1)
        order = np.argsort(equal_to, kind="stable")[int((equal_to < 0).sum()) :]
        ids = np.array(side.ids, dtype=object)[order]
        shingles = shingle(tokens, params.shingle)
        postings = build_index(shingles)
        return cls(
            ids,
            np.cumsum(times) - times,
            times,
            tokens,
            lighten(postings, needed(shingles, params.min_containment)),
            postings,
        )

    def named(self, found: list[pd.DataFrame]) -> pd.DataFrame:
        """Return pairs with a row and ID for every text equal to their benchmark text."""
        if not found:
            return pd.DataFrame(columns=[*KEY, *MEASURES])
        pairs = pd.concat(found, ignore_index=True)
        text = pairs.pop("text").to_numpy()
        times = self.times[text]
        place = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        pairs = pairs.loc[np.repeat(np.arange(len(pairs)), times)].reset_index(drop=True)
        pairs.insert(0, "left_id", self.ids[np.repeat(self.firsts[text], times) + place])
        return pairs


def _distinct(tokens: Tokens) -> tuple[NDArray[np.int64], Tokens]:
    """Return for each text the number of its equal among the distinct texts, and those.

    A text without tokens is none of them: its number is -1.
    """
    numbers: dict[bytes, int] = {}
    firsts: list[NDArray[np.uint64]] = [np.empty(0, dtype=np.uint64)]
    equal_to = np.full(len(tokens.starts) - 1, -1, dtype=np.int64)
    for text, (start, stop) in enumerate(zip(tokens.starts, tokens.starts[1:], strict=False)):
        if start < stop:
            own = tokens.hashes[start:stop]
            digest = hashlib.blake2b(own.tobytes(), digest_size=16).digest()
            equal_to[text] = numbers.setdefault(digest, len(numbers))
            if len(firsts) == len(numbers):
                firsts.append(own)
    if len(numbers) == len(equal_to):
        return equal_to, tokens
    starts = np.cumsum([len(own) for own in firsts], dtype=np.int64)
    return equal_to, Tokens(np.concatenate(firsts), starts)


class _Found(NamedTuple):
    """What is found in a batch: pairs have the number of the benchmark's text in 'text'."""

    pairs: pd.DataFrame
    empty: int


def _scan_batch(known: _Known, params: OverlapParams, batch: Batch) -> _Found:
    tokens = tokenise(batch.texts)
    candidates = find_candidates(
        known.postings, known.needs, tokens, size=params.shingle, window=params.window
    )
    measures = verify(known.tokens, tokens, candidates, params.shingle)
    ids = np.array(batch.ids, dtype=object)
    pairs = pd.DataFrame(
        {
            "text": candidates.benchmark,
            "right_id": ids[candidates.training],
            "containment": measures.containment,
            "jaccard": measures.jaccard,
            "longest_common_substring": measures.runs,
        }
    )
    return _Found(
        pairs[pairs["containment"] >= params.min_containment],
        int((np.diff(tokens.starts) == 0).sum()),
    )

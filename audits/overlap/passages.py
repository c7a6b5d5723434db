"""What the strongest pairs share: passages of both texts side by side, as they are."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.overlap.kernels.matching import match
from storyaudit.io.row_batches import Batch
from storyaudit.text.shingles import shingle
from storyaudit.text.spans import spans
from storyaudit.text.tokens import tokenise

MOST_PAIRS = 500
"""Pairs of which passages are looked for."""
MOST = 10
"""Passages a pair."""
CHARACTERS = 300
"""Of a passage that are shown."""

PLACES = ("tokens", "left_start", "left_end", "right_start", "right_end")
COLUMNS = ("left_id", "right_id", "containment", "passage", *PLACES, "left", "right")

_PART = 256
_CUT = re.compile("[ \\n\\t]|(?=[\u4e00-\u9fff])")
"""Where a text can be parted without any word becoming another."""


class Passage(NamedTuple):
    """A common substring of tokens of both texts.

    Attributes:
        tokens: its length.
        left_start: its first character in the benchmark's text, counted from 0.
        left_end: the one after its last.
        right_start: as above, in the training text.
        right_end: as above.
        left: the benchmark's text there, of which the middle may be left out.
        right: the training text there.
    """

    tokens: int
    left_start: int
    left_end: int
    right_start: int
    right_end: int
    left: str
    right: str


def passages(left: str, right: str, size: int, most: int = MOST) -> list[Passage]:
    """Return the passages that two texts share, the longest first.

    Each is the longest common substring (tokens) that meets none before it in the
    benchmark's text (as in Wise's greedy string tiling, 1993); of equal ones the first in the
    benchmark's text is taken. A text of fewer than ``size`` tokens is shared as a whole or not at
    all.

    Args:
        left: the benchmark's text.
        right: the training text, of any length.
        size: tokens from which a run counts.
        most: passages returned.
    """
    part, whole = tokenise([left]).hashes, tokenise([right]).hashes
    runs = _tiles(part, whole, size, most)
    lefts = _characters(left, [(start, start + length) for length, start, _ in runs])
    rights = _characters(right, [(start, start + length) for length, _, start in runs])
    return [
        Passage(length, *places, *others, shortened(left, *places), shortened(right, *others))
        for (length, _, _), places, others in zip(runs, lefts, rights, strict=True)
    ]


def shortened(text: str, start: int, end: int, most: int = CHARACTERS) -> str:
    """Return a part of a text, with an ellipsis in place of the middle where it is long."""
    if end - start <= most:
        return text[start:end]
    tail = most // 2
    return f"{text[start : start + most - tail - 1]}…{text[end - tail : end]}"


def strongest(overlaps: pd.DataFrame, most: int = MOST_PAIRS) -> pd.DataFrame:
    """Return the pairs of highest containment, then of the longest common substring, then by ID."""
    by = ["containment", "longest_common_substring", "left_id", "right_id"]
    return overlaps.sort_values(by, ascending=[False, False, True, True]).head(most)


def find_passages(
    pairs: pd.DataFrame,
    benchmark: Iterable[Batch],
    training: Iterable[Batch],
    size: int,
    *,
    texts: bool = True,
) -> pd.DataFrame:
    """Return the passages of pairs, whose texts are read again.

    Memory holds the benchmark's texts of these pairs, and of the training side a batch. Where an
    ID has several texts, those are taken that share most.

    Args:
        pairs: left_id and right_id, each text pair once; of many, give the ``strongest``.
        benchmark: read once; its IDs are ``left_id``.
        training: read once; its IDs are ``right_id``.
        size: tokens a shingle, from which a run counts.
        texts: also return the passages themselves.

    Returns:
        Columns as in ``COLUMNS``, without ``left`` and ``right`` if no texts are wanted: pairs in
        the order given, a pair's passages numbered from 1. A pair that is not found has none.
    """
    wanted: dict[str, list[str]] = {}
    for left_id, right_id in zip(pairs["left_id"], pairs["right_id"], strict=True):
        wanted.setdefault(right_id, []).append(left_id)
    known = _texts(benchmark, set(pairs["left_id"]))
    best: dict[tuple[str, str], tuple[_Rank, list[Passage]]] = {}
    for batch in training:
        for right_id, right in _picked(batch, wanted):
            for left_id in wanted[right_id]:
                for left in known.get(left_id, ()):
                    rank = _rank(left, right, size)
                    pair = (left_id, right_id)
                    if pair not in best or rank > best[pair][0]:
                        best[pair] = rank, passages(left, right, size)
    rows = [
        (left_id, right_id, containment, number, *passage)
        for left_id, right_id, containment in zip(
            pairs["left_id"], pairs["right_id"], pairs["containment"], strict=True
        )
        for number, passage in enumerate(best.get((left_id, right_id), ((), []))[1], start=1)
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table if texts else table.drop(columns=["left", "right"])


_Rank = tuple[float, float, str, str]


def _rank(left: str, right: str, size: int) -> _Rank:
    """Return by what the texts of an ID are compared, so that their order does not count."""
    shingles = shingle(tokenise([left, right]), size)
    first, end = shingles.starts[1:].tolist()
    shared = len(np.intersect1d(shingles.hashes[:first], shingles.hashes[first:], True))
    return shared / max(first, 1), shared / max(end - shared, 1), left, right


def _texts(batches: Iterable[Batch], wanted: set[str]) -> dict[str, list[str]]:
    """Return the different texts of each ID that is wanted."""
    found: dict[str, dict[str, None]] = {}
    for batch in batches:
        for name, text in _picked(batch, wanted):
            found.setdefault(name, {})[text] = None
    return {name: list(texts) for name, texts in found.items()}


def _picked(batch: Batch, wanted: "set[str] | dict[str, list[str]]") -> Iterator[tuple[str, str]]:
    for place, name in enumerate(batch.ids):
        if name in wanted and (text := batch.texts[place].as_py()) is not None:
            yield name, text


def _tiles(
    part: NDArray[np.uint64], whole: NDArray[np.uint64], size: int, most: int
) -> list[tuple[int, int, int]]:
    """Return runs as (length, start in ``part``, start in ``whole``), the longest first."""
    if len(part) < size:
        same = len(part) and np.array_equal(part, whole)
        return [(len(part), 0, 0)] if same else []
    length, end = match(part, whole)
    tiles: list[tuple[int, int, int]] = []
    while len(tiles) < most:
        last = int(length.argmax())
        longest = int(length[last])
        if longest < size:
            break
        tiles.append((longest, last - longest, int(end[last]) - longest))
        length[last - longest + 1 : last + 1] = 0
        # What ends further on may begin where this ends.
        length[last + 1 :] = np.minimum(length[last + 1 :], np.arange(1, len(length) - last))
    return tiles


def _characters(text: str, runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where runs of tokens start and end in a text, of which only their parts are read.

    Args:
        text: of any length.
        runs: the first token and the one after the last, counted in the text.
    """
    if not runs:
        return []
    edges = _edges(text)
    firsts = tokenise([text[start:stop] for start, stop in pairwise(edges)]).starts
    known: dict[int, list[tuple[str, int, int]]] = {}

    def place(token: int) -> tuple[int, int]:
        number = int(np.searchsorted(firsts, token, side="right")) - 1
        if number not in known:
            known[number] = spans(text[edges[number] : edges[number + 1]])
        _, start, stop = known[number][token - int(firsts[number])]
        return edges[number] + start, edges[number] + stop

    return [(place(first)[0], place(stop - 1)[1]) for first, stop in runs]


def _edges(text: str) -> list[int]:
    """Return where a text can be parted into pieces of some hundred characters, both ends too."""
    edges = [0]
    while (found := _CUT.search(text, edges[-1] + _PART)) is not None:
        edges.append(found.end())
    if edges[-1] < len(text):
        edges.append(len(text))
    return edges

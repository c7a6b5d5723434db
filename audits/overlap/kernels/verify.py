"""Measure pairs of texts exactly, on their tokens in full."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audits.overlap.kernels.automaton import Automaton, build, room_for, step, table_size
from storyaudit.text.compiled import compiled
from storyaudit.text.tokens import Tokens

_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


class Candidates(NamedTuple):
    """Pairs to verify: a benchmark text and a window of a training text.

    Attributes:
        benchmark: shape (pairs,): numbers of benchmark texts.
        training: shape (pairs,): numbers of training texts.
        starts: shape (pairs,): the window's first token, counted in its text.
        stops: shape (pairs,): the one after its last.
    """

    benchmark: NDArray[np.int64]
    training: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]


class Measures(NamedTuple):
    """What pairs share.

    Attributes:
        shared: shape (pairs,): distinct shingles of both.
        part: shape (pairs,): distinct shingles of the benchmark text.
        whole: shape (pairs,): distinct shingles of the window.
        runs: shape (pairs,): length in tokens of the longest common substring.
    """

    shared: NDArray[np.int64]
    part: NDArray[np.int64]
    whole: NDArray[np.int64]
    runs: NDArray[np.int64]

    @property
    def containment(self) -> NDArray[np.float64]:
        """Proportion of the benchmark text's shingles that the window has (Broder 1997)."""
        proportion: NDArray[np.float64] = self.shared / np.maximum(self.part, 1)
        return proportion

    @property
    def jaccard(self) -> NDArray[np.float64]:
        """Shared shingles over all shingles of both (Broder 1997)."""
        union = self.part + self.whole - self.shared
        proportion: NDArray[np.float64] = self.shared / np.maximum(union, 1)
        return proportion


def verify(benchmark: Tokens, training: Tokens, candidates: Candidates, size: int) -> Measures:
    """Return what each pair shares, from its tokens alone and no hash of shingles.

    The benchmark text becomes a suffix automaton (Blumer et al. 1985), through which the windows
    go token by token: linear in the lengths of both, also where a token is repeated without end.
    A distinct run of ``size`` tokens is one state of the automaton, which counts the shared ones.
    Texts of fewer than ``size`` tokens follow ``storyaudit.text.similarity.shingles``.
    """
    count = len(candidates.benchmark)
    measures = Measures(*(np.zeros(count, dtype=np.int64) for _ in Measures._fields))
    by_window = np.lexsort((candidates.stops, candidates.starts, candidates.training))
    _measure_windows(training, candidates, by_window, size, measures.whole)
    by_benchmark = np.argsort(candidates.benchmark, kind="stable")
    _measure_pairs(benchmark, training, candidates, by_benchmark, size, measures)
    return measures


@compiled
def _window(training: Tokens, candidates: Candidates, pair: int) -> NDArray[np.uint64]:
    """Return the tokens of a pair's window."""
    base = training.starts[candidates.training[pair]]
    return training.hashes[base + candidates.starts[pair] : base + candidates.stops[pair]]


@compiled
def _measure_windows(
    training: Tokens,
    candidates: Candidates,
    order: NDArray[np.int64],
    size: int,
    out: NDArray[np.int64],
) -> None:
    """Write the number of distinct shingles of each pair's window, counted once a window."""
    longest = 0
    for pair in order:
        longest = max(longest, candidates.stops[pair] - candidates.starts[pair])
    table = np.empty(table_size(longest), dtype=np.int64)
    before = -1
    for pair in order:
        if (
            before >= 0
            and candidates.training[before] == candidates.training[pair]
            and candidates.starts[before] == candidates.starts[pair]
            and candidates.stops[before] == candidates.stops[pair]
        ):
            out[pair] = out[before]
        else:
            window = _window(training, candidates, pair)
            out[pair] = count_distinct(window, size, table[: table_size(len(window))])
        before = pair


@compiled
def count_distinct(tokens: NDArray[np.uint64], size: int, table: NDArray[np.int64]) -> int:
    """Return the number of distinct runs of ``size`` tokens; 1 for a shorter text, 0 for none.

    Args:
        tokens: hashes of a text's tokens.
        size: tokens a run.
        table: room for the places of distinct runs; its length is a power of two and at least
            twice that of ``tokens``.
    """
    if len(tokens) < size:
        return min(len(tokens), 1)
    table[:] = -1
    mask = len(table) - 1
    distinct = 0
    for place in range(len(tokens) - size + 1):
        key = np.uint64(0)
        for offset in range(size):
            key = (key ^ tokens[place + offset]) * _MIX
            key ^= key >> _HALF
        slot = np.int64(key & np.uint64(mask))
        while True:
            other = table[slot]
            if other < 0:
                table[slot] = place
                distinct += 1
                break
            offset = 0
            while offset < size and tokens[other + offset] == tokens[place + offset]:
                offset += 1
            if offset == size:
                break
            slot = (slot + 1) & mask
    return distinct


@compiled
def _measure_pairs(
    benchmark: Tokens,
    training: Tokens,
    candidates: Candidates,
    order: NDArray[np.int64],
    size: int,
    out: Measures,
) -> None:
    """Write ``shared``, ``part`` and ``runs``; pairs come in the order of their benchmark text."""
    longest = 0
    for text in candidates.benchmark:
        longest = max(longest, benchmark.starts[text + 1] - benchmark.starts[text])
    room = room_for(longest)
    automaton = room
    run_state = np.empty(len(room.link), dtype=np.int32)
    seen = np.empty(len(room.link), dtype=np.int64)
    built, part = -1, 0
    for number in range(len(order)):
        pair = order[number]
        text = candidates.benchmark[pair]
        tokens = benchmark.hashes[benchmark.starts[text] : benchmark.starts[text + 1]]
        window = _window(training, candidates, pair)
        if text != built:
            automaton = build(tokens, room)
            part = _find_run_states(automaton, size, run_state)
            seen[: len(automaton.link)] = -1
            built = text
        shared, run = _walk(window, number, size, automaton, run_state, seen)
        if len(tokens) < size:
            part = min(len(tokens), 1)
            shared = part if run == len(tokens) and len(window) == len(tokens) else 0
        out.part[pair], out.shared[pair], out.runs[pair] = part, shared, run


@compiled
def _find_run_states(automaton: Automaton, size: int, run_state: NDArray[np.int32]) -> int:
    """Write for each state the one that holds the last ``size`` tokens of its runs; count those.

    A state stands for the runs longer than its link's and at most as long as its own, each a
    suffix of the next: at most one of them has ``size`` tokens.
    """
    link, length = automaton.link, automaton.length
    distinct = 0
    run_state[: len(link)] = -1
    for start in range(len(link)):
        state = int(start)
        while state > 0 and run_state[state] < 0 and length[link[state]] >= size:
            state = int(link[state])
        if state > 0 and run_state[state] < 0 and length[state] >= size:
            run_state[state] = state
            distinct += 1
        found = run_state[state]
        state = int(start)
        while state > 0 and run_state[state] < 0 and length[state] >= size:
            run_state[state] = found
            state = int(link[state])
    return distinct


@compiled
def _walk(
    window: NDArray[np.uint64],
    stamp: int,
    size: int,
    automaton: Automaton,
    run_state: NDArray[np.int32],
    seen: NDArray[np.int64],
) -> tuple[int, int]:
    """Return how many distinct shingles of the automaton's text the window has, and the run.

    Args:
        window: the tokens to walk through.
        stamp: differs from that of every earlier walk.
        size: tokens a shingle.
        automaton: of the benchmark text.
        run_state: see ``_find_run_states``.
        seen: for each state the last walk that counted it.
    """
    state = run = longest = shared = 0
    for token in window:
        state, run = step(automaton, state, run, token)
        longest = max(longest, run)
        if run >= size:
            held = run_state[state]
            if seen[held] != stamp:
                seen[held] = stamp
                shared += 1
    return shared, longest

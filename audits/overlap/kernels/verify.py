"""Measure pairs of texts exactly, on their tokens in full."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from storyaudit.text.compiled import compiled
from storyaudit.text.tokens import Tokens

_STATE = np.uint64(0x9E3779B97F4A7C15)
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
        shared: shape (pairs,): distinct shingles that stand in both.
        part: shape (pairs,): distinct shingles of the benchmark text.
        whole: shape (pairs,): distinct shingles of the window.
        runs: shape (pairs,): length in tokens of the longest run that stands in both.
    """

    shared: NDArray[np.int64]
    part: NDArray[np.int64]
    whole: NDArray[np.int64]
    runs: NDArray[np.int64]

    @property
    def containment(self) -> NDArray[np.float64]:
        """Share of the benchmark text's shingles that stand in the window (Broder 1997)."""
        share: NDArray[np.float64] = self.shared / np.maximum(self.part, 1)
        return share

    @property
    def jaccard(self) -> NDArray[np.float64]:
        """Shared shingles over all shingles of both (Broder 1997)."""
        union = self.part + self.whole - self.shared
        share: NDArray[np.float64] = self.shared / np.maximum(union, 1)
        return share


def verify(benchmark: Tokens, training: Tokens, candidates: Candidates, size: int) -> Measures:
    """Return what each pair shares, from its tokens alone and no hash of shingles.

    The benchmark text becomes a suffix automaton (Blumer et al. 1985), through which the windows
    go token by token: linear in the lengths of both, also where a token is repeated without end.
    A distinct run of ``size`` tokens is one state of the automaton, which counts the shared ones.
    Texts of fewer than ``size`` tokens follow ``storyaudit.text.similarity.shingles``.
    """
    count = len(candidates.benchmark)
    measures = Measures(*(np.zeros(count, dtype=np.int64) for _ in Measures._fields))
    _measure_windows(
        training.hashes, training.starts, candidates, _by_window(candidates), size, measures.whole
    )
    _measure_pairs(
        benchmark.hashes,
        benchmark.starts,
        training.hashes,
        training.starts,
        candidates,
        np.argsort(candidates.benchmark, kind="stable"),
        size,
        measures,
    )
    return measures


def _by_window(candidates: Candidates) -> NDArray[np.int64]:
    return np.lexsort((candidates.stops, candidates.starts, candidates.training))


@compiled
def _measure_windows(
    hashes: NDArray[np.uint64],
    text_starts: NDArray[np.int64],
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
            base = text_starts[candidates.training[pair]]
            window = hashes[base + candidates.starts[pair] : base + candidates.stops[pair]]
            out[pair] = count_distinct(window, size, table[: table_size(len(window))])
        before = pair


@compiled
def table_size(entries: int) -> int:
    """Return the power of two that holds so many entries at a load of at most a half."""
    room = 2
    while room < 2 * entries:
        room *= 2
    return room


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
    benchmark: NDArray[np.uint64],
    benchmark_starts: NDArray[np.int64],
    training: NDArray[np.uint64],
    training_starts: NDArray[np.int64],
    candidates: Candidates,
    order: NDArray[np.int64],
    size: int,
    out: Measures,
) -> None:
    """Write ``shared``, ``part`` and ``runs``; pairs come in the order of their benchmark text."""
    longest = 0
    for pair in order:
        text = candidates.benchmark[pair]
        longest = max(longest, benchmark_starts[text + 1] - benchmark_starts[text])
    states, edges = 2 * longest + 2, 3 * longest + 4
    link = np.empty(states, dtype=np.int32)
    length = np.empty(states, dtype=np.int32)
    first_edge = np.empty(states, dtype=np.int32)
    run_state = np.empty(states, dtype=np.int32)
    seen = np.empty(states, dtype=np.int64)
    edge_state = np.empty(edges, dtype=np.int32)
    edge_token = np.empty(edges, dtype=np.uint64)
    edge_to = np.empty(edges, dtype=np.int32)
    edge_next = np.empty(edges, dtype=np.int32)
    whole_table = np.empty(table_size(edges), dtype=np.int32)
    table = whole_table
    built, part = -1, 0
    for number in range(len(order)):
        pair = order[number]
        text = candidates.benchmark[pair]
        tokens = benchmark[benchmark_starts[text] : benchmark_starts[text + 1]]
        base = training_starts[candidates.training[pair]]
        window = training[base + candidates.starts[pair] : base + candidates.stops[pair]]
        if text != built:
            table = whole_table[: table_size(3 * len(tokens) + 4)]
            count = build(
                tokens,
                link,
                length,
                first_edge,
                edge_state,
                edge_token,
                edge_to,
                edge_next,
                table,
            )
            part = _find_run_states(count, size, link, length, run_state)
            seen[:count] = -1
            built = text
        shared, run = _walk(
            window,
            number,
            size,
            link,
            length,
            run_state,
            seen,
            edge_state,
            edge_token,
            edge_to,
            table,
        )
        if len(tokens) < size:
            part = min(len(tokens), 1)
            shared = part if run == len(tokens) and len(window) == len(tokens) else 0
        out.part[pair], out.shared[pair], out.runs[pair] = part, shared, run


@compiled
def edge_of(
    state: int,
    token: np.uint64,
    edge_state: NDArray[np.int32],
    edge_token: NDArray[np.uint64],
    table: NDArray[np.int32],
) -> tuple[int, int]:
    """Return a state's edge by a token, or -1, and the slot where it stands or would stand."""
    mask = len(table) - 1
    key = (token ^ (np.uint64(state) * _STATE)) * _MIX
    slot = np.int64((key >> _HALF) & np.uint64(mask))
    while True:
        edge = int(table[slot])
        if edge < 0 or (edge_state[edge] == state and edge_token[edge] == token):
            return edge, int(slot)
        slot = (slot + 1) & mask


@compiled
def build(
    tokens: NDArray[np.uint64],
    link: NDArray[np.int32],
    length: NDArray[np.int32],
    first_edge: NDArray[np.int32],
    edge_state: NDArray[np.int32],
    edge_token: NDArray[np.uint64],
    edge_to: NDArray[np.int32],
    edge_next: NDArray[np.int32],
    table: NDArray[np.int32],
) -> int:
    """Build a text's suffix automaton; return its number of states.

    It has at most 2n states and 3n edges. Edges stand in a hash table by (state, token), and in a
    list a state for the copies that the construction needs.
    """
    table[:] = -1
    link[0], length[0], first_edge[0] = -1, 0, -1
    states, edges, last = 1, 0, 0
    for token in tokens:
        state = states
        states += 1
        link[state], length[state], first_edge[state] = 0, length[last] + 1, -1
        before = int(last)
        edge = -1
        while before != -1:
            edge, slot = edge_of(before, token, edge_state, edge_token, table)
            if edge >= 0:
                break
            edge_state[edges], edge_token[edges], edge_to[edges] = before, token, state
            edge_next[edges], first_edge[before] = first_edge[before], edges
            table[slot] = edges
            edges += 1
            before = int(link[before])
        if before != -1:
            after = edge_to[edge]
            if length[before] + 1 == length[after]:
                link[state] = after
            else:
                clone = states
                states += 1
                length[clone], link[clone], first_edge[clone] = length[before] + 1, link[after], -1
                old = int(first_edge[after])
                while old != -1:
                    _, slot = edge_of(clone, edge_token[old], edge_state, edge_token, table)
                    edge_state[edges], edge_token[edges] = clone, edge_token[old]
                    edge_to[edges] = edge_to[old]
                    edge_next[edges], first_edge[clone] = first_edge[clone], edges
                    table[slot] = edges
                    edges += 1
                    old = int(edge_next[old])
                while before != -1:
                    edge, _ = edge_of(before, token, edge_state, edge_token, table)
                    if edge < 0 or edge_to[edge] != after:
                        break
                    edge_to[edge] = clone
                    before = int(link[before])
                link[after] = link[state] = clone
        last = state
    return states


@compiled
def _find_run_states(
    states: int,
    size: int,
    link: NDArray[np.int32],
    length: NDArray[np.int32],
    run_state: NDArray[np.int32],
) -> int:
    """Write for each state the one that holds the last ``size`` tokens of its runs; count those.

    A state stands for the runs longer than its link's and at most as long as its own, each a
    suffix of the next: at most one of them has ``size`` tokens.
    """
    distinct = 0
    run_state[:states] = -1
    for start in range(states):
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
    link: NDArray[np.int32],
    length: NDArray[np.int32],
    run_state: NDArray[np.int32],
    seen: NDArray[np.int64],
    edge_state: NDArray[np.int32],
    edge_token: NDArray[np.uint64],
    edge_to: NDArray[np.int32],
    table: NDArray[np.int32],
) -> tuple[int, int]:
    """Return how many distinct shingles of the automaton's text stand in the window, and the run.

    Args:
        window: the tokens to walk through.
        stamp: differs from that of every earlier walk.
        size: tokens a shingle.
        link: of the automaton, as are the arrays that follow.
    """
    state = 0
    run = longest = shared = 0
    for token in window:
        edge, _ = edge_of(state, token, edge_state, edge_token, table)
        while edge < 0 and state != 0:
            state = int(link[state])
            run = int(length[state])
            edge, _ = edge_of(state, token, edge_state, edge_token, table)
        if edge < 0:
            continue
        state = int(edge_to[edge])
        run += 1
        longest = max(longest, run)
        if run >= size:
            held = run_state[state]
            if seen[held] != stamp:
                seen[held] = stamp
                shared += 1
    return shared, longest

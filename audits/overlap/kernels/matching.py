"""Where the passages of one text stand in another."""

import numpy as np
from numpy.typing import NDArray

from audits.overlap.kernels.verify import build, edge_of, table_size
from storyaudit.text.compiled import compiled


@compiled
def match(
    part: NDArray[np.uint64],
    whole: NDArray[np.uint64],
    out_length: NDArray[np.int64],
    out_end: NDArray[np.int64],
) -> None:
    """Write for each place of ``part`` the longest run before it that stands in ``whole``.

    These are the matching statistics of Chang and Lawler (1994), by the suffix automaton of
    ``part``, through which ``whole`` goes token by token: linear in both.

    Args:
        part: tokens.
        whole: tokens.
        out_length: shape (tokens of ``part`` + 1,): the run's length in tokens, or 0.
        out_end: of the same shape: where the run ends in ``whole`` for the first time.
    """
    states, edges = 2 * len(part) + 2, 3 * len(part) + 4
    link = np.empty(states, dtype=np.int32)
    length = np.empty(states, dtype=np.int32)
    first_edge = np.empty(states, dtype=np.int32)
    edge_state = np.empty(edges, dtype=np.int32)
    edge_token = np.empty(edges, dtype=np.uint64)
    edge_to = np.empty(edges, dtype=np.int32)
    edge_next = np.empty(edges, dtype=np.int32)
    table = np.empty(table_size(edges), dtype=np.int32)
    count = build(part, link, length, first_edge, edge_state, edge_token, edge_to, edge_next, table)
    longest = np.zeros(count, dtype=np.int64)  # of a state's runs, those that stand in the whole
    end = np.zeros(count, dtype=np.int64)
    state = run = 0
    for place in range(len(whole)):
        token = whole[place]
        edge, _ = edge_of(state, token, edge_state, edge_token, table)
        while edge < 0 and state != 0:
            state = int(link[state])
            run = int(length[state])
            edge, _ = edge_of(state, token, edge_state, edge_token, table)
        if edge < 0:
            continue
        state = int(edge_to[edge])
        run += 1
        if run > longest[state]:
            longest[state] = run
            end[state] = place + 1
    order = np.argsort(length[:count])
    for number in range(count - 1, 0, -1):  # whose run is there has its suffixes there
        state = order[number]
        shorter = link[state]
        if longest[state] > 0 and shorter > 0:
            if longest[shorter] < length[shorter] or end[state] < end[shorter]:
                end[shorter] = end[state]
            longest[shorter] = length[shorter]
    for number in range(1, count):  # whose run is not has the longest suffix that is
        state = order[number]
        if longest[state] == 0:
            longest[state] = longest[link[state]]
            end[state] = end[link[state]]
    state = 0
    for place in range(len(part)):
        edge, _ = edge_of(state, part[place], edge_state, edge_token, table)
        state = int(edge_to[edge])
        out_length[place + 1] = longest[state]
        out_end[place + 1] = end[state]

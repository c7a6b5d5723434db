"""The suffix automaton of a text's tokens (Blumer et al. 1985)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from storyaudit.text.compiled import compiled

_STATE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


class Automaton(NamedTuple):
    """A suffix automaton, of at most 2n states and 3n edges; the first state is the start.

    Edges stand in a hash table by (state, token), and in a list a state for the copies that the
    construction needs.

    Attributes:
        link: each state's suffix link; -1 of the first.
        length: of each state's longest run.
        first_edge: each state's edge added last; -1 where it has none.
        edge_state: where each edge starts.
        edge_token: its token.
        edge_to: where it leads.
        edge_next: the edge of its state that was added before it; -1 where there is none.
        table: numbers of edges; -1 where a slot is free. Its length is a power of two.
    """

    link: NDArray[np.int32]
    length: NDArray[np.int32]
    first_edge: NDArray[np.int32]
    edge_state: NDArray[np.int32]
    edge_token: NDArray[np.uint64]
    edge_to: NDArray[np.int32]
    edge_next: NDArray[np.int32]
    table: NDArray[np.int32]


@compiled
def table_size(entries: int) -> int:
    """Return the power of two that holds so many entries at a load of at most a half."""
    room = 2
    while room < 2 * entries:
        room *= 2
    return room


@compiled
def room_for(tokens: int) -> Automaton:
    """Return room for the automaton of a text of at most so many tokens."""
    states, edges = 2 * tokens + 2, 3 * tokens + 4
    return Automaton(
        np.empty(states, dtype=np.int32),
        np.empty(states, dtype=np.int32),
        np.empty(states, dtype=np.int32),
        np.empty(edges, dtype=np.int32),
        np.empty(edges, dtype=np.uint64),
        np.empty(edges, dtype=np.int32),
        np.empty(edges, dtype=np.int32),
        np.empty(table_size(edges), dtype=np.int32),
    )


@compiled
def edge_of(automaton: Automaton, state: int, token: np.uint64) -> tuple[int, int]:
    """Return a state's edge by a token, or -1, and the slot where it stands or would stand."""
    table = automaton.table
    mask = len(table) - 1
    key = (token ^ (np.uint64(state) * _STATE)) * _MIX
    slot = np.int64((key >> _HALF) & np.uint64(mask))
    while True:
        edge = int(table[slot])
        if edge < 0 or (
            automaton.edge_state[edge] == state and automaton.edge_token[edge] == token
        ):
            return edge, int(slot)
        slot = (slot + 1) & mask


@compiled
def step(automaton: Automaton, state: int, run: int, token: np.uint64) -> tuple[int, int]:
    """Return the state after a token, and the length of the longest run that ends with it.

    Args:
        automaton: of the text that is to contain the run.
        state: after the token before.
        run: of that token.
        token: the next one.
    """
    edge, _ = edge_of(automaton, state, token)
    while edge < 0 and state != 0:
        state = int(automaton.link[state])
        run = int(automaton.length[state])
        edge, _ = edge_of(automaton, state, token)
    return (0, 0) if edge < 0 else (int(automaton.edge_to[edge]), run + 1)


@compiled
def _add_edge(
    automaton: Automaton, edge: int, slot: int, state: int, token: np.uint64, to: int
) -> None:
    automaton.edge_state[edge], automaton.edge_token[edge] = state, token
    automaton.edge_to[edge] = to
    automaton.edge_next[edge], automaton.first_edge[state] = automaton.first_edge[state], edge
    automaton.table[slot] = edge


@compiled
def build(tokens: NDArray[np.uint64], room: Automaton) -> Automaton:
    """Return a text's suffix automaton, with so many states as it has, in the room given."""
    link, length, first_edge, edge_to = room.link, room.length, room.first_edge, room.edge_to
    automaton = Automaton(
        link,
        length,
        first_edge,
        room.edge_state,
        room.edge_token,
        edge_to,
        room.edge_next,
        room.table[: table_size(3 * len(tokens) + 4)],
    )
    automaton.table[:] = -1
    link[0], length[0], first_edge[0] = -1, 0, -1
    states, edges, last = 1, 0, 0
    for token in tokens:
        state = states
        states += 1
        link[state], length[state], first_edge[state] = 0, length[last] + 1, -1
        before = int(last)
        edge = -1
        while before != -1:
            edge, slot = edge_of(automaton, before, token)
            if edge >= 0:
                break
            _add_edge(automaton, edges, slot, before, token, state)
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
                    _, slot = edge_of(automaton, clone, room.edge_token[old])
                    _add_edge(automaton, edges, slot, clone, room.edge_token[old], edge_to[old])
                    edges += 1
                    old = int(room.edge_next[old])
                while before != -1:
                    edge, _ = edge_of(automaton, before, token)
                    if edge < 0 or edge_to[edge] != after:
                        break
                    edge_to[edge] = clone
                    before = int(link[before])
                link[after] = link[state] = clone
        last = state
    return Automaton(link[:states], length[:states], first_edge[:states], *automaton[3:])

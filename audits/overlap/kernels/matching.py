"""Where a text contains the passages of another."""

import numpy as np
from numpy.typing import NDArray

from audits.overlap.kernels.automaton import build, room_for, step
from storyaudit.text.compiled import compiled


@compiled
def match(
    part: NDArray[np.uint64], whole: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each place of ``part`` the longest run before it that ``whole`` contains.

    These are the matching statistics of Chang and Lawler (1994), by the suffix automaton of
    ``part``, through which ``whole`` goes token by token: linear in both.

    Returns:
        Two of shape (tokens of ``part`` + 1,): the run's length in tokens, or 0, and where the run
        ends in ``whole`` for the first time.
    """
    automaton = build(part, room_for(len(part)))
    link, length = automaton.link, automaton.length
    longest = np.zeros(len(link), dtype=np.int64)  # of a state's runs, those that whole contains
    end = np.zeros(len(link), dtype=np.int64)
    state = run = 0
    for place in range(len(whole)):
        state, run = step(automaton, state, run, whole[place])
        if run > longest[state]:
            longest[state] = run
            end[state] = place + 1
    order = np.argsort(length)
    for number in range(len(link) - 1, 0, -1):  # whose run is there has its suffixes there
        state = order[number]
        shorter = link[state]
        if longest[state] > 0 and shorter > 0:
            if longest[shorter] < length[shorter] or end[state] < end[shorter]:
                end[shorter] = end[state]
            longest[shorter] = length[shorter]
    for number in range(1, len(link)):  # whose run is not has the longest suffix that is
        state = order[number]
        if longest[state] == 0:
            longest[state] = longest[link[state]]
            end[state] = end[link[state]]
    lengths = np.zeros(len(part) + 1, dtype=np.int64)
    ends = np.zeros(len(part) + 1, dtype=np.int64)
    state = 0
    for place in range(len(part)):
        state, _ = step(automaton, state, place, part[place])
        lengths[place + 1], ends[place + 1] = longest[state], end[state]
    return lengths, ends

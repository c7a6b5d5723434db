"""Which pairs are for training and which for validation."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.pairing.pair import Pair
from pipeline.pairing.pair_filter import text_key
from storyaudit.vocabulary import TRAIN, VALIDATION


def splits_of(pairs: Sequence[Pair], share: float, rng: np.random.Generator) -> list[str]:
    """Return each pair's split, so that no text stands in two.

    Pairs that share a premise or a story, also by way of others, are a group, and a group stays
    whole. Groups are taken in random order; one goes to validation where no method then has more
    than ``share`` of its pairs there. So validation has of every method what whole groups allow,
    and never more: a group that is too large, or a method of few pairs, is for training.

    Args:
        pairs: of all tables, in an order that depends on their content alone.
        share: of every method's pairs.
        rng: draws the order of the groups.
    """
    group = groups_of(pairs)
    in_group: list[Counter[str]] = [Counter() for _ in range(int(group.max(initial=-1)) + 1)]
    for pair, number in zip(pairs, group.tolist(), strict=True):
        in_group[number][pair.method] += 1
    sizes = Counter(pair.method for pair in pairs)
    # 0.29 × 100 is a little less than 29 in floating point.
    room = {method: math.floor(share * size + 1e-9) for method, size in sizes.items()}
    validation = set()
    for number in rng.permutation(len(in_group)).tolist():
        if all(room[method] >= size for method, size in in_group[number].items()):
            validation.add(number)
            for method, size in in_group[number].items():
                room[method] -= size
    return [VALIDATION if number in validation else TRAIN for number in group.tolist()]


def groups_of(pairs: Sequence[Pair]) -> NDArray[np.int64]:
    """Return the number of each pair's group, from 0: connected by the words of its texts."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not pairs:
        return np.empty(0, dtype=np.int64)
    nodes: dict[str, int] = {}
    edges = [
        [
            nodes.setdefault(text_key(text), len(nodes))
            for text in (pair.premise.text, pair.chosen.text, pair.rejected.text)
        ]
        for pair in pairs
    ]
    premise, chosen, rejected = np.array(edges).T
    ends = np.concatenate([chosen, rejected])
    ones = np.ones(len(ends), dtype=bool)
    graph = coo_array((ones, (np.tile(premise, 2), ends)), shape=(len(nodes), len(nodes)))
    _, labels = connected_components(graph, directed=False)
    return np.asarray(labels[premise], dtype=np.int64)

"""Draw candidates until a method has as many pairs as it is to make."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np

from storyaudit.errors import InputError
from storyaudit.runs.stage import PARAMS

C = TypeVar("C")
R = TypeVar("R")


def sample_until(
    candidates: Iterable[C],
    wanted: int,
    make: Callable[[list[C]], list[R]],
    *,
    once: bool = False,
    parameter: str,
    hint: str = "",
) -> list[R]:
    """Return what is made of as many candidates as are needed.

    Args:
        candidates: in random order; no more of them are looked at than are needed.
        wanted: how many results.
        make: returns the usable results of some candidates, one each at most.
        once: take ``wanted`` candidates and no more, whatever becomes of them: what language models
            are asked must not depend on how many answers are usable.
        parameter: that says ``wanted``, for the error.
        hint: a further remedy, a sentence.

    Raises:
        InputError: there are too few candidates.
    """
    waiting = iter(candidates)
    made: list[R] = []
    taken = 0
    while batch := list(islice(waiting, wanted - len(made))):
        taken += len(batch)
        made += make(batch)
        if once:
            break
    possible = taken if once else len(made)
    if possible < wanted:
        raise InputError(
            f"{parameter}: expected {wanted} pairs, {possible} can be made of the texts left.",
            "Lower it, or give more texts: by corpora.training_scale where they are simulated, "
            f"by corpora.files elsewhere. {hint}".rstrip(),
            file=PARAMS,
        )
    return made


def evenly(groups: Mapping[str, Sequence[C]], rng: np.random.Generator) -> Iterator[C]:
    """Yield one member of each group, then a second one of each, and so on, all at random."""
    names = sorted(groups)
    orders = {name: rng.permutation(len(groups[name])).tolist() for name in names}
    shuffled = [names[place] for place in rng.permutation(len(names)).tolist()]
    for turn in range(max(map(len, orders.values()), default=0)):
        for name in shuffled:
            if turn < len(orders[name]):
                yield groups[name][orders[name][turn]]

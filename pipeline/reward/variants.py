"""Which pairs each variant of the reward model is trained on."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field, field_validator

from pipeline.reward.model import Rows
from storyaudit.errors import InputError
from storyaudit.runs.params import Params
from storyaudit.runs.stage import PARAMS
from storyaudit.vocabulary import (
    BY_SIZE,
    CONTINUATION,
    FULL,
    HUMAN_CHOSEN,
    LEARNING_CURVE,
    REMOVAL,
    REPLACEMENT,
    TRAIN,
    variant_of,
)


class Variants(Params):
    """What is trained beside the full model and the variants with the experiments' own pairs."""

    removal: bool
    learning_curve: list[Annotated[float, Field(gt=0, lt=1)]]

    @field_validator("learning_curve")
    @classmethod
    def _different_shares(cls, shares: list[float]) -> list[float]:
        if len({f"{share:g}" for share in shares}) != len(shares):
            raise ValueError("a share stands twice")
        return shares


def variants(
    pairs: pd.DataFrame,
    params: Variants,
    *,
    orders: Mapping[int, np.random.Generator],
    draw: np.random.Generator,
) -> dict[str, dict[int, Rows]]:
    """Return the rows of the pairs that each variant is trained on, for every seed.

    Only pairs of the split 'train' are trained on. ``full`` has all of the study's. Variants with
    the experiments' own pairs are there where such pairs are.

    Args:
        pairs: the study's pairs and, marked in the column ``further``, the experiments' own.
        params: which variants there are.
        orders: by seed, for the learning curve.
        draw: draws the further pairs, the same for all methods and seeds.

    Raises:
        InputError: too few further pairs, or too few pairs to train on.
    """
    training = (pairs["split"] == TRAIN).to_numpy()
    further = pairs["further"].to_numpy(dtype="bool")
    study = _by_method(pairs["method"], training & ~further)
    apart = _by_method(pairs["method"], training & further)
    full = _together(*study.values())
    found = {FULL: full}
    if params.removal and len(study) > 1:
        found |= {variant_of(REMOVAL, name): _without(study, name) for name in study}
    if REPLACEMENT in apart:
        found |= _replacements(study, draw.permutation(apart[REPLACEMENT]))
    if HUMAN_CHOSEN in apart and CONTINUATION in study:
        # StoryAlign, appendix E.4: people's own stories are chosen in the continuations' place.
        rows = _together(_without(study, CONTINUATION), apart[HUMAN_CHOSEN])
        found[variant_of(HUMAN_CHOSEN, CONTINUATION)] = rows
    by_seed = {name: dict.fromkeys(orders, rows) for name, rows in found.items()}
    by_seed |= _learning_curve(full, params.learning_curve, orders)
    for name, of_seeds in by_seed.items():
        fewest = min(map(len, of_seeds.values()))
        if fewest < 2:
            raise InputError(
                f"expected two training pairs or more for '{name}', found {fewest}.",
                "Make more pairs, hold fewer out for validation, or ask for fewer variants.",
                file=PARAMS,
            )
    return by_seed


def _replacements(study: Mapping[str, Rows], drawn: Rows) -> dict[str, Rows]:
    """Put pairs of a larger model over a smaller one in a method's place, exactly as many.

    StoryAlign, appendix H.1.
    """
    found = {}
    for name, rows in study.items():
        if name == BY_SIZE:
            continue
        if len(drawn) < len(rows):
            raise InputError(
                f"expected {len(rows)} further pairs for training, as many as '{name}' has, "
                f"found {len(drawn)}.",
                "Raise pairs.replacements, or set it to 0: then no method is replaced.",
                file=PARAMS,
            )
        found[variant_of(REPLACEMENT, name)] = _together(_without(study, name), drawn[: len(rows)])
    return found


def _learning_curve(
    full: Rows, shares: Sequence[float], orders: Mapping[int, np.random.Generator]
) -> dict[str, dict[int, Rows]]:
    """Take the first share of a random order of all pairs, each seed its own."""
    shuffled = {seed: rng.permutation(full) for seed, rng in orders.items()}
    return {
        variant_of(LEARNING_CURVE, f"{share:g}"): {
            seed: np.sort(order[: round(share * len(full))]) for seed, order in shuffled.items()
        }
        for share in shares
    }


def _by_method(methods: pd.Series, among: NDArray[np.bool_]) -> dict[str, Rows]:
    names = sorted(set(methods[among]))
    return {name: np.flatnonzero(among & (methods == name).to_numpy()) for name in names}


def _without(study: Mapping[str, Rows], name: str) -> Rows:
    return _together(*(rows for other, rows in study.items() if other != name))


def _together(*rows: Rows) -> Rows:
    return np.sort(np.concatenate([np.empty(0, dtype="int64"), *rows]))

"""Macro accuracies, which weigh strata equally, and their paired bootstrap samples."""

from collections.abc import Sequence

import numpy as np

from storyaudit.stats.estimate import Array, Codes

FEWEST = 5
"""A stratum of fewer items shows too little of its spread to resample it."""
_BATCH = 4_000_000  # drawn indices held at once
_NAMED = 3  # strata that a reason names


def macro(outcomes: Array, strata: Codes) -> Array:
    """Return the unweighted mean over strata of the means within each, one a model.

    Args:
        outcomes: one row an item, one column a model.
        strata: each item's stratum, 0, 1, …; an item with −1 is in none, and some are in one.
    """
    names = np.unique(strata[strata >= 0])
    means = [outcomes[strata == stratum].mean(axis=0) for stratum in names]
    return np.asarray(np.mean(means, axis=0))


def bootstrap_macro(
    outcomes: Array,
    strata: Codes,
    *,
    resamples: int,
    rng: np.random.Generator,
) -> Array:
    """Return macro accuracies of bootstrap samples of items (Davison and Hinkley 1997, 3.2).

    Items are drawn with replacement within their stratum, so that each sample keeps the strata's
    sizes; one draw serves all models, so that their differences are paired.

    Args:
        outcomes: one row an item, one column a model.
        strata: each item's stratum, 0, 1, …; an item with −1 is in none and is not drawn.
        resamples: number of samples.
        rng: drawn from once a stratum and batch.

    Returns:
        One row a sample, one column a model.
    """
    total = np.zeros((resamples, outcomes.shape[1]))
    names = np.unique(strata[strata >= 0])
    for name in names:
        inside = outcomes[strata == name]
        size = len(inside)
        step = max(1, _BATCH // size)
        for start in range(0, resamples, step):
            stop = min(start + step, resamples)
            drawn = rng.integers(0, size, size=(stop - start, size))
            for model in range(outcomes.shape[1]):
                total[start:stop, model] += inside[drawn, model].mean(axis=1)
    return total / len(names)


def no_ci_reason(values: Array, strata: Codes, names: Sequence[str]) -> str:
    """Return why resampling says nothing of the spread of values, one an item; '' if it does.

    A stratum with a handful of items, or with one value on all of them, looks as if it had no
    spread, and an interval over it would be too narrow.

    Args:
        values: one an item.
        strata: each item's stratum, 0, 1, …; an item with −1 is in none.
        names: of the strata.
    """
    sizes = np.bincount(strata[strata >= 0])
    few = [name for name, n in zip(names, sizes, strict=True) if n < FEWEST]
    if few:
        return f"fewer than {FEWEST} items{_inside(few, names)}"
    constant = [
        name for stratum, name in enumerate(names) if np.ptp(values[strata == stratum]) == 0
    ]
    return f"no variation between items{_inside(constant, names)}" if constant else ""


def _inside(some: Sequence[str], names: Sequence[str]) -> str:
    """Return in which strata, or in how many where they are many; '' if there is but one."""
    if len(names) == 1:
        return ""
    if len(some) <= _NAMED:
        return f" in {', '.join(some)}"
    return f" in {len(some)} of {len(names)} dimensions"

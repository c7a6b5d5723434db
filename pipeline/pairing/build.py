"""All methods one after another, and their pairs as tables."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.pairing.pair import in_order
from pipeline.pairing.pair_filter import PairFilter
from pipeline.pairing.pair_method import Generators, Making
from pipeline.pairing.pair_methods import FURTHER, METHODS
from pipeline.pairing.pair_params import PairsParams
from pipeline.pairing.pair_tables import pairs_table, premises_table, stories_table
from pipeline.pairing.preference_files import file_pairs
from pipeline.pairing.splits import splits_of
from storyaudit.errors import InputError
from storyaudit.layouts.preferences import Preferences
from storyaudit.runs.stage import PARAMS
from storyaudit.vocabulary import SPLITS

Stream = Callable[[str], np.random.Generator]
"""Gives the random stream of a purpose."""


class TrainingPairs(NamedTuple):
    """What the stage writes.

    Attributes:
        pairs: the pairs table.
        further: pairs for experiments.
        premises: of both that are not in the premises table.
        stories: of both that are not in the stories table.
        metrics: counts of pairs and of what was dropped.
    """

    pairs: pd.DataFrame
    further: pd.DataFrame
    premises: pd.DataFrame
    stories: pd.DataFrame
    metrics: dict[str, int]


def build_pairs(
    premises: pd.DataFrame,
    stories: pd.DataFrame,
    files: Sequence[Preferences],
    generators: Generators,
    params: PairsParams,
    stream: Stream,
    *,
    billions: Mapping[str, float],
    provenance: str | None = None,
) -> TrainingPairs:
    """Return the pairs of every method, and further ones for experiments.

    Every method has the size that is asked for, but for one whose answers come from a record: it
    has fewer where answers are not usable, and the metric ``short.<method>`` says how many are
    lacking. Pairs of preference files are all taken.

    Args:
        premises: the premises table.
        stories: the stories table.
        files: preference files.
        generators: who writes and judges.
        params: sizes and rules.
        stream: gives the random stream of a purpose.
        billions: {model: its parameters}.
        provenance: of premises and stories that were written.

    Raises:
        InputError: nothing to make pairs of, or too little for the sizes.
    """
    if not any(params.sizes.values()) and not files:
        raise InputError(
            "pairs.sizes are all 0, and pairs.files names no file.",
            "Ask for the pairs of one method at least.",
            file=PARAMS,
        )
    pair_filter = PairFilter(params.near_copy_from)
    making = Making(premises, stories, generators, params, billions, pair_filter)
    for method in METHODS:
        making.made += method.make(making, stream(method.name))
    own = [pair for pair in making.made if pair.method not in FURTHER]
    pairs = in_order([*own, *file_pairs(files, pair_filter)])
    if not pairs:
        raise InputError(
            f"not one pair could be made; dropped were {_shown(pair_filter.dropped)}.",
            "Look at the answers and the files.",
            file=PARAMS,
        )
    further = in_order([pair for pair in making.made if pair.method in FURTHER])
    every = [*pairs, *further]
    splits = splits_of(every, params.validation_share, stream("split"))
    table = pairs_table(pairs, splits[: len(pairs)], prefix="t")
    experiments = pairs_table(further, splits[len(pairs) :], prefix="e")
    return TrainingPairs(
        table,
        experiments,
        premises_table(every, set(premises["premise_id"]), provenance),
        stories_table(every, set(stories["story_id"]), provenance),
        _metrics(table, experiments, params.sizes, pair_filter.dropped),
    )


def _metrics(
    pairs: pd.DataFrame,
    further: pd.DataFrame,
    sizes: Mapping[str, int],
    dropped: Mapping[str, int],
) -> dict[str, int]:
    """Return counts; the pairs of all methods make up the pairs."""
    by_method = dict.fromkeys(sizes, 0) | Counter(pairs["method"])
    lacking = {method: size - by_method[method] for method, size in sizes.items()}
    return {
        "pairs": len(pairs),
        **_counted("pairs.", by_method),
        **_counted("pairs.", dict.fromkeys(SPLITS, 0) | Counter(pairs["split"])),
        **_counted("pairs.language.", Counter(pairs["language"])),
        **_counted("pairs.source.", Counter(pairs["source"])),
        **_counted("experiments.", Counter(further["method"])),
        **_counted("short.", {method: number for method, number in lacking.items() if number}),
        **_counted("dropped.", dropped),
    }


def _counted(prefix: str, numbers: Mapping[str, int]) -> dict[str, int]:
    return {f"{prefix}{name}": int(number) for name, number in sorted(numbers.items())}


def _shown(dropped: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {number}" for name, number in sorted(dropped.items())) or "none"

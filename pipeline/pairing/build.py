"""All methods one after another, and their pairs as tables."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.pairing.back_generation import back_generation_pairs
from pipeline.pairing.continuation import continued_stories, guided_pairs, human_chosen_pairs
from pipeline.pairing.filters import Filter
from pipeline.pairing.llm_llm import (
    BY_SIZE,
    JUDGED,
    REPLACEMENT,
    Contests,
    Judge,
    contests_of,
    judged_pairs,
    size_pairs,
    without,
)
from pipeline.pairing.originals import works_of
from pipeline.pairing.pair import Pair, in_order
from pipeline.pairing.pair_params import PairsParams
from pipeline.pairing.pair_tables import pairs_table, premises_table, stories_table
from pipeline.pairing.preference_files import file_pairs
from pipeline.pairing.rewriting import rewriting_pairs
from pipeline.pairing.splits import splits_of
from pipeline.pairing.writers import Writers
from storyaudit.errors import InputError
from storyaudit.io.layouts.preferences import Preferences
from storyaudit.runs.stage import PARAMS

Stream = Callable[[str], np.random.Generator]
"""Gives the random stream of a purpose."""


class Makers(NamedTuple):
    """Who writes and who judges.

    Attributes:
        writers: of premises, rewritings and continuations.
        judge: of two models' stories.
        writers_once: the writers answer from a record: as many answers are asked for as pairs are
            wanted, and no more in place of those that are not usable.
        judge_once: the same of the judge.
    """

    writers: Writers
    judge: Judge
    writers_once: bool = False
    judge_once: bool = False


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
    makers: Makers,
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
        makers: who writes and judges.
        params: sizes and rules.
        stream: gives the random stream of a purpose.
        billions: {model: its parameters}.
        provenance: of premises and stories that were written.

    Raises:
        InputError: nothing to make pairs of, or too little for the sizes.
    """
    if not any(params.sizes.model_dump().values()) and not files:
        raise InputError(
            "pairs.sizes are all 0, and pairs.files names no file.",
            "Ask for the pairs of one method at least.",
            file=PARAMS,
        )
    keep = Filter(params.near_copy_from)
    on_people, human_chosen = _pairs_on_people(premises, stories, makers, keep, params, stream)
    by_models, replacements = _pairs_of_models(
        contests_of(premises, stories), billions, makers, keep, params, stream
    )
    pairs = in_order([*on_people, *by_models, *file_pairs(files, keep)])
    if not pairs:
        raise InputError(
            f"not one pair could be made; dropped were {_shown(keep.dropped)}.",
            "Look at the answers and the files.",
            file=PARAMS,
        )
    further = in_order([*human_chosen, *replacements])
    every = [*pairs, *further]
    splits = splits_of(every, params.validation_share, stream("split"))
    table = pairs_table(pairs, splits[: len(pairs)], prefix="t")
    experiments = pairs_table(further, splits[len(pairs) :], prefix="e")
    return TrainingPairs(
        table,
        experiments,
        premises_table(every, set(premises["premise_id"]), provenance),
        stories_table(every, set(stories["story_id"]), provenance),
        _metrics(table, experiments, params.sizes.model_dump(), keep.dropped),
    )


def _pairs_on_people(
    premises: pd.DataFrame,
    stories: pd.DataFrame,
    makers: Makers,
    keep: Filter,
    params: PairsParams,
    stream: Stream,
) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs that need people's stories, and those with a person's story chosen."""
    sizes, writers, once = params.sizes, makers.writers, makers.writers_once
    inferred = back_generation_pairs(
        stories,
        sizes.back_generation,
        writers,
        keep,
        stream("back_generation"),
        least_readership=params.least_readership,
        once=once,
    )
    works = works_of(premises, stories, inferred)
    rewritten = rewriting_pairs(
        works, sizes.rewriting, writers, keep, stream("rewriting"), once=once
    )
    continued = continued_stories(
        works,
        sizes.continuation,
        writers,
        keep,
        stream("continuation"),
        opening_share=params.opening_share,
        once=once,
    )
    human_chosen = human_chosen_pairs(continued, keep) if params.human_chosen else []
    return [*inferred, *rewritten, *guided_pairs(continued)], human_chosen


def _pairs_of_models(
    contests: Contests,
    billions: Mapping[str, float],
    makers: Makers,
    keep: Filter,
    params: PairsParams,
    stream: Stream,
) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs of two models' stories, and the replacements; no couple stands in two."""
    # By size first: it may be that only some contests are of models whose size is known.
    sized = size_pairs(contests, params.sizes.llm_llm_size, billions, keep, stream(BY_SIZE))
    contests = without(contests, sized)
    judged = judged_pairs(
        contests,
        params.sizes.llm_llm_judged,
        makers.judge,
        keep,
        stream(JUDGED),
        once=makers.judge_once,
    )
    replacements = size_pairs(
        without(contests, judged),
        params.replacements,
        billions,
        keep,
        stream(REPLACEMENT),
        method=REPLACEMENT,
        parameter="pairs.replacements",
    )
    return [*sized, *judged], replacements


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
        **_counted("pairs.", dict.fromkeys(("train", "validation"), 0) | Counter(pairs["split"])),
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

"""Rewards that others gave, from files in data/raw."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

import pandas as pd
from pydantic import AfterValidator, Field

from pipeline.scoring.scored_candidates import Run, as_scores
from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY, among
from storyaudit.errors import InputError
from storyaudit.layouts.score_files import read_score_file
from storyaudit.runs.params import Params
from storyaudit.runs.raw import RAW_SCORES, lies_in


class FileOfScores(Params):
    """One entry of ``score.files``.

    Attributes:
        path: a file in ``data/raw/scores`` that ``storyaudit.layouts.score_files`` reads.
        variant: of the rows that do not name theirs; the file's name if None.
    """

    path: Annotated[str, AfterValidator(lies_in(RAW_SCORES))]
    variant: Annotated[str, Field(min_length=1)] | None = None


def scores_of_files(
    files: Sequence[tuple[Path, str | None]],
    candidates: pd.DataFrame,
    benchmark: pd.DataFrame,
    taken: Collection[str],
) -> tuple[pd.DataFrame, dict[Run, str]]:
    """Return the scores table of others' files, and where each run comes from.

    Args:
        files: paths, and the variant of rows that do not name theirs.
        candidates: all that may be scored.
        benchmark: the benchmark table.
        taken: variants that no file may name.

    Raises:
        InputError: see ``read_score_file``; a variant that is taken, or a run in two files.
    """
    tables: list[pd.DataFrame] = []
    sources: dict[Run, str] = {}
    for path, variant in files:
        read = read_score_file(path, candidates, benchmark, variant=variant)
        for name, _, seed in runs_of(read.scores):
            if name in taken or (name, seed) in sources:
                raise InputError(
                    f"the variant '{name}' "
                    + ("is another one's." if name in taken else f"has two runs of seed {seed}."),
                    "Give each its own variant, in score.files or in the file.",
                    file=path,
                )
            sources[name, seed] = read.found
        tables.append(read.scores)
    return as_scores(tables), sources


def runs_of(scores: pd.DataFrame) -> list[tuple[str, str, int]]:
    """Return the variant, model and seed of each run."""
    runs = scores[RUN_KEY].drop_duplicates().sort_values(["variant", "seed"])
    return [(str(name), str(model), int(seed)) for name, model, seed in runs.to_numpy().tolist()]


def within(scores: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the rows on these candidates."""
    return scores[among(scores[CANDIDATE_KEY], candidates[CANDIDATE_KEY])]

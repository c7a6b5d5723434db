"""``storyaudit accuracy``."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from storyaudit.cli.common import (
    PATH,
    Command,
    Output,
    audit_options,
    checked_options,
    resampling_options,
)


def results_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options and arguments of a comparison of results."""

    @click.argument("files", metavar="RESULTS...", type=PATH, nargs=-1, required=True)
    @resampling_options(10_000, 1_000_000)
    @click.option(
        "--chance",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.25,
        show_default=True,
        help="Accuracy of a random choice.",
    )
    @audit_options
    @wraps(function)
    def command(**given: Any) -> None:
        function(**given)

    return command


@click.command(cls=Command)
@results_options
def accuracy(**given: Any) -> None:
    """Audit models' accuracies on the same items.

    Accuracies and paired differences have bootstrap intervals. RESULTS are tables with a row an
    outcome: variant, model, seed, item_id, dimension, origin, correct, ties, credit. Several files
    are taken together. `storyaudit compare` is the same command; `storyaudit evaluate` makes the
    results from scores first.

    \b
    Example:
      storyaudit accuracy data/study/results.parquet
    """
    audit_results(**given)


def audit_results(
    *,
    files: tuple[Path, ...],
    resamples: int,
    confidence: float,
    seed: int | str,
    chance: float,
    output: Output,
) -> None:
    """Compare the models of results."""
    import pandas as pd

    from audits.accuracy.accuracy_report import AccuracyParams, accuracy_report
    from storyaudit.data.table_files import read_table
    from storyaudit.data.tables import RESULTS
    from storyaudit.runs.seeds import generator

    if len({file.resolve() for file in files}) < len(files):
        raise click.UsageError("a file of results is given twice.")
    params = checked_options(
        AccuracyParams, resamples=resamples, confidence=confidence, chance=chance
    )
    read = {str(file): read_table(file, RESULTS) for file in files}
    report = accuracy_report(
        pd.concat([table.frame for table in read.values()], ignore_index=True),
        params,
        generator(seed),
        study=output.study_name(files[0]),
    )
    output.finish(report, ignored={name: table.ignored for name, table in read.items()})

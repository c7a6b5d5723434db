"""``storyaudit compare``."""

from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    audit_options,
    finish,
    study_name,
)


@click.command()
@click.argument("files", metavar="RESULTS...", type=PATH, nargs=-1, required=True)
@click.option("--resamples", type=click.IntRange(100, 1_000_000), default=10_000, show_default=True)
@click.option("--confidence", type=click.FloatRange(0.5, 0.9999), default=0.95, show_default=True)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the bootstrap."
)
@click.option(
    "--chance",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.25,
    show_default=True,
    help="Accuracy of a random choice.",
)
@audit_options
def compare(
    files: tuple[Path, ...],
    resamples: int,
    confidence: float,
    seed: int,
    chance: float,
    study: str | None,
    as_json: bool,
    out: Path | None,
) -> None:
    """Compare models on the same items: accuracies and paired differences with intervals.

    RESULTS are tables with a row an outcome: variant, model, seed, item_id, dimension, origin,
    correct, ties, credit. Several files are taken together.

    \b
    Example:
      storyaudit compare data/study/results.parquet
    """
    import numpy as np
    import pandas as pd
    from pydantic import ValidationError

    from audits.accuracy.accuracy_report import AccuracyParams, accuracy_report
    from storyaudit.checked import first_fault
    from storyaudit.data.table_files import read_table
    from storyaudit.data.tables import RESULTS
    from storyaudit.findings import ignored_columns

    if len({file.resolve() for file in files}) < len(files):
        raise click.UsageError("a file of results is given twice.")
    try:
        params = AccuracyParams(resamples=resamples, confidence=confidence, chance=chance)
    except ValidationError as error:
        raise click.UsageError(first_fault(error)) from None
    read = {str(file): read_table(file, RESULTS) for file in files}
    report = accuracy_report(
        pd.concat([table.frame for table in read.values()], ignore_index=True),
        params,
        np.random.default_rng(seed),
        study=study_name(study, files[0]),
    )
    report = report.plus(ignored_columns({name: table.ignored for name, table in read.items()}))
    finish(report, as_json=as_json, out=out)

"""``storyaudit ratings``."""

import math
from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    audit_options,
    command_line,
    finish,
    ignored_columns,
    study_name,
)


@click.command()
@click.argument("file", type=PATH)
@click.option(
    "--scale", type=float, nargs=2, metavar="LOW HIGH", help="Lowest and highest allowed score."
)
@audit_options
def ratings(
    file: Path,
    scale: tuple[float, float] | None,
    study: str | None,
    as_json: bool,
    out: Path | None,
) -> None:
    """Audit a table of rubric ratings: author means, off-scale, missing and doubled scores.

    FILE (CSV, TSV, JSONL, Parquet or XLSX) has a row a score, with the columns rater, story_id,
    author, item and score.

    \b
    Example:
      storyaudit ratings data/published/confederacy/ratings.csv --scale 1 10
    """
    from audits.ratings.findings import ratings_report
    from storyaudit.readers.table import read_table
    from storyaudit.tables import RATINGS

    if scale is not None and not -math.inf < scale[0] < scale[1] < math.inf:
        raise click.UsageError(f"--scale needs LOW below HIGH, found {scale[0]:g} {scale[1]:g}.")
    table, ignored = read_table(file, RATINGS)
    report = ratings_report(
        table, scale=scale, study=study_name(study, file), command=command_line()
    )
    report.findings.extend(ignored_columns({str(file): ignored}, command_line()))
    finish(report, as_json=as_json, out=out)

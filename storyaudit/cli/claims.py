"""``storyaudit claims``."""

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
@click.argument("ledger", type=PATH)
@click.option("--data", type=PATH, required=True, help="The ratings table behind the figures.")
@audit_options
def claims(ledger: Path, data: Path, study: str | None, as_json: bool, out: Path | None) -> None:
    """Recompute a paper's printed figures from its data.

    LEDGER (YAML) lists the figures as printed, where they stand, and how they follow from the
    data; a figure that does not round to its print is a fail.

    \b
    Example:
      storyaudit claims expectations/papers/confederacy.yaml \\
          --data data/published/confederacy/ratings.csv
    """
    from audits.claims.recompute import claims_report, comparison, recompute
    from storyaudit.files import csv_text
    from storyaudit.ledger import read_ledger
    from storyaudit.readers.table import read_table
    from storyaudit.tables import RATINGS

    content = read_ledger(ledger)
    ratings, ignored = read_table(data, RATINGS)
    checked = recompute(content, ratings)
    report = claims_report(content, checked, command=command_line())
    if study is not None:
        report = report.model_copy(update={"study": study_name(study, ledger)})
    report.findings.extend(ignored_columns({str(data): ignored}, command_line()))
    finish(report, as_json=as_json, out=out, tables={"claims.csv": csv_text(comparison(checked))})

"""``storyaudit claims``."""

from pathlib import Path

import click

from storyaudit.cli.common import PATH, Command, Output, audit_options


@click.command(cls=Command)
@click.argument("ledger", type=PATH)
@click.option("--data", type=PATH, help="The ratings table behind the figures.")
@click.option("--stories", type=PATH, help="What is known of the rated stories: words, file names.")
@click.option(
    "--template", is_flag=True, help="Write a ledger to fill in to LEDGER, a new file, and stop."
)
@audit_options
def claims(
    ledger: Path,
    data: Path | None,
    stories: Path | None,
    template: bool,
    output: Output,
) -> None:
    """Check a paper's printed figures.

    They are checked against each other, and against the released data where it is given. LEDGER
    (YAML) lists the figures as printed, where they stand, how they relate, and how they follow from
    the data; docs/ledgers.md says how to write one. With --out, claims.csv has the verdict on every
    figure.

    \b
    Examples:
      storyaudit claims expectations/papers/storyalign.yaml
      storyaudit claims expectations/papers/confederacy.yaml \\
          --data data/published/confederacy/ratings.csv \\
          --stories data/published/confederacy/stories.csv
      storyaudit claims my-paper.yaml --template
    """
    if template:
        if data or stories or any(output._replace(inputs=())):
            raise click.UsageError("--template goes without other options.")
        _write_template(ledger)
        return
    from audits.claims.claims_report import check_ledger, claims_report, verdicts
    from audits.claims.computations import Data
    from storyaudit.data.table_files import read_table
    from storyaudit.data.tables import RATINGS, STORY_FACTS
    from storyaudit.io.files import csv_text
    from storyaudit.ledger.ledger_file import read_ledger

    content = read_ledger(ledger)
    ratings = None if data is None else read_table(data, RATINGS)
    facts = None if stories is None else read_table(stories, STORY_FACTS)
    tables = Data(
        ratings=None if ratings is None else ratings.frame,
        stories=None if facts is None else facts.frame,
    )
    checked = check_ledger(content, tables, file=ledger)
    report = claims_report(content, checked)
    if output.study is not None:
        report = report.model_copy(update={"study": output.study_name(ledger)})
    read = {str(data): ratings, str(stories): facts}
    ignored = {name: table.ignored for name, table in read.items() if table is not None}
    table = csv_text(verdicts(content, checked))
    output.finish(report, ignored=ignored, tables={"claims.csv": table})


def _write_template(path: Path) -> None:
    from storyaudit.errors import InputError, refusing
    from storyaudit.io.expectations import expectations_path
    from storyaudit.io.files import read_text, write_text

    if path.exists() or path.is_symlink():
        raise InputError("there is such a file.", "Choose a new name for the ledger.", file=path)
    with refusing("cannot be written", "Choose another place.", path):
        write_text(path, read_text(expectations_path("ledger-template.yaml")))
    click.echo(f"Wrote {path}. Fill it in, then: storyaudit claims {path}")

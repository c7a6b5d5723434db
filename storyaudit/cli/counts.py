"""``storyaudit counts``."""

from pathlib import Path

import click

from storyaudit.cli.common import PATH, Command, Output, audit_options


@click.command(cls=Command)
@click.argument("folder", type=PATH)
@audit_options
def counts(folder: Path, output: Output) -> None:
    """Check keys, references, ranges and counts of tables.

    FOLDER holds tables by name, in any format: benchmark.csv, candidates.parquet, pairs.jsonl,
    premises, stories, judgements, annotations, scores, results, overlaps. Checks that need an
    absent table are listed as not checked. For a ledger (YAML) in place of the folder, its printed
    counts are checked.

    \b
    Examples:
      storyaudit counts data/study
      storyaudit counts expectations/papers/storyalign.yaml
    """
    from audits.counts.counts_report import WITH_SUITE, counts_report, paper_counts_report
    from storyaudit.data.table_files import find_tables, read_tables
    from storyaudit.errors import InputError
    from storyaudit.ledger.ledger_file import read_ledger

    if folder.suffix.lower() in (".yaml", ".yml"):
        report = paper_counts_report(read_ledger(folder))
        if output.study is not None:
            report = report.model_copy(update={"study": output.study_name(folder)})
        output.finish(report)
    paths = find_tables(folder, WITH_SUITE)
    found = read_tables(paths, WITH_SUITE)
    if not found:
        raise InputError(
            "expected tables named "
            + ", ".join(table.name for table in WITH_SUITE)
            + ", found none of them.",
            "Name the files after the tables.",
            file=folder,
        )
    tables = {name: read.frame for name, read in found.items()}
    report = counts_report(tables, study=output.study_name(folder))
    output.finish(report, ignored={name: read.ignored for name, read in found.items()})

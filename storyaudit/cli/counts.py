"""``storyaudit counts``."""

from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    audit_options,
    finish,
    study_name,
)


@click.command()
@click.argument("folder", type=PATH)
@audit_options
def counts(folder: Path, study: str | None, as_json: bool, out: Path | None) -> None:
    """Check keys, references, ranges and counts of a study's tables.

    FOLDER holds tables by name, in any format: benchmark.csv, candidates.parquet, pairs.jsonl,
    premises, stories, judgements, annotations, scores, results, overlaps. What hangs on a table
    that is not there is listed as not checked. A ledger (YAML) in place of the folder has the
    counts checked that it prints.

    \b
    Examples:
      storyaudit counts data/study
      storyaudit counts expectations/papers/storyalign.yaml
    """
    from audits.counts.counts_report import WITH_SUITE, counts_report, paper_counts_report
    from storyaudit.data.table_files import find_table, read_table
    from storyaudit.errors import InputError
    from storyaudit.findings import ignored_columns
    from storyaudit.ledger.ledger_file import read_ledger

    if folder.suffix.lower() in (".yaml", ".yml"):
        report = paper_counts_report(read_ledger(folder))
        if study is not None:
            report = report.model_copy(update={"study": study_name(study, folder)})
        finish(report, as_json=as_json, out=out)
    if not folder.is_dir():
        raise InputError("there is no such folder.", "Check the path.", file=folder)
    found = {
        table.name: read_table(path, table)
        for table in WITH_SUITE
        if (path := find_table(folder, table))
    }
    if not any(table.name in found for table in WITH_SUITE):
        raise InputError(
            "expected tables named "
            + ", ".join(table.name for table in WITH_SUITE)
            + ", found none of them.",
            "Name the files after the tables.",
            file=folder,
        )
    report = counts_report(
        {name: read.frame for name, read in found.items()}, study=study_name(study, folder)
    )
    report = report.plus(ignored_columns({name: read.ignored for name, read in found.items()}))
    finish(report, as_json=as_json, out=out)

"""``storyaudit overlap``."""

from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    audit_options,
    command_line,
    finish,
    study_name,
    with_progress,
)


@click.command()
@click.argument("train", metavar="TRAIN...", type=PATH, nargs=-1, required=True)
@click.option("--against", type=PATH, required=True, help="The benchmark's texts.")
@click.option(
    "--text-column", help="Column of the texts; guessed by default (text, story, content)."
)
@click.option("--id-column", help="Column of their IDs; guessed by default (story_id, id).")
@click.option("--shingle", type=click.IntRange(1, 50), default=5, show_default=True, help="Words.")
@audit_options
def overlap(
    train: tuple[Path, ...],
    against: Path,
    text_column: str | None,
    id_column: str | None,
    shingle: int,
    study: str | None,
    as_json: bool,
    out: Path | None,
) -> None:
    """Find benchmark texts that also stand in training texts, wholly or in part.

    TRAIN and the benchmark are files (CSV, TSV, JSONL, Parquet or XLSX) with a row a text. Pairs
    are proposed by MinHash and verified exactly.

    \b
    Example:
      storyaudit overlap train-1.jsonl train-2.jsonl --against benchmark.csv --out overlaps
    """
    import pandas as pd

    from audits.overlap.findings import overlap_report
    from audits.overlap.search import OverlapParams, find_overlaps
    from storyaudit.files import csv_text
    from storyaudit.findings import Finding
    from storyaudit.readers.texts import read_texts

    read = [read_texts(p, text_column=text_column, id_column=id_column) for p in (*train, against)]
    training = pd.concat([texts for texts, _ in read[:-1]], ignore_index=True)
    benchmark, _ = read[-1]
    params = OverlapParams(shingle=shingle)
    overlaps, empty = find_overlaps(
        training,
        benchmark,
        params,
        level="story",
        watch=lambda texts: with_progress(texts, total=len(training), label="Searching"),
    )
    report = overlap_report(
        overlaps,
        study=study_name(study, against),
        sizes={"story": (training["id"].nunique(), benchmark["id"].nunique())},
        params=params,
        command=command_line(),
        empty={"story": empty},
        repeated={
            "story": sum(int(side["id"].duplicated().sum()) for side in (training, benchmark))
        },
    )
    report.findings.append(
        Finding(
            id="columns",
            severity="note",
            statement="; ".join(found for _, found in read) + ".",
            command=command_line(),
        )
    )
    finish(report, as_json=as_json, out=out, tables={"overlaps.csv": csv_text(overlaps)})

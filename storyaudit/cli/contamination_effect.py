"""``storyaudit contamination-effect``."""

from pathlib import Path

import click

from storyaudit.cli.common import (
    CONTAINMENTS,
    PATH,
    Command,
    Output,
    Proportion,
    audit_options,
    checked_options,
    confidence_option,
    containment_options,
)


@click.command("contamination-effect", cls=Command)
@click.argument("folder", type=PATH)
@click.option("--overlaps", type=PATH, help="Table of `storyaudit overlap`, in place of FOLDER's.")
@click.option("--results", type=PATH, help="Table of `storyaudit evaluate`, in place of FOLDER's.")
@click.option(
    "--trained",
    multiple=True,
    metavar="VARIANT",
    help="Trained on the pairs; by default every variant but the untrained rules.",
)
@containment_options
@click.option(
    "--decontaminate-threshold",
    type=Proportion(),
    help="Containment from which pairs were left out of the training; by default none were.",
)
@confidence_option
@audit_options
def contamination_effect(
    folder: Path,
    overlaps: Path | None,
    results: Path | None,
    trained: tuple[str, ...],
    min_containment: float,
    duplicate_threshold: float,
    decontaminate_threshold: float | None,
    confidence: float,
    output: Output,
) -> None:
    """Compare accuracies on contaminated and other items.

    FOLDER holds the tables overlaps, pairs, candidates, benchmark and results by name, in any
    format. An item is contaminated if a training text contains a part of its texts.

    \b
    Examples:
      storyaudit contamination-effect data/study
      storyaudit contamination-effect my-study --overlaps overlaps/overlaps.csv --trained mine
    """
    from audits.contamination_effect.effect_report import (
        READ,
        EffectParams,
        Tables,
        effect_report,
        trained_on,
    )
    from storyaudit.data.table_files import find_tables, read_tables, require_tables
    from storyaudit.data.tables import OVERLAPS, RESULTS
    from storyaudit.overlap.overlap_params import OverlapParams
    from storyaudit.vocabulary import UNTRAINED

    params = checked_options(
        OverlapParams,
        CONTAINMENTS,
        min_containment=min_containment,
        duplicate_threshold=duplicate_threshold,
    )
    paths = find_tables(folder, READ)
    given = {OVERLAPS.name: overlaps, RESULTS.name: results}
    paths |= {name: path for name, path in given.items() if path is not None}
    require_tables(paths, [READ], folder)
    read = read_tables(paths, READ)
    tables = Tables(*(read[table.name].frame for table in READ))
    there = {str(name) for name in tables.results["variant"].dropna()}
    if unknown := sorted(set(trained) - there):
        raise click.UsageError(
            f"--trained: no result is of {unknown[0]}; the variants are {', '.join(sorted(there))}."
        )
    report = effect_report(
        trained_on(tables, decontaminate_threshold),
        params,
        EffectParams(confidence=confidence),
        trained=set(trained) or there - set(UNTRAINED),
        study=output.study_name(folder),
    )
    output.finish(report, ignored={name: table.ignored for name, table in read.items()})

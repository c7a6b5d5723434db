"""``storyaudit ablations``."""

from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    Command,
    Output,
    audit_options,
    checked_options,
    resampling_options,
)


@click.command(cls=Command)
@click.argument("folder", type=PATH)
@click.option(
    "--ablations",
    "ablated",
    type=PATH,
    help="Table of the ablated variants' results; by default the variants among FOLDER's results "
    "other than the reference and the untrained rules.",
)
@click.option("--reference", default="full", show_default=True, help="Variant to compare with.")
@click.option("--external", type=PATH, help="Table of an external judge's scores.")
@click.option("--pool", type=PATH, help="Folder of Best-of-N pools: candidates and scores.")
@resampling_options()
@audit_options
def ablations(
    folder: Path,
    ablated: Path | None,
    reference: str,
    external: Path | None,
    pool: Path | None,
    resamples: int,
    confidence: float,
    seed: int | str,
    output: Output,
) -> None:
    """Compare ablated variants with a reference model.

    FOLDER holds the tables results, benchmark, candidates and stories by name, in any format.
    Removals and replacements of training pairs, the learning curve and the burstiness of chosen
    stories are analysed, and beside them the scores of an external judge, where they are given.

    \b
    Examples:
      storyaudit ablations my-study --reference full
      storyaudit ablations data/study --ablations data/experiments/results.parquet \\
          --external data/external/scores.parquet --pool data/pool
    """
    from audits.ablations.ablation_inputs import ABLATED, EXTERNAL, OF_POOL, OF_STUDY, parted
    from audits.ablations.ablation_params import ExperimentsParams, paper_figures
    from audits.ablations.ablations_report import Tables, ablations_report
    from storyaudit.data.table_files import Read, find_complete, read_table, read_tables
    from storyaudit.data.tables import without_rows
    from storyaudit.io.expectations import expectations_path
    from storyaudit.ledger.ledger_file import read_ledger
    from storyaudit.runs.seeds import generator

    params = checked_options(
        ExperimentsParams, reference=reference, resamples=resamples, confidence=confidence
    )
    study_tables, pool_tables = list(OF_STUDY.values()), list(OF_POOL.values())
    paths = find_complete(folder, study_tables, [study_tables])
    read: dict[str, Read] = {
        str(paths[name]): table for name, table in read_tables(paths, study_tables).items()
    }
    given = {name: read[str(paths[table.name])].frame for name, table in OF_STUDY.items()}
    there = {str(name) for name in given["results"]["variant"].dropna()}
    if reference not in there:
        raise click.UsageError(
            f"--reference must be a variant of the results: {', '.join(sorted(there))}."
        )
    if ablated is None:
        given["results"], given["experiments"] = parted(given["results"], reference)
    else:
        read[str(ablated)] = read_table(ablated, ABLATED)
        given["experiments"] = read[str(ablated)].frame
    if external is None:
        given["external"] = without_rows(EXTERNAL)
    else:
        read[str(external)] = read_table(external, EXTERNAL)
        given["external"] = read[str(external)].frame
    pool_paths = {} if pool is None else find_complete(pool, pool_tables, [pool_tables])
    for name, table in OF_POOL.items():
        if table.name in pool_paths:
            file = pool_paths[table.name]
            read[str(file)] = read_table(file, table)
            given[name] = read[str(file)].frame
        else:
            given[name] = without_rows(table)
    paper = expectations_path("papers/storyalign.yaml")
    report = ablations_report(
        Tables(**given),
        params,
        paper_figures(read_ledger(paper), paper),
        generator(seed),
        study=output.study_name(folder),
    )
    output.finish(report, ignored={name: table.ignored for name, table in read.items()})

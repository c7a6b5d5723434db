"""``storyaudit best-of-n``."""

from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    Command,
    Output,
    adjudicator_option,
    audit_options,
    checked_options,
    resampling_options,
)


@click.command("best-of-n", cls=Command)
@click.argument("folder", type=PATH)
@click.option("--scores", type=PATH, help="Table of rewards, in place of FOLDER's.")
@adjudicator_option
@resampling_options()
@audit_options
def best_of_n(
    folder: Path,
    scores: Path | None,
    adjudicators: tuple[str, ...],
    resamples: int,
    confidence: float,
    seed: int | str,
    output: Output,
) -> None:
    """Audit models' picks from pools of candidates.

    FOLDER holds tables by name, in any format: candidates (a pool is an item), annotations (one
    ranking a pool), and where there are some, individual_annotations and scores. Checks that need
    an absent table are listed as not checked.

    \b
    Example:
      storyaudit best-of-n data/pool --adjudicator simulated-adjudicator
    """
    from audits.best_of_n.best_of_n_report import READ, REQUIRED, BestOfParams, best_of_n_report
    from storyaudit.data.table_files import find_complete, read_tables
    from storyaudit.data.tables import SCORES, without_rows
    from storyaudit.runs.seeds import generator

    params = checked_options(
        BestOfParams, adjudicators=list(adjudicators), resamples=resamples, confidence=confidence
    )
    paths = find_complete(folder, READ, [REQUIRED])
    if scores is not None:
        paths[SCORES.name] = scores
    read = read_tables(paths, [*REQUIRED, *READ[len(REQUIRED) :]])
    candidates, annotations, individual, rewards = (
        read[table.name].frame if table.name in read else without_rows(table) for table in READ
    )
    report = best_of_n_report(
        candidates,
        annotations,
        individual,
        rewards,
        params,
        generator(seed),
        study=output.study_name(folder),
    )
    output.finish(report, ignored={name: table.ignored for name, table in read.items()})

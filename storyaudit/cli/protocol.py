"""``storyaudit protocol``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from storyaudit.cli.common import (
    PATH,
    Command,
    Output,
    adjudicator_option,
    audit_options,
    checked_options,
    chosen_variant,
    resampling_options,
    tau_option,
    variant_option,
)

if TYPE_CHECKING:
    import pandas as pd


@click.command(cls=Command)
@click.argument("folder", type=PATH)
@tau_option
@click.option(
    "--tie-tolerance",
    type=float,
    default=0.5,
    show_default=True,
    help="Points within which dimensions tie.",
)
@click.option(
    "--priority",
    metavar="A,B,C,D,E",
    help="The dimensions in the order that decides last; without it the order is not stated.",
)
@click.option(
    "--judge-human-story/--no-judge-human-story",
    default=None,
    help="Whether scores of human stories count; by default they do where there are some.",
)
@variant_option
@click.option("--judge", "judges", multiple=True, help="Judges who count; all by default.")
@adjudicator_option
@click.option("--families", type=PATH, help="Table of name and family of judges and authors.")
@click.option(
    "--scale",
    type=float,
    nargs=2,
    default=(1, 5),
    metavar="LOW HIGH",
    show_default=True,
    help="Of human_scores and judge_scores.",
)
@resampling_options()
@audit_options
def protocol(
    folder: Path,
    tau_threshold: float,
    tie_tolerance: float,
    priority: str | None,
    judge_human_story: bool | None,
    prompt_variant: str | None,
    judges: tuple[str, ...],
    adjudicators: tuple[str, ...],
    families: Path | None,
    scale: tuple[float, float],
    resamples: int,
    confidence: float,
    seed: int | str,
    output: Output,
) -> None:
    """Replay a benchmark's gold labels from judgements.

    A sensitivity analysis shows how the gold labels depend on thresholds, priority and judges.
    FOLDER holds tables by name, in any format: benchmark, candidates, judgements, and where there
    are some, annotations, individual_annotations and stories. Checks that need an absent table are
    listed as not checked. Where FOLDER holds human_scores and judge_scores of the same stories, the
    agreement of the judges' choices with the human annotations is measured.

    \b
    Examples:
      storyaudit protocol data/study
      storyaudit protocol data/published/hanna
    """
    from audits.protocol.bias.family import read_families
    from audits.protocol.protocol_report import AUDIT, READ, REQUIRED, protocol_report
    from audits.protocol.validity.score_tables import read_scores
    from audits.protocol.validity.validity_report import validity_report
    from storyaudit.data.table_files import find_complete, read_tables
    from storyaudit.data.tables import HUMAN_SCORES, JUDGE_SCORES
    from storyaudit.findings import Report
    from storyaudit.protocol.protocol_params import ProtocolParams
    from storyaudit.runs.seeds import generator

    if len(judges) == 1:
        raise click.UsageError("--judge: tau needs two judges; name another, or none for all.")
    panel = (HUMAN_SCORES, JUDGE_SCORES)
    paths = find_complete(folder, (*READ, *panel), (REQUIRED, panel))
    name, rng = output.study_name(folder), generator(seed)
    given: dict[str, Any] = {"tau_threshold": tau_threshold, "tie_tolerance": tie_tolerance}
    if priority is not None:
        given["priority"] = [dimension.strip() for dimension in priority.split(",")]
    reports: list[Report] = []
    ignored: dict[str, list[str]] = {}
    if REQUIRED[0].name in paths:
        read = read_tables(paths, READ)
        ignored |= {table: found.ignored for table, found in read.items()}
        tables = {table: found.frame for table, found in read.items()}
        tables["judgements"] = _of_judges(tables["judgements"], judges)
        there = {str(name) for name in tables["judgements"]["prompt_variant"].dropna()}
        variant = chosen_variant(there, prompt_variant)
        if judge_human_story is None:
            judge_human_story = _judges_humans(tables)
        given |= {"prompt_variant": variant, "judge_human_story": judge_human_story}
        reports.append(
            protocol_report(
                tables,
                study=name,
                params=checked_options(ProtocolParams, **given),
                rng=rng,
                adjudicators=adjudicators,
                families=None if families is None else read_families(families),
                resamples=resamples,
                confidence=confidence,
            )
        )
    if panel[0].name in paths:
        scores = read_scores(*(paths[table.name] for table in panel))
        ignored |= scores.ignored
        reports.append(
            validity_report(
                scores.human,
                scores.judge,
                study=name,
                rng=rng,
                scale=scale,
                tau_threshold=checked_options(ProtocolParams, **given).tau_threshold,
                resamples=resamples,
                confidence=confidence,
                judges=judges or None,
                prompt_variant=prompt_variant,
            )
        )
    about = " ".join(part.about for part in reports if part.about)
    parts = (part for report in reports for part in report.parts)
    output.finish(Report.of(parts, study=name, audit=AUDIT, about=about), ignored=ignored)


def _of_judges(judgements: "pd.DataFrame", judges: Sequence[str]) -> "pd.DataFrame":
    there = set(judgements["judge"].dropna())
    unknown = sorted(set(judges) - there)
    if unknown:
        raise click.UsageError(
            f"no judgement is by {unknown[0]}; the judges are {', '.join(sorted(there))}."
        )
    return judgements[judgements["judge"].isin(judges)] if judges else judgements


def _judges_humans(tables: "dict[str, pd.DataFrame]") -> bool:
    """Return whether judges scored human stories, as far as the tables tell."""
    from storyaudit.data.tables import human_stories

    if "stories" not in tables:
        return True
    humans = human_stories(tables["stories"]) & set(tables["candidates"]["story_id"])
    return not humans or bool(tables["judgements"]["story_id"].isin(humans).any())

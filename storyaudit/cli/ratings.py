"""``storyaudit ratings``."""

import math
from pathlib import Path

import click

from storyaudit.cli.common import PATH, Command, Output, audit_options, resampling_options
from storyaudit.errors import InputError


@click.command(cls=Command)
@click.argument("file", type=PATH)
@click.option(
    "--scale", type=float, nargs=2, metavar="LOW HIGH", help="Lowest and highest allowed score."
)
@click.option("--reference", help="Author to compare the others with; 'human' by default.")
@click.option("--box", "boxes", multiple=True, metavar="ITEM", help="Also box statistics of ITEM.")
@click.option("--stories", type=PATH, help="Folder of the stories as .txt files.")
@click.option(
    "--names", type=PATH, help="Table of story_id and file_name, where files are not named by ID."
)
@resampling_options()
@audit_options
def ratings(
    file: Path,
    scale: tuple[float, float] | None,
    reference: str | None,
    boxes: tuple[str, ...],
    stories: Path | None,
    names: Path | None,
    resamples: int,
    confidence: float,
    seed: int | str,
    output: Output,
) -> None:
    """Audit rubric ratings.

    Checked are scores off scale, agreement, variance, comparisons and blinding. FILE (CSV, TSV,
    JSON, JSONL, Parquet, XLSX) has a row a score, with the columns rater, story_id, author, item
    and score; or it is a workbook in which raters score stories side by side. With the stories'
    texts, lengths, duplicates and features that identify an author are checked too.

    \b
    Examples:
      storyaudit ratings data/published/confederacy/ratings.csv --scale 1 10
      storyaudit ratings RatersSheet-WithResults.xlsx --scale 1 10 \\
          --stories stories --names data/published/confederacy/stories.csv
    """
    from audits.ratings.ratings_report import ratings_report
    from storyaudit.data.table_files import read_table
    from storyaudit.data.tables import STORY_FACTS
    from storyaudit.layouts.ratings_file import read_ratings
    from storyaudit.layouts.story_files import read_story_files
    from storyaudit.runs.seeds import generator

    if scale is not None and not -math.inf < scale[0] < scale[1] < math.inf:
        raise click.UsageError(f"--scale needs LOW below HIGH, found {scale[0]:g} {scale[1]:g}.")
    if names is not None and stories is None:
        raise click.UsageError("--names goes with --stories.")
    table, ignored, labels = read_ratings(file)
    by_name = None
    if names is not None:
        facts = read_table(names, STORY_FACTS).frame
        if "file_name" not in facts.columns:
            raise InputError("expected the column file_name.", "Add it.", file=names)
        by_name = dict(zip(facts["file_name"], facts["story_id"], strict=True))
    report = ratings_report(
        table,
        scale=scale,
        study=output.study_name(file),
        reference=reference,
        stories=None if stories is None else read_story_files(stories, by_name),
        labels=labels,
        box_items=boxes,
        resamples=resamples,
        confidence=confidence,
        rng=generator(seed),
    )
    output.finish(report, ignored={str(file): ignored})

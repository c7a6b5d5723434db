"""``storyaudit evaluate``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from storyaudit.cli.common import (
    PATH,
    Command,
    Output,
    audit_options,
    checked_options,
    resampling_options,
)
from storyaudit.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


@click.command(cls=Command)
@click.argument("files", metavar="SCORES...", type=PATH, nargs=-1, required=True)
@click.option(
    "--benchmark",
    type=PATH,
    required=True,
    help="A file of items (prompt, chosen, rejected), or a folder with the tables candidates, "
    "stories, premises and benchmark.",
)
@resampling_options(10_000, 1_000_000)
@audit_options
def evaluate(
    files: tuple[Path, ...],
    benchmark: Path,
    resamples: int,
    confidence: float,
    seed: int | str,
    output: Output,
) -> None:
    """Audit external rewards on a benchmark.

    Their validity and accuracy are checked. SCORES are tables with a row a reward: item_id,
    story_id, reward, and where there are several runs variant, model, seed. RewardBench's files of
    scores (.json) are read as well, where their ids are item IDs. An item is right only if its
    chosen story alone has the highest reward; one without all its rewards is wrong. IDs are those
    of `storyaudit score`. With --out, results.csv has every item's outcome and groups.csv the
    accuracies within groups of items.

    \b
    Examples:
      storyaudit evaluate scores.csv --benchmark items.jsonl --out evaluation
      storyaudit evaluate mine.csv theirs.parquet --benchmark data/study
    """
    import pandas as pd

    from audits.accuracy.accuracy_report import AccuracyParams
    from audits.accuracy.evaluation import columns_finding
    from audits.accuracy.evaluation import evaluate as evaluation
    from storyaudit.io.files import csv_text
    from storyaudit.layouts.benchmark_file import read_benchmark
    from storyaudit.runs.seeds import generator

    if len({file.resolve() for file in files}) < len(files):
        raise click.UsageError("a file of scores is given twice.")
    read = read_benchmark(benchmark)
    if read.gold is None:
        raise InputError(
            "expected the table 'benchmark', which says what story is the chosen one, found none.",
            "Add it: item_id and chosen_id at least.",
            file=benchmark,
        )
    scores, ignored, found = _read(files, read.candidates, read.gold)
    report, results, groups = evaluation(
        pd.concat(scores, ignore_index=True),
        read.candidates,
        read.stories,
        read.gold,
        checked_options(AccuracyParams, resamples=resamples, confidence=confidence),
        generator(seed),
        study=output.study_name(benchmark),
    )
    report = report.plus([columns_finding([read.found, *found])])
    tables = {"results.csv": csv_text(results), "groups.csv": csv_text(groups)}
    output.finish(report, ignored=ignored, tables=tables)


def _read(
    files: tuple[Path, ...], candidates: "pd.DataFrame", gold: "pd.DataFrame"
) -> "tuple[list[pd.DataFrame], dict[str, list[str]], list[str]]":
    """Return the tables of scores, the columns left out by file, and what was taken from JSON.

    Raises:
        InputError: see ``read_table`` and, of JSON, ``read_score_file``; two files of one name, of
            which neither names its variant.
    """
    from storyaudit.data.table_files import read_table
    from storyaudit.io.files import file_name
    from storyaudit.layouts.score_files import AS_GIVEN, read_score_file
    from storyaudit.vocabulary import UNKNOWN

    scores, ignored, found = [], {}, []
    named: dict[str, Path] = {}
    for file in files:
        name_of_file = file_name(file, ending=False)
        if file.suffix.lower() == ".json":
            result = read_score_file(file, candidates, gold)
            frame = result.scores.drop(columns="variant")
            found.append(result.found)
        else:
            frame, ignored[str(file)], _ = read_table(file, AS_GIVEN)
        if "variant" not in frame:
            other = named.setdefault(name_of_file, file)
            if other != file:
                raise InputError(
                    f"expected a column 'variant', or a name other than that of {other}.",
                    "Without the column, a file's name stands for what made its scores.",
                    file=file,
                )
        for name, value in (("variant", name_of_file), ("model", UNKNOWN), ("seed", 0)):
            if name not in frame:
                frame[name] = value
        scores.append(frame)
    return scores, ignored, found

"""``storyaudit overlap``."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from storyaudit.cli.common import (
    CONTAINMENTS,
    PATH,
    Command,
    Output,
    Proportion,
    audit_options,
    checked_options,
    containment_options,
    refuse_input_as_output,
)
from storyaudit.cli.watching import watching

if TYPE_CHECKING:
    import pandas as pd

    from audits.overlap.external_files import Benchmark
    from storyaudit.findings import Finding
    from storyaudit.io.row_batches import Batch
    from storyaudit.layouts.text_source import Source
    from storyaudit.overlap.overlap_params import OverlapParams

MOST_THREADS = 16


@click.command(cls=Command)
@click.argument("train", metavar="TRAIN...", type=PATH, nargs=-1, required=True)
@click.option(
    "--against",
    type=PATH,
    required=True,
    help="The benchmark: texts as in TRAIN, items (prompt, chosen, rejected), or a folder with "
    "the tables candidates, stories and premises.",
)
@click.option(
    "--text-column",
    help="Column of the texts; guessed by default (text, story, content, messages, or chosen and "
    "rejected).",
)
@click.option("--id-column", help="Column of their IDs; guessed by default (story_id, id).")
@click.option("--shingle", type=click.IntRange(1, 50), default=5, show_default=True, help="Words.")
@containment_options
@click.option(
    "--self",
    "with_self",
    is_flag=True,
    help="Also compare the benchmark and the training with themselves.",
)
@click.option("--no-text", is_flag=True, help="Say where passages stand, and show none.")
@click.option(
    "--decontaminate-to",
    type=PATH,
    metavar="DIR",
    help="Write the training files without the rows that overlap into this new folder.",
)
@click.option(
    "--decontaminate-threshold",
    type=Proportion(),
    help="Containment from which a row is left out there; --duplicate-threshold by default.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    help=f"By default as many as there are processors, {MOST_THREADS} at most.",
)
@audit_options
def overlap(
    train: tuple[Path, ...],
    against: Path,
    text_column: str | None,
    id_column: str | None,
    shingle: int,
    min_containment: float,
    duplicate_threshold: float,
    with_self: bool,
    no_text: bool,
    decontaminate_to: Path | None,
    decontaminate_threshold: float | None,
    threads: int | None,
    output: Output,
) -> None:
    """Find benchmark texts contained in training texts.

    Texts contained in part are found as well. TRAIN are files, folders or patterns: Parquet, CSV,
    TSV, JSONL, JSON, XLSX, WritingPrompts or plain text, all but Parquet and XLSX also compressed
    (.gz, .zst). No pair at or above --min-containment is missed. With --out, overlaps.csv has all
    pairs and passages.csv the passages shared by the strongest pairs; with --self as well,
    near_duplicates.csv has pairs of training texts, and groups.csv groups of them.

    \b
    Examples:
      storyaudit overlap train-1.jsonl train-2.jsonl --against benchmark.csv --out overlaps
      storyaudit overlap data/train --against items.jsonl --self
      storyaudit overlap train.parquet --against data/study --decontaminate-to train-clean
    """
    if len({path.resolve() for path in train}) < len(train):
        raise click.UsageError("a training file is given twice.")
    if decontaminate_threshold is not None and decontaminate_to is None:
        raise click.UsageError("--decontaminate-threshold needs --decontaminate-to.")
    columns = {
        ours: theirs
        for ours, theirs in (("text", text_column), ("id", id_column))
        if theirs is not None
    }
    threads = threads or min(os.cpu_count() or 1, MOST_THREADS)

    from storyaudit.overlap.overlap_params import OverlapParams

    params = checked_options(
        OverlapParams,
        CONTAINMENTS,
        shingle=shingle,
        min_containment=min_containment,
        duplicate_threshold=duplicate_threshold,
    )

    from audits.overlap.decontaminated_files import check_folder, plan
    from audits.overlap.external_files import (
        all_batches,
        compare_benchmark,
        compare_with,
        read_against,
    )
    from audits.overlap.file_findings import file_findings
    from audits.overlap.overlap_report import overlap_report
    from audits.overlap.study_comparisons import all_rows
    from storyaudit.io.files import csv_text
    from storyaudit.layouts.text_source import open_source

    if output.out is not None:
        read = [path for path in (*train, against) if path.exists()]
        made = [] if decontaminate_to is None else [decontaminate_to]
        refuse_input_as_output(output.out, [*read, *made])
    if decontaminate_to is not None:
        check_folder(decontaminate_to, [*train, against])
        plan(train, columns)
    sources = [open_source(path, columns=columns) for path in train]
    _refuse_twice(sources)
    benchmark = read_against(against, columns)

    def batches() -> "Iterator[Batch]":
        for path, source in zip(train, sources, strict=True):
            yield from all_batches(path, source)

    pass_on = _Passes(sources)
    with pass_on("Searching") as watch:
        found = compare_with(benchmark, batches(), params, threads=threads, watch=watch)
    if with_self:
        found.append(compare_benchmark(benchmark, params, threads=threads))
    tables = {"overlaps.csv": csv_text(all_rows(found))}
    if with_self:
        compared, further = _training(batches, params, threads, pass_on)
        found.append(compared)
        tables |= further
    passages = _passages(found[0].rows, benchmark, sources, params, not no_text, threads, pass_on)
    tables["passages.csv"] = csv_text(passages)
    report = overlap_report(
        found,
        study=output.study_name(against),
        params=params,
        context=benchmark.context,
        more=_shown(passages),
    )
    report = report.plus(file_findings(sources, benchmark))
    if decontaminate_to is not None:
        report = report.plus(
            [
                _decontaminate(
                    train,
                    benchmark,
                    params,
                    decontaminate_to,
                    columns,
                    decontaminate_threshold,
                    threads,
                    pass_on,
                )
            ]
        )
    output.finish(report, tables=tables)


def _refuse_twice(sources: "Sequence[Source]") -> None:
    """Refuse a training file that two arguments name, one of them by its folder or a pattern."""
    from storyaudit.errors import InputError

    seen: set[Path] = set()
    for path in (file.path for source in sources for file in source.files):
        if path.resolve() in seen:
            raise InputError("is a training file twice.", "Name it once.", file=path)
        seen.add(path.resolve())


class _Passes:
    """Shows how passes over the training texts go on."""

    def __init__(self, sources: "list[Source]") -> None:
        from storyaudit.io.streams import COMPRESSIONS

        counts = [source.rows for source in sources]
        self._texts = sum(n for n in counts if n is not None) if None not in counts else None
        files = [file.path for source in sources for file in source.files]
        plain = not any(path.suffix.lower() in COMPRESSIONS for path in files)
        self._size = sum(path.stat().st_size for path in files) if plain else None

    def __call__(self, label: str, times: int = 1) -> Any:
        return watching(
            label,
            texts=None if self._texts is None else self._texts * times,
            size=None if self._size is None else self._size * times,
        )


def _training(
    batches: "Callable[[], Iterator[Batch]]",
    params: "OverlapParams",
    threads: int,
    pass_on: _Passes,
) -> "tuple[Any, dict[str, str]]":
    """Return what the training texts share with each other, and the tables of that."""
    from audits.overlap.external_files import compare_training
    from storyaudit.io.files import csv_text

    with pass_on("Comparing the training texts with themselves", 2) as watch:
        compared, found = compare_training(batches, params, threads=threads, watch=watch)
    tables = {
        "near_duplicates.csv": csv_text(found.pairs),
        "groups.csv": csv_text(found.groups),
    }
    return compared, tables


def _passages(
    rows: "pd.DataFrame",
    benchmark: "Benchmark",
    sources: "Sequence[Source]",
    params: "OverlapParams",
    texts: bool,
    threads: int,
    pass_on: _Passes,
) -> "pd.DataFrame":
    """Return the passages of the strongest pairs."""
    from audits.overlap.external_files import wanted_texts
    from audits.overlap.passages import find_passages, strongest

    pairs = strongest(rows)
    with pass_on("Fetching passages") as watch:
        training = wanted_texts(sources, set(pairs["right_id"]), threads=threads, watch=watch)
        return find_passages(
            pairs, benchmark.stories.batches(), training, params.shingle, texts=texts
        )


def _shown(passages: "pd.DataFrame") -> "Callable[[Mapping[Any, Any]], dict[str, Any]]":
    """Return what gives for a row of overlaps its longest passage, or where that stands."""
    firsts = passages[passages["passage"] == 1].set_index(["left_id", "right_id"])
    known = firsts.to_dict("index")

    def show(row: Mapping[Any, Any]) -> dict[str, Any]:
        passage = known.get((row["left_id"], row["right_id"]))
        if passage is None or (row["comparison"], row["level"]) != ("train_benchmark", "story"):
            return {}
        places = {
            f"in_{name}": f"{passage[f'{side}_start']}–{passage[f'{side}_end']}"
            for name, side in (("benchmark", "left"), ("training", "right"))
        }
        return places | ({"passage": passage["left"]} if "left" in passage else {})

    return show


def _decontaminate(
    train: tuple[Path, ...],
    benchmark: "Benchmark",
    params: "OverlapParams",
    folder: Path,
    columns: dict[str, str],
    threshold: float | None,
    threads: int,
    pass_on: _Passes,
) -> "Finding":
    """Write the training files without the rows that overlap, and return what was written."""
    from audits.overlap.decontaminated_files import write_decontaminated
    from audits.overlap.file_findings import decontaminated_finding
    from audits.overlap.scan import read_side

    least = params.duplicate_threshold if threshold is None else threshold
    with pass_on("Choosing rows") as watch:
        done = write_decontaminated(
            train,
            read_side(benchmark.stories.batches()),
            params,
            folder,
            columns=columns,
            threshold=least,
            threads=threads,
            watch=watch,
        )
    return decontaminated_finding(done, folder, least)

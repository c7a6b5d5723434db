"""Training files without the rows whose texts hold a benchmark text."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from audits.overlap.scan import Side, Watch, scan
from storyaudit.errors import InputError
from storyaudit.io.files import csv_text
from storyaudit.io.row_batches import Batch
from storyaudit.io.row_files import FORMATS, open_rows
from storyaudit.layouts.text_file import TextFile
from storyaudit.layouts.text_source import open_source
from storyaudit.overlap.overlap_params import OverlapParams

REMOVED = "removed.csv"
COLUMNS = ("file", "row", "id", "benchmark_id", "containment")

_WILD = "*?["


class Decontaminated(NamedTuple):
    """What was written.

    Attributes:
        removed: the rows that were left out, with columns as in ``COLUMNS``: the ID of its text
            that holds most of a benchmark text, and that benchmark text.
        kept: rows that were written.
        files: training files that were written.
    """

    removed: pd.DataFrame
    kept: int
    files: int


class CopiedFile(NamedTuple):
    """A file to copy, and its path in the new folder."""

    file: TextFile
    target: Path


def check_folder(folder: Path, inputs: Sequence[Path]) -> None:
    """Refuse a folder that must not be written.

    Args:
        folder: that is to be made.
        inputs: files, folders and patterns that are read.

    Raises:
        InputError: it is a file, holds something, or is or lies in an input.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(
            "expected a new or an empty folder.", "Choose another --decontaminate-to.", file=folder
        )
    real = folder.resolve()
    for given in inputs:
        inside = given.resolve() if given.exists() else _base(given).resolve()
        recursive = given.is_dir() or (not given.exists() and "**" in given.parts)
        if real == inside or (recursive and real.is_relative_to(inside)):
            raise InputError(
                f"expected a folder outside of what is read, found that it lies in {given}.",
                "Choose another --decontaminate-to.",
                file=folder,
            )


def write_decontaminated(
    inputs: Sequence[Path],
    benchmark: Side,
    params: OverlapParams,
    folder: Path,
    *,
    columns: Mapping[str, str] | None = None,
    threshold: float | None = None,
    threads: int = 2,
    watch: Watch | None = None,
) -> Decontaminated:
    """Write the training files without the rows that overlap with the benchmark.

    A row is left out where any of its texts overlaps: a pair with either of its stories, and the
    line of WritingPrompts' premises with its story. Files keep their names, formats and the order
    of rows. ``REMOVED`` lists what is gone. The texts are scanned anew, row by row, so that of an
    ID that several rows have only the right one is left out.

    Args:
        inputs: files, folders or patterns, as ``text_source.open_source`` takes them.
        benchmark: the texts to keep out.
        params: of the scan.
        folder: to write, which must not be there yet, or be empty; a killed process leaves none.
        columns: {our column: their column} of the inputs.
        threshold: containment from which a row is left out; ``duplicate_threshold`` if None.
        threads: of the scan.
        watch: see ``scan``.

    Raises:
        InputError: see ``check_folder`` and ``plan``; a row that cannot be read; a folder that
            cannot be written to its end.
    """
    folder = folder.resolve()
    check_folder(folder, inputs)
    copied = plan(inputs, columns or {})
    least = params.duplicate_threshold if threshold is None else threshold
    floor = params.model_copy(update={"min_containment": least})
    pairs, _ = scan(benchmark, _numbered(copied), floor, threads=threads, watch=watch)
    removed = _removed(pairs, copied)
    try:
        kept, files = _write(folder, copied, removed)
    except OSError as error:
        raise InputError(
            f"the files cannot be written ({error.strerror or error}).",
            "Make room, check the path, or choose another --decontaminate-to; nothing was left.",
            file=folder,
        ) from None
    return Decontaminated(removed.drop(columns="number"), kept, files)


def plan(inputs: Sequence[Path], columns: Mapping[str, str]) -> list[CopiedFile]:
    """Return where each training file goes.

    Raises:
        InputError: see ``open_source``; two files of one name, a workbook.
    """
    copied: list[CopiedFile] = []
    taken: dict[Path, Path | None] = {Path(REMOVED): None}
    for given in inputs:
        base = given.parent if given.is_file() else given if given.is_dir() else _base(given)
        above = Path(base.resolve().name if len(inputs) > 1 and not given.is_file() else "")
        for file in open_source(given, columns=columns).files:
            target = above / file.path.relative_to(base)
            if file.file.no_copy is not None:
                raise file.file.no_copy
            beside = [] if file.beside is None else [target.with_name(file.beside.name)]
            for name in (target, *beside):
                other = taken.setdefault(name, file.path)
                if other != file.path:
                    raise InputError(
                        f"expected files of different names, found {name} again: "
                        f"{other or 'what is removed'}.",
                        "Rename one of them, or leave it out.",
                        file=file.path,
                    )
            copied.append(CopiedFile(file, target))
    return copied


def _base(pattern: Path) -> Path:
    """Return the folder of a pattern that is none itself."""
    while any(mark in part for part in pattern.parts for mark in _WILD):
        pattern = pattern.parent
    return pattern


def _numbered(copied: Sequence[CopiedFile]) -> Iterator[Batch]:
    """Yield all texts; an ID says the file's number, the row and the text's own ID."""
    for number, one in enumerate(copied):
        for rows, batch in one.file.texts():
            ids = [f"{number}:{row} {name}" for row, name in zip(rows, batch.ids, strict=True)]
            yield Batch(ids, batch.texts)


def _removed(pairs: pd.DataFrame, copied: Sequence[CopiedFile]) -> pd.DataFrame:
    """Return the rows to leave out, each with its strongest pair, by file and row."""
    named = [name.partition(" ") for name in pairs["right_id"]]
    table = pd.DataFrame(
        {
            "number": [int(row.partition(":")[0]) for row, _, _ in named],
            "row": [int(row.partition(":")[2]) for row, _, _ in named],
            "id": [name for _, _, name in named],
            "benchmark_id": pairs["left_id"].tolist(),
            "containment": pairs["containment"].tolist(),
        }
    )
    # Pairs come with the strongest first.
    table = table.drop_duplicates(["number", "row"]).sort_values(
        ["number", "row"], ignore_index=True
    )
    table.insert(1, "file", [str(copied[number].file.path) for number in table["number"]])
    return table


def _write(folder: Path, copied: Sequence[CopiedFile], removed: pd.DataFrame) -> tuple[int, int]:
    """Write all files into a folder beside, which then replaces the folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.", suffix=".tmp"))
    try:
        kept = files = 0
        rows = {number: set(group["row"].tolist()) for number, group in removed.groupby("number")}
        for number, one in enumerate(copied):
            target = temporary / one.target
            target.parent.mkdir(parents=True, exist_ok=True)
            left_out = rows.get(number, set())
            kept += one.file.copy(left_out, target)
            files += target.exists()
            if one.file.beside is not None:
                beside = open_rows(one.file.beside, formats=FORMATS)
                beside.copy(left_out, target.with_name(beside.path.name))
        listed = csv_text(removed.drop(columns="number"))
        (temporary / REMOVED).write_bytes(listed.encode())
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o777 & ~umask)
        temporary.replace(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return kept, files

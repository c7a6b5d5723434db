"""Compare external files: a benchmark in memory, and training texts that stream by."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.overlap.context import Context, study_context
from audits.overlap.near_duplicates import NearDuplicates, near_duplicates
from audits.overlap.scan import Watch, read_side, scan, text_bytes
from audits.overlap.study_comparisons import (
    Compared,
    Comparison,
    Study,
    Texts,
    compare,
    overlaps_table,
)
from audits.overlap.text_pairs import once, related
from storyaudit.data.table_files import find_table
from storyaudit.data.tables import CANDIDATES, PAIR_PREMISES, PAIR_STORIES, PAIRS, PREMISES, STORIES
from storyaudit.errors import InputError
from storyaudit.io.files import md5
from storyaudit.io.row_batches import Batch
from storyaudit.io.row_files import TABLES, open_rows
from storyaudit.io.streams import ending
from storyaudit.layouts.benchmark_file import BenchmarkFile, read_benchmark
from storyaudit.layouts.benchmark_items import REJECTED
from storyaudit.layouts.text_file import TextFile
from storyaudit.layouts.text_source import Source, open_source
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.vocabulary import BENCHMARK_BENCHMARK, TRAIN_BENCHMARK, TRAIN_TRAIN

LEVELS = ("story", "premise_in_story")

_PART = re.compile(r":(?:chosen|rejected)(?::[0-9]+)?\Z")
_ITEM_FILES = (".json", ".jsonl", ".ndjson", ".parquet")


class Benchmark(NamedTuple):
    """A benchmark's texts.

    Attributes:
        stories: its stories, or whatever texts a file holds.
        premises: where they are known; else no texts.
        context: to which items the texts belong, where that and the gold are known.
        items: {story: its items}, where they are known.
        found: what was taken from where, as a sentence's part.
        files: that were read.
    """

    stories: Texts
    premises: Texts
    context: Context | None
    items: Mapping[str, set[str]]
    found: str
    files: Sequence[Path]


def read_against(path: Path, columns: Mapping[str, str] | None = None) -> Benchmark:
    """Read a benchmark as a whole.

    A folder with the tables candidates and stories, and a file of items with three rejected stories
    each, are read as benchmarks (``storyaudit.layouts.benchmark_file``), unless columns are
    named; anything else as texts (``text_source.open_source``).

    Raises:
        InputError: see there.
    """
    if not columns and _has_items(path):
        return _of_items(read_benchmark(path), path)
    source = open_source(path, columns=columns)
    texts = Texts([], [])
    for batch in all_batches(path, source):
        texts.ids.extend(batch.ids)
        texts.texts.extend(batch.texts.to_pylist())
    files = [file.path for file in source.files]
    return Benchmark(texts, Texts([], []), None, {}, source.found, files)


def all_batches(path: Path, source: Source) -> Iterator[Batch]:
    """Yield the texts of a source, of which there must be one.

    Raises:
        InputError: there is none; what cannot be read.
    """
    batch = None
    for batch in source.batches():
        yield batch
    if batch is None:
        raise InputError(
            "expected at least one row, found none.", "Check how the file was made.", file=path
        )


def wanted_texts(
    sources: Sequence[Source],
    wanted: Collection[str],
    *,
    threads: int = 2,
    watch: Watch | None = None,
) -> Iterator[Batch]:
    """Yield the texts of some IDs alone, in the order of files; so many files are read at once.

    Args:
        sources: to read once more.
        wanted: IDs.
        threads: at most one a file.
        watch: called with the bytes and the number of texts of every file that is read.
    """
    known = set(wanted)

    def pick(file: TextFile) -> tuple[list[Batch], int, int]:
        picked, size, count = [], 0, 0
        for batch in file.read():
            size += text_bytes(batch)
            count += len(batch.ids)
            rows = [row for row, name in enumerate(batch.ids) if name in known]
            if rows:
                picked.append(Batch([batch.ids[row] for row in rows], batch.texts.take(rows)))
        return picked, size, count

    files = [file for source in sources for file in source.files] if known else []
    with ThreadPoolExecutor(threads) as pool:
        for picked, size, count in pool.map(pick, files):
            yield from picked
            if watch is not None:
                watch(size, count)


def _has_items(path: Path) -> bool:
    if path.is_dir():
        return bool(find_table(path, CANDIDATES) and find_table(path, STORIES))
    if ending(path) not in _ITEM_FILES or not path.is_file():
        return False
    try:
        file = open_rows(path, formats=TABLES)
        if not {"chosen", "rejected"} <= set(file.names):
            return False
        first = next(file.rows(["rejected"]), None)
    except InputError:  # which is reported when the file is opened as texts
        return False
    if first is None or not len(first.numbers):
        return False
    cells: Any = first.cells["rejected"]
    cell = cells[0] if isinstance(cells, list) else cells[0].as_py()
    several = isinstance(cell, list) and len(cell) == REJECTED
    return several and not isinstance(cell[0], dict)


def _of_items(read: BenchmarkFile, path: Path) -> Benchmark:
    gold = read.gold
    candidates = read.candidates
    if gold is not None:
        candidates = candidates[candidates["item_id"].isin(gold["item_id"])]
    stories = read.stories[read.stories["story_id"].isin(candidates["story_id"])]
    premises = read.premises[read.premises["premise_id"].isin(candidates["premise_id"])]
    context = None
    if gold is not None:
        nothing = {
            table.name: pd.DataFrame(columns=[column.name for column in table.columns])
            for table in (PAIR_PREMISES, PAIR_STORIES, PAIRS)
        }
        study = Study(premises, stories, **nothing, candidates=candidates, benchmark=gold)
        context = study_context(study)
    tables = [find_table(path, table) for table in (STORIES, PREMISES)] if path.is_dir() else []
    return Benchmark(
        Texts(stories["story_id"].tolist(), stories["text"].tolist()),
        Texts(premises["premise_id"].tolist(), premises["text"].tolist()),
        context,
        {str(name): set(rows) for name, rows in candidates.groupby("story_id")["item_id"]},
        read.found,
        [table for table in tables if table is not None] or [path],
    )


def compare_with(
    benchmark: Benchmark,
    training: Iterable[Batch],
    params: OverlapParams,
    *,
    threads: int = 2,
    watch: Watch | None = None,
) -> list[Compared]:
    """Return what training texts share with a benchmark's stories, and with its premises.

    Both are searched in one pass; see ``scan``.
    """
    known = dict(zip(LEVELS, (benchmark.stories, benchmark.premises), strict=True))
    side = read_side(
        batch._replace(ids=[f"{level} {name}" for name in batch.ids])
        for level, texts in known.items()
        for batch in texts.batches()
    )
    lengths = np.diff(side.tokens.starts)
    levels = np.array([name.partition(" ")[0] for name in side.ids], dtype=object)
    seen = _Seen()
    rows, wordless = scan(side, seen.passed(training), params, threads=threads, watch=watch)
    named = [name.partition(" ") for name in rows["left_id"]]
    rows = rows.assign(level=[level for level, _, _ in named], left_id=[name for *_, name in named])
    results = []
    for level, texts in known.items():
        if level != LEVELS[0] and not texts.ids:
            continue
        own = lengths[levels == level]
        of_level = rows[rows["level"] == level].reset_index(drop=True)
        results.append(
            Compared(
                TRAIN_BENCHMARK,
                level,
                len(set(texts.ids)),
                seen.different(),
                overlaps_table(of_level, TRAIN_BENCHMARK, level),
                empty=int((own == 0).sum()) + (wordless if level == LEVELS[0] else 0),
                repeated=len(texts.ids) - len(set(texts.ids)) + seen.texts - seen.different(),
                short=int(((own > 0) & (own < params.shingle)).sum()),
                long=int((own > params.window).sum()),
            )
        )
    return results


class _Seen:
    """Counts texts and different IDs of batches that pass, by 8 bytes each."""

    def __init__(self) -> None:
        self.texts = 0
        self._hashes: list[NDArray[np.uint64]] = [np.empty(0, dtype=np.uint64)]

    def passed(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        for batch in batches:
            self.texts += len(batch.ids)
            ids = np.array(batch.ids, dtype=object)
            self._hashes.append(pd.util.hash_array(ids, categorize=False))
            yield batch

    def different(self) -> int:
        self._hashes = [np.unique(np.concatenate(self._hashes))]
        return len(self._hashes[0])


def compare_benchmark(benchmark: Benchmark, params: OverlapParams, *, threads: int = 2) -> Compared:
    """Return what the benchmark's stories share with each other; 'item' is of one item."""
    comparison = Comparison(BENCHMARK_BENCHMARK, "story", benchmark.stories, None)
    found = compare(comparison, params, threads=threads)

    def relation(left: str, right: str) -> str | None:
        if benchmark.items:
            shared = benchmark.items.get(left, set()) & benchmark.items.get(right, set())
            return "item" if shared else None
        return "item" if of_one_row(left, right) else None

    return found._replace(rows=related(found.rows, relation))


def compare_training(
    training: Callable[[], Iterable[Batch]],
    params: OverlapParams,
    *,
    threads: int = 2,
    watch: Watch | None = None,
) -> tuple[Compared, NearDuplicates]:
    """Return which training texts are near-duplicates of each other; 'pair' is of one pair.

    The rows have no longest common substring, for which all their texts would have to be in memory.
    Of a group of near-duplicates not all pairs are listed: at least each member with the centre
    (``star_groups.star_groups``).
    """
    seen = _Seen()
    found = near_duplicates(lambda: seen.passed(training()), params, threads=threads, watch=watch)
    members = found.groups.rename(columns={"centre_id": "left_id", "member_id": "right_id"})
    columns = ["left_id", "right_id", "containment", "jaccard"]
    rows = pd.concat([found.pairs[columns], members[columns]], ignore_index=True)
    rows = overlaps_table(once(rows.assign(longest_common_substring=None)), TRAIN_TRAIN, "story")
    table = related(rows, lambda left, right: "pair" if of_one_row(left, right) else None)
    compared = Compared(
        TRAIN_TRAIN,
        "story",
        seen.different(),
        None,
        table,
        empty=found.empty,
        proposed=found.proposed,
        uncompared=found.uncompared,
    )
    return compared, found


def of_one_row(left: str, right: str) -> bool:
    """Return whether two IDs are of the chosen and rejected stories of one row."""
    row = _PART.sub("", left)
    return left != row != right and row == _PART.sub("", right)


def same_files(training: Sequence[Path], benchmark: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Return the files that are on both sides, under one name or with the same bytes."""
    found = []
    for right in benchmark:
        size = right.stat().st_size
        for left in training:
            same = left.samefile(right)
            if same or (left.stat().st_size == size and md5(left) == md5(right)):
                found.append((left, right))
    return found

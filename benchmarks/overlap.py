"""Time the search for overlap beside other ways, on a corpus with planted truth.

Run it from the repository's root in the activated environment, after ``overlap_corpus``:

    python -m benchmarks.overlap CORPUS [--shards 8] [--peers PYTHON] [--only NAME ...]

This project runs on the whole corpus. Beside the others it runs on the first shards and the same
share of the benchmark, and only finds and verifies pairs, as they do; those in ``SLOW`` get fewer
shards. A row is a process of its own with two threads, datasketch's with one.
Seconds are those of the search, reading and normalisation of both sides included; imports are not,
nor is writing the formats that others read. MB are those of UTF-8 on both sides; a core's are
those by a second of processor time. Memory is that of the largest process.

``PYTHON`` is an interpreter from 3.12 on with pyarrow, ``decontaminate`` and ``corpus-assay``;
without it those are left out.

Planted pairs count whose containment is 0.1 or more by ``storyaudit.text.similarity``. A pair found
that was not planted is right if its containment is; of many, ``CHECKED`` are looked at.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks.overlap_contenders import CONTENDERS, FLOOR, SIZE, THREADS, of_corpus
from benchmarks.overlap_corpus import WITHIN
from storyaudit.text.similarity import containment, shingles
from storyaudit.text.words import words

CHECKED = 200
SLOW = {"datasketch, update": 1}
"""Shards for those that would take all day."""
ALONE = "this project, pairs alone"
OWN = ("this project", ALONE, "this project, within one side")


class Result(NamedTuple):
    """What a contender took and found; memory in MB."""

    name: str
    pairs: list[tuple[str, str]]
    megabytes: float
    seconds: float
    processor: float
    memory: float

    @property
    def rate(self) -> float:
        """MB a second of processor time."""
        return self.megabytes / self.processor


def run(name: str, corpus: Path, shards: int, stories: int, python: str) -> Result:
    """Run a contender in a process of its own.

    Raises:
        RuntimeError: it failed.
    """
    contender = CONTENDERS[name]
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "RAYON_NUM_THREADS": str(THREADS)}
    environment |= {"POLARS_MAX_THREADS": str(THREADS), "OMP_NUM_THREADS": "1"}
    if contender.elsewhere:
        environment.pop("PYTHONPATH", None)
    else:
        environment["PYTHONPATH"] = f"{root}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        script = str(root / "benchmarks/overlap_contenders.py")
        arguments = [name, str(corpus), str(shards), str(stories), scratch]
        with (folder / "printed").open("wb") as printed:
            process = subprocess.Popen(
                [python, script, *arguments], env=environment, stdout=printed, stderr=printed
            )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        if status:
            last = (folder / "printed").read_text(errors="replace").strip().splitlines()[-1:]
            raise RuntimeError(f"{name} failed: {last}")
        result = json.loads((folder / "result.json").read_text())
        work = of_corpus(corpus, shards, stories, folder)
        sides = (
            work.training if name.endswith("within one side") else [work.benchmark, *work.training]
        )
        megabytes = sum(size(path) for path in sides) / 1e6
    pairs = [(left, right) for left, right in result["pairs"]]
    memory = usage.ru_maxrss / 1000  # kB on Linux
    return Result(name, pairs, megabytes, result["seconds"], result["processor"], memory)


def size(path: Path) -> int:
    """Return the bytes of a file's texts."""
    return sum(
        pc.sum(pc.binary_length(batch["text"])).as_py()
        for batch in pq.ParquetFile(path).iter_batches(500, columns=["text"])
    )


def planted(corpus: Path, shards: int, stories: int, *, inside: bool) -> pd.DataFrame:
    """Return the truth about a part of the corpus, within its training side or between sides."""
    truth = pd.read_parquet(corpus / "truth.parquet")
    truth = truth[(truth["kind"].isin(WITHIN) == inside) & (truth["containment"] >= FLOOR)]
    if shards:
        files = sorted((corpus / "train").iterdir())[:shards]
        known = {
            name for file in files for name in pq.read_table(file, columns=["id"])["id"].to_pylist()
        }
        truth = truth[truth["right_id"].isin(known)]
    if stories:
        truth = truth[truth["left_id"].str.rpartition("-")[2].astype(int) < stories]
    return truth


def precision(corpus: Path, pairs: list[tuple[str, str]], truth: set[tuple[str, str]]) -> float:
    """Return the share of pairs that were planted or reach the floor."""
    if not pairs:
        return 1.0
    others = sorted(set(pairs) - truth - {(right, left) for left, right in truth})
    drawn = np.random.default_rng(1).permutation(len(others))[:CHECKED]
    checked = [others[place] for place in drawn]
    wanted = {name for pair in checked for name in pair}
    texts: dict[str, str] = {}
    for path in (corpus / "benchmark.parquet", *sorted((corpus / "train").iterdir())):
        if not wanted:
            break
        table = pq.read_table(path)
        table = table.filter(pc.is_in(table["id"], value_set=pc.cast(list(wanted), "string")))
        texts.update(zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True))
    right = 0
    for pair in checked:
        left, other = (shingles(words(texts[name]), SIZE) for name in pair)
        right += max(containment(left, other), containment(other, left)) >= FLOOR
    wrong = len(others) * (1 - right / len(checked)) if checked else 0
    return 1 - wrong / len(set(pairs))


def found(result: Result, truth: pd.DataFrame) -> pd.Series:
    """Return for each row of the truth whether it was found, in either order."""
    pairs = set(result.pairs) | {(right, left) for left, right in result.pairs}
    keys = zip(truth["left_id"], truth["right_id"], strict=True)
    return pd.Series([key in pairs for key in keys], index=truth.index, dtype=bool)


def show(result: Result, corpus: Path, shards: int, stories: int) -> None:
    """Print a result as a row of a table."""
    truth = planted(corpus, shards, stories, inside=result.name.endswith("within one side"))
    hit = found(result, truth)
    keys = set(zip(truth["left_id"], truth["right_id"], strict=True))
    kinds = {
        **hit.groupby(truth["kind"]).mean(),
        "Chinese": hit[truth["language"] == "Chinese"].mean(),
    }
    recall = ", ".join(f"{kind} {share:.2f}" for kind, share in kinds.items() if share == share)
    print(
        f"| {result.name} | {result.megabytes:.0f} | {result.seconds:.1f} | "
        f"{result.megabytes / result.seconds:.1f} | {result.rate:.1f} | {result.memory:.0f} | "
        f"{int(hit.sum())} of {len(hit)} | {precision(corpus, result.pairs, keys):.3f} | "
        f"{recall} |",
        flush=True,
    )


def main() -> None:
    """Print a row a contender, and how many times as fast this project is on the same data."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--peers", help="a Python with decontaminate and corpus-assay")
    parser.add_argument("--only", nargs="*", default=list(CONTENDERS), choices=list(CONTENDERS))
    parser.add_argument("--whole", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    corpus = given.corpus.resolve()
    print(f"xxhash {'is' if find_spec('xxhash') else 'is not'} installed; load {os.getloadavg()}")
    print(
        "| | MB | s | MB/s | MB/s a core | peak MB | planted, found | precision | recall by kind |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name in OWN:
        run(name, corpus, 1, 1, sys.executable)  # so that its kernels are compiled
    benchmark = pq.read_metadata(corpus / "benchmark.parquet").num_rows
    every = len(list((corpus / "train").iterdir()))
    results, whole = {}, None
    for name in OWN if given.whole else ():
        result = run(name, corpus, 0, 0, sys.executable)
        show(result, corpus, 0, 0)
        whole = result if name == ALONE else whole
    for name in (ALONE, *(name for name in given.only if name not in OWN)):
        shards = min(SLOW.get(name, given.shards), given.shards)
        stories = -(-benchmark * shards // every)
        python = given.peers if CONTENDERS[name].elsewhere else sys.executable
        if python is None:
            continue
        try:
            results[name] = run(name, corpus, shards, stories, python)
        except RuntimeError as error:
            print(f"| {error} |", flush=True)
            continue
        show(results[name], corpus, shards, stories)
    own = results.pop(ALONE)
    for name, result in results.items():
        line = f"{ALONE}: {own.rate / result.rate:.1f} times as fast a core as {name}"
        print(line + (f", {whole.rate / result.rate:.1f} on the whole corpus" if whole else ""))


if __name__ == "__main__":
    main()

"""Time the default pipeline in a fresh clone, stage by stage, a no-op run, counts, and scale 1.

Run it from the repository's root in the activated environment:

    python -m benchmarks.pipeline

Times are wall seconds of whole processes, the median of RUNS where a run is short.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from benchmarks.timing import ROOT, show, timed

RUNS = 5
BENCHMARK_STAGES = ("corpora", "candidates", "judgements", "annotations", "benchmark")


def at_paper_size(clone: Path) -> tuple[float, float]:
    """Return seconds and peak MB (largest process) of the benchmark's stages at scale 1."""
    params = yaml.safe_load((clone / "params.yaml").read_text(encoding="utf-8"))
    params["corpora"]["scale"] = 1.0
    (clone / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    start, peak = time.perf_counter(), 0
    for stage in BENCHMARK_STAGES:
        process = subprocess.Popen([sys.executable, "-m", f"pipeline.{stage}"], cwd=clone)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise RuntimeError(f"stage {stage} failed")
        peak = max(peak, usage.ru_maxrss)  # in kB on Linux
    return time.perf_counter() - start, peak / 1000


def inside(clone: Path, stage: str) -> float:
    """Return the seconds that a stage's last run took, without its start."""
    record = clone / "runs" / "local" / f"{stage}.json"
    return float(json.loads(record.read_text(encoding="utf-8"))["seconds"])


def figures() -> dict[str, float]:
    """Build in a clone, print the stages' seconds, and return what has a budget."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        os.environ["PYTHONPATH"] = str(clone)
        found = {"dvc repro, everything, in a fresh clone": timed("dvc", "repro", cwd=clone)}
        for path in sorted((clone / "runs" / "local").glob("*.json")):
            print(f"  {path.stem:16} {inside(clone, path.stem):5.1f} s inside the stage")
        trained = inside(clone, "train") + inside(clone, "score")
        found["13 variants of 3 seeds on 4,686 pairs, trained and scored"] = trained
        found["dvc repro, nothing to do"] = statistics.median(
            timed("dvc", "repro", cwd=clone) for _ in range(RUNS)
        )
        found["storyaudit counts data/study"] = timed(
            "storyaudit", "counts", "data/study", cwd=clone, audit=True
        )
        timed(sys.executable, "-m", "audits.overlap.stage", cwd=clone)
        found["the stage overlap, its kernels compiled"] = inside(clone, "overlap")
        seconds, peak = at_paper_size(clone)
    found["corpora to benchmark at scale: 1"] = seconds
    found["corpora to benchmark at scale: 1, memory"] = peak
    return found


if __name__ == "__main__":
    show(figures())

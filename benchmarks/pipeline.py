"""Time the default pipeline in a fresh clone, stage by stage, a no-op run, --help, and scale 1.

Run it from the repository's root in the activated environment:

    python benchmarks/pipeline.py

Times are wall seconds of whole processes, the median of RUNS where a run is short; they are
printed beside the budget.
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

RUNS = 5
BENCHMARK_STAGES = ("corpora", "candidates", "judgements", "annotations", "benchmark")


def timed(*command: str, cwd: Path) -> float:
    """Return the wall seconds of a command, which must succeed."""
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=True, capture_output=True)
    return time.perf_counter() - start


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


def main() -> None:
    """Print the times."""
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(root), str(clone)], check=True)
        os.environ["PYTHONPATH"] = str(clone)
        build = timed("dvc", "repro", cwd=clone)
        stages = {
            path.stem: json.loads(path.read_text())["seconds"]
            for path in sorted((clone / "runs" / "local").glob("*.json"))
        }
        quiet = statistics.median(timed("dvc", "repro", cwd=clone) for _ in range(RUNS))
        usage = statistics.median(timed("storyaudit", "--help", cwd=clone) for _ in range(RUNS))
        at_scale_1, peak = at_paper_size(clone)
    print(f"dvc repro, everything: {build:.1f} s (budget 90 s)")
    for name, seconds in stages.items():
        print(f"  {name:12} {seconds:5.1f} s inside the stage")
    print(f"dvc repro, nothing to do: {quiet:.2f} s (budget 3 s)")
    print(f"storyaudit --help: {usage:.2f} s (budget 0.5 s)")
    print(f"benchmark stages at scale 1: {at_scale_1:.0f} s, {peak:.0f} MB (budget 180 s, 2000 MB)")


if __name__ == "__main__":
    main()

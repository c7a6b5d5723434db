"""Time the default pipeline in a fresh clone, stage by stage, a no-op run, and --help.

Run it from the repository's root in the activated environment:

    python benchmarks/pipeline.py

Times are wall seconds of whole processes, the median of RUNS where a run is short; they are
printed beside the budget.
"""

import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

RUNS = 5


def timed(*command: str, cwd: Path) -> float:
    """Return the wall seconds of a command, which must succeed."""
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=True, capture_output=True)
    return time.perf_counter() - start


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
    print(f"dvc repro, everything: {build:.1f} s (budget 90 s)")
    for name, seconds in stages.items():
        print(f"  {name:12} {seconds:5.1f} s inside the stage")
    print(f"dvc repro, nothing to do: {quiet:.2f} s (budget 3 s)")
    print(f"storyaudit --help: {usage:.2f} s (budget 0.5 s)")


if __name__ == "__main__":
    main()

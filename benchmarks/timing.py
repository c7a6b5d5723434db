"""What benchmarks of whole commands share."""

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def timed(*command: str, cwd: Path = ROOT, audit: bool = False) -> float:
    """Return the wall seconds of a command.

    Args:
        command: its name and arguments.
        cwd: where it runs.
        audit: it exits with 1 where it found a fail, and prints what it found.

    Raises:
        RuntimeError: it did not do its work.
    """
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode and not (audit and done.returncode == 1 and done.stdout):
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    return time.perf_counter() - start


def show(figures: Mapping[str, float]) -> None:
    """Print figures, one a line."""
    for name, value in figures.items():
        print(f"{value:10.2f}  {name}")

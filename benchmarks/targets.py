"""Time make setup and make test in a fresh clone; packages come from a registry.

Run it from the repository's root:

    python -m benchmarks.targets
"""

import os
import subprocess
import tempfile
from pathlib import Path

from benchmarks.timing import ROOT, show, timed


def figures() -> dict[str, float]:
    """Return what has a budget."""
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        found = {}
        for name, target in (
            ("make setup, first time, packages from a registry", "setup"),
            ("make setup, nothing to do", "setup"),
            ("make test", "test"),
        ):
            found[name] = timed("make", target, cwd=clone)
    return found


if __name__ == "__main__":
    show(figures())

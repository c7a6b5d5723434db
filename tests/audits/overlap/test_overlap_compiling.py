"""That compiling beforehand reaches every kernel."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from deps import ROOT, files, parsed


def kernels() -> set[str]:
    """The compiled functions of the packages, as 'module.function'."""
    return {
        f"{file.stem}.{node.name}"
        for package in ("storyaudit", "audits")
        for file in files(package)
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Name) and d.id == "compiled" for d in node.decorator_list)
    }


@pytest.mark.slow
def test_every_kernel_is_compiled(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "audits.overlap.compiling"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        check=True,
    )
    # An index is named like 'matching.match-10.py311.nbi'.
    kept = {path.name.rpartition("-")[0] for path in tmp_path.rglob("*.nbi")}
    assert "matching.match" in kernels()
    assert kept == kernels()

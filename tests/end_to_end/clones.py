"""Throw-away clones of the work tree, built with the environment's own tools."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 1500  # stands for 'does not hang', on a slow machine with four builds at once
NOT_SOURCES = {
    *(f"data/{name}" for name in ("experiments", "external", "pool", "study", "world")),
    *("models", "findings", "runs", "reports", "mlartifacts"),
}
AMBIENT = (
    "MLFLOW_",
    "DVC_",
    "GX_",
    "GIT_",
    "PYTHON",
    "OMP_",
    "OPENBLAS_",
    "MKL_",
    "MAKE",
    "MFLAGS",
)
"""Prefixes of variables of this process that a clone must not see."""


def source_files() -> list[Path]:
    """Return the work tree's files, relative to its root: what Git tracks or would add.

    Without a Git checkout, every file that is neither hidden nor built.
    """
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        names = [Path(name) for name in listed.stdout.split("\0") if name]
        return sorted(name for name in names if (ROOT / name).is_file())
    kept = {".dvc/config", ".dvc/.gitignore", ".dvcignore", ".gitignore"}
    files = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return sorted(
        name
        for name in files
        if name.as_posix() in kept
        or not (
            any(part.startswith(".") or part == "__pycache__" for part in name.parts)
            or any(name.is_relative_to(built) for built in NOT_SOURCES)
        )
    )


@dataclass(frozen=True)
class Clone:
    """A clone: its folder, and the variables that its commands run with."""

    path: Path
    variables: dict[str, str]

    @classmethod
    def of_sources(cls, path: Path, **variables: str) -> "Clone":
        """Copy the sources to ``path`` and commit them there."""
        for name in source_files():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, path / name)
        clone = cls(path, variables)
        clone.run("git", "init", "--quiet")
        clone.run("git", "add", "--all")
        who = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
        clone.run("git", *who, "commit", "--quiet", "--message", "the work tree")
        return clone

    def copy(self, path: Path) -> "Clone":
        """Copy the clone with all that was built in it, DVC's cache included."""
        shutil.copytree(self.path, path, symlinks=True)
        return Clone(path, self.variables)

    def environment(self, **changes: str) -> dict[str, str]:
        """Return variables with which this clone's code runs, and nothing of the machine's."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(AMBIENT)}
        home = self.path.parent / "home"
        home.mkdir(exist_ok=True)
        return {
            **kept,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}",
            "PYTHONPATH": str(self.path),
            "HOME": str(home),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "DVC_GLOBAL_CONFIG_DIR": str(home / "dvc-global"),
            "DVC_SYSTEM_CONFIG_DIR": str(home / "dvc-system"),
            "DVC_SITE_CACHE_DIR": str(home / "dvc-site"),
            **self.variables,
            **changes,
        }

    def start(self, *command: str, **changes: str) -> "subprocess.Popen[str]":
        """Start a command in the clone, both its streams in one pipe."""
        return subprocess.Popen(
            command,
            cwd=self.path,
            env=self.environment(**changes),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def run(self, *command: str, code: int = 0, **changes: str) -> str:
        """Run a command in the clone, check its exit status, and return what it printed."""
        return ended(self.start(*command, **changes), code)

    def stages(self) -> dict[str, dict[str, Any]]:
        """Return the stages of the clone's ``dvc.yaml``."""
        return stages_of(self.path)

    def contents(self) -> dict[str, bytes]:
        """Return every out that is there, by path; those of a folder file by file."""
        outs = (self.path / out for stage in self.stages().values() for out in stage["outs"])
        files = (
            file
            for out in outs
            for file in (sorted(out.rglob("*")) if out.is_dir() else [out])
            if file.is_file()
        )
        return {file.relative_to(self.path).as_posix(): file.read_bytes() for file in files}

    def lock(self) -> bytes:
        """Return the clone's ``dvc.lock``."""
        return (self.path / "dvc.lock").read_bytes()


def stages_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the stages of ``dvc.yaml``, each with deps, params, and outs with its metrics."""
    stages = yaml.safe_load(
        (folder / "dvc.yaml").read_text(encoding="utf-8").replace("${study}", "embedded")
    )["stages"]
    return {
        name: {
            "deps": [],
            "params": [],
            **stage,
            "outs": [*stage.get("outs", []), *stage.get("metrics", [])],
        }
        for name, stage in stages.items()
    }


def ended(process: "subprocess.Popen[str]", code: int = 0) -> str:
    """Wait for a process, check its exit status, and return what it printed."""
    printed, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == code, printed[-1500:]
    return printed


def stages_run(printed: str) -> list[str]:
    """Return the stages that ``dvc repro`` says it ran."""
    return re.findall(r"^Running stage '([^']+)'", printed, re.MULTILINE)


def until(condition: Any, what: str) -> None:
    """Wait for a condition, which must come."""
    for _ in ticks():
        if condition():
            return
    raise AssertionError(f"waited in vain: {what}")


def ticks() -> Iterator[None]:
    """Yield twenty times a second, until it stands for 'hangs'."""
    for _ in range(20 * SECONDS):
        yield
        time.sleep(0.05)

"""Change the code in one place at a time, and see whether a test notices.

    python tools/mutations.py                  # every change of mutations.yaml
    python tools/mutations.py --only NAME      # one of them, or several
    python tools/mutations.py --list

A change is a snippet of code, which stands once in the folder named, what is put in its place, and
the test files that should fail then. Snippets are found by their text and test files by their
name, so that code and tests may move. Each change is made in a throw-away copy of the work tree, in
which only these tests run. The exit status is 1 if a change survives, if its snippet is not found
once, or if its tests fail without it.
"""

import argparse
import importlib
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ENTRIES = Path(__file__).with_suffix(".yaml")
SECONDS = 600
"""Tests that take longer have met an endless loop: the change is noticed."""
HEAVY = ("hypothesis", "numba", "pandas", "pyarrow.parquet", "pydantic", "scipy.stats")
"""Loaded once, before any test runs."""
NOTICED = (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
"""A test failed, or a module could not be imported."""


@dataclass(frozen=True)
class Mutation:
    """One change.

    Attributes:
        name: of the change.
        room: the folder in which the snippet stands once.
        find: the snippet.
        replace: what is put in its place.
        tests: names of the test files that should notice, anywhere below ``tests``.
    """

    name: str
    room: str
    find: str
    replace: str
    tests: tuple[str, ...]


class StaleError(Exception):
    """A snippet or a test file that is not there, or several times."""


def mutations(path: Path = ENTRIES) -> list[Mutation]:
    """Read the changes."""
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [Mutation(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


def file_of(mutation: Mutation, root: Path = ROOT) -> Path:
    """Return the module in which a snippet stands.

    Raises:
        StaleError: it does not stand exactly once in the room.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in _modules(root / mutation.room)}
    places = [path for path, text in texts.items() for _ in range(text.count(mutation.find))]
    if len(places) != 1:
        raise StaleError(f"the snippet stands {len(places)} times in {mutation.room}")
    return places[0]


def _modules(room: Path) -> list[Path]:
    return sorted(room.rglob("*.py")) if room.is_dir() else [room]


def tests_of(mutation: Mutation, root: Path = ROOT) -> list[Path]:
    """Return the test files that should notice a change.

    Raises:
        StaleError: a name that is not that of exactly one test file.
    """
    found = []
    for name in mutation.tests:
        paths = sorted((root / "tests").rglob(name))
        if len(paths) != 1:
            raise StaleError(f"{len(paths)} test files are called {name}")
        found += paths
    return found


def changed(mutation: Mutation, text: str) -> str:
    """Return a module's text with the change made."""
    return text.replace(mutation.find, mutation.replace)


def copy_of(root: Path, to: Path) -> None:
    """Copy the files that Git keeps or would keep, and what is compiled, with their times."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    compiled = [path for name in ("storyaudit", "audits", "pipeline")
                for path in (root / name).rglob("__pycache__/*")]  # fmt: skip
    for path in (*(root / name for name in listed.split("\0") if name), *compiled):
        if path.is_file():
            target = to / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


def passes(copy: Path, tests: Sequence[Path]) -> bool:
    """Return whether tests pass in a copy.

    They run in a fork of this process, which has loaded the packages that take long to import.

    Raises:
        StaleError: pytest found none, or broke off for another reason than a failed test.
    """
    process = multiprocessing.get_context("fork").Process(target=_pytest, args=(copy, tests))
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
        return False
    if process.exitcode not in (pytest.ExitCode.OK, *NOTICED):
        raise StaleError(f"pytest ended with {process.exitcode}")
    return process.exitcode == pytest.ExitCode.OK


def _pytest(copy: Path, tests: Sequence[Path]) -> None:
    os.chdir(copy)
    os.environ["PYTHONPATH"] = sys.path[0] = str(copy)
    # A changed module may have the size and the time of the compiled one.
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os._exit(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *map(str, tests)]))


def verdict(mutation: Mutation, copy: Path) -> str:
    """Return what became of a change: killed, survived, or why it cannot be made."""
    try:
        path, tests = file_of(mutation, copy), tests_of(mutation, copy)
        failing = [test.name for test in tests if not _sound(copy, test)]
        if failing:
            raise StaleError(f"without the change, {', '.join(failing)} fails")
        before, times = path.read_text(encoding="utf-8"), path.stat()
        try:
            path.write_text(changed(mutation, before), encoding="utf-8")
            return "survived" if passes(copy, tests) else "killed"
        finally:
            path.write_text(before, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    except StaleError as stale:
        return f"stale: {stale}"


@cache
def _sound(copy: Path, test: Path) -> bool:
    """Return whether a test file passes without any change."""
    return passes(copy, [test])


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="name the changes, and make none")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="make these changes")
    arguments = parser.parse_args()
    chosen = mutations()
    if arguments.only:
        unknown = set(arguments.only) - {mutation.name for mutation in chosen}
        if unknown:
            parser.error(f"no change is called {', '.join(sorted(unknown))}")
        chosen = [mutation for mutation in chosen if mutation.name in arguments.only]
    if arguments.list:
        print("\n".join(f"{mutation.name}  ({mutation.room})" for mutation in chosen))
        return
    for name in HEAVY:
        importlib.import_module(name)
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copy = Path(folder).resolve()
        copy_of(ROOT, copy)
        for mutation in chosen:
            started = time.monotonic()
            verdicts.append(verdict(mutation, copy))
            seconds = time.monotonic() - started
            print(f"{verdicts[-1]:9} {mutation.name}  {seconds:.0f} s", flush=True)
    killed = verdicts.count("killed")
    print(f"{killed} of {len(verdicts)} changes are noticed by a test.")
    sys.exit(0 if killed == len(verdicts) else 1)


if __name__ == "__main__":
    main()

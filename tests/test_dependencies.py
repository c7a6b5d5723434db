"""What is imported is declared, what is declared is used, and locks fit what is declared."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
OWN = ("storyaudit", "audits", "pipeline")
BESIDE = ("tests", "benchmarks", "tools")
ALONE = sorted(EXTRAS.keys() - {"dev"})
"""Extras with an environment of their own."""
OTHER_NAMES = {"sklearn": "scikit-learn", "yaml": "pyyaml"}
"""Modules of packages that may not be installed here are called like the package but for these."""


def normal(requirement: str) -> str:
    """The name of a required package, as registries compare names."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found.group()).lower()


def declared(*extras: str) -> set[str]:
    """The packages that the project requires, and those of some extras."""
    lists = [PROJECT["dependencies"], *(EXTRAS[extra] for extra in extras)]
    return {normal(requirement) for requirements in lists for requirement in requirements}


@cache
def modules(folder: str) -> set[str]:
    """The top-level modules that a folder's files import, wherever they do."""
    found = set()
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                found.add(node.module.split(".")[0])
    beside = [file for name in BESIDE for file in (ROOT / name).rglob("*.py")]
    first_party = {*OWN, "expectations", *(n for f in beside for n in (f.stem, f.parent.name))}
    return found - sys.stdlib_module_names - first_party


@cache
def providers(module: str) -> set[str]:
    """The packages that bring a module."""
    names = packages_distributions().get(module) or [OTHER_NAMES.get(module, module)]
    return {normal(name) for name in names}


@pytest.mark.parametrize("folder", OWN)
def test_what_is_imported_is_required(folder: str) -> None:
    required = declared()
    assert [m for m in sorted(modules(folder)) if not providers(m) & required] == []


@pytest.mark.parametrize("folder", BESIDE)
def test_what_tests_and_tools_import_is_in_an_extra(folder: str) -> None:
    required = declared(*EXTRAS)
    assert [m for m in sorted(modules(folder)) if not providers(m) & required] == []


COMMANDS = {"cyclonedx-bom", "dvc", "hatchling", "mypy", "ruff", "uv"}
"""Packages that are run and not imported."""
BEHIND = {
    "editables": "hatchling",  # makes an installation that can be edited
    "pandas-stubs": "mypy",
    "pytest-cov": "pytest",
    "pytest-xdist": "pytest",
    "scipy-stubs": "mypy",
    "types-openpyxl": "mypy",
    "types-pyyaml": "mypy",
    "types-regex": "mypy",
}
"""Packages that another one of them needs."""


def test_what_is_required_is_imported_or_run() -> None:
    imported = {name for folder in OWN for module in modules(folder) for name in providers(module)}
    assert declared() - imported - COMMANDS == set()


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_an_extra_requires_is_imported_or_run(extra: str) -> None:
    folders = (*OWN, *BESIDE)
    imported = {name for folder in folders for m in modules(folder) for name in providers(m)}
    of_extra = {normal(requirement) for requirement in EXTRAS[extra]}
    assert of_extra - imported - COMMANDS - BEHIND.keys() == set()
    assert {name for name in of_extra if BEHIND.get(name, name) not in of_extra} == set()


def locked(name: str) -> dict[str, set[str]]:
    """The versions that a lock allows of each package, more than one where Pythons differ."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([\w.-]+)==(\S+)", text, flags=re.MULTILINE):
        found.setdefault(normal(package), set()).add(version)
    return found


def test_every_extra_has_an_environment_and_a_lock() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = re.search(r"^EXTRAS := (.*)$", makefile, flags=re.MULTILINE)
    assert listed is not None and sorted(listed.group(1).split()) == ALONE
    locks = {path.stem for path in (ROOT / "requirements").glob("*.txt")}
    assert locks == {"lock", "uv", *ALONE}


@pytest.mark.parametrize("extra", ALONE)
def test_an_extras_lock_stands_on_the_projects(extra: str) -> None:
    base, own = locked("lock"), locked(extra)
    assert {name for name in base.keys() & own.keys() if not own[name] <= base[name]} == set()
    pinned = {normal(r) for r in EXTRAS[extra] if "==" in r}
    assert {normal(r) for r in EXTRAS[extra]} - pinned <= own.keys() | base.keys()
    # Other builds of what is pinned have other hashes, and those of CUDA take gigabytes.
    assert not pinned & own.keys()
    assert [name for name in own if name.startswith(("nvidia", "triton"))] == []


@pytest.mark.parametrize("path", sorted((ROOT / "requirements").iterdir()), ids=lambda p: p.name)
def test_locks_hold_hashes_and_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []

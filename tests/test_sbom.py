"""What a release writes beside the wheel: every package of the lock."""

import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
import sbom

from storyaudit import __version__

ROOT = Path(__file__).parents[1]
SOURCES = (
    *("Makefile", "pyproject.toml", "README.md", "LICENSE", "requirements", "tools/sbom.py"),
    *("audits", "expectations", "pipeline", "storyaudit"),
)
"""What `make release` needs."""


def test_the_version_is_read_and_written_out() -> None:
    assert sbom.version() == __version__
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    made = sbom.with_version(project, "1.2.3")
    assert 'version = "1.2.3"' in made.splitlines() and "dynamic" not in made
    with pytest.raises(ValueError, match="dynamic"):
        sbom.with_version(made, "1.2.3")


def test_a_package_without_a_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "storyaudit").mkdir()
    (tmp_path / "storyaudit/__init__.py").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="states no version"):
        sbom.version(tmp_path)


def locked() -> set[tuple[str, str]]:
    """The packages of the lock, with their versions."""
    lock = (ROOT / "requirements/lock.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE))


def hashes(component: dict[str, Any]) -> list[str]:
    references = component.get("externalReferences", [])
    return [entry["content"] for own in references for entry in own.get("hashes", [])]


@pytest.mark.slow
def test_a_release_is_a_wheel_and_every_locked_package(tmp_path: Path) -> None:
    """Its tools come from a registry, into an environment of a copy."""
    clone = tmp_path / "clone"
    for name in SOURCES:
        _copy(ROOT / name, clone / name)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MAKE", "MFLAGS", "PYTHON"))
    }
    done = subprocess.run(
        ["make", "release"],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    stem = f"storyaudit-{__version__}"
    assert {path.name for path in (clone / "dist").iterdir() if path.name[0] != "."} == {
        f"{stem}-py3-none-any.whl",
        f"{stem}.cdx.json",
    }
    names = zipfile.ZipFile(clone / "dist" / f"{stem}-py3-none-any.whl").namelist()
    assert f"{stem}.dist-info/METADATA" in names
    content = json.loads((clone / "dist" / f"{stem}.cdx.json").read_text(encoding="utf-8"))
    assert content["bomFormat"] == "CycloneDX"
    root = content["metadata"]["component"]
    assert (root["name"], root["version"]) == ("storyaudit", __version__)
    found = content["components"]
    assert {(own["name"], own["version"]) for own in found} == locked()
    assert all(hashes(own) for own in found)
    assert not (clone / ".venv").exists()


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)

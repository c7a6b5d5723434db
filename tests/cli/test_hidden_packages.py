"""Another package that bears the name of one of ours: one message, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[2]
COMMAND = "from storyaudit.cli.main import main; main()"
RATINGS = CLONE / "data/published/confederacy/ratings.csv"


def run(first: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command with a folder first on the path, before our own."""
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(first), str(CLONE)])},
        cwd=first,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "arguments", "inside"),
    [
        ("audits", ["ratings", str(RATINGS), "--scale", "1", "10"], ""),
        ("audits", ["counts", "."], "ratings/__init__.py"),
        ("pipeline", ["score", "model", "--attributions", "3"], ""),
    ],
)
def test_a_package_that_hides_ours_is_named(
    tmp_path: Path, name: str, arguments: list[str], inside: str
) -> None:
    foreign = tmp_path / "site packages" / name
    for file in ("__init__.py", inside or "other.py"):
        (foreign / file).parent.mkdir(parents=True, exist_ok=True)
        (foreign / file).write_text("")
    found = run(foreign.parent, *arguments)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr and found.stderr.count("\n") == 1
    assert f"{foreign}: another package '{name}' hides" in found.stderr
    assert str(CLONE) in found.stderr and "Uninstall it" in found.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import not_installed_anywhere",
        "raise RuntimeError('no')",
        "1 / 0",
        "def (",
        "from . import x",
    ],
)
def test_a_package_that_hides_ours_and_fails_by_itself_is_named(tmp_path: Path, code: str) -> None:
    foreign = tmp_path / "audits"
    foreign.mkdir()
    (foreign / "__init__.py").write_text(code)
    found = run(tmp_path, "ratings", str(RATINGS), "--scale", "1", "10")
    assert found.returncode == 2
    assert "Traceback" not in found.stderr and found.stderr.count("\n") == 1
    assert f"{foreign}: another package 'audits' hides" in found.stderr


def test_an_older_state_of_ours_that_fails_later_is_named(tmp_path: Path) -> None:
    foreign = tmp_path / "audits" / "ratings"
    foreign.mkdir(parents=True)
    for folder in (foreign.parent, foreign):
        (folder / "__init__.py").write_text("def __getattr__(name):\n    return other\n")
    found = run(tmp_path, "ratings", str(RATINGS), "--scale", "1", "10")
    assert found.returncode == 2 and "Traceback" not in found.stderr
    assert f"{foreign.parent}: another package 'audits' hides" in found.stderr


def test_a_command_that_does_not_need_the_package_works(tmp_path: Path) -> None:
    foreign = tmp_path / "audits"
    foreign.mkdir()
    (foreign / "__init__.py").write_text("")
    (tmp_path / "findings").mkdir()
    found = run(tmp_path, "gate", "findings")
    assert "hides" not in found.stderr and "Traceback" not in found.stderr


def test_an_import_that_fails_otherwise_is_not_hushed_up(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("raise ImportError('broken', name='pandas')")
    found = run(tmp_path, "ratings", str(RATINGS), "--scale", "1", "10")
    assert found.returncode == 1 and "broken" in found.stderr and "Traceback" in found.stderr

"""Continuous integration says what each target took, and fails where a target does."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / ".ci/run"


def run(folder: Path, failing: str = "", lint: int = 2) -> subprocess.CompletedProcess[str]:
    """Run the script beside a Makefile in which every target does nothing, and one may fail.

    The share of ``lint`` is that of the script, or as many minutes.
    """
    (folder / ".ci").mkdir()
    text = SCRIPT.read_text(encoding="utf-8")
    (folder / ".ci/run").write_text(text.replace("lint:2", f"lint:{lint}"), encoding="utf-8")
    targets = ("setup", "lint", "test", "test-slow", "test-serve")
    rules = [f"{name}:\n\t@{'exit 3' if name == failing else 'true'}\n" for name in targets]
    (folder / "Makefile").write_text("".join(rules), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return subprocess.run(
        ["bash", str(folder / ".ci/run")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_target_has_its_seconds_and_its_share(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 0
    rows = re.findall(r"^(\S+(?: \S+)?) +\d+ +(\d+)$", done.stdout, re.MULTILINE)
    assert [(name, int(share)) for name, share in rows] == [
        ("setup", 120),
        ("lint", 120),
        ("test", 600),
        ("test-slow", 1140),
        ("test-serve", 240),
        ("after setup", 2100),
    ]


@pytest.mark.parametrize("failing", ["setup", "lint", "test", "test-slow", "test-serve"])
def test_a_failed_target_fails_and_is_the_last(tmp_path: Path, failing: str) -> None:
    done = run(tmp_path, failing)
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1].split()[0] == failing


def test_what_is_above_its_share_is_said_and_fails_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, lint=-1)
    assert done.returncode == 0
    above = [line.split()[0] for line in done.stdout.splitlines() if "above its share" in line]
    assert above == ["lint"]

"""The wheel: it holds the packages and their data, and works outside the clone."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from clones import SECONDS

from storyaudit.findings import Report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(built, tmp_path_factory) -> Path:
    """Build the wheel of a clone, with the build backend that is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    hatchling = ("python", "-m", "hatchling", "build", "--target", "wheel")
    built.first.run(*hatchling, "--directory", str(folder))
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory) -> Path:
    """Install the wheel, without its dependencies, into a folder of its own."""
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run(
        [*pip, "--no-compile", "--disable-pip-version-check", "--target", target, wheel],
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )
    return target


def run(installed: Path, folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def judgement(report: Report) -> list[tuple]:
    return [(f.id, f.severity, f.statement, f.numbers) for f in report.findings]


def test_it_holds_code_and_expectations_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"audits", "expectations", "pipeline", "storyaudit"}
    assert "expectations/papers/confederacy.yaml" in names
    assert "storyaudit/report/report.html.j2" in names
    assert not [name for name in names if "__pycache__" in name]


def test_all_code_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = (
        "import audits, expectations, pipeline, storyaudit\n"
        "for package in (audits, expectations, pipeline, storyaudit): print(package.__file__)"
    )
    done = run(installed, tmp_path, sys.executable, "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(Path(line).is_relative_to(installed) for line in done.stdout.splitlines())
    assert len(done.stdout.splitlines()) == 4


def test_counts_audits_a_folder_far_from_the_clone(installed: Path, built, tmp_path: Path) -> None:
    shutil.copytree(built.first.path / "data/study", tmp_path / "embedded")
    done = run(installed, tmp_path, installed / "bin/storyaudit", "counts", "embedded", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = Report.model_validate(json.loads(done.stdout))
    made = (built.first.path / "findings/embedded/counts.json").read_text(encoding="utf-8")
    assert judgement(report) == judgement(Report.model_validate(json.loads(made)))


def test_claims_checks_the_ledger_that_the_wheel_brings(
    installed: Path, built, tmp_path: Path
) -> None:
    where = "from storyaudit.io.expectations import expectations_path as e; print(e('papers'))"
    papers = Path(run(installed, tmp_path, sys.executable, "-c", where).stdout.strip())
    assert papers.is_relative_to(installed)
    for name in ("ratings.csv", "stories.csv"):
        shutil.copy(built.first.path / "data/published/confederacy" / name, tmp_path)
    done = run(
        *(installed, tmp_path, installed / "bin/storyaudit", "claims"),
        *(papers / "confederacy.yaml", "--data", "ratings.csv"),
        *("--stories", "stories.csv", "--json"),
    )
    report = Report.model_validate(json.loads(done.stdout))
    assert (done.returncode, done.stderr) == (int(bool(report.fails())), "")
    made = (built.first.path / "findings/confederacy/claims.json").read_text(encoding="utf-8")
    ours = [entry for entry in judgement(report) if entry[0] != "ignored-columns"]
    assert ours == judgement(Report.model_validate(json.loads(made)))

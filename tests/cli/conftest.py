"""Every test of a command runs in an empty folder of its own."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from storyaudit.cli.main import main


@dataclass(frozen=True)
class Outcome:
    """What a command came to: its exit status and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter an empty folder, with nothing said about where runs are tracked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return tmp_path


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Outcome]:
    """Run ``storyaudit`` with the given arguments in this process; a traceback fails the test."""

    def run_main(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["storyaudit", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capsys.readouterr()
        return Outcome(int(stop.value.code or 0), printed.out, printed.err)

    return run_main


@pytest.fixture(scope="module")
def empty_database(tmp_path_factory) -> Path:
    """Make a database with MLflow's tables, which takes it a second, once."""
    from mlflow import MlflowClient

    path = tmp_path_factory.mktemp("store") / "mlflow.db"
    MlflowClient(f"sqlite:///{path}").search_experiments()
    return path


@pytest.fixture
def client(empty_database: Path, folder: Path):
    """A client of the store of this test's folder."""
    from mlflow import MlflowClient

    shutil.copy(empty_database, folder / "mlflow.db")
    return MlflowClient(f"sqlite:///{folder / 'mlflow.db'}")

"""``storyaudit track`` where the store is new, lost, moved, down, slow or wanted by two at once."""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from tracking_samples import RUNS, STUDY, write_study

COMMAND = Path(sys.executable).with_name("storyaudit")
SECONDS = 120  # stands for 'does not hang'
SECRET = "s3cr3t"  # noqa: S105


@pytest.fixture(autouse=True)
def study() -> None:
    write_study()


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [COMMAND, "track"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=SECONDS)
    return process.returncode, out, err


def count_runs(folder: Path) -> int:
    from mlflow import MlflowClient

    client = MlflowClient(f"sqlite:///{folder / 'mlflow.db'}")
    return len(client.search_runs([client.get_experiment_by_name(STUDY).experiment_id]))


@pytest.fixture
def closed_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def test_two_processes_at_once_make_one_new_database_and_one_build(folder) -> None:
    both = [start(folder), start(folder)]
    ends = [finish(process) for process in both]
    assert [(code, err) for code, _, err in ends] == [(0, ""), (0, "")]
    assert sorted(out.split("(")[0] for _, out, _ in ends) == [
        "Tracked: 0 new, 1 known already ",
        "Tracked: 1 new, 0 known already ",
    ]
    assert count_runs(folder) == RUNS


def test_a_lost_database_is_filled_again(folder, run) -> None:
    assert "1 new" in run("track").out
    (folder / "mlflow.db").unlink()
    code, out, err = finish(start(folder))
    assert (code, err) == (0, "")
    assert "1 new, 0 known" in out
    assert count_runs(folder) == RUNS


@pytest.mark.parametrize("name", ["a b", "故事", "50%", "a#b"])
def test_a_folder_may_have_any_name(name: str, folder, run, monkeypatch) -> None:
    (folder / name).mkdir()
    monkeypatch.chdir(folder / name)
    write_study()
    assert "1 new" in run("track").out
    assert "0 new" in run("track").out
    assert list((folder / name / "mlartifacts").rglob("counts.json"))
    assert (folder / name / "mlflow.db").is_file()


def test_a_folder_that_moved_is_explained(folder, run, monkeypatch) -> None:
    for name in ("first", "second"):
        (folder / name).mkdir()
    monkeypatch.chdir(folder / "first")
    write_study()
    assert run("track").code == 0
    shutil.copytree(folder / "first", folder / "second", dirs_exist_ok=True)
    monkeypatch.chdir(folder / "second")
    outcome = run("track")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("Not tracked: ")
    assert str(folder / "first" / "mlartifacts") in outcome.err
    assert "remove mlflow.db" in outcome.err
    assert run("track", "--best-effort").code == 0


def test_a_server_that_is_down_fails_the_command_but_not_a_best_effort(
    closed_port, run, monkeypatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{closed_port}")
    for arguments, code in ((["track"], 1), (["track", "--best-effort"], 0)):
        outcome = run(*arguments)
        assert (outcome.code, outcome.out) == (code, "")
        assert outcome.err.count("Not tracked: ") == 1
        assert f"http://127.0.0.1:{closed_port}" in outcome.err
        assert "run 'storyaudit track' when it is back" in outcome.err
        assert "Traceback" not in outcome.err


def test_a_server_that_is_down_does_not_hold_up_a_process(closed_port, folder) -> None:
    done = subprocess.run(
        [COMMAND, "track", "--best-effort"],
        env={**os.environ, "MLFLOW_TRACKING_URI": f"http://127.0.0.1:{closed_port}"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("Not tracked: ")
    assert len(done.stderr.splitlines()) == 2
    assert not Path("mlflow.db").exists()


class Failing(BaseHTTPRequestHandler):
    """Answers everything with an error and a page, in which a terminal's codes stand."""

    def _fail(self) -> None:
        self.send_response(503)
        self.end_headers()
        self.wfile.write(b"<html>\x1b[31mout of order</html>")

    do_GET = do_POST = _fail  # noqa: N815

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def failing_server() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), Failing)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join(timeout=SECONDS)


def test_a_server_that_fails_is_one_message(failing_server, run, monkeypatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{failing_server}")
    outcome = run("track")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("Not tracked: ")
    assert "\x1b" not in outcome.err


def test_a_server_that_never_answers_is_given_up(run, monkeypatch) -> None:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "1")
        outcome = run("track", "--best-effort")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith("Not tracked: ")


@pytest.mark.parametrize(
    "uri",
    [
        "https://user:{}@127.0.0.1:{}",
        "http://user:p@ss/{}@127.0.0.1:{}/prefix",
        "postgresql://user:{}@127.0.0.1:{}/store",
        "mysql+pymysql://user:{}@127.0.0.1:{}/store",
        "nonsense://user:{}@127.0.0.1:{}",
        "http://127.0.0.1:{1}/?user=x&password={0}",
        "sqlite:////dev/null/{1}/x.db?password={0}",
        "http://[user:{}@127.0.0.1:{}",
    ],
    ids=["https", "slash", "postgresql", "mysql", "nonsense", "query", "sqlite", "broken"],
)
def test_credentials_in_the_address_are_printed_nowhere(
    uri: str, closed_port, run, monkeypatch, caplog
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", uri.format(SECRET, closed_port))
    outcome = run("track", "--best-effort")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith("Not tracked: ")
    assert SECRET not in outcome.err
    assert SECRET not in caplog.text


def test_credentials_are_not_printed_on_success_either(run, monkeypatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"https://user:{SECRET}@example.org/mlflow")
    monkeypatch.setattr("storyaudit.tracking.tracking.track", lambda *_: (1, 0))
    outcome = run("track")
    assert outcome.code == 0
    assert "example.org/mlflow" in outcome.out
    assert SECRET not in outcome.out + outcome.err


def test_an_empty_tracking_uri_means_the_embedded_store(folder, run, monkeypatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "")
    assert run("track").code == 0
    assert count_runs(folder) == RUNS
    assert list((folder / "mlartifacts").rglob("counts.json"))

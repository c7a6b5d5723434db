"""Building, auditing and tracking need no network."""

import os
from pathlib import Path

import pytest
from clones import Clone

pytestmark = pytest.mark.slow

GUARD = '''
"""Refuses every connection and look-up that leaves the machine, and writes it down."""

import os
import socket

LOCAL = {"localhost", "127.0.0.1", "::1", "", None, "0.0.0.0", "::"}


def check(host):
    host = host.decode() if isinstance(host, bytes) else host
    if host not in LOCAL:
        with open(os.environ["ATTEMPTS"], "a") as file:
            file.write(f"{host}\\\\n")
        raise OSError(f"no network here, wanted {host}")


def guard(name):
    original = getattr(socket.socket, name)

    def guarded(self, *arguments):
        address = arguments[-1]
        if isinstance(address, tuple):
            check(address[0])
        return original(self, *arguments)

    setattr(socket.socket, name, guarded)


for name in ("connect", "connect_ex", "sendto"):
    guard(name)
look_up = socket.getaddrinfo


def getaddrinfo(host, *arguments, **named):
    check(host)
    return look_up(host, *arguments, **named)


socket.getaddrinfo = getaddrinfo
'''.replace("\\\\n", "\\n")


class Offline:
    """A clone in which no process reaches beyond the machine."""

    def __init__(self, clone: Clone) -> None:
        guard = clone.path.parent / "guard"
        guard.mkdir()
        (guard / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
        self.clone = clone
        self.attempts = guard / "attempts.txt"
        self.variables = {
            "PYTHONPATH": f"{guard}{os.pathsep}{clone.path}",
            "ATTEMPTS": str(self.attempts),
        }

    def run(self, *command: str, code: int = 0) -> tuple[str, str]:
        """Return what a command printed, and which hosts it wanted."""
        self.attempts.write_text("")
        printed = self.clone.run(*command, code=code, **self.variables)
        return printed, self.attempts.read_text()


@pytest.fixture(scope="module")
def offline(built, tmp_path_factory) -> Offline:
    return Offline(built.first.copy(tmp_path_factory.mktemp("offline") / "clone"))


def test_the_guard_refuses_and_writes_down(offline: Offline) -> None:
    for call in ("create_connection(('192.0.2.1', 80))", "getaddrinfo('example.org', 80)"):
        printed, wanted = offline.run("python", "-c", f"import socket; socket.{call}", code=1)
        assert "no network here" in printed
        assert wanted.strip() in call


@pytest.mark.parametrize(
    "command",
    [
        ("python", "-m", "audits.counts.stage"),
        ("python", "-m", "audits.overlap.stage"),
        ("storyaudit", "counts", "data/study"),
        ("dvc", "repro"),
    ],
    ids=" ".join,
)
def test_a_stage_an_audit_and_dvc_want_no_network(
    offline: Offline, built, command: tuple[str, ...]
) -> None:
    _, wanted = offline.run(*command)
    assert wanted == ""
    assert offline.clone.contents() == built.first.contents()


def test_tracking_into_a_new_database_wants_no_network(offline: Offline) -> None:
    database: Path = offline.clone.path / "mlflow.db"
    database.unlink()
    printed, wanted = offline.run("storyaudit", "track")
    assert "0 known already" in printed
    assert wanted == ""
    assert database.is_file()

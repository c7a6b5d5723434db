"""The installed command, as a process of its own: streams, encodings, readers that go away."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import AUDITS, BY_COMMAND, STORY, Audit, write

COMMAND = Path(sys.executable).with_name("storyaudit")
SECONDS = 400  # stands for 'does not hang'


def storyaudit(
    *arguments: object, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        capture_output=True,
        timeout=SECONDS,
        env={**os.environ, **(env or {})},
    )


@pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit.command)
def test_json_on_stdout_and_nothing_on_stderr(audit: Audit) -> None:
    done = storyaudit(*audit.clean(), "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["audit"] == audit.audit


def test_bad_input_is_one_message_without_a_traceback() -> None:
    write("ratings.csv", b"")
    done = storyaudit("ratings", "ratings.csv")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"Error: ratings.csv: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_lacks_a_storys_characters(encoding: str) -> None:
    train = write("train.csv", [{"id": "故事\N{BOOKS}", "text": STORY}])
    call = BY_COMMAND["overlap"].call(train)
    env = {"PYTHONIOENCODING": encoding}
    shown = storyaudit(*call, env=env)
    assert (shown.returncode, shown.stderr) == (1, b"")
    assert rb"\u6545" in shown.stdout
    machine = storyaudit(*call, "--json", env=env)
    assert (machine.returncode, machine.stderr) == (1, b"")
    assert "故事\N{BOOKS}" in str(json.loads(machine.stdout.decode("utf-8")))


@pytest.mark.parametrize("option", ["--json", "--study=x"])
def test_a_reader_that_goes_away_causes_no_traceback(option: str) -> None:
    read, out = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [COMMAND, *map(str, BY_COMMAND["ratings"].clean()), option],
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
        )
    finally:
        os.close(out)
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.returncode != 2


def test_help_imports_none_of_the_heavy_packages() -> None:
    code = (
        "import sys; from storyaudit.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'pandas', 'numpy', 'pydantic', 'rich', 'mlflow', 'great_expectations', 'scipy'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, timeout=SECONDS
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Commands:" in done.stdout

"""A recording that is killed or interrupted, and goes on: nothing answered is asked again."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from chat_server import Reply, asked_for, completion
from model_samples import endpoint, question

from storyaudit.errors import InputError
from storyaudit.llm.endpoint import connect
from storyaudit.llm.record import read_record
from storyaudit.llm.recorder import record

HERE = Path(__file__).parent
NAMES = [f"question {number}" for number in range(20)]
ANSWERED, IN_FLIGHT = 6, 4
SCRIPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../.."]
from test_interrupted_recording import recorded
recorded(sys.argv[2], sys.argv[3])
"""


def recorded(url, path):
    parameters = endpoint(base_url=url, concurrency=IN_FLIGHT, key_variable=None)
    questions = [question(name, seed=1) for name in NAMES]
    ask = connect(parameters, os.environ)
    return record(questions, Path(path), ask, parameters, attempts=3, say=print)


def answered(body, _number):
    # Every third is malformed at first.
    return completion("bad" if int(asked_for(body)[9:]) % 3 == 0 and body["seed"] == 1 else "good")


def until(condition):
    for _ in range(6000):  # a minute, on a busy machine
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_that_was_answered_is_asked_again(server, tmp_path, how):
    server.behave = answered
    recorded(server.url, tmp_path / "uninterrupted")
    asked = len(server.seen)
    assert asked == 20 + 7

    release, path = threading.Event(), tmp_path / "record"
    server.seen.clear()

    def held(body, number):
        late = len(server.seen) > ANSWERED
        return Reply(body=answered(body, number).body, after=release if late else None)

    server.behave = held
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(HERE), server.url, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    until(lambda: server.in_flight == IN_FLIGHT and path.read_bytes().count(b"\n") == ANSWERED)
    with pytest.raises(InputError, match="another process is recording"):
        recorded(server.url, path)
    process.send_signal(how)
    if how == signal.SIGINT:
        time.sleep(0.2)  # for the signal to be there before the answers are
    else:
        process.wait()
    release.set()
    printed, _ = process.communicate(timeout=20)
    assert process.returncode != 0
    assert len(server.seen) == ANSWERED + IN_FLIGHT

    until(lambda: server.in_flight == 0)
    kept = len(read_record(path))
    assert kept == (ANSWERED if how == signal.SIGKILL else ANSWERED + IN_FLIGHT)
    if how == signal.SIGINT:
        assert f"Waiting for {IN_FLIGHT} answers on their way." in printed
        assert "of 20 questions are answered" in printed

    server.behave = answered
    results = recorded(server.url, path)
    assert {result.value for result in results} == {"GOOD"}
    assert len(server.seen) == asked + (IN_FLIGHT if how == signal.SIGKILL else 0)
    assert path.read_bytes() == (tmp_path / "uninterrupted").read_bytes()
    assert len(path.read_bytes().splitlines()) == asked


def test_a_line_cut_by_a_kill_is_asked_again_and_no_other(server, tmp_path):
    server.behave = answered
    recorded(server.url, tmp_path / "record")
    whole = (tmp_path / "record").read_bytes()
    (tmp_path / "record").write_bytes(whole[:-30])
    server.seen.clear()
    recorded(server.url, tmp_path / "record")
    last = json.loads(whole.splitlines()[-1])["request"]["messages"][0]["content"]
    assert [asked_for(body) for body in server.seen] == [last]
    assert (tmp_path / "record").read_bytes() == whole

"""Against a real HTTP server in a thread, which misbehaves on demand."""

import email.utils
import socket
import threading
import time

import pytest
from chat_server import KEY, Reply, completion, failure
from model_samples import endpoint, question, request

from storyaudit.errors import InputError
from storyaudit.llm.endpoint import connect
from storyaudit.llm.patience import FailedError, PassingError
from storyaudit.llm.question import counts
from storyaudit.llm.record import read_record
from storyaudit.llm.recorder import record
from storyaudit.llm.transport import retry_after

ENVIRON = {"OPENAI_API_KEY": KEY}


def once(server, asked=None, **params):
    """The answer to one request, sent once."""
    return connect(endpoint(base_url=server.url, **params), ENVIRON)(asked or request())


def behaving(server, *replies):
    """Replies to one request in turn, the last of them for ever."""
    server.behave = lambda _, number: replies[min(number, len(replies) - 1)]


def recorded(server, path, names="a", pauses=None, **params):
    """What becomes of questions, without waiting between tries."""
    pauses = [] if pauses is None else pauses
    parameters = endpoint(base_url=server.url, **params)
    return record(
        [question(name) for name in names],
        path,
        connect(parameters, ENVIRON),
        parameters,
        attempts=3,
        pause=lambda seconds: pauses.append(round(seconds)),
    )


def test_what_is_sent_and_what_is_kept(server):
    behaving(server, completion("yes", usage=(11, 5), model="m-2026"))
    asked = request("é $x", temperature=0.5, seed=7, sample=2)
    found = once(server, asked)
    assert (found.text, found.model, found.kind) == ("yes", "m-2026", "ok")
    assert (found.input_tokens, found.output_tokens) == (11, 5)
    assert server.paths == ["/v1/chat/completions"]
    assert server.seen == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "é $x"}],
            "temperature": 0.5,
            "seed": 9,
            "max_tokens": 10,
        }
    ]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_what_is_not_set_is_not_sent(server):
    once(server, request(max_tokens=None))
    assert set(server.seen[0]) == {"model", "messages"}
    once(server, limit_name="max_completion_tokens")
    assert set(server.seen[1]) == {"model", "messages", "max_completion_tokens"}


def test_nothing_is_told_of_this_machine(server):
    once(server)
    names = server.headers[0]
    told = {name for name in names if name.startswith("x-stainless")}
    assert told <= {"x-stainless-raw-response"}  # how the client reads it, and nothing else
    assert names["accept-encoding"] == "identity"
    assert len(server.seen) == 1


def test_an_endpoint_without_a_key_gets_none(server):
    connect(endpoint(base_url=server.url, key_variable=None), ENVIRON)(request())
    assert "authorization" not in server.headers[0]


@pytest.mark.parametrize("key", ["", f"{KEY}\n", f"{KEY} x", f"{KEY}é"])
def test_a_key_that_is_none_is_refused_and_not_shown(key):
    with pytest.raises(InputError) as error:
        connect(endpoint(key_variable="MY_KEY"), {"MY_KEY": key})
    assert "MY_KEY" in str(error.value)
    assert KEY not in str(error.value)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (completion(None, refusal="I cannot help with that."), "refused"),
        (completion("", finish="content_filter"), "refused"),
        (failure(400, "filtered", code="content_filter"), "refused"),
        (failure(400, "half a pair: \ud800", code="content_filter"), "refused"),
        (completion("Once upon", finish="length"), "truncated"),
    ],
)
def test_refusals_and_cut_off_answers_are_answers(server, tmp_path, reply, kind):
    behaving(server, reply)
    results = recorded(server, tmp_path / "r", "ab")
    assert [result.outcome for result in results] == [kind, kind]
    assert len(server.seen) == 2
    assert len(read_record(tmp_path / "r")) == 2


def test_a_malformed_answer_is_asked_for_again_with_another_seed(server, tmp_path):
    behaving(server, completion("bad"), completion("bad"), completion("fine"))
    parameters = endpoint(base_url=server.url)
    asked = [question("a", seed=5), question("b", seed=5)]
    results = record(asked, tmp_path / "r", connect(parameters, ENVIRON), parameters, attempts=3)
    assert [result.value for result in results] == ["FINE", "FINE"]
    assert counts(results)["retried"] == 2
    seeds = {(body["messages"][0]["content"], body["seed"]) for body in server.seen}
    assert seeds == {(name, 5 + 100_000 * n) for name in "ab" for n in range(3)}
    assert len(read_record(tmp_path / "r")) == 6  # the malformed ones are kept


PASSING = {
    "429": failure(429, "slow down"),
    "500": failure(500, "oops"),
    "503 in HTML": Reply(503, b"<html>down</html>", kind="text/html"),
    "529": failure(529),
    "truncated JSON": Reply(body=b'{"choices": [{"message": {"content": "hal'),
    "no JSON": Reply(body=b"yes"),
    "deep nesting": Reply(body=b"[" * 100_000),
    "an error as an answer": Reply(body={"error": {"message": "upstream", "code": 502}}),
    "no choices": Reply(body={"choices": []}),
    "packed": Reply(body=b"\x1f\x8b", headers={"content-encoding": "gzip"}),
    "a length that is wrong": Reply(body=b"{}", headers={"content-length": "100"}),
}


@pytest.mark.parametrize("trouble", PASSING)
def test_what_may_pass_is_asked_again(server, tmp_path, trouble):
    if trouble == "a length that is wrong":
        cut = PASSING[trouble]
        cut.headers["connection"] = "close"
    behaving(server, PASSING[trouble], PASSING[trouble], completion("fine"))
    pauses = []
    results = recorded(server, tmp_path / "r", pauses=pauses, timeout=1)
    assert [result.value for result in results] == ["FINE"]
    assert pauses == [1, 2]
    assert len(server.seen) == 3


@pytest.mark.parametrize("trouble", ["429", "500", "truncated JSON", "no choices"])
def test_tries_are_bounded(server, tmp_path, trouble):
    behaving(server, PASSING[trouble])
    with pytest.raises(InputError, match="3 times"):
        recorded(server, tmp_path / "r", retries=2)
    assert len(server.seen) == 3
    assert read_record(tmp_path / "r") == {}


def test_a_wait_that_is_asked_for_is_kept(server, tmp_path):
    behaving(server, failure(429, retry_after="17"), completion("fine"))
    pauses = []
    recorded(server, tmp_path / "r", pauses=pauses)
    assert pauses == [17]


def test_a_wait_that_is_too_long_stops(server, tmp_path):
    behaving(server, failure(429, retry_after="3600"))
    with pytest.raises(InputError, match="3600 seconds") as error:
        recorded(server, tmp_path / "r")
    assert "longest_wait" in error.value.remedy
    assert len(server.seen) == 1


NOON = 1_780_000_000


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "0"}, 0),
        ({"retry-after": " 12 "}, 12),
        ({"retry-after": "9" * 5000}, 999_999_999),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "1e400"}, None),
        ({"retry-after": "²"}, None),
        ({"retry-after": email.utils.formatdate(NOON + 90, usegmt=True)}, 90),
        ({"retry-after": email.utils.formatdate(NOON - 90, usegmt=True)}, 0),
        # The server's clock is an hour behind ours.
        (
            {
                "retry-after": email.utils.formatdate(NOON - 3590, usegmt=True),
                "date": email.utils.formatdate(NOON - 3600, usegmt=True),
            },
            10,
        ),
    ],
)
def test_waits_that_are_asked_for(headers, seconds):
    assert retry_after(headers, NOON) == seconds


def test_an_endpoint_that_does_not_answer_is_asked_again(server, tmp_path):
    late = threading.Event()
    behaving(server, Reply(after=late, body=completion("late").body), completion("fine"))
    results = recorded(server, tmp_path / "r", timeout=0.2)
    late.set()
    assert [result.value for result in results] == ["FINE"]


def test_an_answer_that_trickles_is_given_up(server):
    """Each byte comes in time, the whole never does."""
    listening = socket.create_server(("127.0.0.1", 0))

    def trickle():
        connection, _ = listening.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n"
            )
            try:
                for _ in range(500):
                    connection.sendall(b" ")
                    time.sleep(0.05)
            except OSError:
                pass

    thread = threading.Thread(target=trickle)
    thread.start()
    started = time.monotonic()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    with pytest.raises(PassingError, match=r"within 0\.3 seconds") as error:
        connect(endpoint(base_url=url, timeout=0.3), ENVIRON)(request())
    assert error.value.lost
    assert time.monotonic() - started < 5
    thread.join()
    listening.close()


def test_an_endpoint_that_is_not_there_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(PassingError, match=f"127.0.0.1:{port} cannot be reached") as error:
        connect(endpoint(base_url=f"http://127.0.0.1:{port}/v1"), ENVIRON)(request())
    assert not error.value.lost


@pytest.mark.parametrize("status", [200, 400, 500])
def test_an_answer_of_ten_megabytes_is_refused_and_others_go_on(server, tmp_path, status):
    big = Reply(status, b'{"a": "' + b"x" * 10_000_000 + b'"}')
    server.behave = lambda body, _: (
        big if body["messages"][0]["content"] == "a" else completion("fine")
    )
    with pytest.raises(InputError, match="question a: an answer of more than 4000000 bytes"):
        recorded(server, tmp_path / "r", "abc")
    assert len(server.seen) == 3  # it is not asked for again
    assert len(read_record(tmp_path / "r")) == 2


STOPPING = {
    "401": (failure(401, "Incorrect API key"), "OPENAI_API_KEY"),
    "403": (failure(403), "OPENAI_API_KEY"),
    "404": (failure(404, "The model `m` does not exist"), "model"),
    "405": (failure(405), "base_url"),
    "elsewhere": (Reply(302, headers={"location": "http://127.0.0.1:9/"}), "base_url"),
    "HTML": (Reply(body=b"<html>Welcome</html>", kind="text/html; charset=utf-8"), "base_url"),
    "no type": (Reply(body=b"{}", kind=None), "base_url"),
    "no credit": (failure(429, "quota", code="insufficient_quota"), "credit"),
}


@pytest.mark.parametrize("fault", STOPPING)
def test_what_no_request_can_pass_stops_at_once_with_a_remedy(server, tmp_path, fault):
    reply, remedy = STOPPING[fault]
    behaving(server, reply)
    with pytest.raises(InputError) as error:
        recorded(server, tmp_path / "r", "abcdefgh", concurrency=1)
    assert remedy in error.value.remedy
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_request_that_the_endpoint_refuses_does_not_stop_others(server, tmp_path, status):
    server.behave = lambda body, _: (
        failure(status, "too\nlong") if body["messages"][0]["content"] == "b" else completion("x")
    )
    with pytest.raises(InputError, match=rf"question b: .*status {status} \(too long\)"):
        recorded(server, tmp_path / "r", "abc")
    assert len(server.seen) == 3
    assert len(read_record(tmp_path / "r")) == 2


def test_a_long_error_is_shortened(server):
    behaving(server, failure(400, "x" * 100_000))
    with pytest.raises(FailedError) as error:
        once(server)
    assert len(str(error.value)) < 300


def test_requests_go_out_together(server, tmp_path):
    """Four are there at once, and no fifth: each waits for the others."""
    four = threading.Barrier(4, timeout=10)

    def behave(body, number):
        four.wait()
        return completion("x")

    server.behave = behave
    recorded(server, tmp_path / "r", "abcdefgh", concurrency=4)
    assert server.most_in_flight == 4

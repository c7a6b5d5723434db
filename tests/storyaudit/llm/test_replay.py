import socket
import subprocess
import sys

import pytest
from model_samples import answer, good, question, request

from storyaudit.errors import InputError
from storyaudit.llm.question import Question, answers, counts, replay, replaying
from storyaudit.llm.record_writer import Recording

COMMAND = "storyaudit record judgements"


@pytest.fixture
def record(tmp_path):
    def make(*entries):
        path = tmp_path / "record.jsonl"
        with Recording(path, print) as recording:
            for asked, given in entries:
                recording.append(asked, given)
        return path

    return make


def played(questions, path, attempts=3):
    return replay(questions, path, attempts=attempts, command=COMMAND)


def test_every_outcome_in_the_order_of_the_questions(record):
    path = record(
        (request("e"), answer("", refusal="no")),
        (request("d"), answer("half", finish_reason="length")),
        (request("c"), answer("bad")),
        (request("c", attempt=1), answer("bad again")),
        (request("b"), answer("bad")),
        (request("b", attempt=1), answer("b")),
        (request("a"), answer("a")),
        (request("z"), answer("of another use")),
    )
    results = played([question(name) for name in "abcdea"], path, attempts=2)
    found = [(result.outcome, result.value, result.request.attempt) for result in results]
    assert found == [
        ("answered", "A", 0),
        ("answered", "B", 1),
        ("malformed", None, 1),
        ("truncated", None, 0),
        ("refused", None, 0),
        ("answered", "A", 0),
    ]
    assert results[2].reason == "it says so"
    assert results[3].answer.text == "half"
    assert counts(results) == {
        "answered": 3,
        "malformed": 1,
        "retried": 2,
        "refused": 1,
        "truncated": 1,
    }


def test_values_stand_in_the_questions_places_and_outcomes_add_up(record):
    path = record((request("b"), answer("", refusal="no")), (request("a"), answer("a")))
    totals = {"m.answered": 5}
    asked = [question("b"), question("a"), question("a")]
    assert answers(replaying(path, COMMAND), asked, 1, totals, "m.") == [None, "A", "A"]
    assert {name: number for name, number in totals.items() if number} == {
        "m.answered": 7,
        "m.refused": 1,
    }


def test_counts_of_nothing():
    assert set(counts([]).values()) == {0}


def test_more_attempts_need_more_answers(record):
    path = record((request("c"), answer("bad")))
    assert played([question("c")], path, attempts=1)[0].outcome == "malformed"
    with pytest.raises(InputError, match="1 of 1 answers"):
        played([question("c")], path, attempts=2)


def test_a_parser_that_became_stricter_asks_on_and_a_milder_one_looks_no_further(record):
    path = record((request("c"), answer("bad")), (request("c", attempt=1), answer("fine")))
    assert played([question("c")], path)[0].value == "FINE"
    assert played([question("c", parse=str.upper)], path)[0].value == "BAD"


def test_what_is_missing_is_counted_and_the_first_is_named_with_the_command(record):
    path = record((request("b"), answer()))
    with pytest.raises(InputError) as error:
        played([question(name) for name in "abcd"], path)
    assert "3 of 4 answers are not recorded" in error.value.problem
    assert "question a" in error.value.problem
    assert COMMAND in error.value.remedy
    assert error.value.file == path


def test_without_a_record_everything_is_missing(tmp_path):
    with pytest.raises(InputError, match="2 of 2"):
        played([question("a"), question("b")], tmp_path / "none.jsonl")
    assert not list(tmp_path.iterdir())


def test_a_fault_of_a_parser_is_no_malformed_answer(record):
    def broken(text):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        played([question("a", parse=broken)], record((request("a"), answer())))


def test_replaying_twice_opens_no_socket_and_gives_the_same(record, monkeypatch):
    path = record(
        *((request(name), answer(f"{name} bad"[: 1 + 4 * (name > "c")])) for name in "abcdef")
    )
    before = path.read_bytes()

    def forbidden(*_, **__):
        raise AssertionError("a socket")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, forbidden)
    questions = [question(name) for name in "fedcba"]
    first, second = (played(questions, path, attempts=1) for _ in range(2))
    assert first == second
    assert [result.outcome for result in first] == ["malformed"] * 3 + ["answered"] * 3
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if file.suffix != ".lock"] == [path.name]


def test_replaying_loads_no_client():
    code = (
        "import sys, storyaudit.llm.question, pipeline.requests.judging\n"
        "import storyaudit.llm.recorder, storyaudit.llm.endpoint\n"
        "print({'openai', 'httpx2', 'httpx', 'requests'} & set(sys.modules))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "set()"


def test_parsers_get_the_text_as_it_was_recorded(record):
    text = " \n$x {y} \u2028 猫\t"
    path = record((request("a"), answer(text)))
    whole = Question("a", request("a"), lambda given: given)
    assert played([whole], path)[0].value == text
    assert good("a") == "A"

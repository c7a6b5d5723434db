"""Recording with an endpoint that answers at once; real HTTP is in test_endpoint.py."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_samples import answer, endpoint, question, request

from storyaudit.errors import InputError
from storyaudit.llm.budget import Budget
from storyaudit.llm.patience import FailedError, PassingError
from storyaudit.llm.question import counts, replay
from storyaudit.llm.record import read_record
from storyaudit.llm.recorder import record


class Asked:
    """Answers by content and attempt; an exception among the answers is raised."""

    def __init__(self, **answers):
        self.answers, self.requests = answers, []
        self.lock = threading.Lock()

    def __call__(self, asked):
        content = asked.messages[0].content
        with self.lock:
            number = sum(content == before.messages[0].content for before in self.requests)
            self.requests.append(asked)
        script = self.answers.get(content, content)
        found = script[min(number, len(script) - 1)] if isinstance(script, list) else script
        if isinstance(found, BaseException):
            raise found
        return answer(found) if isinstance(found, str) else found


class Clock:
    """Time that passes only in pauses."""

    def __init__(self):
        self.now, self.pauses = 0.0, []

    def __call__(self):
        return self.now

    def pause(self, seconds):
        self.pauses.append(round(seconds, 6))
        self.now += seconds


def recorded(questions, path, ask, *, clock=None, attempts=3, progress=None, say=None, **params):
    clock = clock or Clock()
    return record(
        questions,
        path,
        ask,
        endpoint(**params),
        attempts=attempts,
        progress=progress or (lambda _: None),
        say=say or (lambda _: None),
        clock=clock,
        pause=clock.pause,
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "record.jsonl"


NAMES = "abcdefgh"
QUESTIONS = [question(name) for name in NAMES]


def test_results_stand_in_the_order_of_the_questions_and_replay_alike(path):
    ask = Asked(b=["bad", "b"], c="bad", d=answer("", refusal="no"))
    results = recorded(QUESTIONS, path, ask)
    assert [result.value for result in results] == ["A", "B", None, None, *"EFGH"]
    assert counts(results) == {
        "answered": 6,
        "malformed": 1,
        "retried": 2,
        "refused": 1,
        "truncated": 0,
    }
    assert len(ask.requests) == 1 + 2 + 3 + 1 + 4
    assert replay(QUESTIONS, path, attempts=3, command="") == results


def test_what_is_recorded_is_not_asked_again(path):
    recorded(QUESTIONS[:3], path, Asked(b=["bad", "b"]))
    ask = Asked()
    recorded(QUESTIONS, path, ask)
    assert sorted(asked.messages[0].content for asked in ask.requests) == list("defgh")
    ask = Asked()
    recorded(QUESTIONS, path, ask)
    assert ask.requests == []


def test_equal_requests_are_sent_once(path):
    ask = Asked()
    results = recorded([question("a"), question("b"), question("a")], path, ask)
    assert len(ask.requests) == 2
    assert [result.value for result in results] == ["A", "B", "A"]


def test_questions_that_read_one_answer_differently_are_both_settled(path):
    ask = Asked(a=["bad", "fine"])
    for order in ([str.upper, None], [None, str.upper]):
        path.unlink(missing_ok=True)
        ask.requests.clear()
        questions = [question("a", parse) if parse else question("a") for parse in order]
        values = {result.value for result in recorded(questions, path, ask)}
        assert values == {"BAD", "FINE"}


@pytest.mark.parametrize("concurrency", [1, 3, 8])
def test_the_record_is_the_same_whatever_the_concurrency(tmp_path, concurrency):
    contents = []
    for name, questions, threads in (("x", QUESTIONS, 1), ("y", QUESTIONS[::-1], concurrency)):
        path = tmp_path / name
        recorded(questions, path, Asked(c=["bad", "bad", "c"]), concurrency=threads)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]


def test_no_more_requests_at_once_than_allowed(path):
    barrier = threading.Barrier(3, timeout=5)  # breaks unless three are there at once
    lock, now, most = threading.Lock(), 0, 0

    def ask(asked):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        barrier.wait()
        with lock:
            now -= 1
        return answer("x")

    recorded([question(str(number)) for number in range(9)], path, ask, concurrency=3)
    assert most == 3


def test_progress_tells_how_far_what_it_cost_and_what_remains(path):
    clock, seen = Clock(), []

    def ask(asked):
        clock.now += 2
        return answer(asked.messages[0].content)

    recorded(QUESTIONS[:1], path, ask)
    recorded(
        QUESTIONS[:4], path, ask, clock=clock, progress=seen.append, concurrency=1,
        input_price=1e6, output_price=1e5,
    )  # fmt: skip
    # 7 tokens in, 3 out an answer, at 1 and 0.1 a token: 7.30; one answer was there before.
    assert [(p.done, p.total, p.tokens) for p in seen] == [(2, 4, 20), (3, 4, 30), (4, 4, 40)]
    assert [p.cost for p in seen] == pytest.approx([14.6, 21.9, 29.2])
    assert [p.seconds_left for p in seen] == pytest.approx([4, 2, 0])


def test_requests_keep_the_pace(path):
    clock = Clock()
    recorded(QUESTIONS[:4], path, Asked(), clock=clock, concurrency=1, requests_per_minute=30)
    assert clock.pauses == [2, 2, 2]


def test_waits_double_up_to_the_longest(path):
    clock = Clock()
    ask = Asked(a=[PassingError("down")] * 4 + ["a"])
    recorded(QUESTIONS[:1], path, ask, clock=clock, longest_wait=3)
    assert clock.pauses == [1, 2, 3, 3]


def test_a_wait_that_the_endpoint_asks_for_holds_all_requests(path):
    clock = Clock()
    ask = Asked(a=[PassingError("busy", wait=40.0), "a"])
    recorded(QUESTIONS[:2], path, ask, clock=clock, concurrency=1)
    assert clock.pauses == [40]


def test_a_wait_beyond_the_longest_stops_the_recording(path):
    ask = Asked(b=PassingError("busy", wait=3600.0))
    with pytest.raises(InputError, match="3600 seconds"):
        recorded(QUESTIONS[:3], path, ask, concurrency=1)
    assert set(read_record(path)) == {request("a").key}


def test_requests_without_an_answer_do_not_stop_others(path):
    said = []
    ask = Asked(b=FailedError("too long"), e=PassingError("down"), g=FailedError("too long"))
    with pytest.raises(InputError) as error:
        recorded(QUESTIONS, path, ask, retries=2, concurrency=1, say=said.append)
    assert "3 requests got no answer" in error.value.problem
    assert "question b: too long" in error.value.problem
    assert said == [f"5 of 8 questions are answered in {path}."]
    assert len(read_record(path)) == 5
    assert len(ask.requests) == 5 + 1 + 3 + 1


def test_an_endpoint_that_answers_nothing_is_given_up(path):
    ask = Asked(**dict.fromkeys(NAMES, PassingError("down")))
    with pytest.raises(InputError, match="question a: down, 2 times"):
        recorded(QUESTIONS, path, ask, retries=1, concurrency=1)
    assert len(ask.requests) == 3 * 2


def test_what_no_request_can_pass_stops_at_once(path):
    wrong_key = InputError("wrong key.", "Check it.")
    ask = Asked(c=wrong_key)
    with pytest.raises(InputError, match="wrong key"):
        recorded(QUESTIONS, path, ask, concurrency=1)
    assert len(ask.requests) == 3
    assert len(read_record(path)) == 2


def test_an_interruption_keeps_the_answers_on_their_way(path):
    """Ctrl-C comes to the main thread while three others wait for answers."""
    on_their_way = threading.Barrier(4, timeout=5)
    interrupted = threading.Event()
    said = []

    def ask(asked):
        if asked.messages[0].content != "a":
            on_their_way.wait()
            interrupted.wait(5)
        return answer("x")

    def progress(_):
        on_their_way.wait()
        interrupted.set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recorded(QUESTIONS, path, ask, concurrency=4, progress=progress, say=said.append)
    # 'a' is answered; b, c, d were on their way; e may have started in a's thread's place.
    assert {request(name).key for name in "abcd"} <= set(read_record(path))
    assert said[-1] == f"{len(read_record(path))} of 8 questions are answered in {path}."
    recorded(QUESTIONS, path, Asked())
    assert len(read_record(path)) == 8


def test_an_interruption_ends_waiting_for_another_try(path):
    both, held = threading.Barrier(2, timeout=5), threading.Event()
    started, sent = time.monotonic(), []

    def ask(asked):
        sent.append(asked)
        both.wait()
        if asked.messages[0].content == "a":
            held.set()
            raise PassingError("busy", wait=50.0)
        held.wait(5)
        return answer("x")

    def progress(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record(QUESTIONS[:2], path, ask, endpoint(concurrency=2), attempts=1, progress=progress)
    assert time.monotonic() - started < 30
    assert len(sent) == 2
    assert set(read_record(path)) == {request("b").key}


@settings(max_examples=25)
@given(
    limit=st.integers(1, 600),
    used=st.lists(st.tuples(st.integers(0, 33), st.integers(0, 10)), min_size=8, max_size=8),
    lost=st.sets(st.sampled_from(NAMES)),
    concurrency=st.integers(1, 3),
)
def test_no_budget_is_overspent(tmp_path_factory, limit, used, lost, concurrency):
    """Whatever answers use up to the most they can, and lost ones, too.

    A request of one letter has at most 1 + 32 tokens, an answer 10.
    """
    path = tmp_path_factory.mktemp("budget") / "r.jsonl"
    spent, lock, still_lost = [0], threading.Lock(), set(lost)

    def ask(asked):
        name = asked.messages[0].content
        inputs, outputs = used[NAMES.index(name)]
        with lock:
            spent[0] += inputs + outputs
            if name in still_lost:
                still_lost.discard(name)
                raise (FailedError if name == "a" else PassingError)("cut off", lost=True)
        return answer("x", input_tokens=inputs, output_tokens=outputs)

    for run in range(2):  # the second counts what the first recorded
        try:
            results = recorded(QUESTIONS, path, ask, maximum_tokens=limit, concurrency=concurrency)
            assert len(results) == len(NAMES)
        except InputError as error:
            assert "budget" in str(error) or "a: cut off" in str(error)
        if run == 0 or not lost:
            assert spent[0] <= limit


def test_a_spent_budget_says_how_far_it_came_and_a_higher_one_goes_on(path):
    said, prices = [], {"input_price": 1e6, "output_price": 1e6}
    # The first two cost 10 each; a third could cost 43, which 60 does not allow.
    with pytest.raises(InputError) as error:
        recorded(QUESTIONS, path, Asked(), maximum_cost=60, **prices, say=said.append)
    assert "20 tokens used, 20.00 spent" in error.value.problem
    assert said == [f"2 of 8 questions are answered in {path}."]
    results = recorded(QUESTIONS, path, Asked(), maximum_cost=113, **prices)
    assert len(results) == 8  # seven at 10 each leave room for 43


def test_an_answer_that_was_lost_counts_as_the_most_it_can_be(path):
    ask = Asked(a=FailedError("too large", lost=True))  # 1 + 32 + 10 tokens, and so could b
    with pytest.raises(InputError, match="43 tokens used"):
        recorded(QUESTIONS[:2], path, ask, maximum_tokens=85, concurrency=1)
    assert len(ask.requests) == 1


def test_answers_without_usage_count_as_the_most_they_can_be():
    silent = answer(input_tokens=None, output_tokens=None)
    budget = Budget(endpoint(), [(request("é"), silent), (request("a"), answer())])
    assert budget.tokens == (2 + 32 + 10) + (7 + 3)
    assert budget.cost is None


def test_a_budget_needs_a_limit_of_tokens(path):
    with pytest.raises(InputError, match="max_tokens"):
        recorded([question("a", max_tokens=None)], path, Asked(), maximum_tokens=10_000)
    assert recorded([question("a", max_tokens=None)], path, Asked())[0].value == "A"


def test_the_budget_is_that_of_one_model(path):
    recorded([question(name, model="other") for name in NAMES], path, Asked())
    assert recorded(QUESTIONS[:1], path, Asked(), maximum_tokens=43)[0].value == "A"

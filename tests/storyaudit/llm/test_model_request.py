import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_samples import request
from pydantic import ValidationError

from storyaudit.llm.model_params import ModelParams, request_of
from storyaudit.llm.request import Request

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
REQUESTS = st.builds(
    dict,
    model=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5),
    messages=st.lists(
        st.builds(dict, role=st.sampled_from(["system", "user", "assistant"]), content=TEXT),
        min_size=1,
        max_size=3,
    ),
    temperature=st.none() | st.floats(0, 2),
    seed=st.none() | st.integers(0, 2**31 - 1),
    max_tokens=st.none() | st.integers(1, 10_000_000),
    sample=st.integers(0, 99_999),
    attempt=st.integers(0, 999),
)


def test_the_key_is_the_digest_of_the_content_as_anybody_can_write_it():
    # Written by hand: names sorted, no spaces, UTF-8, whole temperatures with a decimal.
    written = (
        '{"attempt":2,"max_tokens":10,"messages":[{"content":"é \\"$x\\" 猫","role":"user"}],'
        '"model":"m","sample":1,"seed":null,"temperature":1.0}'
    )
    asked = request('é "$x" 猫', temperature=1, sample=1, attempt=2)
    assert asked.key == hashlib.sha256(written.encode()).hexdigest()


@given(REQUESTS, st.randoms(use_true_random=False))
def test_the_key_does_not_depend_on_the_order_of_names(content, random):
    def shuffled(mapping):
        names = list(mapping)
        random.shuffle(names)
        return {name: mapping[name] for name in names}

    other = shuffled(content)
    other["messages"] = [shuffled(message) for message in other["messages"]]
    assert Request(**other).key == Request(**content).key
    read = json.loads(json.dumps(content))  # as from a file
    assert Request(**read).key == Request(**content).key


@given(REQUESTS, REQUESTS)
def test_different_requests_have_different_keys(left, right):
    same = json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
    assert (Request(**left).key == Request(**right).key) == same


@pytest.mark.parametrize(
    "change",
    [
        {"model": "n"},
        {"temperature": 0.0},
        {"seed": 0},
        {"max_tokens": 11},
        {"max_tokens": None},
        {"sample": 1},
        {"attempt": 1},
    ],
)
def test_whatever_an_answer_depends_on_changes_the_key(change):
    assert request(**change).key != request().key


def test_equal_temperatures_have_one_key():
    keys = {request(temperature=value).key for value in (0, 0.0, -0.0)}
    assert len(keys) == 1


@given(st.integers(0, 2**31 - 1), st.sets(st.tuples(st.integers(0, 99_999), st.integers(0, 99))))
def test_every_sample_and_attempt_is_sent_another_seed(seed, tries):
    seeds = {request(seed=seed, sample=s, attempt=a).seed_sent for s, a in tries}
    assert len(seeds) == len(tries)


def test_the_first_try_is_sent_the_seed_itself():
    assert request(seed=5).seed_sent == 5
    assert request().seed_sent is None
    assert request(seed=5).again().seed_sent == 100_005
    assert request(seed=5).again() == request(seed=5, attempt=1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": ""},
        {"messages": ()},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [{"role": "user", "content": None}]},
        {"messages": [{"role": "user", "content": "half a pair \ud800"}]},
        {"temperature": float("nan")},
        {"temperature": 2.1},
        {"temperature": "1"},
        {"seed": -1},
        {"seed": True},
        {"max_tokens": 0},
        {"sample": -1},
        {"unknown": 1},
    ],
)
def test_what_no_endpoint_takes_is_refused(wrong):
    with pytest.raises(ValidationError):
        request(**wrong)


def test_a_request_holds_what_the_parameters_say():
    params = ModelParams(model="gpt", temperature=1, seed=3, max_tokens=9, attempts=2)
    asked = request_of(params, "a $prompt", sample=4)
    assert asked.model_dump() == {
        "model": "gpt",
        "messages": ({"role": "user", "content": "a $prompt"},),
        "temperature": 1.0,
        "seed": 3,
        "max_tokens": 9,
        "sample": 4,
        "attempt": 0,
    }

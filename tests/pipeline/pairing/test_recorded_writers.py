import json

import pytest
from pairing_samples import NO_MODELS, contest, text

from pipeline.pairing.pair_params import Recorded
from pipeline.pairing.recorded import RecordedWriters, recorded_judge
from pipeline.pairing.writers import Original, StoryPair
from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer
from storyaudit.llm.model_params import EndpointParams, ModelParams
from storyaudit.llm.question import replay
from storyaudit.llm.recorder import record

MODEL = ModelParams(model="muse", attempts=2)
ENDPOINT = EndpointParams(base_url="http://127.0.0.1:9/v1")


def answered(words: str, **named) -> Answer:
    given = {"finish_reason": "stop", "refusal": "", "model": "muse-1", "input_tokens": 1}
    return Answer(**{"text": words, **given, "output_tokens": 1, **named})


class Asked:
    """Records what a function answers to a prompt, and replays it."""

    def __init__(self, path, answer) -> None:
        self.path, self.prompts, self.answer = path, [], answer

    def __call__(self, questions, *, attempts):
        def get(request):
            [message] = request.messages
            self.prompts.append(message.content)
            given = self.answer(message.content)
            return given if isinstance(given, Answer) else answered(given)

        recorded = record(questions, self.path, get, ENDPOINT, attempts=attempts)
        played = replay(questions, self.path, attempts=attempts, command="none")
        assert [r.value for r in played] == [r.value for r in recorded]
        return recorded


@pytest.fixture
def asked(tmp_path):
    return lambda answer: Asked(tmp_path / "pairs.jsonl", answer)


def models(**named) -> Recorded:
    return Recorded(**{**NO_MODELS, "words": 55, **named})


def original(name: str) -> Original:
    return Original(name, text(name), f"premise {name}", "en")


def test_premises_come_from_the_record_in_the_story_pairs_order(asked):
    def answer(prompt):
        if text("c") in prompt:
            return answered("", refusal="no")
        return "<premise>Bread.</premise>" if text("a") in prompt else "no tags"

    story_pairs = [
        StoryPair(("a", "b"), (text("a"), text("b")), "en"),
        StoryPair(("c", "d"), (text("c"), text("d")), "en"),
        StoryPair(("e", "f"), (text("e"), text("f")), "en"),
    ]
    ask = asked(answer)
    writers = RecordedWriters(models(back_generation=MODEL), ask)
    assert writers.premises(story_pairs) == ["Bread.", None, None]
    assert writers.counts == {
        "back_generation.answered": 1,
        "back_generation.malformed": 1,
        "back_generation.retried": 1,
        "back_generation.refused": 1,
        "back_generation.truncated": 0,
    }
    [prompt] = [prompt for prompt in ask.prompts if text("a") in prompt]
    assert prompt.index(text("a")) < prompt.index(text("b"))
    # What is asked afterwards is added.
    writers.premises(story_pairs[:1])
    assert writers.counts["back_generation.answered"] == 2
    assert writers.premises([]) == []


def test_rewritings_ask_for_one_degradation_each(asked):
    ask = asked(lambda prompt: f"<story>Worse {len(prompt)}.</story>")
    writers = RecordedWriters(models(rewriting=MODEL), ask)
    assert writers.names == {"rewriting": "muse"}
    first, second = writers.rewritings([(original("a"), "ending"), (original("a"), "plot")])
    assert first != second and first.startswith("Worse")
    assert all(text("a") in prompt and "premise a" in prompt for prompt in ask.prompts)
    assert writers.counts["rewriting.answered"] == 2


def test_only_the_guided_continuation_sees_how_the_person_went_on(asked):
    def answer(prompt):
        guided = text("a", 8)[len(text("a", 2)) :].strip() in prompt
        if text("b", 2) in prompt:
            return "<story>Fine.</story>" if guided else "no tags"
        return "<story>Guided.</story>" if guided else "<story>Unguided.</story>"

    writers = RecordedWriters(models(continuation=MODEL), ask := asked(answer))
    asked_for = [(original(name), text(name, 2)) for name in "ab"]
    assert writers.continuations(asked_for) == [("Guided.", "Unguided."), None]
    assert writers.counts["continuation.malformed"] > 0
    assert all("about 55 words" in " ".join(prompt.split()) for prompt in ask.prompts)


def comparing(better):
    """Answers with the place of the story that a function of both stories' names prefers."""

    def answer(prompt):
        places = sorted("abc", key=lambda name: prompt.find(text(name)) % 10**9)
        return json.dumps({"better": better([n for n in places if text(n) in prompt])})

    return answer


def test_a_judge_is_asked_in_both_orders(asked):
    totals: dict[str, int] = {}
    ask = asked(comparing(lambda names: 1 + names.index(min(names))))
    judge = recorded_judge(MODEL, ask, totals)
    assert judge([contest("p", "a", "b"), contest("p", "c", "b")]) == [0, 1]
    assert totals["judge.answered"] == 4 and len(ask.prompts) == 4
    assert judge([]) == []


@pytest.mark.parametrize("place", [1, 2])
def test_a_judge_who_goes_by_the_place_does_not_tell(asked, place):
    judge = recorded_judge(MODEL, asked(comparing(lambda _: place)), {})
    assert judge([contest("p", "a", "b")]) == [None]


def test_one_order_is_not_enough(asked):
    def answer(prompt):
        return '{"better": 1}' if prompt.index(text("a")) < prompt.index(text("b")) else "?"

    totals: dict[str, int] = {}
    assert recorded_judge(MODEL, asked(answer), totals)([contest("p", "a", "b")]) == [None]
    assert totals["judge.malformed"] == 1


@pytest.mark.parametrize(
    ("key", "size", "use"),
    [
        ("back_generation", "back_generation", lambda w, _: w.premises([])),
        ("rewriting", "rewriting", lambda w, _: w.rewritings([])),
        ("continuation", "continuation", lambda w, _: w.continuations([])),
        ("judge", "llm_llm_judged", lambda _, judge: judge([])),
    ],
)
def test_a_model_that_is_needed_must_be_named(asked, key, size, use):
    ask = asked(lambda _: "")
    with pytest.raises(InputError) as error:
        use(RecordedWriters(models(), ask), recorded_judge(None, ask, {}))
    assert f"pairs.recorded.{key} names no model" in str(error.value)
    assert f"pairs.sizes.{size}" in str(error.value)

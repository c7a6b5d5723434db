import pytest
from chat_server import completion

from storyaudit.llm.answer import NoAnswerError, answer_in, error_in


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        (completion("yes"), "ok", "yes"),
        (completion(None), "ok", ""),
        (completion("a", finish=None), "ok", "a"),
        (completion("half a st", finish="length"), "truncated", "half a st"),
        (completion(None, refusal="I cannot"), "refused", ""),
        (completion("", finish="content_filter"), "refused", ""),
        # A refusal that was cut off is one.
        (completion(None, refusal="I can", finish="length"), "refused", ""),
    ],
)
def test_kinds_of_answers(reply, kind, text):
    found = answer_in(reply.body)
    assert (found.kind, found.text) == (kind, text)


def test_usage_and_model_are_kept_as_reported():
    found = answer_in(completion("x", usage=(11, 5), model="m-2026-01-01").body)
    assert (found.model, found.input_tokens, found.output_tokens) == ("m-2026-01-01", 11, 5)
    unknown = answer_in(completion("x", usage=None, model=None).body)
    assert (unknown.model, unknown.input_tokens, unknown.output_tokens) == ("", None, None)
    huge = answer_in(completion("x", usage=(10**16, 10**30)).body)  # no record could hold it
    assert (huge.input_tokens, huge.output_tokens) == (None, None)
    strange = answer_in(completion("x", usage=(-1, 2.5)).body)
    assert (strange.input_tokens, strange.output_tokens) == (None, None)


def test_half_a_surrogate_pair_becomes_the_replacement_character():
    assert answer_in(completion("a\ud800b").body).text == "a\ufffdb"
    assert answer_in(completion("\ud83d\ude00").body).text == "\U0001f600"


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "text",
        {},
        {"choices": []},
        {"choices": None},
        {"choices": ["x"]},
        {"choices": [{}]},
        {"choices": [{"message": "x"}]},
        {"choices": [{"message": {"content": ["parts"]}}]},
        {"choices": [{"message": {"content": "x"}, "finish_reason": 1}]},
    ],
)
def test_what_is_no_answer(content):
    with pytest.raises(NoAnswerError):
        answer_in(content)


def test_an_error_in_place_of_an_answer_is_told():
    with pytest.raises(NoAnswerError, match="upstream is down"):
        answer_in({"error": {"message": "upstream is down", "code": 502}})
    assert error_in({"error": {"message": "m", "code": "c"}}) == ("c", "m")
    assert error_in({"error": "plain"}) == ("", "plain")
    assert error_in({"detail": "x"}) == error_in(None) == ("", "")

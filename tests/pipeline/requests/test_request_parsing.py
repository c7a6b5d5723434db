import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.requests.parsing import json_object, passage, points, without_thoughts
from storyaudit.llm.question import MalformedError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-100, 100)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(TEXTS)
def test_a_passage_is_what_was_written_between_the_tags(text):
    written = f" \n<story>\n{text}\n</story>\n"
    if "<story>" in text or "</story>" in text or not text.strip() or "</think>" in text:
        with pytest.raises(MalformedError):
            passage(written, "story")
    else:
        assert passage(written, "story") == text.strip()
        assert passage(f"<think>hm <story>\n</think>{written}", "story") == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Once upon a time",
        "<story>Once",
        "Once</story>",
        "</story>Once<story>",
        "<story></story>",
        "<story> \n </story>",
        "Sure! <story>Once</story>",
        "<story>Once</story> I hope you like it.",
        "<story>Once</story><story>Twice</story>",
        "<story><story>Once</story></story>",
        "<Story>Once</Story>",
        "<premise>Once</premise>",
        "<think>I should write <story>Once</story>",
    ],
)
def test_what_is_no_passage(text):
    with pytest.raises(MalformedError):
        passage(text, "story")


def test_thoughts_are_left_out():
    assert without_thoughts("<think>a</think>\nb") == "b"
    assert without_thoughts("a</think>b") == "b"  # some templates write the first tag themselves
    assert without_thoughts(" b ") == "b"
    with pytest.raises(MalformedError, match="do not end"):
        without_thoughts("<think>a")


@given(st.dictionaries(TEXTS, JSON, max_size=4), st.booleans())
def test_an_object_is_read_as_it_was_written(content, fenced):
    written = json.dumps(content)
    text = f"```json\n{written}\n```" if fenced else written
    if "</think>" not in written:
        assert json_object(text, content) == content


@given(JSON)
def test_whatever_else_is_json_is_malformed_or_has_the_names(content):
    try:
        found = json_object(json.dumps(content), ["a"])
    except MalformedError:
        return
    assert found == content
    assert set(found) == {"a"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8",
        "a: 8",
        "{'a': 8}",
        '{"a": 8',
        '{"a": 8}}',
        '{"a": 8} {"a": 8}',
        'The answer is {"a": 8}',
        '{"a": 8}\nThe story is good.',
        '```json\n{"a": 8}\n```\nGood.',
        '```python\n{"a": 8}\n```',
        '[{"a": 8}]',
        '{"a": 8, "a": 9}',
        '{"a": 8, "a": 8}',
        '{"a": 8, "b": 8}',
        '{"A": 8}',
        '{"a ": 8}',
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": -Infinity}',
        '{"a": ' + "9" * 5000 + "}",
        '{"a": ' + "[" * 100_000,
    ],
)
def test_what_is_no_object_with_exactly_the_names(text):
    with pytest.raises(MalformedError) as error:
        json_object(text, ["a"])
    assert 0 < len(str(error.value)) < 200


@pytest.mark.parametrize("value", [1, 10, 7, 7.0, 1e1])
def test_whole_numbers_on_the_scale(value):
    found = points(value, 1, 10)
    assert (found, type(found)) == (int(value), int)


@pytest.mark.parametrize(
    "value", [0, 11, -1, 7.5, 1e308, float("inf"), True, False, "7", "", None, [7], {"x": 7}]
)
def test_everything_else_is_malformed(value):
    with pytest.raises(MalformedError):
        points(value, 1, 10)


def test_a_number_beyond_floats_is_malformed():
    with pytest.raises(MalformedError):
        points(json_object('{"a": 1e999}', ["a"])["a"], 1, 10)

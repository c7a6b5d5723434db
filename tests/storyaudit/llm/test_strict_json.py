import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.llm.strict_json import strict_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15) + 1, 10**15 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(VALUES)
def test_reads_what_json_writes(value):
    assert strict_json(json.dumps(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{} {}",
        '{"a": 1, "a": 1}',
        '[{"b": {"a": 1, "\\u0061": 2}}]',
        "NaN",
        "[-Infinity]",
        "1" + "0" * 15,
        "-" + "9" * 16,
        "1" * 5000,
        "[" * 100_000,
    ],
)
def test_refuses_what_says_nothing_or_two_things(text):
    with pytest.raises(ValueError, match=r"."):
        strict_json(text)

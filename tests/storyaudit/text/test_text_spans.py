import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from storyaudit.text.spans import spans
from storyaudit.text.words import normalise, words

NASTY = st.text(
    st.sampled_from(
        "aZß'’＇ .\0\u00ad\u200b\u200d\ufeffİŉﬁſΣΐᾳ\u0301\u0307\u0323\u0338\u0345क्षｶﾞが中가"
        "\u1100\u1161\u11a8½⑴㍿\ufdfa…🙂\ufe0f\ud800\udc00"
    )
)


@given(st.text() | NASTY)
@example("\u0301\u0301a\u00ad\u0301\u200b b")
@example("㍿a\ufdfa\u0301")
def test_words_are_those_of_the_reference_and_spans_hold_them(text):
    found = spans(text)
    assert [word for word, _, _ in found] == words(text)
    for word, start, end in found:
        assert 0 <= start < end <= len(text)
        assert word in normalise(text[start:end])
        assert word in words(text[start:end])
    assert found == sorted(found, key=lambda span: span[1:])


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        ("He said: “Don’t go!”", ["He", "said", "Don’t", "go"]),
        ("Straße, cafe\u0301s ﬁre", ["Straße", "cafe\u0301s", "ﬁre"]),
        ("so\u00adfa\u200b bed", ["so\u00adfa", "bed"]),
        ("\ufeffFirst", ["First"]),
        ("中文a", ["中", "文", "a"]),
        ("½ cup", ["½", "½", "cup"]),
        ("ｶﾞ \u1112\u1161\u11ab", ["ｶﾞ", "\u1112\u1161\u11ab"]),
        ("rock 'n' roll", ["rock", "n", "roll"]),
        ("", []),
        (" …\ud800", []),
        ("x\ud800y", ["x", "y"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
    ],
)
def test_the_original_can_be_quoted(text, slices):
    assert [text[start:end] for _, start, end in spans(text)] == slices


def test_every_letter_and_mark_between_letters():
    for character in regex.findall(r"[\p{L}\p{M}\p{N}]", "".join(map(chr, range(0x3000)))):
        text = f"é{character}b"
        assert [word for word, _, _ in spans(text)] == words(text)

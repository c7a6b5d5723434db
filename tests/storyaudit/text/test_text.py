import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from storyaudit.text.words import _IGNORED, normalise, words

# Without characters that this Python does not know yet, and 'regex' may.
ANY = st.text(st.characters(exclude_categories=["Cs", "Cn"]))
# Marks, ligatures, sharp s, dotted I, iota subscripts, kana with sound marks, jamo.
TRICKY = st.text(
    st.sampled_from("aαßİıŉﬁǰΐᾳſKÅｶﾞがﾟ\u0301\u0307\u0308\u0323\u0345\u1100\u1161\u11a8'’＇ .-")
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("THRONE", "throne"),
        ("Straße", "STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
        ("\u1e69", "s\u0323\u0307"),
        ("ﬁre", "fire"),
        ("Ｗｉｄｅ", "wide"),
        ("don\u2019t", "don't"),
        ("don\uff07t", "don't"),
        ("ｶﾞ", "ガ"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ],
)
def test_spellings_of_one_word_are_equal(one, other):
    assert normalise(one) == normalise(other)
    assert words(one) == words(other)
    assert len(words(one)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("throne .", ["throne"]),
        ("throne.", ["throne"]),
        ("", []),
        ("… — !?", []),
        ("He said: 'Don't go,' twice", ["he", "said", "don't", "go", "twice"]),
        ("rock’n’roll ''quoted''", ["rock'n'roll", "quoted"]),
        ("well-known a_b", ["well", "known", "a", "b"]),
        ("Chapter 12, 3.5", ["chapter", "12", "3", "5"]),
        ("我爱你。", ["我", "爱", "你"]),
        ("中文abc字", ["中", "文", "abc", "字"]),
        ("ひらカタ", ["ひ", "ら", "カ", "タ"]),
        ("한국어", ["한", "국", "어"]),
        ("مَرْحَبًا يا", ["مَرْحَبًا", "يا"]),  # vowel marks stay with their letters
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("ไม่", ["ไ", "ม่"]),  # Thai sets no spaces: each letter, with its marks, is a word
    ],
)
def test_words(text, expected):
    assert words(text) == [unicodedata.normalize("NFKC", word) for word in expected]


@given(ANY | TRICKY)
@example("\u0345\u0301")
def test_normalising_twice_changes_nothing(text):
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFKC", once)


def test_every_character_normalises_once_and_for_all():
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code <= 0xDFFF]
    moved = [c for c in characters if normalise(normalise(c)) != normalise(c)]
    assert moved == []


@given(ANY | TRICKY)
def test_a_word_holds_letters_digits_marks_and_inner_apostrophes_only(text):
    for word in words(text):
        assert not word.startswith("'")
        assert not word.endswith("'")
        assert {unicodedata.category(c)[0] for c in word.replace("'", "")} <= set("LNM")
        assert unicodedata.category(word[0])[0] in "LN"


@given(ANY | TRICKY)
def test_no_letter_or_digit_is_lost(text):
    def letters(text):
        return [c for c in text if unicodedata.category(c)[0] in "LN"]

    assert letters("".join(words(text))) == letters(normalise(text))


@given(st.lists(st.sampled_from(["throne", "don't", "12", "café"])), st.sampled_from(" .,;!?—\n"))
def test_spacing_and_punctuation_do_not_count(tokens, separator):
    assert words(separator.join(tokens)) == words(f" {separator} ".join(tokens)) == tokens


def test_invisible_marks_do_not_part_words():
    assert words("co\u00adop\u2060erate") == ["cooperate"]
    assert len(words("می\u200cخواهم")) == 1  # a joiner shapes letters inside one Persian word


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_plain_text_is_read_as_any_other(text):
    # The last word is not ASCII, so that the text is read by the general rule.
    assert words(text + " é") == [*words(text), "é"]


@given(st.lists(st.sampled_from("\u0301\u0323\u0344\u0f73\u3099\u05b0\u0340"), min_size=60))
def test_long_runs_of_marks_are_normalised_as_short_ones_are(marks: list[str]) -> None:
    text = f"ca{''.join(marks)} fe"
    expected = unicodedata.normalize(
        "NFKC", unicodedata.normalize("NFKC", text.translate(_IGNORED)).casefold()
    )
    assert normalise(text) == expected


def test_a_megabyte_of_marks_does_not_take_minutes() -> None:
    text = "a" + "\u0301\u0323" * 250_000
    assert len(words(text)) == 1  # quadratic time would be half an hour

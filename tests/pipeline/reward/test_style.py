import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reward.linear.features import read
from pipeline.reward.linear.style import STYLE, standardised, style
from pipeline.reward.premise_coverage import coverage
from storyaudit.text.words import words


def style_of(text: str, premise: str = "") -> dict[str, float]:
    found = style(text, read(text, None).sentences, frozenset(words(premise)))
    return dict(zip(STYLE, found, strict=True))


def test_features_by_hand() -> None:
    text = "The lamp was lit. “Go,” she said.\n\nHe went.\nHe never came back to the lamp again!"
    # Sentences of 4, 3, 2 and 8 words in three paragraphs: 17 words, 14 of them distinct.
    found = style_of(text, "A lamp; the sea.")
    mean = 17 / 4
    squares = [(n - mean) ** 2 for n in (4, 3, 2, 8)]
    fourth = sum(s * s for s in squares) / 4
    variance = sum(squares) / 4
    expected = {
        "log words": math.log(17),
        "log mean sentence length": math.log(17 / 4),
        "log SD of sentence length": math.log(1 + math.sqrt(variance)),
        "burstiness": fourth / variance**2 - 3,
        "root type-token ratio": 14 / math.sqrt(17),
        "share of dialogue": len("“Go,”") / len(text),
        "punctuation per word": 7 / 17,  # . “ , ” . . !
        "log mean paragraph length": math.log(17 / 3),
        "premise coverage": 2 / 4,
    }
    assert found == pytest.approx(expected, abs=1e-6)


def test_chinese_by_hand() -> None:
    found = style_of("“走吧。”他说。\n天黑了！", "天亮")
    assert found["log words"] == pytest.approx(math.log(7), abs=1e-6)
    assert found["log mean sentence length"] == pytest.approx(math.log(7 / 3), abs=1e-6)
    assert found["share of dialogue"] == pytest.approx(5 / 13, abs=1e-6)
    assert found["punctuation per word"] == pytest.approx(5 / 7, abs=1e-6)
    assert found["premise coverage"] == 0.5


@pytest.mark.parametrize("text", ["", "   \n", "?!", "\0"])
def test_a_story_without_words_has_no_style(text: str) -> None:
    assert all(math.isnan(value) for value in style_of(text, "a lamp").values())


def test_what_too_few_sentences_do_not_tell() -> None:
    unknown = {name for name, value in style_of("One sentence alone.").items() if math.isnan(value)}
    assert unknown == {"log SD of sentence length", "burstiness"}
    unknown = {name for name, value in style_of("Two. Of them.").items() if math.isnan(value)}
    assert unknown == {"burstiness"}


@pytest.mark.parametrize("quotes", ['""', "“”", "„“", "«»", "「」", "『』"])
def test_speech_in_any_double_marks(quotes: str) -> None:
    inside = f"{quotes[0]}hello{quotes[1]}"
    assert style_of(f"{inside} x")["share of dialogue"] == pytest.approx(7 / 9, abs=1e-6)


def test_a_mark_that_nobody_closes_is_no_speech() -> None:
    assert style_of('He said "hello\n and "left.')["share of dialogue"] == 0
    assert style_of("“" * 100_000 + "a")["share of dialogue"] == 0  # and takes no longer


@given(st.text(), st.text())
def test_any_text_has_numbers_or_none(text: str, premise: str) -> None:
    found = list(style_of(text, premise).values())
    assert not any(math.isinf(value) for value in found)
    assert math.isnan(found[0]) == (not words(text))
    assert math.isnan(found[0]) or 0 <= found[-1] <= 1


def test_coverage_counts_distinct_words() -> None:
    assert coverage(frozenset("abcd"), set("aacx")) == 0.5
    assert coverage(frozenset(), set("a")) == 0
    assert coverage(frozenset("a"), set()) == 0


def test_standardised_by_hand() -> None:
    features = np.array([[1.0, 5.0], [math.nan, 5.0], [3.0, math.nan]])
    found = standardised(features, np.array([2.0, 5.0]), np.array([0.5, 0.0]))
    # What is not known counts as the mean; what did not vary counts nothing.
    np.testing.assert_array_equal(found, [[-2, 0], [0, 0], [2, 0]])
    assert standardised(np.empty((2, 0)), np.empty(0), np.empty(0)).shape == (2, 0)

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kurtosis as of_scipy

from storyaudit.text.sentences import kurtosis, length_kurtosis, sentence_lengths, sentences
from storyaudit.text.words import _WORD, normalise, words

CUT = {
    "two": "He left.| She stayed.",
    "question and call": "Why?| Because!| So be it.",
    "speech that ends": '"Stop!"| He ran.',
    "speech that goes on": '"Stop!" he said.| He ran.',
    "typographic speech": "“Stop!” he said.| ‘No.’| He ran.",
    "a full stop inside speech": "“He left.” and he had.",
    "dots that go on": "Well... no.| Well...| No.",
    "dots as one character": "Well… no.| Well…| No.",
    "titles": "Mr. Lee met Dr. Mary A. Kay on Mt. Fuji.| St. Ives.",
    "a title at the start": "It rained.| Mrs. Lee came.",
    "the word I": "It was I.| No one else.",
    "words that end like titles": "He was first.| She drew a chair.",
    "initials run together": "In the U.S.| There is law.",
    "decimals and addresses": "It cost 3.50 at example.org/x.y?z today.",
    "brackets": "(He left.)| [She stayed!]| Good.",
    "speech in a paragraph of its own": 'One.\n\n|"Two," he said.\n|"No?" she said.\n\n|"Go!"',
    "speech after a heading": "A title\n\n|'He left,' she said.",
    "a line that ends in speech": 'He said "No."\n|"Go," he said',
    "a blank line": "A title\n\n|He left\n \n|She stayed",
    "lines of one sentence": "He left\nher there.| Then\nit rained.",
    "Chinese": "他走了。|她留下！|为什么？|没有人知道",
    "Chinese speech": "“你好！”|他说。|「走吧。」|她走了。",
    "Chinese dots": "她走了……|然后呢？|没有",
    "Chinese with a Western mark": "他走了.然后. |她来了",
    "Japanese": "雨が降った。|彼は走った。",
    "Arabic": "هل ذهب؟| نعم.",
    "Hindi": "वह गया।| वह रुकी।",
    "spaces before marks": "he left . |she stayed .",
    "nothing": "",
    "only space": " \n ",
    "only marks": "?!...",
}


@pytest.mark.parametrize("marked", CUT.values(), ids=CUT)
def test_sentences_by_hand(marked: str) -> None:
    expected = [part for part in marked.split("|") if part]
    # White space stands with the sentence before it.
    found = [part.strip() for part in sentences(marked.replace("|", ""))]
    assert found == [part.strip() for part in expected]


@given(st.text(alphabet='aA .!?…。\n”"“3M r(）\u00a0\ud800') | st.text())
def test_the_parts_make_up_the_text(text: str) -> None:
    assert "".join(sentences(text)) == text


def test_lengths_leave_out_what_has_no_word() -> None:
    assert sentence_lengths("One two three. ... !! Four.\n\n* * *\n\n五六。") == [3, 1, 2]
    assert sentence_lengths("") == []


def test_kurtosis_by_hand() -> None:
    # 1, 1, 1, 5: deviations −1, −1, −1, 3; 4 · (3 + 81) / 12² − 3 = −2/3.
    assert kurtosis([1, 1, 1, 5]) == pytest.approx(-2 / 3)
    assert length_kurtosis("Go. Run! Stop? He never came back here.") == pytest.approx(-2 / 3)
    assert kurtosis([0, 1, 0, 1]) == -2


@given(st.lists(st.integers(0, 500), min_size=4, max_size=60).filter(lambda x: len(set(x)) > 1))
def test_kurtosis_is_that_of_scipy(lengths: list[int]) -> None:
    assert kurtosis(lengths) == pytest.approx(of_scipy(lengths), abs=1e-9)


@pytest.mark.parametrize(
    "text",
    ["", "...", "One. Two. Three four.", "One two. Three four. Five six. Seven eight.", "a " * 900],
)
def test_kurtosis_that_cannot_be_told_is_none(text: str) -> None:
    assert length_kurtosis(text) is None


HOSTILE = (
    "." * 200_000,
    ".)" * 100_000,
    "…" * 200_000 + "x",
    "……" * 100_000 + "x",
    "。" * 200_000,
    "\n " * 100_000,
    "\n" + " " * 200_000,
    "A. " * 70_000,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_takes_no_longer(text: str) -> None:
    start = time.process_time()
    sentence_lengths(text)
    assert time.process_time() - start < 2


@given(st.lists(st.sampled_from(["Rain fell", "他走了", "no one came"]), min_size=1, max_size=6))
def test_words_are_those_of_the_whole(parts: list[str]) -> None:
    text = ". ".join(parts)
    assert sum(sentence_lengths(text)) == len(words(text))


@given(st.text(alphabet="aB1'’‘“”—–…\u00a0\u00ad\u0301\u0327é三 ."))
def test_typographic_marks_part_the_same_words(text: str) -> None:
    assert words(text) == _WORD.findall(normalise(text))

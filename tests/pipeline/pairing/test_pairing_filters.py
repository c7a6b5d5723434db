from collections import Counter

import pytest
from pairing_samples import text

from pipeline.pairing.filters import Filter, measured, text_key


def test_a_key_is_of_words_alone():
    assert text_key("The  END, said\nShe!") == text_key("the end: said she")
    assert text_key("the end said") != text_key("the endsaid")
    assert text_key("猫狗") == text_key("猫 狗。")
    assert text_key("…!\n") == text_key("") == ""
    assert measured("The end, 猫!")[1] == 3


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ("A b.", "a  B!", "same_text"),
        ("…", "a b", "no_words"),
        ("a b", "\n", "no_words"),
        ("", "", "no_words"),
    ],
)
def test_some_couples_make_no_pair(left, right, reason):
    keep = Filter(0.5)
    assert not keep.take("m", left, right)
    assert keep.dropped == Counter({f"m.{reason}": 1})


def test_a_couple_of_texts_is_taken_once_in_whatever_order_and_method():
    keep = Filter(0.5)
    assert keep.take("one", "a b", "c d")
    assert not keep.take("one", "A B", "c, d")
    assert not keep.take("two", "c d", "a b")
    assert keep.take("two", "a b", "c e")
    assert keep.dropped == Counter({"one.used_before": 1, "two.used_before": 1})


def test_near_copies_are_told_by_the_jaccard_of_five_words():
    # 12 words have 8 shingles; another last word leaves 7 of them: 7 / 9.
    words = [f"w{place}" for place in range(12)]
    left, right = " ".join(words), " ".join([*words[:-1], "thirteen"])
    assert not Filter(7 / 9).differ("m", left, right)
    assert Filter(7 / 9 + 1e-9).differ("m", left, right)
    keep = Filter(0.5)
    assert keep.differ("m", text("a"), text("b")) and not keep.dropped
    assert not keep.differ("m", left, left)
    assert keep.dropped == Counter({"m.near_copy": 1})

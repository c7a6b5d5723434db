from collections import Counter

import pytest
from pairing_samples import text

from pipeline.pairing.pair_filter import PairFilter, measured, text_key


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
def test_some_story_pairs_make_no_pair(left, right, reason):
    pair_filter = PairFilter(0.5)
    assert not pair_filter.claim("m", left, right)
    assert pair_filter.dropped == Counter({f"m.{reason}": 1})


def test_a_text_pair_is_claimed_once_in_whatever_order_and_method():
    pair_filter = PairFilter(0.5)
    assert pair_filter.claim("one", "a b", "c d")
    assert not pair_filter.claim("one", "A B", "c, d")
    assert not pair_filter.claim("two", "c d", "a b")
    assert pair_filter.claim("two", "a b", "c e")
    assert pair_filter.dropped == Counter({"one.used_before": 1, "two.used_before": 1})


def test_near_duplicates_are_found_by_the_jaccard_of_five_words():
    # 12 words have 8 shingles; another last word leaves 7 of them: 7 / 9.
    words = [f"w{place}" for place in range(12)]
    left, right = " ".join(words), " ".join([*words[:-1], "thirteen"])
    assert not PairFilter(7 / 9).differ("m", left, right)
    assert PairFilter(7 / 9 + 1e-9).differ("m", left, right)
    pair_filter = PairFilter(0.5)
    assert pair_filter.differ("m", text("a"), text("b")) and not pair_filter.dropped
    assert not pair_filter.differ("m", left, left)
    assert pair_filter.dropped == Counter({"m.near_copy": 1})

"""Hashed shingles against the sets of the reference."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from plain_measures import token_hash

from storyaudit.text import similarity as likeness
from storyaudit.text.shingles import rolling, shingle
from storyaudit.text.tokens import Tokens, tokenise
from storyaudit.text.words import words

SIZES = st.integers(1, 7)
TEXTS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c’s", "中", "é"]), max_size=30).map(" ".join)
    | st.text(max_size=20)
    | st.none(),
    max_size=4,
)


def split(found):
    return [found.hashes[first:last].tolist() for first, last in pairwise(found.starts)]


def sets(texts, size):
    return [likeness.shingles(words(text or ""), size) for text in texts]


@given(TEXTS, SIZES)
@example(["a a a a a a", "a a", "a", "", None], 5)
def test_shingles_are_those_of_the_reference(texts, size):
    found, reference = split(shingle(tokenise(texts), size)), sets(texts, size)
    assert [len(one) for one in found] == [len(one) for one in reference]
    assert all(one == sorted(set(one)) for one in found)
    for left, left_set in zip(found, reference, strict=True):
        for right, right_set in zip(found, reference, strict=True):
            assert len(set(left) & set(right)) == len(left_set & right_set)


@given(TEXTS, SIZES)
def test_all_shingles_of_all_texts_are_told_apart(texts, size):
    found, reference = split(shingle(tokenise(texts), size)), sets(texts, size)
    assert len(set().union(*found)) == len(set().union(*reference))


@given(st.lists(st.integers(0, 2**64 - 1), max_size=40), SIZES)
def test_rolling_is_one_hash_a_run_wherever_it_stands(hashes, size):
    tokens = np.array(hashes, dtype=np.uint64)
    out = np.empty(len(tokens), dtype=np.uint64)
    count = rolling(tokens, size, out)
    assert count == (max(1, len(hashes) - size + 1) if hashes else 0)
    alone = np.empty(size, dtype=np.uint64)
    for place in range(count):
        run = tokens[place : place + size].copy()
        assert rolling(run, size, alone) == 1
        assert alone[0] == out[place]


def test_a_short_text_equals_no_part_of_a_longer_one():
    texts = [" ".join("abcdefg"[:length]) for length in range(1, 8)]
    hashes = [set(one) for one in split(shingle(tokenise(texts), 5))]
    for short in range(4):
        assert all(hashes[short].isdisjoint(other) for other in hashes if other != hashes[short])


def test_order_changes_the_hash():
    texts = [" ".join(order) for order in permutations("abcdef", 5)]
    texts += [" ".join(order) for order in permutations(["a", "a", "a", "b", "b"])]
    found = shingle(tokenise(texts), 5)
    assert len(np.unique(found.hashes)) == len({tuple(text.split()) for text in texts})


def test_many_random_runs_have_no_hash_in_common():
    hashes = np.array([token_hash(str(number)) for number in range(50)], dtype=np.uint64)
    tokens = np.random.default_rng(0).choice(hashes, 200_000)
    found = shingle(Tokens(tokens, np.array([0, len(tokens)])), 5)
    drawn = tokens.tolist()
    runs = {tuple(drawn[place : place + 5]) for place in range(len(drawn) - 4)}
    assert len(found.hashes) == len(runs)


def test_no_texts_and_no_tokens():
    assert split(shingle(tokenise([]), 5)) == []
    assert split(shingle(tokenise(["", None]), 5)) == [[], []]


def test_a_word_without_end():
    found = shingle(tokenise(["a " * 1_000_000]), 5)
    assert len(found.hashes) == 1


def test_a_size_larger_than_any_text_takes_wholes():
    texts = ["a b c", "a b", "a b c"]
    first, second, third = split(shingle(tokenise(texts), 1_000_000))
    assert len(first) == len(second) == 1
    assert first == third != second


@pytest.mark.parametrize("size", [0, -1])
def test_a_size_has_to_be_positive(size):
    with pytest.raises(ValueError, match="at least one token"):
        shingle(tokenise(["a b"]), size)

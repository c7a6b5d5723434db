import hashlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import HashingVectorizer

from pipeline.reward.linear.ngrams import Hashes, ngram_matrix, terms

FULL = 2**64


def matrix(stories: list[list[str]], premises: list[set[str]], ngrams: int, buckets_log2: int):
    found = terms(stories, [frozenset(p) for p in premises], ngrams, Hashes())
    return ngram_matrix(list(found), len(stories), buckets_log2)


def terms_by_hand(story: list[str], premise: set[str], ngrams: int) -> list[tuple[str, ...]]:
    grams = [
        tuple(story[start : start + n])
        for n in range(1, ngrams + 1)
        for start in range(len(story) - n + 1)
    ]
    return grams + [("premise", "", word) for word in story if word in premise]


def hashed_by_hand(term: tuple[str, ...]) -> int:
    """The same hash in Python's whole numbers, one term at a time."""

    def mixed(h: int) -> int:
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9 % FULL
        h = (h ^ (h >> 27)) * 0x94D049BB133111EB % FULL
        return h ^ (h >> 31)

    def of_word(word: str) -> int:
        return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")

    if term[:2] == ("premise", ""):
        return mixed(of_word(term[2]) ^ 0x9E3779B97F4A7C15)
    h = of_word(term[0])
    for word in term[1:]:
        h = mixed((h * 0xD6E8FEB86659FD93 + of_word(word)) % FULL)
    return h


def squares(counts: Counter) -> int:
    return sum(count * count for count in counts.values())


words = st.lists(st.sampled_from(["a", "b", "c", "un", "deux", "三", "é"]), max_size=12)
some = st.lists(st.tuples(words, st.sets(st.sampled_from(["a", "c", "三"]))), max_size=5)


@given(some, st.integers(1, 4), st.integers(1, 12))
def test_each_row_holds_the_signed_counts_of_its_terms(
    rows, ngrams: int, buckets_log2: int
) -> None:
    found = matrix([s for s, _ in rows], [p for _, p in rows], ngrams, buckets_log2).toarray()
    assert found.shape == (len(rows), 2**buckets_log2)
    for row, (story, premise) in zip(found, rows, strict=True):
        expected = np.zeros(2**buckets_log2)
        for term in terms_by_hand(story, premise, ngrams):
            h = hashed_by_hand(term)
            expected[h % 2**buckets_log2] += -1 if h >> 63 else 1
        norm = np.linalg.norm(expected)
        np.testing.assert_allclose(row, expected / norm if norm else expected, rtol=1e-12)


@given(some)
def test_similarity_is_that_of_the_terms_themselves(rows) -> None:
    # In 2^16 buckets these few terms do not meet, so that hashing loses nothing.
    stories, premises = [s for s, _ in rows], [p for _, p in rows]
    found = matrix(stories, premises, 2, 16)
    similarity = (found @ found.T).toarray()
    counts = [Counter(terms_by_hand(s, p, 2)) for s, p in rows]
    for i, left in enumerate(counts):
        for j, right in enumerate(counts):
            dot = sum(left[term] * right[term] for term in left)
            norms = np.sqrt(squares(left) * squares(right))
            assert similarity[i, j] == pytest.approx(dot / norms if norms else 0)


def test_similarity_is_that_of_another_hashing() -> None:
    rng = np.random.default_rng(0)
    stories = [rng.choice([f"w{n}" for n in range(300)], 200).tolist() for _ in range(6)]
    premises = [{"w1", "w2", "w3", "w4"}] * 6
    ours = matrix(stories, premises, 3, 22)
    other = HashingVectorizer(
        analyzer=lambda pair: ["\0".join(term) for term in terms_by_hand(*pair, 3)],
        n_features=2**22,
    ).transform(zip(stories, premises, strict=True))
    np.testing.assert_allclose((ours @ ours.T).toarray(), (other @ other.T).toarray(), atol=0.01)


def test_about_half_of_the_terms_count_negative_and_buckets_fill_evenly() -> None:
    found = list(terms([[f"w{n}" for n in range(4000)]], [frozenset()], 2, Hashes()))
    for of in found[:2]:
        negative = of.negative().mean()
        assert abs(negative - 0.5) < 3.3 * 0.5 / 4000**0.5
        filled = len(set(of.bucket(12).tolist()))
        # 4,096 (1 − e^(−4000/4096)) = 2,554 buckets are expected to hold one or more.
        assert 2450 < filled < 2660


def test_a_row_does_not_depend_on_the_others() -> None:
    stories = [["a", "b"], [], ["b", "c", "a"], ["a"]]
    premises = [{"a"}, {"a"}, set(), {"z"}]
    together = matrix(stories, premises, 3, 8).toarray()
    for row, story, premise in zip(together, stories, premises, strict=True):
        np.testing.assert_array_equal(matrix([story], [premise], 3, 8).toarray()[0], row)


def test_order_of_words_tells_only_with_ngrams() -> None:
    there, back = [["a", "b"]], [["b", "a"]]
    assert (matrix(there, [set()], 1, 16) != matrix(back, [set()], 1, 16)).nnz == 0
    assert (matrix(there, [set()], 2, 16) != matrix(back, [set()], 2, 16)).nnz == 2


def test_every_story_needs_a_premise() -> None:
    with pytest.raises(ValueError, match="zip"):
        list(terms([["a"], ["b"]], [frozenset()], 1, Hashes()))


@pytest.mark.parametrize("word", ["", "\0", "\ud800", "a" * 100_000, "🙂"])
def test_any_word_has_a_hash(word: str) -> None:
    assert 0 <= Hashes()[word] < FULL

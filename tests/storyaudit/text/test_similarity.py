from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.text.similarity import containment, jaccard, shingles

WORDS = st.lists(st.sampled_from("abc"), max_size=12)


def runs(words: list[str], size: int) -> set[tuple[str, ...]]:
    """All runs of `size` words, cut out one by one."""
    found = set()
    for start in range(len(words)):
        run = tuple(words[start : start + size])
        if len(run) == size:
            found.add(run)
    return found


@given(WORDS, st.integers(1, 6))
def test_shingles_are_the_runs_of_words(words: list[str], size: int) -> None:
    whole = {tuple(words)} if 0 < len(words) < size else set()
    assert shingles(words, size) == runs(words, size) | whole


@given(WORDS, WORDS, st.integers(1, 4))
def test_containment_and_jaccard_count_shingles(
    left: list[str], right: list[str], size: int
) -> None:
    ours, theirs = shingles(left, size), shingles(right, size)
    shared = sum(run in theirs for run in ours)
    union = len(ours) + len(theirs) - shared
    assert containment(ours, theirs) == (float(Fraction(shared, len(ours))) if ours else 0)
    assert jaccard(ours, theirs) == (float(Fraction(shared, union)) if union else 0)
    assert jaccard(ours, theirs) == jaccard(theirs, ours) <= containment(ours, theirs)


def test_measures_by_hand() -> None:
    # Pairs of words: {ab, bc, cd} and {bc, cd, de, ea}: two shared, five in all.
    left, right = shingles(list("abcd"), 2), shingles(list("bcdea"), 2)
    assert containment(left, right) == 2 / 3
    assert containment(right, left) == 2 / 4
    assert jaccard(left, right) == 2 / 5


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [
        ("one two", "one two", 1.0),
        ("one two", "one", 0.0),
        ("one two", "one two three four five six", 0.0),
        ("", "", 0.0),
        ("", "one two", 0.0),
    ],
)
def test_texts_shorter_than_a_shingle_are_similar_only_if_equal(
    left: str, right: str, share: float
) -> None:
    ours, theirs = shingles(left.split(), 5), shingles(right.split(), 5)
    assert containment(ours, theirs) == jaccard(ours, theirs) == share

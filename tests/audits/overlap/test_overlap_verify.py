import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import longest_shared_run

from audits.overlap.kernels.verify import Candidates, Measures, count_distinct, verify
from storyaudit.text.similarity import containment, jaccard, shingles
from storyaudit.text.tokens import Tokens

Words = list[int]

few = st.lists(st.integers(0, 2), max_size=30)
more = st.lists(st.integers(0, 7), max_size=30)
texts = st.lists(few | more, min_size=1, max_size=4)


def tokens(lists: list[Words]) -> Tokens:
    """Number w stands for a hash of its own, whose last bits are those of other numbers too."""
    hashes = np.array([w for words in lists for w in words], dtype=np.uint64)
    return Tokens(hashes << np.uint64(61), np.cumsum([0, *map(len, lists)]))


def all_pairs(left: list[Words], right: list[Words]) -> Candidates:
    pairs = [(i, j) for i in range(len(left)) for j in range(len(right))]
    return Candidates(
        np.array([i for i, _ in pairs]),
        np.array([j for _, j in pairs]),
        np.zeros(len(pairs), dtype=np.int64),
        np.array([len(right[j]) for _, j in pairs]),
    )


def measured(left: list[Words], right: list[Words], size: int) -> Measures:
    return verify(tokens(left), tokens(right), all_pairs(left, right), size)


@settings(max_examples=150, deadline=None)
@given(texts, texts, st.sampled_from([1, 2, 3, 5]))
def test_pairs_are_measured_as_sets_of_words_are(
    left: list[Words], right: list[Words], size: int
) -> None:
    measures = measured(left, right, size)
    expected = [
        (
            containment(shingles(a, size), shingles(b, size)),
            jaccard(shingles(a, size), shingles(b, size)),
            longest_shared_run(a, b),
        )
        for a in left
        for b in right
    ]
    columns = (measures.containment, measures.jaccard, measures.runs)
    assert list(zip(*columns, strict=True)) == expected


@settings(max_examples=100, deadline=None)
@given(few, few, st.integers(0, 30), st.integers(0, 30), st.sampled_from([1, 2, 5]))
def test_only_the_window_counts(left: Words, right: Words, one: int, two: int, size: int) -> None:
    start, stop = sorted(min(place, len(right)) for place in (one, two))
    other = [7] * 3  # so that the text does not begin the array
    places = [np.array([number]) for number in (0, 1, start, stop)]
    measures = verify(tokens([left]), tokens([other, right]), Candidates(*places), size)
    window = right[start:stop]
    assert measures.shared[0] == len(shingles(left, size) & shingles(window, size))
    assert measures.whole[0] == len(shingles(window, size))
    assert measures.runs[0] == longest_shared_run(left, window)


@given(few, st.sampled_from([1, 2, 5]))
@settings(max_examples=50, deadline=None)
def test_distinct_runs_are_counted(words: Words, size: int) -> None:
    room = np.empty(64, dtype=np.int64)
    assert count_distinct(tokens([words]).hashes, size, room) == len(shingles(words, size))


@pytest.mark.parametrize(
    ("left", "right", "run"),
    [
        ([1] * 3000, [1] * 20_000, 3000),
        ([1, 2] * 1500, [2, 1] * 10_000, 3000),
        ([1, 1, 2] * 1000, [1, 2, 2] * 6666, 2),
        (list(range(3000)), list(range(1000, 21_000)), 2000),
        ([1] * 2999 + [2], [3, *[1] * 20_000], 2999),
    ],
)
def test_repetition_without_end_takes_no_longer(left: Words, right: Words, run: int) -> None:
    hashes = [np.array(words, dtype=np.uint64) for words in (left, right)]
    sides = [Tokens(own, np.array([0, len(own)])) for own in hashes]
    pair = Candidates(*(np.array([n]) for n in (0, 0, 0, len(right))))
    verify(*sides, pair, 5)
    started = time.perf_counter()
    for _ in range(5):
        measures = verify(*sides, pair, 5)
    assert (time.perf_counter() - started) / 5 < 0.25  # some 0.001 s on an idle processor
    assert measures.runs[0] == run
    if len(set(left)) < 10:
        assert measures.shared[0] == len(shingles(left, 5) & shingles(right, 5))


def test_no_pair_has_no_measure() -> None:
    nothing = np.empty(0, dtype=np.int64)
    measures = verify(tokens([[1]]), tokens([[1]]), Candidates(*[nothing] * 4), 5)
    assert all(len(values) == 0 for values in measures)
    assert len(measures.containment) == len(measures.jaccard) == 0

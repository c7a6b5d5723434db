from collections import Counter
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairing_samples import pair, rng

from pipeline.pairing.splits import groups_of, splits_of
from storyaudit.vocabulary import TRAIN, VALIDATION

NAMES = st.sampled_from([f"t{n}" for n in range(14)])
PAIRS = st.lists(
    st.tuples(st.sampled_from(["one", "two", "three"]), NAMES, NAMES, NAMES), max_size=20
).map(lambda rows: [pair(*row) for row in rows])


def texts(of):
    return {of.premise.text, of.chosen.text, of.rejected.text}


def merged(pairs):
    """The groups' sets of texts, by merging until nothing changes."""
    groups = []
    for of in pairs:
        touched = [group for group in groups if group & texts(of)]
        groups = [group for group in groups if group not in touched]
        groups.append(set().union(texts(of), *touched))
    return groups


@given(PAIRS)
def test_groups_are_what_shares_texts(pairs):
    found = groups_of(pairs).tolist()
    groups = merged(pairs)
    expected = [next(i for i, g in enumerate(groups) if texts(of) <= g) for of in pairs]
    assert len(set(zip(found, expected, strict=True))) == len(set(found)) == len(set(expected))


@given(PAIRS, st.integers(1, 99), st.integers(0, 3))
def test_no_text_stands_in_two_splits_and_validation_never_has_too_much(pairs, percent, seed):
    splits = splits_of(pairs, percent / 100, rng(seed))
    assert len(splits) == len(pairs)
    held_out = [of for of, split in zip(pairs, splits, strict=True) if split == VALIDATION]
    trained = [of for of, split in zip(pairs, splits, strict=True) if split == TRAIN]
    assert len(held_out) + len(trained) == len(pairs)
    assert not set().union(*map(texts, held_out)) & set().union(*map(texts, trained))
    sizes = Counter(of.method for of in pairs)
    most = {name: floor(Fraction(percent, 100) * size) for name, size in sizes.items()}
    there = Counter(of.method for of in held_out)
    assert all(there[name] <= most[name] for name in sizes)
    # And no group for training would have had room.
    for group in merged(trained):
        own = Counter(of.method for of in trained if texts(of) <= group)
        assert any(there[name] + number > most[name] for name, number in own.items())


def test_a_share_is_not_cut_by_floating_point():
    # 0.29 × 100 is 28.999999999999996.
    pairs = [pair("one", f"p{n}", f"c{n}", f"r{n}") for n in range(100)]
    assert splits_of(pairs, 0.29, rng()).count(VALIDATION) == 29


def test_pairs_apart_fill_validation_exactly():
    pairs = [pair(m, f"{m}p{n}", f"{m}c{n}", f"{m}r{n}") for m in ("one", "two") for n in range(50)]
    splits = splits_of(pairs, 0.3, rng())
    by_method = Counter((of.method, split) for of, split in zip(pairs, splits, strict=True))
    assert by_method["one", VALIDATION] == by_method["two", VALIDATION] == 15
    assert splits_of(pairs, 0.3, rng()) == splits
    assert splits_of(pairs, 0.3, rng(1)) != splits


@pytest.mark.parametrize(
    "other",
    [
        ("two", "P!", "x", "y"),  # the premise's words
        ("two", "x", "y", "  c "),  # the chosen story is another pair's rejected one
        ("two", "r", "x", "y"),  # a story is another pair's premise
    ],
)
def test_equal_words_are_one_text(other):
    pairs = [pair("one", "p", "c", "r"), pair(*other)]
    assert len(set(groups_of(pairs).tolist())) == 1
    assert set(splits_of(pairs, 0.99, rng())) == {TRAIN}


def test_a_group_that_is_too_large_is_for_training():
    large = [pair("one", "p", f"c{n}", f"r{n}") for n in range(90)]
    small = [pair("one", f"p{n}", f"x{n}", f"y{n}") for n in range(10)]
    splits = splits_of([*large, *small], 0.1, rng())
    assert splits == [TRAIN] * 90 + [VALIDATION] * 10


def test_no_pairs_have_no_splits():
    assert splits_of([], 0.1, rng()) == []

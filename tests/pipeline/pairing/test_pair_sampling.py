from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairing_samples import rng

from pipeline.pairing.pair_sampling import evenly, sample_until
from storyaudit.errors import InputError


def even(batch):
    return [number for number in batch if number % 2 == 0]


def test_as_many_candidates_are_taken_as_are_needed():
    waiting = iter(range(100))
    assert sample_until(waiting, 5, even, parameter="p") == [0, 2, 4, 6, 8]
    assert next(waiting) == 9
    assert sample_until(waiting, 0, even, parameter="p") == []
    assert next(waiting) == 10


def test_asked_once_there_may_be_fewer():
    asked = []

    def make(batch):
        asked.append(list(batch))
        return even(batch)

    assert sample_until(range(100), 5, make, once=True, parameter="p") == [0, 2, 4]
    assert asked == [[0, 1, 2, 3, 4]]
    assert sample_until(range(3), 0, make, once=True, parameter="p") == []


@pytest.mark.parametrize(("once", "possible"), [(False, 4), (True, 7)])
def test_too_few_candidates_are_refused(once, possible):
    with pytest.raises(InputError) as error:
        sample_until(range(7), 8, even, once=once, parameter="pairs.sizes.x")
    assert f"pairs.sizes.x: expected 8 pairs, {possible} can be made" in str(error.value)
    assert "corpora.training_scale" in str(error.value)


@given(st.dictionaries(st.text(max_size=3), st.lists(st.integers(), max_size=5), max_size=6))
def test_groups_take_turns(groups):
    drawn = list(evenly({n: [(n, p) for p in range(len(g))] for n, g in groups.items()}, rng()))
    assert sorted(drawn) == sorted((n, p) for n, g in groups.items() for p in range(len(g)))
    for stop in range(len(drawn) + 1):
        so_far = Counter(name for name, _ in drawn[:stop])
        most = max(so_far.values(), default=0)
        # A group is a turn behind at most, unless it has no more.
        assert all(so_far[n] >= min(len(g), most - 1) for n, g in groups.items())


def test_turns_do_not_depend_on_the_order_of_groups():
    groups = {name: [f"{name}{n}" for n in range(4)] for name in "abcdef"}
    turned = dict(reversed(groups.items()))
    assert list(evenly(groups, rng())) == list(evenly(turned, rng()))
    assert list(evenly(groups, rng())) != list(evenly(groups, rng(1)))

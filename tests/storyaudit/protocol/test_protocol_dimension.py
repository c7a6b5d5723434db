from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.protocol.dimension import distinguishing_dimension
from storyaudit.vocabulary import DIMENSIONS

PRIORITY = ("relevance", "fluency", "creativity", "coherence", "characterization")


def literal(rows, tolerance, priority):
    """Equations 3 to 5 of StoryAlign as they read, in exact fractions.

    Rows are (chosen, rejected, rejected, rejected), one a dimension.
    """
    gap, margin, variance = {}, {}, {}
    for dimension, (chosen, *rejected) in zip(DIMENSIONS, rows, strict=True):
        mean = sum(rejected) / Fraction(len(rejected))
        gap[dimension] = chosen - mean
        margin[dimension] = chosen - max(rejected)
        variance[dimension] = sum((score - mean) ** 2 for score in rejected) / len(rejected)
    rest = [d for d in DIMENSIONS if max(gap.values()) - gap[d] <= tolerance]
    if len(rest) == 1:
        return rest[0], "mean_gap"
    rest = [d for d in rest if margin[d] == max(margin[e] for e in rest)]
    if len(rest) == 1:
        return rest[0], "margin"
    rest = [d for d in rest if variance[d] == min(variance[e] for e in rest)]
    if len(rest) == 1:
        return rest[0], "variance"
    return min(rest, key=priority.index), "priority"


def ours(rows, tolerance=0.5, priority=PRIORITY, dimensions=DIMENSIONS):
    scores = np.array([[float(value) for value in row] for row in rows])
    return distinguishing_dimension(
        scores[:, 0], scores[:, 1:], dimensions, tolerance=float(tolerance), priority=priority
    )


def test_agrees_with_the_literal_reading_and_every_rule_decides_some_items():
    rules = set()
    rng = np.random.default_rng(11)
    # Halves from 0 to 1 tie at every level; from 0 to 3, dimensions out of the race have margins.
    for halves in [*rng.integers(0, 3, (1000, 5, 4)), *rng.integers(0, 7, (1000, 5, 4))]:
        rows = [[Fraction(int(n), 2) for n in row] for row in halves]
        expected = literal(rows, Fraction(1, 2), PRIORITY)
        assert ours(rows) == expected
        rules.add(expected[1])
    assert rules == {"mean_gap", "margin", "variance", "priority"}


QUARTERS = st.integers(4, 40).map(lambda n: Fraction(n, 4))  # means of four judges, 1 to 10


@given(
    st.lists(st.lists(QUARTERS, min_size=4, max_size=4), min_size=5, max_size=5),
    st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(3)]),
    st.permutations(DIMENSIONS),
)
def test_agrees_on_judges_means(rows, tolerance, priority):
    assert ours(rows, tolerance, priority) == literal(rows, tolerance, priority)


@pytest.mark.parametrize(
    ("creativity", "coherence", "expected"),
    [
        # Gaps 3 and 2: one dimension stands out.
        ((8, 5, 5, 5), (7, 5, 5, 5), ("creativity", "mean_gap")),
        # Gaps 3 and 2.5, just within the tolerance; margins 1 and 2.5.
        ((8, 7, 5, 3), (7.5, 5, 5, 5), ("coherence", "margin")),
        # Gaps 3 and 3, margins 2 and 2; variances of (6, 5, 4) and (6, 6, 3): 2/3 and 2.
        ((8, 6, 5, 4), (8, 6, 6, 3), ("creativity", "variance")),
        # All alike: creativity goes before coherence in PRIORITY.
        ((8, 5, 5, 5), (8, 5, 5, 5), ("creativity", "priority")),
    ],
)
def test_hand_derived(creativity, coherence, expected):
    assert ours([creativity, coherence, *[(5, 5, 5, 5)] * 3]) == expected


def test_rounding_in_the_last_bit_does_not_decide():
    rows = [(0.3, 0, 0, 0), (0.1 + 0.2, 0, 0, 0)]  # equal on paper
    for names in (("a", "b"), ("b", "a")):
        assert ours(rows, 0, names, ("a", "b")) == (names[0], "priority")


@pytest.mark.parametrize("priority", [DIMENSIONS[:4], (*DIMENSIONS[:4], "style"), ()])
def test_the_priority_order_names_the_same_dimensions(priority):
    with pytest.raises(ValueError, match="priority order"):
        ours([(1, 1, 1, 1)] * 5, priority=priority)

import numpy as np
import pytest
from scipy import stats

from pipeline.reward.baselines import at_random, burstiness, longest, premise_overlap, shortest

STORIES = ["", "One.", "Don't -- stop, now!", "一二 three", "a " * 500]


def test_longest_counts_words() -> None:
    assert longest(STORIES).tolist() == [0, 1, 3, 3, 500]


def test_shortest_turns_longest_round() -> None:
    assert shortest(STORIES).tolist() == [0, -1, -3, -3, -500]
    assert str(shortest([""])[0]) == "0.0"  # and no negative zero


def test_burstiness_is_the_kurtosis_of_sentence_lengths() -> None:
    lengths = [3, 5, 2, 19, 4]
    story = " ".join(" ".join(["w"] * length) + "." for length in lengths)
    assert burstiness([story])[0] == pytest.approx(stats.kurtosis(lengths))


@pytest.mark.parametrize("story", ["", "One. Two three. Four.", "One two. " * 5])
def test_where_kurtosis_is_undefined_a_story_is_as_even_as_can_be(story: str) -> None:
    # No numbers have a kurtosis below that of two equally frequent ones, which is −2.
    assert burstiness([story]).tolist() == [-2] == [round(stats.kurtosis([1, 2, 1, 2]))]


def test_premise_overlap_by_hand() -> None:
    found = premise_overlap(["A lamp, a sea", "", "lamp"], ["The lamp! The lamp.", "a", ""])
    assert found.tolist() == [pytest.approx(1 / 3), 0, 0]
    with pytest.raises(ValueError, match="zip"):
        premise_overlap(["a"], [])


def test_random_rewards_are_uniform_and_seeded() -> None:
    drawn = at_random(5000, np.random.default_rng(1))
    assert stats.kstest(drawn, "uniform").pvalue > 0.001
    assert drawn.tolist() == at_random(5000, np.random.default_rng(1)).tolist()
    assert drawn.tolist() != at_random(5000, np.random.default_rng(2)).tolist()
    assert drawn.tolist() == pytest.approx(np.round(drawn, 12).tolist(), abs=0)

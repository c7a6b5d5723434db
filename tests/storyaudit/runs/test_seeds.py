import numpy as np
import pytest

from storyaudit.runs.seeds import stream


def test_the_same_names_give_the_same_stream():
    first, second = stream(1, "pairs", "noise"), stream(1, "pairs", "noise")
    assert first.random(100).tolist() == second.random(100).tolist()


@pytest.mark.parametrize(
    "other",
    [(2, "pairs", "noise"), (1, "train", "noise"), (1, "pairs", "x"), (1, "pair", "snoise")],
)
def test_another_seed_stage_or_purpose_gives_an_unrelated_stream(other):
    draws = stream(1, "pairs", "noise").normal(size=10_000)
    others = stream(*other).normal(size=10_000)
    assert not np.isin(draws, others).any()
    # The correlation of independent streams has a standard deviation of 1/sqrt(10,000) = 0.01.
    assert abs(np.corrcoef(draws, others)[0, 1]) < 0.05


def test_the_boundary_between_stage_and_purpose_counts():
    assert stream(1, "ab", "c").random() != stream(1, "a", "bc").random()

import numpy as np
import pandas as pd
import pytest

from storyaudit.stats.one_r import Identified, by_chance, identify


def balanced(found: Identified | None) -> float:
    assert found is not None
    return found.balanced_accuracy


def test_a_feature_that_betrays_is_found() -> None:
    quotes = ["curly"] * 5 + ["straight"] * 30
    noise = [str(n % 3) for n in range(35)]
    positive = np.arange(35) < 5
    found = identify(pd.DataFrame({"noise": noise, "quotes": quotes}), positive)
    assert found == Identified("quotes: curly", 5, 5, 0, 30)
    assert balanced(found) == 1


@pytest.mark.parametrize(
    ("lengths", "rule"),
    [
        ([900, 950, 910, 100, 200, 300, 250, 120], "900 words or more"),
        ([90, 95, 91, 100, 200, 300, 250, 120], "95 words or fewer"),
    ],
)
def test_a_count_is_cut_at_a_threshold(lengths: list[int], rule: str) -> None:
    found = identify(pd.DataFrame({"words": lengths}), np.arange(8) < 3)
    assert found is not None and found.rule == rule
    assert found.negatives == 5 and found.positives == 3


def test_each_story_is_judged_by_a_rule_learnt_without_it() -> None:
    """Names of their own identify every story after the fact, and none beforehand."""
    names = pd.DataFrame({"name": [f"n{number}" for number in range(20)]})
    found = identify(names, np.arange(20) < 10)
    assert found is not None and found.hits == 0 and balanced(found) <= 0.5


def test_by_loops_over_the_stories_left_out() -> None:
    rng = np.random.default_rng(3)
    positive = np.arange(24) < 6
    kind = np.where(rng.random(24) < 0.6, positive, rng.random(24) < 0.5)
    table = pd.DataFrame({"kind": np.where(kind, "a", "b")})
    hits = alarms = 0
    for story in range(24):
        others = np.arange(24) != story
        share = {
            side: np.mean(table["kind"][others & (positive == side)] == table["kind"][story])
            for side in (True, False)
        }
        named = share[True] > share[False]
        hits += bool(named and positive[story])
        alarms += bool(named and not positive[story])
    found = identify(table, positive)
    assert found is not None and (found.hits, found.false_alarms) == (hits, alarms)


def test_features_that_say_nothing_identify_as_often_as_chance() -> None:
    rng = np.random.default_rng(5)
    table = pd.DataFrame({f"f{n}": rng.choice(["a", "b", "c"], 65) for n in range(8)})
    table["words"] = rng.integers(50, 1200, 65)
    chance = by_chance(table, 5, 150, rng)
    assert np.mean(chance) == pytest.approx(0.5, abs=0.05)
    own = [balanced(identify(table, rng.permutation(65) < 5)) for _ in range(150)]
    assert np.quantile(own, [0.5, 0.9]) == pytest.approx(np.quantile(chance, [0.5, 0.9]), abs=0.1)
    # With five stories a high accuracy is not rare, which is why chance is asked.
    assert (chance >= 0.8).mean() > 0


@pytest.mark.parametrize("positives", [0, 1, 7, 8])
def test_too_few_on_a_side_cannot_be_told(positives: int) -> None:
    table = pd.DataFrame({"quotes": ["a"] * 8})
    assert identify(table, np.arange(8) < positives) is None

"""What a model picks, and its rank by annotators."""

from fractions import Fraction
from math import sqrt

import numpy as np
import prose
import pytest
from best_of_n_samples import findings, picking, pools, report, rewards
from finding_samples import numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.stats.bootstrap import bootstrap_counts, bootstrap_ratio

FINALS = {"i": "abcd", "j": "dcba", "k": "bacd"}


def test_ranks_by_hand() -> None:
    # Picks a, a, a: ranks 1, 4, 2: mean 7/3, regret 4/3, gain 2.5 − 7/3; first in one of three.
    found = findings(pools(FINALS, picking("full", {"i": "a", "j": "a", "k": "a"}, "abcd")))
    model = found["model-full"]
    assert numbers(model, "rank", "regret", "gain", "rank_chance") == [2.333, 1.333, 0.167, 2.5]
    assert numbers(model, "first", "picks", "first_rate", "first_chance") == [1, 3, 0.333, 0.25]
    assert numbers(model, "pools", "seeds", "sd_over_seeds", "rank_low") == [3, 1, None, None]
    assert {"1", "3"} <= prose.figures(model)
    assert found["pools"].severity == "warn"
    prose.check("best_of_n/ranks by hand", model, found["pools"])


def test_seeds_are_averaged_within_pools_and_their_sd_is_reported() -> None:
    # Seed 1 picks ranks 1, 1, 1; seed 2: 2, 3, 1. Pools: 1.5, 2, 1, so 1.5; seeds 1 and 2: SD √½.
    rows = picking("full", {"i": "a", "j": "d", "k": "b"}, "abcd", seed=1)
    rows += picking("full", {"i": "b", "j": "b", "k": "b"}, "abcd", seed=2)
    model = findings(pools(FINALS, rows))["model-full"]
    assert numbers(model, "rank", "first", "picks", "seeds") == [1.5, 4, 6, 2]
    assert model.numbers["sd_over_seeds"] == round(sqrt(0.5), 3)


def test_a_tied_reward_counts_by_chance() -> None:
    # i: a, b or c, each 1/3: rank 2, first with 1/3. j: b: rank 3. k: c or d: 3.5.
    rows = picking("full", {"i": "abc", "j": "b", "k": "cd"}, "abcd")
    model = findings(pools(FINALS, rows))["model-full"]
    assert model.numbers["rank"] == round((2 + 3 + 3.5) / 3, 3)
    assert numbers(model, "first", "first_shared", "picks_tied") == [0, 1, 2]
    assert model.numbers["first_rate"] == round(1 / 9, 3)
    assert {"0", "3", "1"} <= prose.figures(model)
    prose.check("best_of_n/a tied reward counts by chance", model)


def test_equal_rewards_are_a_random_pick_and_a_warning() -> None:
    rows = picking("flat", {"i": "abcd", "j": "abcd", "k": "a"}, "abcd")
    rows += picking("full", {"i": "a", "j": "d", "k": "b"}, "abcd")
    found = findings(pools(FINALS, rows))
    assert found["rewards-equal"].severity == "warn"
    prose.check("best_of_n/equal rewards", found["rewards-equal"])
    assert found["rewards-equal"].evidence == [
        {"variant": "flat", "model": "m", "seed": 0, "equal_pools": 2, "pools": 3}
    ]
    assert found["model-flat"].numbers["rank"] == round((2.5 + 2.5 + 2) / 3, 3)


@pytest.mark.parametrize("hole", [float("nan"), float("inf"), float("-inf"), None])
def test_a_pool_without_every_reward_is_left_out_for_that_run(hole: float | None) -> None:
    # Seed 1 lacks a reward in i, so that only seed 2's pick counts there.
    rows = picking("full", {"i": "a", "j": "d", "k": "b"}, "abcd", seed=1)
    rows = [row for row in rows if row[3:5] != ("i", "d")]
    if hole is not None:
        rows += rewards("full", {"i": {"d": hole}}, seed=1)
    rows += picking("full", {"i": "d", "j": "d", "k": "b"}, "abcd", seed=2)
    found = findings(pools(FINALS, rows))
    missing = found["rewards-missing"]
    assert missing.severity == "warn" and numbers(missing, "left_out", "of") == [1, 6]
    assert missing.evidence == [
        {"variant": "full", "model": "m", "seed": 1, "item_id": "i", "without_reward": 1}
    ]
    model = found["model-full"]
    assert numbers(model, "rank", "picks", "pools", "first") == [2.0, 5, 3, 4]
    assert model.numbers["first_rate"] == 0.8
    assert model.numbers["sd_over_seeds"] == 0.0  # on j and k, from which both pick


def test_a_model_without_any_complete_pool_is_not_checked() -> None:
    rows = picking("full", {"i": "a", "j": "d", "k": "b"}, "abcd")
    rows += rewards("half", {"i": {"a": 1.0}})
    made = report(pools(FINALS, rows))
    assert [left.id for left in made.unchecked] == ["model-half"]
    assert "model-full" in {finding.id for finding in made.findings}
    assert not any(finding.id.startswith("net-win-rate") for finding in made.findings)


def test_models_of_one_variant_have_distinct_names() -> None:
    rows = [
        row
        for model in ("m", "n")
        for row in rewards(
            "judge", {i: {s: 1.0 * (s == "a") for s in "abcd"} for i in FINALS}, model=model
        )
    ]
    found = findings(pools(FINALS, rows))
    assert {"model-judge-m", "model-judge-n", "net-win-rate-judge-m-judge-n"} <= found.keys()


def test_pools_of_different_sizes_have_their_own_chance() -> None:
    found = findings(
        pools(
            {"i": "abcd", "j": "ab"},
            picking("full", {"i": "a"}, "abcd") + picking("full", {"j": "b"}, "ab"),
        )
    )
    assert numbers(found["model-full"], "rank", "rank_chance", "gain") == [1.5, 2.0, 0.5]
    assert found["model-full"].numbers["first_chance"] == round((1 / 4 + 1 / 2) / 2, 4)
    assert found["pools-sizes"].severity == "warn"


def test_the_interval_of_a_mean_rank_is_that_of_the_normal_limit() -> None:
    # 300 pools of 16, a pick of each rank as often as of any other: variance (16² − 1) / 12.
    stories = "abcdefghijklmnop"
    finals = {f"i{n:03}": stories for n in range(304)}
    rows = picking("full", {item: stories[n % 16] for n, item in enumerate(finals)}, stories)
    model = findings(pools(finals, rows), resamples=5000)["model-full"]
    half = 1.96 * sqrt((16**2 - 1) / 12 / 304)
    assert model.numbers["rank"] == 8.5
    assert numbers(model, "rank_low", "rank_high") == [
        pytest.approx(8.5 - half, abs=0.05),
        pytest.approx(8.5 + half, abs=0.05),
    ]
    prose.check("best_of_n/the interval of a mean rank is that of the normal limit", model)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    # Random picks from 25 pools of 8: expected rank 4.5; over 400 studies the SD is 1.1 points.
    # Percentile intervals from 25 are too narrow by a point or two (no Student's t).
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(400):
        ranks = rng.integers(1, 9, size=25).astype("float64")
        found = bootstrap_ratio(ranks, np.ones(25), bootstrap_counts(25, 500, rng)).estimate(0.95)
        assert found.low is not None and found.high is not None
        covered += found.low <= 4.5 <= found.high
    assert 0.90 <= covered / 400 <= 0.97


def test_pools_of_different_weight_are_resampled_as_a_ratio() -> None:
    # With 1 or 3 picks a pool, of which a part of 0.2 or 0.6 hits: ratio (0.2 + 1.8) / 4 = 0.5. The
    # delta method gives SE² = mean (t − 0.5 s)² / n / (mean s)² = 0.3² / 400 / 2².
    sizes = np.tile([1.0, 3.0], 200)
    totals = np.tile([0.2, 1.8], 200)
    weights = bootstrap_counts(400, 5000, np.random.default_rng(2))
    found = bootstrap_ratio(totals, sizes, weights).estimate(0.95)
    half = 1.96 * 0.3 / sqrt(400) / 2
    assert found.value == pytest.approx(0.5)
    assert (found.low, found.high) == (
        pytest.approx(0.5 - half, abs=0.002),
        pytest.approx(0.5 + half, abs=0.002),
    )


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=3))
def test_expected_ranks_against_fractions(levels: list[list[int]]) -> None:
    finals = dict(zip(("i", "j", "k"), ("abcd", "dcba", "bacd"), strict=True))
    finals = {item: finals[item] for item, _ in zip(finals, levels, strict=False)}
    by_pool = {
        item: dict(zip("abcd", map(float, of), strict=True))
        for item, of in zip(finals, levels, strict=True)
    }
    expected = Fraction(0)
    for item, of in by_pool.items():
        top = [s for s in of if of[s] == max(of.values())]
        expected += Fraction(sum(finals[item].index(s) + 1 for s in top), len(top) * len(finals))
    model = findings(pools(finals, rewards("full", by_pool)))["model-full"]
    assert model.numbers["rank"] == pytest.approx(float(expected), abs=6e-4)

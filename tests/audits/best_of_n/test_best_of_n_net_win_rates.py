"""Two models' picks against each other, by hand and by counting every comparison."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import prose
import pytest
from best_of_n_samples import findings, picking, pools, rewards
from finding_samples import numbers

FINALS = {"i": "abcd", "j": "dcba", "k": "bacd"}


def test_one_seed_each_by_hand() -> None:
    # full picks a, a, b: ranks 1, 4, 1; plain b, a, c: ranks 2, 4, 3. Won i and k, the same in j.
    rows = picking("full", {"i": "a", "j": "a", "k": "b"}, "abcd")
    rows += picking("plain", {"i": "b", "j": "a", "k": "c"}, "abcd")
    found = findings(pools(FINALS, rows))["net-win-rate-full-plain"]
    assert numbers(found, "model", "against", "wins", "ties", "losses") == [
        "full",
        "plain",
        2,
        1,
        0,
    ]
    assert numbers(found, "comparisons", "pools", "net_win_rate") == [3, 3, 0.667]
    assert numbers(found, "win_rate", "loss_rate", "net_win_rate_low") == [0.667, 0.0, None]
    assert found.severity == "warn"
    assert {"2", "1", "0", "3"} <= prose.figures(found)
    prose.check("best_of_n/one seed each by hand", found)


def test_the_better_model_comes_first_and_the_id_stays() -> None:
    rows = picking("full", {"i": "d", "j": "a", "k": "d"}, "abcd")
    rows += picking("plain", {"i": "a", "j": "a", "k": "b"}, "abcd")
    found = findings(pools(FINALS, rows))["net-win-rate-full-plain"]
    assert numbers(found, "model", "against", "wins", "losses") == ["plain", "full", 2, 0]


def test_each_seed_against_each() -> None:
    # In i, full picks a (seed 1) and b (seed 2), plain b, c and d: of six comparisons a wins three,
    # b wins two and ties with b.
    rows = picking("full", {"i": "a"}, "abcd", seed=1) + picking("full", {"i": "b"}, "abcd", seed=2)
    for seed, pick in enumerate("bcd", start=1):
        rows += picking("plain", {"i": pick}, "abcd", seed=seed)
    found = findings(pools({"i": "abcd"}, rows))["net-win-rate-full-plain"]
    assert numbers(found, "wins", "ties", "losses", "comparisons", "pools") == [5, 1, 0, 6, 1]


def test_a_tied_reward_counts_by_the_outcomes_probabilities() -> None:
    # full picks a or b, plain b or c: (a,b) (a,c) (b,c) won, (b,b) tied: 3/4 and 1/4.
    rows = picking("full", {"i": "ab"}, "abcd") + picking("plain", {"i": "bc"}, "abcd")
    found = findings(pools({"i": "abcd"}, rows))["net-win-rate-full-plain"]
    assert numbers(found, "wins", "ties", "losses", "comparisons") == [0.75, 0.25, 0.0, 1]
    assert found.numbers["shared_rewards"] == 1
    assert {"1"} <= prose.figures(found)
    prose.check("best_of_n/a tied reward counts by the outcomes probabilities", found)


def test_against_counting_every_comparison() -> None:
    rng = np.random.default_rng(6)
    stories = "abcde"
    finals = {f"i{n:02}": "".join(rng.permutation(list(stories))) for n in range(15)}
    seeds = {"one": [0], "two": [1, 2, 3], "three": [2, 3]}
    rows = []
    tops: dict[tuple[str, int, str], list[str]] = {}
    for variant, numbered in seeds.items():
        for seed, item in product(numbered, finals):
            of = dict(zip(stories, rng.integers(0, 4, 5).astype(float).tolist(), strict=True))
            if rng.random() < 0.1:
                of["a"] = float("nan")
            else:
                tops[variant, seed, item] = [s for s in of if of[s] == max(of.values())]
            rows += rewards(variant, {item: of}, seed)
    found = findings(pools(finals, rows))
    for one, other in (("one", "two"), ("one", "three"), ("three", "two")):
        counts = {"wins": Fraction(0), "ties": Fraction(0), "losses": Fraction(0)}
        comparisons = 0
        for item, s, t in product(finals, seeds[one], seeds[other]):
            mine, others = tops.get((one, s, item)), tops.get((other, t, item))
            if mine is None or others is None:
                continue
            comparisons += 1
            for a, b in product(mine, others):
                ahead = finals[item].index(b) - finals[item].index(a)
                name = "wins" if ahead > 0 else "losses" if ahead < 0 else "ties"
                counts[name] += Fraction(1, len(mine) * len(others))
        finding = found[f"net-win-rate-{one}-{other}"]
        if finding.numbers["model"] != one:
            counts["wins"], counts["losses"] = counts["losses"], counts["wins"]
        assert finding.numbers["comparisons"] == comparisons == sum(counts.values())
        assert numbers(finding, "wins", "ties", "losses") == [
            pytest.approx(float(counts[name]), abs=6e-4) for name in ("wins", "ties", "losses")
        ]
        net = (counts["wins"] - counts["losses"]) / comparisons
        assert finding.numbers["net_win_rate"] == pytest.approx(float(net), abs=6e-4) and net >= 0


def test_the_interval_is_clustered_by_pool() -> None:
    # full's four seeds all win half of 200 pools and lose the other half: a pool is one
    # observation, SE 1/sqrt(200); taken as 800 comparisons it would be half of that.
    finals = {f"i{n:03}": "abc" for n in range(200)}
    rows = picking("plain", dict.fromkeys(finals, "b"), "abc")
    for seed in range(4):
        picked = {item: "ac"[n % 2] for n, item in enumerate(finals)}
        rows += picking("full", picked, "abc", seed=seed)
    found = findings(pools(finals, rows), resamples=4000)["net-win-rate-full-plain"]
    half = 1.96 / sqrt(200)
    assert numbers(found, "comparisons", "pools", "net_win_rate") == [800, 200, 0.0]
    assert numbers(found, "net_win_rate_low", "net_win_rate_high") == [
        pytest.approx(-half, abs=0.01),
        pytest.approx(half, abs=0.01),
    ]
    assert found.severity == "warn"
    prose.check("best_of_n/the interval is clustered by pool", found)


def test_a_clear_difference_is_significant() -> None:
    finals = {f"i{n:02}": "abc" for n in range(30)}
    rows = picking("plain", dict.fromkeys(finals, "b"), "abc")
    rows += picking("full", {item: "c" if n < 4 else "a" for n, item in enumerate(finals)}, "abc")
    found = findings(pools(finals, rows))["net-win-rate-full-plain"]
    assert numbers(found, "wins", "losses") == [26, 4]
    assert found.severity == "note"
    prose.check("best_of_n/a clear difference is significant", found)


@pytest.mark.parametrize(
    ("pick", "severity"),
    [("a", "note"), ("b", "warn")],
)
def test_one_outcome_in_every_pool_has_no_interval(pick: str, severity: str) -> None:
    finals = {f"i{n:02}": "abc" for n in range(12)}
    rows = picking("full", dict.fromkeys(finals, pick), "abc")
    rows += picking("plain", dict.fromkeys(finals, "b"), "abc")
    found = findings(pools(finals, rows))["net-win-rate-full-plain"]
    assert found.severity == severity
    prose.check(f"best_of_n/one outcome in every pool has no interval: {pick} against b", found)
    assert found.numbers["net_win_rate_low"] is None


def test_only_pairs_with_the_best_are_a_warning() -> None:
    rows = [
        row
        for variant, picks in (("best", "adb"), ("worse", "bcb"), ("worst", "bac"))
        for row in picking(variant, dict(zip("ijk", picks, strict=True)), "abcd")
    ]
    found = findings(pools(FINALS, rows))
    assert {name: found[name].severity for name in found if name.startswith("net-win-rate")} == {
        "net-win-rate-best-worse": "warn",
        "net-win-rate-best-worst": "warn",
        "net-win-rate-worse-worst": "note",
    }
    several = found["multiplicity"]
    assert several.numbers == {"pairs": 3, "significant": 0}
    nets = [row["net_win_rate"] for row in several.evidence]
    assert nets == sorted(nets, reverse=True)
    prose.check("best_of_n/only pairs with the best are a warning", several)


def test_models_without_a_common_pool_are_not_compared() -> None:
    rows = picking("full", {"i": "a"}, "abcd") + picking("plain", {"j": "a"}, "abcd")
    found = findings(pools(FINALS, rows))
    assert not [name for name in found if name.startswith("net-win-rate")]
    assert found["rewards-missing"].numbers["left_out"] == 4


def test_the_minimum_detectable_net_win_rate_is_reported() -> None:
    finals = {f"i{n:02}": "abc" for n in range(24)}
    rows = picking("full", {item: "abc"[n % 3] for n, item in enumerate(finals)}, "abc")
    rows += picking("plain", dict.fromkeys(finals, "b"), "abc")
    found = findings(pools(finals, rows))["pools"]
    quantiles = 1.959964 + 0.841621
    least = round(quantiles / sqrt(24 + quantiles**2), 3)
    assert found.numbers["minimum_detectable_net_win_rate"] == least
    assert found.numbers["pools_for_20_points"] == 189  # 7.849 · 24 = 188.4
    assert found.severity == "note"
    assert {"24"} <= prose.figures(found)
    prose.check("best_of_n/the minimum detectable net win rate", found)

"""Agreement of annotators, the origin of final rankings, and the human upper bound."""

from itertools import combinations, permutations
from math import sqrt

import numpy as np
import prose
import pytest
from best_of_n_samples import (
    annotations,
    candidates,
    findings,
    picking,
    pools,
    ranking,
    report,
    scores,
)
from finding_samples import numbers
from scipy.stats import kendalltau


def ranked(orders: dict[str, dict[str, str]], finals: dict[str, tuple[str, str]]) -> dict:
    """Tables of pools by annotator, with the annotator named for the final ranking."""
    return {
        "candidates": candidates({item: next(iter(by.values())) for item, by in orders.items()}),
        "annotations": annotations(
            [row for item, (who, order) in finals.items() for row in ranking(item, who, order)]
        ),
        "individual": annotations(
            [
                row
                for item, by in orders.items()
                for who, order in by.items()
                for row in ranking(item, who, order)
            ]
        ),
        "scores": scores([]),
    }


def test_agreement_by_hand() -> None:
    # i: abcd, bacd: one of six pairs of stories reversed: tau 4/6; other first; ranks 2, 2.
    # j: abcd, abdc: tau 4/6; same first; ranks 1, 1. k: abcd, dcba: tau −1; ranks 4, 4.
    orders = {
        "i": {"x": "abcd", "y": "bacd"},
        "j": {"x": "abcd", "y": "abdc"},
        "k": {"x": "abcd", "y": "dcba"},
    }
    found = findings(ranked(orders, {}))["rankers"]
    assert numbers(found, "pools", "pairs", "same_first_count") == [3, 3, 1]
    assert numbers(found, "tau", "same_first", "rank_of_others_first") == [
        round((4 / 6 + 4 / 6 - 1) / 3, 3),
        round(1 / 3, 3),
        round((2 + 1 + 4) / 3, 3),
    ]
    assert numbers(found, "same_first_chance", "rank_chance", "tau_low") == [0.25, 2.5, None]
    assert [row["item_id"] for row in found.evidence] == ["k", "i", "j"]
    prose.check("best_of_n/agreement by hand", found)


def test_agreement_of_several_rankers_against_scipy() -> None:
    rng = np.random.default_rng(2)
    names, stories = ["x", "y", "z"], "abcdefg"
    orders = {
        f"i{n}": {
            name: "".join(rng.permutation(list(stories)))
            for name in names[: 2 + n % 2]  # z ranks every other pool
        }
        for n in range(12)
    }
    found = findings(ranked(orders, {}))
    taus, firsts, ranks = [], [], []
    for by in orders.values():
        pairs = list(combinations(by.values(), 2))
        places = [[[order.index(s) for s in stories] for order in pair] for pair in pairs]
        taus.append(np.mean([kendalltau(*pair).statistic for pair in places]))
        firsts.append(np.mean([a[0] == b[0] for a, b in pairs]))
        ranks.append(np.mean([b.index(a[0]) + 1 for a, b in permutations(by.values(), 2)]))
    assert numbers(found["rankers"], "tau", "same_first", "rank_of_others_first") == [
        pytest.approx(np.mean(values), abs=6e-4) for values in (taus, firsts, ranks)
    ]
    assert [
        (row["ranker"], row["other"], row["pools"]) for row in found["rankers-pairs"].evidence
    ] == [
        ("x", "y", 12),
        ("x", "z", 6),
        ("y", "z", 6),
    ]
    assert found["rankers"].severity == "warn"
    prose.check("best_of_n/agreement of several rankers against scipy", *found.values())


def test_agreement_above_chance_is_no_warning() -> None:
    rng = np.random.default_rng(3)
    orders = {}
    for n in range(40):
        worth = rng.normal(size=8)
        orders[f"i{n:02}"] = {
            who: "".join("abcdefgh"[s] for s in np.argsort(-(worth + rng.normal(0, 0.3, 8))))
            for who in "xy"
        }
    found = findings(ranked(orders, {}))["rankers"]
    assert found.severity == "note"
    prose.check("best_of_n/agreement above chance is no warning", found)
    assert found.numbers["tau_low"] > 0.4


def test_the_interval_over_pools_is_that_of_the_normal_limit() -> None:
    # 400 pools of two stories, ranked equally in half: proportion 1/2, SE sqrt(1/4 / 400) = 0.025.
    orders = {f"i{n:03}": {"x": "ab", "y": "ab" if n % 2 else "ba"} for n in range(400)}
    found = findings(ranked(orders, {}), resamples=5000)["rankers"]
    half = 1.96 * sqrt(1 / 4 / 400)
    assert numbers(found, "same_first_low", "same_first_high") == [
        pytest.approx(0.5 - half, abs=0.005),
        pytest.approx(0.5 + half, abs=0.005),
    ]


def test_the_adjudicator_is_no_annotator_of_the_agreement() -> None:
    orders = {"i": {"x": "abc", "y": "abc", "senior": "cba"}, "j": {"x": "abc", "senior": "abc"}}
    found = findings(ranked(orders, {"i": ("senior", "cba"), "j": ("x", "abc")}))
    assert numbers(found["rankers"], "pools", "tau") == [1, 1.0]
    origin = found["final-ranking-origin"]
    assert origin.severity == "warn"  # x's ranking of j is final although the senior ranked it
    assert numbers(origin, "adjudicated", "mean_rank", "one_ranker") == [1, 0, 1]


def test_one_annotator_alone_leaves_the_agreement_unchecked() -> None:
    made = report(ranked({"i": {"x": "abc"}}, {"i": ("x", "abc")}))
    assert {left.id for left in made.unchecked} == {"rankers", "models"}
    origin = {f.id: f for f in made.findings}["final-ranking-origin"]
    assert origin.severity == "pass"
    prose.check("best_of_n/one annotator alone leaves the agreement unchecked", origin)


@pytest.mark.parametrize(
    ("final", "severity"),
    [
        (("mean-rank", "abc"), "pass"),
        (("mean-rank", "bac"), "fail"),
        (("senior", "cab"), "pass"),
        (("senior", "abc"), "fail"),
        (("x", "abc"), "warn"),
        (("x", "cab"), "fail"),
        (("committee", "cab"), "note"),
    ],
)
def test_a_final_ranking_must_fit_the_annotators_rankings(
    final: tuple[str, str], severity: str
) -> None:
    orders = {"i": {"x": "abc", "y": "abc", "senior": "cab"}}
    found = findings(ranked(orders, {"i": final}))["final-ranking-origin"]
    assert found.severity == severity
    prose.check(f"best_of_n/a final ranking: {' '.join(final)}", found)
    assert found.numbers["contradicted"] == (severity == "fail")


def test_others_fit_the_annotators_rankings_only_where_there_are_others() -> None:
    orders = {"i": {"x": "abc", "y": "abc"}, "j": {"x": "abc", "y": "abc"}}
    known = ("committee", "cab"), ("mean-rank", "abc")
    neither, one = (
        findings(ranked(orders, dict(zip("ij", both, strict=True))))["final-ranking-origin"]
        for both in ((known[0], known[0]), known)
    )
    assert prose.figures(neither) == {"2"} and prose.figures(one) == {"2", "1"}
    prose.check("best_of_n/final rankings of unknown origin: both", neither)
    prose.check("best_of_n/final rankings of unknown origin: one of two", one)


def test_one_of_anything_is_written_as_one() -> None:
    orders = {"i": {"x": "abc", "y": "abc"}}
    found = findings(ranked(orders, {"i": ("mean-rank", "bac")}))
    assert {"1"} <= prose.figures(found["final-ranking-origin"])
    assert {"1"} <= prose.figures(found["rankers"])
    prose.check(
        "best_of_n/one of anything is written as one",
        found["final-ranking-origin"],
        found["rankers"],
    )


def test_tied_mean_ranks_may_come_in_either_order() -> None:
    # a: 1 + 1, b: 2 + 3, c: 3 + 2.
    orders = {"i": {"x": "abc", "y": "acb"}}
    for final in ("abc", "acb"):
        found = findings(ranked(orders, {"i": ("mean-rank", final)}))["final-ranking-origin"]
        assert found.severity == "pass"


def test_an_unreadable_ranking_cannot_contradict_the_mean_rank() -> None:
    tables = ranked({"i": {"x": "abc", "y": "abc", "z": "cba"}}, {"i": ("mean-rank", "bac")})
    tables["individual"] = tables["individual"].iloc[:-1]  # z's ranking lacks a place
    found = findings(tables)
    assert found["final-ranking-origin"].severity == "note"
    assert found["rankings-individual"].severity == "fail"


def test_the_human_upper_bound_by_hand() -> None:
    # i: x abcd, y bacd: firsts at rank 2 and 2, so 2. j: both abcd: 1. Mean 1.5 of 2.5 by chance.
    # The model picks b in i: ranks 2 and 1, mean 1.5; d in j: 4. Mean 2.75, 1.25 behind.
    orders = {"i": {"x": "abcd", "y": "bacd"}, "j": {"x": "abcd", "y": "abcd"}}
    tables = ranked(orders, {"i": ("x", "abcd"), "j": ("mean-rank", "abcd")})
    tables["scores"] = scores(picking("full", {"i": "b", "j": "d"}, "abcd"))
    found = findings(tables)["human-upper-bound"]
    assert numbers(found, "rank", "gain", "pools") == [1.5, 1.0, 2]
    row = found.evidence[0]
    assert [row[name] for name in ("model", "rank", "behind_annotators", "pools")] == [
        "full",
        2.75,
        1.25,
        2,
    ]
    assert found.severity == "note"
    assert {"2"} <= prose.figures(found)
    prose.check("best_of_n/the human upper bound by hand", found)


def test_annotators_at_chance_make_the_human_upper_bound_a_warning() -> None:
    rng = np.random.default_rng(1)
    orders = {
        f"i{n:02}": {who: "".join(rng.permutation(list("abcd"))) for who in "xy"} for n in range(30)
    }
    tables = ranked(orders, {item: ("x", by["x"]) for item, by in orders.items()})
    tables["scores"] = scores(picking("full", dict.fromkeys(orders, "a"), "abcd"))
    found = findings(tables)["human-upper-bound"]
    assert found.severity == "warn"
    prose.check("best_of_n/annotators at chance make the human upper bound a warning", found)


def test_without_two_annotators_there_is_no_human_upper_bound() -> None:
    tables = pools({"i": "abc"}, picking("full", {"i": "a"}, "abc"))
    tables["individual"] = tables["individual"].iloc[:0]
    made = report(tables)
    assert {left.id for left in made.unchecked} == {"rankers", "human-upper-bound"}

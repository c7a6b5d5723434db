"""The external judge: accuracies by hand, Newcombe's intervals, and picks by plain loops."""

import numpy as np
import pandas as pd
import prose
import pytest
from ablations_samples import (
    SCORE_COLUMNS,
    benchmark,
    empty,
    findings,
    outcomes,
    places,
    report,
    several,
    tables,
    unchecked,
)
from finding_samples import numbers
from statsmodels.stats.proportion import proportion_confint

from audits.ablations.ablations_report import Tables

ORIGINS = ("llm_llm", "human_llm")


def scored(candidates: pd.DataFrame, rewards: dict[str, float] | np.ndarray) -> pd.DataFrame:
    """A judge's scores; those that a dictionary of stories lacks are 1."""
    values = (
        candidates["story_id"].map(rewards).fillna(1.0) if isinstance(rewards, dict) else rewards
    )
    return pd.DataFrame(
        {
            "variant": "external_check",
            "model": "other",
            "seed": 0,
            "item_id": candidates["item_id"].to_numpy(),
            "story_id": candidates["story_id"].to_numpy(),
            "reward": np.asarray(values, dtype="float64"),
        }
    )


def judged(right: str, **more: pd.DataFrame) -> Tables:
    """Items by origin in turn; highest is 1: the chosen story, t: with another, 0: another."""
    gold = benchmark(len(right), ORIGINS)
    candidates = places(list(gold["item_id"]))
    rewards = {}
    for item, outcome in zip(gold["item_id"], right, strict=True):
        if outcome in "1t":
            rewards[f"{item}a"] = 5.0
        if outcome in "0t":
            rewards[f"{item}c"] = 5.0
    given = {
        "benchmark": gold,
        "candidates": candidates,
        "external": scored(candidates, rewards),
        **more,
    }
    return tables(outcomes("full", "1" * len(right)), **given)


def test_accuracies_by_origin() -> None:
    # llm_llm at even places: 1 1 1 1 0 times 10; human_llm: 1 0 t t 0 times 10.
    found = findings(judged("11101t1t00" * 10))
    models, human = (found[f"external-accuracy-{name}"] for name in ("llm-llm", "human-llm"))
    assert numbers(models, "right", "right_of", "chance") == [40, 50, 0.25]
    assert numbers(human, "right", "right_of") == [10, 50]
    low, high = proportion_confint(40, 50, method="wilson")
    assert numbers(models, "right_low", "right_high") == [round(low, 4), round(high, 4)]
    assert models.severity == "note"
    assert human.severity == "warn"
    apart = found["external-origins"]
    assert apart.numbers["difference"] == -0.6 and apart.severity == "warn"
    prose.check("ablations/accuracies by origin", *found.values())


@pytest.mark.parametrize(
    ("conclusion", "right"),
    [
        ("worse", "10" * 20 + "11" * 2),
        ("better", "01" * 20),
        ("not significantly different", "1100" * 9),
    ],
)
def test_whether_it_is_worse_on_human_stories(conclusion: str, right: str) -> None:
    found = findings(judged(right))["external-origins"]
    assert found.severity == ("warn" if conclusion == "worse" else "note")
    prose.check(f"ablations/on human stories it is {conclusion}", found)


@pytest.mark.parametrize("missing", [np.nan, np.inf, -np.inf, "row"])
def test_items_without_all_scores_are_left_out_and_counted(missing: object) -> None:
    given = judged("11" * 20)
    scores = given.external.copy()
    first = scores.index[scores["story_id"] == "i000d"]
    if missing == "row":
        scores = scores.drop(first)
    else:
        scores.loc[first, "reward"] = missing
    found = findings(given._replace(external=scores))
    assert numbers(found["external-complete"], "left_out", "of") == [1, 40]
    assert found["external-complete"].severity == "warn"
    prose.check("ablations/items without all scores", found["external-complete"])
    assert numbers(found["external-accuracy-llm-llm"], "right", "right_of") == [19, 19]


def test_unknown_and_duplicated_scores_fail_and_are_left_out() -> None:
    given = judged("11" * 20)
    strange = given.external.iloc[:1].assign(story_id="nowhere")
    elsewhere = given.external.iloc[:1].assign(item_id="i001")
    duplicated = given.external.iloc[-1:].assign(reward=9.0)
    found = findings(
        given._replace(external=several(given.external, strange, elsewhere, duplicated))
    )
    assert found["external-known"].severity == found["external-once"].severity == "fail"
    assert numbers(found["external-known"], "left_out") == [2]
    assert numbers(found["external-once"], "left_out") == [1]
    assert numbers(found["external-complete"], "left_out") == [1]


def test_without_scores_it_is_unchecked() -> None:
    left = unchecked(judged("11", external=empty(SCORE_COLUMNS)))
    assert left["external-accuracy"].reason == left["external-picks"].reason
    prose.check(
        "ablations/without scores it is unchecked",
        left["external-accuracy"],
        left["external-picks"],
    )


def test_two_judges_are_not_taken_for_one() -> None:
    given = judged("11" * 5)
    both = several(given.external, given.external.assign(model="second"))
    assert {"2"} <= prose.figures(unchecked(given._replace(external=both))["external-accuracy"])
    prose.check(
        "ablations/two judges are not taken for one",
        unchecked(given._replace(external=both))["external-accuracy"],
    )


def test_scores_of_no_whole_item_are_unchecked() -> None:
    given = judged("11" * 5)
    some = given.external[given.external["story_id"].str.endswith("a")]
    prose.check(
        "ablations/scores of no whole item are unchecked",
        unchecked(given._replace(external=some))["external-accuracy"],
    )


def test_one_origin_has_none_to_compare_with() -> None:
    given = judged("11" * 10)
    gold = given.benchmark.assign(origin="llm_llm")
    prose.check(
        "ablations/one origin has none to compare with",
        unchecked(given._replace(benchmark=gold))["external-origins"],
    )


def test_chance_is_that_of_the_items() -> None:
    # Half the items have four candidates, half have two: (1/4 + 1/2) / 2.
    given = judged("1" * 20)
    dropped = given.candidates["story_id"].str.contains("i01.[cd]")
    scores = given.external[~given.external["story_id"].str.contains("i01.[cd]")]
    found = findings(given._replace(candidates=given.candidates[~dropped], external=scores))
    assert found["external-accuracy-llm-llm"].numbers["chance"] == 0.375


POOLS = [f"b{number:02d}" for number in range(12)]


def pooled(seed: int = 1, **more: pd.DataFrame) -> Tables:
    """Twelve pools of six stories; 'full' has two seeds, 'all-equal' rewards all equally."""
    rng = np.random.default_rng(seed)
    pools = places(POOLS, "abcdef")
    runs = [("full", 1), ("full", 2), ("longest", 0), ("all-equal", 0)]
    liked = {
        run: np.zeros(len(pools)) if run[0] == "all-equal" else rng.integers(0, 4, len(pools))
        for run in runs
    }
    scores = several(
        *(
            scored(pools, values).assign(variant=variant, model="linear", seed=seed)
            for (variant, seed), values in liked.items()
        )
    )
    given = {
        "external": scored(pools, rng.normal(5, 1, len(pools))),
        "pool_candidates": pools,
        "pool_scores": scores,
    }
    return tables(outcomes("full", "10" * 10), **{**given, **more})


def by_loops(given: Tables, variant: str, pools: list[str]) -> float:
    """Mean over pools of the mean over seeds of the mean score of the stories tied first."""
    worth = {(row.item_id, row.story_id): row.reward for row in given.external.itertuples()}
    means = []
    for pool in pools:
        of_seeds = []
        mine = given.pool_scores
        mine = mine[(mine["variant"] == variant) & (mine["item_id"] == pool)]
        for seed in sorted(set(mine["seed"])):
            rows = mine[mine["seed"] == seed]
            first = rows[rows["reward"] == max(rows["reward"])]
            values = [worth[pool, story] for story in first["story_id"]]
            of_seeds.append(sum(values) / len(values))
        means.append(sum(of_seeds) / len(of_seeds))
    return sum(means) / len(means)


def test_picks_by_plain_loops() -> None:
    given = pooled()
    shown = findings(given)["external-picks"]
    rows = {row["variant"]: row for row in shown.evidence}
    assert set(rows) == {"full", "longest", "all-equal"}
    for variant, row in rows.items():
        assert row["score"] == pytest.approx(by_loops(given, variant, POOLS), abs=1e-4)
        assert row["pools"] == 12
    assert [rows[name]["seeds"] for name in ("full", "longest")] == [2, 1]
    pools = given.external.groupby("item_id")["reward"]
    assert shown.numbers["mean"] == pytest.approx(pools.mean().mean(), abs=1e-4)
    assert shown.numbers["best"] == pytest.approx(pools.max().mean(), abs=1e-4)
    # Rewarding all equally gives the mean, which differs from nothing.
    assert rows["all-equal"]["over_mean"] == 0 and not rows["all-equal"]["significant"]
    assert rows["all-equal"]["ties"] == 12


def test_two_models_of_one_variant_are_named_with_their_model() -> None:
    given = pooled()
    own = given.external.assign(variant="full", model="linear", seed=1)
    both = several(own, own.assign(model="other", reward=-own["reward"]))
    prose.check(
        "ablations/two models of one variant are named with their model",
        findings(given._replace(pool_scores=both))["external-picks"],
    )


def test_the_external_judge_itself_picks_the_best() -> None:
    given = pooled()
    own = given.external.assign(variant="full", model="linear", seed=1)
    shown = findings(given._replace(pool_scores=own))["external-picks"]
    row = shown.evidence[0]
    assert row["score"] == shown.numbers["best"] and row["of_possible_gain"] == 1
    assert row["significant"] and shown.numbers["significant"] == 1


def test_the_interval_over_premises_is_that_of_the_normal_limit() -> None:
    # 200 pools of two stories with scores 0 and 1, the better one picked in 3 of 4: ±1/2 over the
    # mean, with a standard error of √(3/4 · 1/4 / 200).
    names = [f"b{number:03d}" for number in range(200)]
    pools = places(names, "ab")
    external = scored(
        pools, {f"{name}{letter}": float(letter == "b") for name in names for letter in "ab"}
    )
    liked = {f"{name}{'a' if n % 4 == 0 else 'b'}": 2.0 for n, name in enumerate(names)}
    scores = scored(pools, liked).assign(variant="full", model="linear", seed=1)
    given = pooled(pool_candidates=pools, external=external, pool_scores=scores)
    row = findings(given, resamples=10_000)["external-picks"].evidence[0]
    half = 1.96 * np.sqrt(3 / 16 / 200)
    assert row["over_mean"] == 0.25 and row["score"] == 0.75
    ends = row["over_mean_low"], row["over_mean_high"]
    assert ends == pytest.approx((0.25 - half, 0.25 + half), abs=0.006)


@pytest.mark.parametrize("missing", [np.nan, np.inf, "row", "twice"])
def test_a_pool_without_all_rewards_is_left_out_for_its_model(missing: object) -> None:
    given = pooled()
    scores = given.pool_scores.copy()
    mine = (scores["variant"] == "longest") & (scores["story_id"] == "b00a")
    if missing == "row":
        scores = scores[~mine]
    elif missing == "twice":
        scores = several(scores, scores[mine].assign(reward=9.0))
    else:
        scores.loc[mine, "reward"] = missing
    rows = {
        r["variant"]: r
        for r in findings(given._replace(pool_scores=scores))["external-picks"].evidence
    }
    assert (rows["longest"]["pools"], rows["full"]["pools"]) == (11, 12)
    assert rows["longest"]["score"] == pytest.approx(
        by_loops(given, "longest", POOLS[1:]), abs=1e-4
    )


def test_rewards_of_pools_that_cannot_be_used_fail() -> None:
    given = pooled()
    scores = given.pool_scores
    strange = scores.iloc[:2].assign(story_id="nowhere")
    unnamed = scores.iloc[:3].assign(variant=None)
    again = scores.iloc[:4]
    found = findings(given._replace(pool_scores=several(scores, strange, unnamed, again)))
    counts = {name: f.numbers["left_out"] for name, f in found.items() if f.severity == "fail"}
    assert counts == {"pool-scores-known": 2, "pool-scores-named": 3, "pool-scores-once": 4}
    # None of these is a reward of its own, and one that comes again counts once.
    assert found["external-picks"] == findings(given)["external-picks"]


def test_a_judges_score_again_counts_once() -> None:
    given = judged("11" * 20)
    found = findings(given._replace(external=several(given.external, given.external.iloc[:3])))
    assert numbers(found["external-once"], "left_out", "of") == [3, 163]
    assert "external-complete" not in found
    assert found["external-origins"] == findings(given)["external-origins"]


def test_the_pools_scores_are_no_scores_of_items() -> None:
    given, pools = judged("11" * 20), pooled()
    found = findings(
        given._replace(
            external=several(given.external, pools.external),
            pool_candidates=pools.pool_candidates,
            pool_scores=pools.pool_scores,
        )
    )
    assert found["external-origins"] == findings(given)["external-origins"]
    assert found["external-picks"] == findings(pools)["external-picks"]


@pytest.mark.parametrize("fault", ["chosen", "twice", "origin"])
def test_an_item_without_one_gold_story_is_left_out(fault: str) -> None:
    given = judged("11" * 20)
    gold = given.benchmark.copy()
    if fault == "twice":
        gold = several(gold, gold.iloc[:1].assign(chosen_id="i000b"))
    else:
        gold.loc[0, {"chosen": "chosen_id", "origin": "origin"}[fault]] = {
            "chosen": "nowhere",
            "origin": None,
        }[fault]
    found = findings(given._replace(benchmark=gold))
    prose.check(f"ablations/an item without one gold story: {fault}", *found.values())
    assert numbers(found["external-complete"], "left_out", "of") == [len(gold) - 39, len(gold)]
    assert numbers(found["external-accuracy-llm-llm"], "right", "right_of") == [19, 19]


def test_a_pool_that_the_judge_did_not_score_as_a_whole_is_left_out_for_all() -> None:
    given = pooled()
    shown = findings(given._replace(external=given.external.iloc[1:]))["external-picks"]
    assert numbers(shown, "pools") == [11] and shown.evidence[0]["pools"] == 11


@pytest.mark.parametrize("empty_one", ["pool_candidates", "pool_scores"])
def test_without_pools_or_rewards_picks_are_unchecked(empty_one: str) -> None:
    given = pooled()
    none = given._replace(**{empty_one: getattr(given, empty_one).iloc[:0]})
    left = report(none).unchecked
    assert "external-picks" in [part.id for part in left]


def test_few_pools_have_no_interval() -> None:
    given = pooled()
    few = given.pool_candidates[given.pool_candidates["item_id"] < "b05"]
    row = findings(given._replace(pool_candidates=few))["external-picks"].evidence[0]
    assert (row["score_low"], row["over_mean_high"], row["significant"]) == (None, None, False)


def test_the_order_of_rows_does_not_matter() -> None:
    given = pooled()
    shuffled = Tables(*(table.sample(frac=1, random_state=3) for table in given))
    assert report(shuffled) == report(given)

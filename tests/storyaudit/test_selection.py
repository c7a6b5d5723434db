from fractions import Fraction
from itertools import product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.errors import InputError
from storyaudit.selection import accuracies, select

STORIES = ("a", "b", "c", "d")
RUN = {"variant": "v", "model": "m", "seed": 1}
ONE = {"i": ("fluency", "llm_llm", "a")}


def study(items):
    """Candidates and benchmark of items (dimension, origin, chosen); all have stories a to d."""
    candidates = [{"item_id": item, "story_id": f"{item}{s}"} for item in items for s in STORIES]
    benchmark = [
        {"item_id": item, "dimension": dimension, "origin": origin, "chosen_id": f"{item}{chosen}"}
        for item, (dimension, origin, chosen) in items.items()
    ]
    return pd.DataFrame(candidates), pd.DataFrame(benchmark)


def scores(rewards, run=RUN):
    return pd.DataFrame(
        [
            run | {"item_id": item, "story_id": f"{item}{story}", "reward": float(reward)}
            for item, values in rewards.items()
            for story, reward in zip(STORIES, values, strict=True)
        ]
    )


@pytest.mark.parametrize(
    ("rewards", "correct", "ties", "credit"),
    [
        ((9, 1, 2, 3), True, 0, 1),
        ((9, 9, 2, 3), False, 1, Fraction(1, 2)),
        ((9, 9, 9, 3), False, 2, Fraction(1, 3)),
        ((5, 5, 5, 5), False, 3, Fraction(1, 4)),  # every candidate alike is not right
        ((1, 9, 9, 3), False, 1, 0),  # a tie without the chosen story
        ((1, 9, 2, 3), False, 0, 0),
        ((-1, -9, -2, -3), True, 0, 1),
        ((0.0, -0.0, -1, -1), False, 1, Fraction(1, 2)),
    ],
)
def test_an_item_is_right_only_if_the_chosen_story_alone_is_highest(rewards, correct, ties, credit):
    (result,) = select(scores({"i": rewards}), *study(ONE)).to_dict("records")
    assert result.pop("credit") == pytest.approx(float(credit), abs=1e-12)
    assert result == RUN | {
        "item_id": "i",
        "dimension": "fluency",
        "origin": "llm_llm",
        "correct": correct,
        "ties": ties,
    }


def test_rows_may_come_in_any_order():
    items = {"i": ("fluency", "llm_llm", "a"), "j": ("coherence", "human_llm", "d")}
    tables = (scores({"i": (4, 1, 2, 3), "j": (4, 1, 2, 3)}), *study(items))
    shuffled = [table.sample(frac=1, random_state=3) for table in tables]
    results = select(*shuffled).set_index("item_id")
    assert results["correct"].to_dict() == {"i": True, "j": False}


def test_candidates_of_items_outside_the_benchmark_are_ignored():
    candidates, benchmark = study(ONE | {"gone": ("x", "y", "a")})
    benchmark = benchmark[benchmark["item_id"] == "i"]
    results = select(scores({"i": (4, 1, 2, 3)}), candidates, benchmark)
    assert results["item_id"].tolist() == ["i"]


def test_a_run_is_a_variant_a_model_and_a_seed():
    runs = [dict(zip(RUN, run, strict=True)) for run in product("vw", "mn", (1, 2))]
    tables = [scores({"i": (place, 3, 2, 1)}, run) for place, run in enumerate(runs)]
    results = select(pd.concat(tables), *study(ONE)).sort_values(list(RUN), ignore_index=True)
    assert results[list(RUN)].to_dict("records") == runs
    # The chosen story has the reward 0, 1, … 7 against 3, 2 and 1.
    assert results["correct"].tolist() == [place > 3 for place in range(8)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s, c, b: (s.replace("ia", "iz"), c, b), "no candidate: .*story_id iz"),
        (lambda s, c, b: (s.iloc[:-1], c, b), "without a score: .*story_id id"),
        (lambda s, c, b: (s.replace({"item_id": {"i": "z"}}), c, b), "no candidate: .*item_id z"),
        (lambda s, c, b: (s, c, b.replace("ia", "iz")), "chosen but no candidate: .*story_id iz"),
        (lambda s, c, b: (s, c, b.replace({"item_id": {"i": "z"}})), "chosen but no candidate"),
        (lambda s, c, b: (pd.concat([s, s.iloc[:1]]), c, b), "one-to-one"),
        (lambda s, c, b: (s, pd.concat([c, c.iloc[:1]]), b), "one-to-one"),
        (lambda s, c, b: (s, c, pd.concat([b, b])), "many-to-one"),
    ],
)
def test_misaligned_tables_are_refused(change, message):
    tables = (scores({"i": (4, 1, 2, 3)}), *study(ONE))
    with pytest.raises((InputError, ValueError), match=message):
        select(*change(*tables))


def test_a_score_that_one_of_two_runs_lacks_is_named_with_the_run():
    one, two = (scores({"i": (4, 1, 2, 3)}, RUN | {"seed": seed}) for seed in (1, 2))
    with pytest.raises(InputError, match=r"without a score: .*seed 2.*story_id id \(1 rows\)"):
        select(pd.concat([one, two.iloc[:-1]]), *study(ONE))


REWARDS = st.tuples(*[st.integers(0, 2)] * 4)
ITEM = st.tuples(
    st.sampled_from(["creativity", "fluency"]),
    st.sampled_from(["llm_llm", "human_llm"]),
    st.sampled_from(STORIES),
    REWARDS,
    REWARDS,
)


@given(st.lists(ITEM, min_size=1, max_size=5))
def test_agrees_with_a_loop_over_items(drawn):
    items = {f"i{n}": item[:3] for n, item in enumerate(drawn)}
    table = pd.concat(
        scores({f"i{n}": item[2 + seed] for n, item in enumerate(drawn)}, RUN | {"seed": seed})
        for seed in (1, 2)
    )
    results = select(table, *study(items))
    assert len(results) == 2 * len(items)
    for row in results.itertuples():
        item = drawn[int(row.item_id[1:])]
        rewards = dict(zip(STORIES, item[2 + row.seed], strict=True))
        winners = [story for story in STORIES if rewards[story] == max(rewards.values())]
        assert row.correct == (winners == [item[2]])
        assert row.ties == len(winners) - 1
        assert row.credit == (item[2] in winners) / len(winners)
        assert (row.dimension, row.origin) == item[:2]


def outcomes(rows):
    return pd.DataFrame(rows, columns=["dimension", "origin", "correct", "ties"])


def test_macro_is_the_mean_over_dimensions_and_micro_over_items():
    found = accuracies(
        outcomes(
            [
                ("fluency", "llm_llm", True, 0),
                ("fluency", "llm_llm", False, 0),
                ("fluency", "human_llm", False, 1),
                ("creativity", "human_llm", True, 0),
                ("style", "llm_llm", False, 3),
            ]
        )
    )
    # fluency 1/3, creativity 1/1, style 0/1: macro (1/3 + 1 + 0) / 3 = 4/9, micro 2/5;
    # llm_llm 1/3, human_llm 1/2.
    expected = {
        "accuracy.macro": 4 / 9,
        "accuracy.micro": 2 / 5,
        "accuracy.creativity": 1,
        "accuracy.fluency": 1 / 3,
        "accuracy.style": 0,
        "accuracy.human_llm": 1 / 2,
        "accuracy.llm_llm": 1 / 3,
        "ties": 2,
    }
    assert found == pytest.approx(expected)
    # The paper's dimensions in the paper's order, others after them.
    assert list(found)[2:5] == ["accuracy.creativity", "accuracy.fluency", "accuracy.style"]


NAME = st.sampled_from(["creativity", "fluency", "x"])


@given(st.lists(st.tuples(NAME, st.just("o"), st.booleans(), st.just(0)), min_size=1))
def test_macro_and_micro_agree_with_exact_fractions(rows):
    found = accuracies(outcomes(rows))
    names = {row[0] for row in rows}
    parts = [
        Fraction(sum(r[2] for r in rows if r[0] == name), sum(r[0] == name for r in rows))
        for name in names
    ]
    assert found["accuracy.macro"] == pytest.approx(float(sum(parts) / len(parts)))
    assert found["accuracy.micro"] == pytest.approx(sum(row[2] for row in rows) / len(rows))


def test_scores_of_an_item_that_was_removed_are_left_out():
    candidates = pd.DataFrame(
        {"item_id": ["kept"] * 2 + ["gone"] * 2, "story_id": ["a", "b", "c", "d"]}
    )
    benchmark = pd.DataFrame(
        {"item_id": ["kept"], "dimension": ["fluency"], "origin": ["llm_llm"], "chosen_id": ["a"]}
    )
    scores = candidates.assign(variant="v", model="m", seed=1, reward=[2.0, 1.0, 4.0, 3.0])
    results = select(scores, candidates, benchmark)
    assert results["item_id"].tolist() == ["kept"]
    assert results["correct"].tolist() == [True]

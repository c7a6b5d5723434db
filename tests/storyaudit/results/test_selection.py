from fractions import Fraction
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.data.tables import FURTHER_RESULTS, coerce_types
from storyaudit.errors import InputError
from storyaudit.results.selection import (
    accuracies,
    item_groups,
    length_bands,
    macro_mean,
    model_names,
    select,
)

STORIES = ("a", "b", "c", "d")
RUN_KEY = {"variant": "v", "model": "m", "seed": 1}
ONE = {"i": ("fluency", "llm_llm", "a")}


def study(items):
    """Candidates and benchmark of items (dimension, origin, chosen); all have stories a to d."""
    candidates = [{"item_id": item, "story_id": f"{item}{s}"} for item in items for s in STORIES]
    benchmark = [
        {"item_id": item, "dimension": dimension, "origin": origin, "chosen_id": f"{item}{chosen}"}
        for item, (dimension, origin, chosen) in items.items()
    ]
    return pd.DataFrame(candidates), pd.DataFrame(benchmark)


def scores(rewards, run=RUN_KEY):
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
        ((5, 5, 5, 5), False, 3, Fraction(1, 4)),  # every candidate equal is not right
        ((1, 9, 9, 3), False, 1, 0),  # a tie without the chosen story
        ((1, 9, 2, 3), False, 0, 0),
        ((-1, -9, -2, -3), True, 0, 1),
        ((0.0, -0.0, -1, -1), False, 1, Fraction(1, 2)),
    ],
)
def test_an_item_is_right_only_if_the_chosen_story_alone_is_highest(rewards, correct, ties, credit):
    (result,) = select(scores({"i": rewards}), *study(ONE)).to_dict("records")
    assert result.pop("credit") == pytest.approx(float(credit), abs=1e-12)
    picked = result.pop("picked_id")
    best = f"i{STORIES[rewards.index(max(rewards))]}"
    assert (picked == best) if ties == 0 else pd.isna(picked)
    assert result == RUN_KEY | {
        "item_id": "i",
        "dimension": "fluency",
        "origin": "llm_llm",
        "correct": correct,
        "ties": ties,
        "missing": 0,
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
    runs = [dict(zip(RUN_KEY, run, strict=True)) for run in product("vw", "mn", (1, 2))]
    tables = [scores({"i": (place, 3, 2, 1)}, run) for place, run in enumerate(runs)]
    results = select(pd.concat(tables), *study(ONE)).sort_values(list(RUN_KEY), ignore_index=True)
    assert results[list(RUN_KEY)].to_dict("records") == runs
    # The chosen story has the reward 0, 1, … 7 against 3, 2 and 1.
    assert results["correct"].tolist() == [place > 3 for place in range(8)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s, c, b: (s.replace("ia", "iz"), c, b), "scored but no candidate: .*story_id iz"),
        (lambda s, c, b: (s.replace({"item_id": {"i": "z"}}), c, b), "no candidate: .*item_id z"),
        (lambda s, c, b: (s.assign(item_id=None), c, b), "scored but no candidate"),
        (lambda s, c, b: (s, c, b.replace("ia", "iz")), "chosen but no candidate: .*story_id iz"),
        (lambda s, c, b: (s, c, b.replace({"item_id": {"i": "z"}})), "chosen but no candidate"),
        (lambda s, c, b: (pd.concat([s, s.iloc[:1]]), c, b), r"scored twice: .*story_id ia \(1 "),
        (lambda s, c, b: (s, pd.concat([c, c.iloc[:1]]), b), "candidate of its item twice"),
        (lambda s, c, b: (s, c, pd.concat([b, b])), r"in the benchmark twice: item_id i \(1 "),
        (lambda s, c, b: (s.replace(4.0, float("inf")), c, b), "infinite reward: .*story_id ia"),
        (lambda s, c, b: (s.replace(1.0, float("-inf")), c, b), "infinite reward: .*story_id ib"),
    ],
)
def test_misaligned_tables_are_refused(change, message):
    tables = (scores({"i": (4, 1, 2, 3)}), *study(ONE))
    with pytest.raises(InputError, match=message):
        select(*change(*tables))


def test_a_story_of_another_item_is_no_candidate():
    items = {"i": ("fluency", "llm_llm", "a"), "j": ("fluency", "llm_llm", "a")}
    table = scores({"i": (4, 1, 2, 3), "j": (4, 1, 2, 3)})
    table["item_id"] = table["item_id"].to_numpy()[::-1]
    with pytest.raises(InputError, match=r"scored but no candidate: .*item_id j, story_id ia \(8 "):
        select(table, *study(items))


@pytest.mark.parametrize(
    ("rewards", "missing", "ties"),
    [
        ((9, None, 2, 3), 1, 0),  # also where the chosen story is the highest of the others
        ((None, 1, 2, 3), 1, 0),
        ((9, 9, None, None), 2, 1),
        ((None, None, None, None), 4, 0),
    ],
)
@pytest.mark.parametrize("rows", [True, False], ids=["no reward in the row", "no row"])
def test_an_item_without_all_rewards_is_wrong(rewards, missing, ties, rows):
    table = scores({"i": [float("nan") if r is None else r for r in rewards], "j": (4, 1, 2, 3)})
    if not rows:
        table = table.dropna()
    items = ONE | {"j": ("fluency", "llm_llm", "a")}
    lacking, complete = select(table, *study(items)).to_dict("records")
    assert (lacking["missing"], lacking["ties"]) == (missing, ties)
    assert (lacking["correct"], lacking["credit"]) == (False, 0)
    assert pd.isna(lacking["picked_id"])
    assert (complete["correct"], complete["missing"], complete["picked_id"]) == (True, 0, "ja")


def test_an_item_that_one_of_two_runs_lacks_is_wrong_for_that_run():
    items = ONE | {"j": ("fluency", "llm_llm", "a")}
    both = scores({"i": (4, 1, 2, 3), "j": (4, 1, 2, 3)})
    one = scores({"i": (4, 1, 2, 3)}, RUN_KEY | {"seed": 2})
    results = select(pd.concat([both, one]), *study(items))
    found = [(row.seed, row.item_id, row.correct, row.missing) for row in results.itertuples()]
    assert found == [(1, "i", True, 0), (1, "j", True, 0), (2, "i", True, 0), (2, "j", False, 4)]


def test_without_scores_there_are_no_results():
    results = select(scores({"i": (4, 1, 2, 3)}).iloc[:0], *study(ONE))
    assert results.empty
    empty, _ = coerce_types(results, FURTHER_RESULTS, file=Path("results"))
    assert list(empty) == list(results)
    assert accuracies(empty) == {}


def test_three_candidates_and_five():
    candidates = pd.DataFrame({"item_id": ["i"] * 3 + ["j"] * 5, "story_id": list("abcdefgh")})
    benchmark = pd.DataFrame(
        {"item_id": ["i", "j"], "dimension": "x", "origin": "llm_llm", "chosen_id": ["a", "h"]}
    )
    equal = candidates.assign(**RUN_KEY, reward=7.0)
    results = select(equal, candidates, benchmark)
    assert results["ties"].tolist() == [2, 4]
    assert results["credit"].tolist() == pytest.approx([1 / 3, 1 / 5])
    assert not results["correct"].any()


@settings(max_examples=30)
@given(st.integers(2, 9), st.integers(1, 6), st.integers(-3, 3))
def test_equal_rewards_give_the_credit_of_chance(size, number, reward):
    places = [(f"i{i}", f"{i}-{s}") for i, s in product(range(number), range(size))]
    candidates = pd.DataFrame(places, columns=["item_id", "story_id"])
    benchmark = pd.DataFrame(
        [(f"i{i}", "fluency", "llm_llm", f"{i}-{i % size}") for i in range(number)],
        columns=["item_id", "dimension", "origin", "chosen_id"],
    )
    equal = candidates.assign(**RUN_KEY, reward=float(reward))
    found = accuracies(select(equal, candidates, benchmark))
    assert found["credit.micro"] == found["credit.macro"] == pytest.approx(1 / size)
    assert (found["accuracy.micro"], found["ties"]) == (0, number)


REWARDS = st.tuples(*[st.none() | st.integers(0, 2)] * 4)
ITEM = st.tuples(
    st.sampled_from(["creativity", "fluency"]),
    st.sampled_from(["llm_llm", "human_llm"]),
    st.sampled_from(STORIES),
    REWARDS,
    REWARDS,
)


@given(st.lists(ITEM, min_size=1, max_size=5))
def test_agrees_with_a_loop_over_items(drawn):
    drawn = list(enumerate(drawn))
    items = {f"i{n}": item[:3] for n, item in drawn}
    nan = float("nan")
    table = pd.concat(
        scores(
            {f"i{n}": [nan if r is None else r for r in item[2 + seed]] for n, item in drawn},
            RUN_KEY | {"seed": seed},
        )
        for seed in (1, 2)
    )
    results = select(table, *study(items))
    assert len(results) == 2 * len(items)
    for row in results.itertuples():
        item = dict(drawn)[int(row.item_id[1:])]
        rewards = {s: r for s, r in zip(STORIES, item[2 + row.seed], strict=True) if r is not None}
        winners = [story for story in rewards if rewards[story] == max(rewards.values())]
        complete = len(rewards) == 4
        assert row.missing == 4 - len(rewards)
        assert row.ties == max(len(winners) - 1, 0)
        assert row.correct == (complete and winners == [item[2]])
        assert row.credit == (complete and item[2] in winners) / max(len(winners), 1)
        if complete and len(winners) == 1:
            assert row.picked_id == f"{row.item_id}{winners[0]}"
        else:
            assert pd.isna(row.picked_id)
        assert (row.dimension, row.origin) == item[:2]


def outcomes(rows):
    table = pd.DataFrame(rows, columns=["dimension", "origin", "correct", "ties"])
    return table.assign(credit=table["correct"].astype("float64"))


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
        "credit.macro": 4 / 9,
        "credit.micro": 2 / 5,
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


def test_items_without_a_dimension_count_in_micro_alone():
    rows = [("fluency", "o", True, 0), ("fluency", "o", False, 0), ("creativity", "o", True, 0)]
    found = accuracies(outcomes([*rows, ("unscored", "o", False, 0), ("unknown", "o", False, 0)]))
    # fluency 1/2 and creativity 1/1: macro 3/4; micro 2/5.
    assert (found["accuracy.macro"], found["accuracy.micro"]) == (3 / 4, 2 / 5)
    assert (found["credit.macro"], found["credit.micro"]) == (3 / 4, 2 / 5)
    assert found["accuracy.unscored"] == 0 and "accuracy.unknown" not in found


@pytest.mark.parametrize("dimension", ["unscored", "unknown", None])
def test_where_no_item_has_a_dimension_macro_is_micro(dimension):
    values, other = pd.Series([1.0, 0, 0, 0, 1]), pd.Series([dimension] * 4 + ["unscored"])
    assert macro_mean(values, other) == 2 / 5


def test_accuracies_by_protocol_language_and_length():
    table = outcomes([("fluency", "llm_llm", right, 0) for right in (True, False, True, False)])
    table = table.assign(
        annotation_route=["confirmation", "confirmation", "complete_ranking", "unknown"],
        language=["zh", "en", "en", "en"],
        length_band=["long", "short", "short", None],
        missing=[0, 2, 0, 1],
    )
    found = accuracies(table)
    expected = {
        "accuracy.annotation_route.complete_ranking": 1,
        "accuracy.annotation_route.confirmation": 1 / 2,
        "accuracy.language.en": 1 / 3,
        "accuracy.language.zh": 1,
        "accuracy.length.short": 1 / 2,
        "accuracy.length.long": 1,
        "missing": 2,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert not {"accuracy.annotation_route.unknown", "accuracy.length.medium"} & set(found)
    assert all(value == value for value in found.values())


def test_a_missing_outcome_is_in_no_mean():
    table = outcomes([("fluency", "llm_llm", True, 0)] * 3)
    table["correct"] = pd.array([True, False, None], dtype="boolean")
    assert accuracies(table)["accuracy.micro"] == 1 / 2


def bands(lengths, **columns):
    """Length bands of items whose candidates have so many words."""
    places = [
        (item, f"{item}{place}", size)
        for item, sizes in lengths.items()
        for place, size in enumerate(sizes)
    ]
    table = pd.DataFrame(places, columns=["item_id", "story_id", "size"])
    stories = table.assign(text=["word " * size for size in table.pop("size")], **columns)
    return length_bands(table, stories).to_dict()


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ({"a": [5]}, "m"),
        ({"a": [1, 3], "b": [2, 4]}, "sl"),
        ({"a": [3], "b": [2], "c": [1]}, "lms"),
        ({"a": [1], "b": [2], "c": [3], "d": [4]}, "smml"),
        # Ranks 1 to 5 at 1/10, 3/10, 5/10, 7/10, 9/10.
        ({"a": [1], "b": [2], "c": [3], "d": [4], "e": [5]}, "ssmll"),
        # All equal ones have the middle rank.
        ({"a": [2, 2], "b": [1, 3], "c": [4, 0]}, "mmm"),
        # 2, 2, 3: ranks 1.5, 1.5, 3 at 1/3, 1/3, 5/6, and 1/3 is no longer short.
        ({"a": [2], "b": [2], "c": [3]}, "mml"),
        # Means of 10/3 and 20/6 words are one.
        ({"a": [3, 3, 4], "b": [3, 3, 4, 3, 3, 4], "c": [1], "d": [9]}, "mmsl"),
    ],
)
def test_length_bands_are_thirds_by_middle_ranks(lengths, expected):
    names = {"s": "short", "m": "medium", "l": "long"}
    assert bands(lengths) == {i: names[e] for i, e in zip(lengths, expected, strict=True)}


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_bands_never_part_items_of_one_length_nor_cross(lengths):
    found = bands({f"i{n}": [size] for n, size in enumerate(lengths)})
    order = ["short", "medium", "long"]
    placed = sorted((size, order.index(found[f"i{n}"])) for n, size in enumerate(lengths))
    assert len({size for size, _ in placed}) == len(set(placed))
    assert [band for _, band in placed] == sorted(band for _, band in placed)


def test_words_that_are_given_are_not_counted_again():
    lengths = {"a": [1, 1], "b": [2, 2]}
    assert bands(lengths, words=[9, 9, 2, None]) == {"a": "long", "b": "short"}


def test_an_item_with_an_unknown_story_has_no_band():
    table = pd.DataFrame({"item_id": ["a", "a", "b"], "story_id": ["1", "2", "3"]})
    stories = pd.DataFrame({"story_id": ["2", "3"], "text": ["x", "y"]})
    assert length_bands(table, stories).to_dict() == {"b": "medium"}
    assert length_bands(table.iloc[:0], stories).empty


BENCHMARK = pd.DataFrame({"item_id": ["i", "j"], "premise_id": ["p", "q"]})
PLACES = pd.DataFrame({"item_id": ["i", "j", "gone"], "story_id": ["a", "b", "c"]})
PREMISES = pd.DataFrame({"premise_id": ["q", "p"], "language": ["zh", "en"]})
TEXTS = pd.DataFrame({"story_id": ["b", "a"], "text": ["one two", "one"]})


def test_items_have_their_premises_language_and_a_band():
    found = item_groups(BENCHMARK, PLACES, PREMISES, TEXTS).set_index("item_id")
    assert found["language"].to_dict() == {"i": "en", "j": "zh"}
    assert found["length_band"].to_dict() == {"i": "short", "j": "long"}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ((PREMISES.iloc[:1], TEXTS), "premise_id p,"),
        ((PREMISES, TEXTS.iloc[:1]), "story_id a,"),
    ],
)
def test_items_without_their_texts_are_refused(tables, message):
    with pytest.raises(InputError, match=message):
        item_groups(BENCHMARK, PLACES, *tables)


def test_results_hold_the_groups_that_the_benchmark_has():
    candidates, benchmark = study(ONE)
    grouped = benchmark.assign(language="en", length_band="long", tau_avg=0.5)
    results = select(scores({"i": (4, 1, 2, 3)}), candidates, grouped)
    assert list(results)[-3:] == ["picked_id", "language", "length_band"]
    assert results["length_band"].tolist() == ["long"]


def test_models_are_named_by_their_variant_where_that_tells_them_apart():
    assert model_names([("x", "a"), ("y", "a"), ("y", "b")]) == ["x", "y/a", "y/b"]


def test_names_that_would_look_the_same_give_variant_and_model() -> None:
    runs = [("x", "a"), ("x", "b"), ("x/b", "c"), ("y", "a"), ("y ", "a"), ("z", "a")]
    assert model_names(runs) == [
        "x/a",
        "'x' by 'b'",
        "'x/b' by 'c'",
        "'y' by 'a'",
        "'y ' by 'a'",
        "z",
    ]


NAMES = st.text(st.sampled_from("ab/ \t\u200b"), min_size=1, max_size=4)


@given(st.lists(st.tuples(NAMES, NAMES), unique=True, max_size=8))
def test_no_two_models_have_names_that_look_the_same(runs: list[tuple[str, str]]) -> None:
    seen = {name.replace("\u200b", "").replace("\t", " ").strip() for name in model_names(runs)}
    assert len(seen) == len(runs)

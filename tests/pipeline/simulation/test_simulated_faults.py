from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.faults import FAULTS, duplicate_items, inject_faults
from storyaudit.data.tables import CANDIDATES, validate
from storyaudit.errors import InputError

NOTHING = {
    "copies": 0,
    "light_edits": 0,
    "edit_share": 0.05,
    "embedded": 0,
    "leaked_premises": 0,
    "swapped_labels": 0,
    "missing_items": 0,
    "doubled_items": 0,
    "length_shortcut": 0,
    "order_biased_judge": 0.0,
}


def study(items: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    """Items i00, i01, …: of stories a to d, a is chosen and d is the longest.

    In every third item a is as long as d, so that length chooses no other story.
    """
    rows = [(f"i{n:02d}", p, f"i{n:02d}{s}") for n in range(items) for p, s in enumerate("abcd", 1)]
    candidates = pd.DataFrame(rows, columns=["item_id", "position", "story_id"])
    candidates = candidates.assign(premise_id="p" + candidates["item_id"], origin="llm_llm")
    benchmark = candidates[candidates["position"] == 1].rename(columns={"story_id": "chosen_id"})
    benchmark = benchmark.drop(columns="position").assign(dimension="fluency")
    lengths = {"a": 100, "b": 150, "c": 120, "d": 300}
    words = {
        f"i{n:02d}{s}": 300 if s == "a" and n % 3 == 0 else lengths[s]
        for n in range(items)
        for s in "abcd"
    }
    return benchmark.reset_index(drop=True), candidates, pd.Series(words)


def inject(items: int, seed: int = 1, **faults: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    params = FaultsParams(**{**NOTHING, **faults})
    return inject_faults(*study(items), params, np.random.default_rng(seed))


def test_without_faults_nothing_changes() -> None:
    benchmark, truth = inject(6)
    pd.testing.assert_frame_equal(benchmark, study(6)[0])
    assert truth.empty and list(truth.columns) == ["kind", "item_id", "story_id"]


@settings(max_examples=30, deadline=None)
@given(
    faults=st.tuples(*[st.integers(0, 4)] * 3),
    seed=st.integers(0, 2**32 - 1),
)
def test_faults_stand_where_the_truth_says_and_nowhere_else(
    faults: tuple[int, int, int], seed: int
) -> None:
    swapped, missing, longest = faults
    benchmark, truth = inject(
        18, seed, swapped_labels=swapped, missing_items=missing, length_shortcut=longest
    )
    validate(truth, FAULTS, file="faults")
    before = study(18)[0].set_index("item_id")
    after = benchmark.set_index("item_id")
    assert truth["item_id"].is_unique
    kinds = {kind: set(rows["item_id"]) for kind, rows in truth.groupby("kind")}
    assert {kind: len(items) for kind, items in kinds.items()} == {
        kind: number
        for kind, number in zip(
            ("swapped_label", "missing_item", "length_shortcut"), faults, strict=True
        )
        if number
    }
    assert (truth["story_id"] == truth["item_id"] + "a").all()  # chosen before the fault
    assert set(before.index) - set(after.index) == kinds.get("missing_item", set())
    kept = before.loc[after.index]
    changed = after.index[after["chosen_id"] != kept["chosen_id"]]
    assert set(changed) == kinds.get("swapped_label", set()) | kinds.get("length_shortcut", set())
    others = [name for name in before.columns if name != "chosen_id"]
    pd.testing.assert_frame_equal(after[others], kept[others])
    for item in kinds.get("swapped_label", set()):
        assert after.loc[item, "chosen_id"] in {item + story for story in "bcd"}
    for item in kinds.get("length_shortcut", set()):
        assert after.loc[item, "chosen_id"] == item + "d"
        assert int(item[1:]) % 3  # where the chosen story was not as long


def test_items_and_rejected_stories_are_drawn_evenly() -> None:
    benchmark, truth = inject(900, swapped_labels=300)
    tenths = Counter(int(item[1:]) // 90 for item in truth["item_id"])
    assert len(tenths) == 10 and stats.chisquare(list(tenths.values())).pvalue > 0.001
    wrong = Counter(benchmark.set_index("item_id").loc[truth["item_id"], "chosen_id"].str[-1])
    assert len(wrong) == 3 and stats.chisquare(list(wrong.values())).pvalue > 0.001


def test_the_order_of_rows_does_not_count() -> None:
    params = FaultsParams(**NOTHING | {"swapped_labels": 3, "missing_items": 2})
    tables = study(12)
    shuffled = [table.sample(frac=1, random_state=1) for table in tables]
    injected, truth = inject_faults(*shuffled, params, np.random.default_rng(1))
    expected, same_truth = inject_faults(*tables, params, np.random.default_rng(1))
    sort = injected.sort_values("item_id", ignore_index=True)[list(expected.columns)]
    pd.testing.assert_frame_equal(sort, expected)
    pd.testing.assert_frame_equal(truth, same_truth)


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ({"swapped_labels": 7}, "faults.swapped_labels: expected 7 .* found 6"),
        ({"missing_items": 7}, "faults.missing_items: expected 7 .* found 6"),
        ({"swapped_labels": 4, "missing_items": 3}, "faults.missing_items: expected 3 .* found 2"),
        # Of six items, two have a chosen story that is as long as the longest.
        ({"length_shortcut": 5}, "faults.length_shortcut: expected 5 .* found 4"),
    ],
)
def test_too_few_items_are_named_with_the_parameter(faults: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        inject(6, **faults)
    assert "params.yaml" in str(refusal.value)


def test_as_many_faults_as_items_fit() -> None:
    benchmark, truth = inject(6, length_shortcut=4, swapped_labels=1, missing_items=1)
    assert len(benchmark) == 5 and len(truth) == 6


def test_a_duplicated_item_stands_again_under_another_id() -> None:
    _, candidates, _ = study(6)
    duplicated, truth = duplicate_items(candidates, 2, np.random.default_rng(1))
    validate(duplicated, CANDIDATES, file="candidates")
    pd.testing.assert_frame_equal(duplicated.head(24), candidates)
    again = duplicated.tail(-24)
    assert truth["kind"].tolist() == ["doubled_item"] * 2
    assert truth["story_id"].isna().all()  # nothing is chosen yet
    validate(truth, FAULTS, file="faults")
    assert set(again["item_id"]) == set(truth["item_id"]) and again["item_id"].nunique() == 2
    for item, copy in again.groupby("item_id"):
        origin = candidates[candidates["item_id"] == str(item).removesuffix("-again")]
        assert set(copy["story_id"]) == set(origin["story_id"])
        assert sorted(copy["position"]) == [1, 2, 3, 4]
        assert set(copy["premise_id"]) == set(origin["premise_id"])
        assert set(copy["origin"]) == {"llm_llm"}


def test_positions_of_duplicated_items_are_shuffled() -> None:
    _, candidates, _ = study(300)
    duplicated, _ = duplicate_items(candidates, 300, np.random.default_rng(1))
    places = Counter(duplicated.tail(1200).query("story_id.str.endswith('a')")["position"])
    assert len(places) == 4 and stats.chisquare(list(places.values())).pvalue > 0.001


def test_no_duplicated_items_change_nothing() -> None:
    _, candidates, _ = study(3)
    same, truth = duplicate_items(candidates, 0, np.random.default_rng(1))
    pd.testing.assert_frame_equal(same, candidates)
    assert truth.empty


def test_more_duplicated_items_than_items_are_refused() -> None:
    with pytest.raises(InputError, match=r"faults\.doubled_items: expected 4 .* found 3"):
        duplicate_items(study(3)[1], 4, np.random.default_rng(1))

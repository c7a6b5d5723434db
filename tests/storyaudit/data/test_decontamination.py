"""Pairs that overlap with the benchmark go, against a loop over rows."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.data.tables import OVERLAPS
from storyaudit.overlap.decontamination import drop_overlapping
from storyaudit.vocabulary import SIDES

PAIRS = pd.DataFrame(
    [
        ("a", "rewriting", "p1", "s1", "s2"),
        ("b", "rewriting", "p1", "s3", "s4"),
        ("c", "llm_llm", "p2", "s5", "s6"),
        ("d", "llm_llm", "p3", "s2", "s7"),
        ("e", "continuation", "p4", "p1", "p2"),  # stories that bear the IDs of premises
    ],
    columns=["pair_id", "method", "premise_id", "chosen_id", "rejected_id"],
)


def overlaps(*rows: tuple[Any, ...], comparison: bool = True) -> pd.DataFrame:
    """Rows (comparison, level, right_id, containment)."""
    table = pd.DataFrame(rows, columns=["comparison", "level", "right_id", "containment"])
    table = table.astype({"containment": float})
    table = table.assign(left_id="b", jaccard=0.5, longest_common_substring=9, verified=True)
    return table if comparison else table.drop(columns="comparison")


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([], "abcde"),
        ([("train_benchmark", "story", "s2", 0.5)], "bce"),
        ([("train_benchmark", "story", "s2", 0.49)], "abcde"),
        ([(None, "story", "s2", 0.9)], "bce"),
        ([("train_benchmark", "premise", "p1", 0.9)], "cde"),
        ([("train_benchmark", "story", "p1", 0.9)], "abcd"),
        ([("train_benchmark", "premise_in_story", "s5", 0.9)], "abde"),
        ([(side, "story", "s2", 1.0) for side in SIDES if side != "train_benchmark"], "abcde"),
        ([("train_benchmark", "story", "elsewhere", 1.0)], "abcde"),
    ],
)
def test_pairs_go_whole_where_a_text_overlaps_with_the_benchmark(
    rows: list[tuple[Any, ...]], left: str
) -> None:
    kept, counts = drop_overlapping(PAIRS, overlaps(*rows), 0.5)
    expected = PAIRS[PAIRS["pair_id"].isin(list(left))].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, expected)
    dropped = PAIRS[~PAIRS["pair_id"].isin(list(left))]
    assert counts == {
        method: int((dropped["method"] == method).sum()) for method in set(PAIRS["method"])
    }


def test_a_table_without_comparisons_is_all_of_training_with_benchmark() -> None:
    table = overlaps((None, "story", "s2", 0.9), comparison=False)
    assert drop_overlapping(PAIRS, table, 0.5)[0]["pair_id"].tolist() == ["b", "c", "e"]


def test_no_pairs_and_no_overlaps() -> None:
    nothing = pd.DataFrame(columns=[column.name for column in OVERLAPS.columns])
    kept, counts = drop_overlapping(PAIRS.head(0), nothing, 0.5)
    assert (len(kept), counts) == (0, {})
    kept, counts = drop_overlapping(PAIRS, nothing, 0.5)
    pd.testing.assert_frame_equal(kept, PAIRS)
    assert set(counts.values()) == {0}


ids = st.sampled_from(["x", "y", "z"])


@given(
    st.lists(st.tuples(st.sampled_from(["m", "n"]), ids, ids, ids), max_size=8),
    st.lists(
        st.tuples(
            st.sampled_from([None, *SIDES]),
            st.sampled_from(["story", "premise", "premise_in_story"]),
            ids,
            st.sampled_from([0.1, 0.5, 1.0]),
        ),
        max_size=4,
    ),
    st.sampled_from([0.1, 0.3, 0.5, 1.0]),
)
def test_every_pair_is_judged_by_itself(
    pairs: list[tuple[str, ...]], rows: list[tuple[Any, ...]], threshold: float
) -> None:
    columns = ["method", "premise_id", "chosen_id", "rejected_id"]
    table = pd.DataFrame(pairs, columns=columns)
    hits = [
        (level == "premise", name)
        for side, level, name, share in rows
        if side in (None, "train_benchmark") and share >= threshold
    ]
    stay = [
        (True, premise) not in hits and not {(False, chosen), (False, rejected)} & set(hits)
        for _, premise, chosen, rejected in pairs
    ]
    kept, counts = drop_overlapping(table, overlaps(*rows), threshold)
    expected = [pair for pair, keep in zip(pairs, stay, strict=True) if keep]
    assert list(kept.itertuples(index=False, name=None)) == expected
    assert sum(counts.values()) + len(kept) == len(pairs)

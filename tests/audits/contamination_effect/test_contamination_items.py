"""Which items overlap with what was trained on, and which way that pushes, by plain loops."""

import pandas as pd
import pytest
from contamination_samples import (
    benchmark,
    candidates,
    near_duplicates,
    overlaps,
    pairs,
    several,
    taught,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.contamination_effect.seen_items import (
    Seen,
    golds,
    groups,
    rejected_seen,
    seen_texts,
)
from storyaudit.overlap.decontamination import with_training

ITEMS = ["h000", "h001", "m000"]


def seen(found: pd.DataFrame, trained: pd.DataFrame, names: list[str] = ITEMS) -> Seen:
    return seen_texts(found, trained, candidates(names), golds(benchmark(names)))


@pytest.mark.parametrize(
    ("story", "role", "direction"),
    [
        ("h000a", "chosen", "toward"),
        ("h000b", "rejected", "toward"),
        ("h000a", "rejected", "against"),
        ("h000d", "chosen", "against"),
    ],
)
def test_the_direction_is_the_golds_where_training_agrees_with_it(
    story: str, role: str, direction: str
) -> None:
    found = seen(near_duplicates([story]), taught([story], role))
    assert found.rows.to_dict("records") == [
        {
            "item_id": "h000",
            "origin": "human_llm",
            "part": "chosen" if story == "h000a" else "rejected",
            "benchmark_id": story,
            "training_id": f"T{story}",
            "containment": 1.0,
            "taught": role,
            "direction": direction,
        }
    ]
    kinds = groups(found.rows, 0.1)
    part = "chosen" if story == "h000a" else "rejected"
    assert {name for name, inside in kinds.items() if inside} == {"overlapping", part, direction}


def test_a_story_chosen_in_one_pair_and_rejected_in_another_leaves_the_direction_open() -> None:
    both = several(taught(["h000a"]), taught(["h000a"], "rejected"))
    row = seen(near_duplicates(["h000a"]), both).rows.iloc[0]
    assert (row["taught"], row["direction"]) == ("both", "open")


def test_a_premise_counts_where_pairs_have_it_and_has_no_direction() -> None:
    found = overlaps(("premise", "ph000", "tp", 0.7), ("premise", "ph001", "unused", 1.0))
    result = seen(found, taught(["x"]))
    assert result.items() == {"h000"} and result.unused == 1
    assert groups(result.rows, 0.1)["premise"] == {"h000"}
    assert set(result.rows["direction"]) == {"open"}


def test_a_story_with_the_id_of_a_premise_is_none() -> None:
    found = overlaps(("story", "ph000", "Tx", 1.0), ("premise", "h000a", "tp", 1.0))
    assert seen(found, taught(["x"])).rows.empty
    # Nor is a training premise a story that pairs have.
    found = overlaps(("story", "h000a", "tp", 1.0), ("premise", "ph000", "Tx", 1.0))
    assert seen(found, taught(["x"])).rows.empty


def test_pairs_of_validation_do_not_count() -> None:
    found = near_duplicates(["h000a", "h001a", "m000a"])
    trained = several(taught(["h000a"], split="validation"), taught(["h001a"]))
    result = seen(found, trained)
    assert result.items() == {"h001"}
    assert (result.validation, result.unused) == (1, 1)
    # A text in both splits was trained on.
    everywhere = several(taught(["h000a"], split="validation"), taught(["h000a"]))
    assert seen(found, everywhere).items() == {"h000"}


def test_thresholds_are_reached_at_equality() -> None:
    found = several(
        near_duplicates(["h000a"], 0.5),
        near_duplicates(["h001a"], 0.499999),
        near_duplicates(["m000a"], 0.1),
    )
    result = seen(found, taught(["h000a", "h001a", "m000a"]))
    assert result.items(0.5) == {"h000"} and result.items(0.1) == set(ITEMS)


def test_overlaps_without_a_value_are_counted_and_left_out() -> None:
    found = overlaps(
        ("story", "h000a", "Th000a", None),
        ("story", "h001a", "Th000a", 1.5),
        ("story", "m000a", "Th000a", float("inf")),
        ("story", "m000a", None, 1.0),
        ("story", "m000a", "Th000a", 1.0),
        ("sentence", "h000a", "Th000a", 1.0),
    )
    result = seen(found, taught(["h000a"]))
    assert result.invalid == 4 and result.items() == {"m000"}


def test_only_overlaps_of_training_with_the_benchmark_count() -> None:
    found = near_duplicates(["h000a", "h001a", "m000a"])
    assert with_training(found) is found
    found["comparison"] = ["train_benchmark", "benchmark_benchmark", None]
    kept = with_training(found)
    assert kept["left_id"].tolist() == ["h000a", "m000a"]
    result = seen(kept, taught(["h000a", "h001a", "m000a"]))
    assert result.items() == {"h000"} and result.invalid == 1


def test_items_with_two_golds_or_none_are_left_out() -> None:
    duplicated = several(benchmark(ITEMS), benchmark(["h000"]))
    duplicated.loc[1, "chosen_id"] = None
    assert list(golds(duplicated)["item_id"]) == ["m000"]


def test_no_overlap_no_candidates_no_pairs() -> None:
    for found, trained in ((overlaps(), taught(["x"])), (near_duplicates(["h000a"]), pairs())):
        assert seen(found, trained).rows.empty
    none = seen_texts(
        near_duplicates(["h000a"]), taught(["h000a"]), candidates([]), golds(benchmark([]))
    )
    assert none.rows.empty and groups(none.rows, 0.1)["overlapping"] == set()


def test_rejected_stories_and_their_share() -> None:
    found = several(
        near_duplicates(["h000b", "h000c", "h001d", "m000a"]), near_duplicates(["m000b"], 0.2)
    )
    trained = several(taught(["h000b", "m000a", "m000b"]), taught(["h000c", "h001d"], "rejected"))
    result = seen(found, trained)
    everything = ("chosen", "rejected", "both")

    def found_in(least: float, roles: tuple[str, ...]) -> dict[str, tuple[set[str], float]]:
        table = rejected_seen(result, candidates(ITEMS), least, roles)
        return {
            row["item_id"]: (row["stories"], row["proportion"]) for row in table.to_dict("records")
        }

    assert found_in(0.5, everything) == {
        "h000": ({"h000b", "h000c"}, 2 / 3),
        "h001": ({"h001d"}, 1 / 3),
    }
    assert found_in(0.1, ("chosen",)) == {"h000": ({"h000b"}, 1 / 3), "m000": ({"m000b"}, 1 / 3)}
    # With all rejected stories there is nothing else that a wrong pick could be.
    whole = seen(near_duplicates(["h000b", "h000c", "h000d"]), taught(["h000b", "h000c", "h000d"]))
    assert rejected_seen(whole, candidates(ITEMS), 0.5, everything).empty


STORIES = [item + letter for item in ITEMS for letter in "ab"]
FOUND = st.lists(
    st.tuples(
        st.sampled_from(STORIES),
        st.sampled_from(["t1", "t2", "t3"]),
        st.sampled_from([0.1, 0.5, 1]),
    ),
    max_size=8,
    unique_by=lambda row: row[:2],
)
TRAINED = st.lists(
    st.tuples(
        st.sampled_from(["train", "validation"]),
        st.sampled_from(["t1", "t2", "t3", "x"]),
        st.sampled_from(["t1", "t2", "t3", "x"]),
    ),
    max_size=6,
)


@settings(max_examples=50, deadline=None)
@given(FOUND, TRAINED, st.sampled_from([0.1, 0.5]))
def test_kinds_of_items_are_those_of_plain_loops(found: list, trained: list, least: float) -> None:
    chosen = {c for split, c, _ in trained if split == "train"}
    rejected = {r for split, _, r in trained if split == "train"}
    parts: dict[str, set[str]] = {}
    ways: dict[str, set[str]] = {}
    for story, text, containment in found:
        if containment < least or text not in chosen | rejected:
            continue
        item, part = story[:-1], "chosen" if story.endswith("a") else "rejected"
        agrees = {"chosen": text in chosen, "rejected": text in rejected}
        if text in chosen and text in rejected:
            way = "open"
        else:
            way = "toward" if agrees[part] else "against"
        parts.setdefault(item, set()).add(part)
        ways.setdefault(item, set()).add(way)
    result = seen(
        overlaps(*(("story", *row) for row in found)),
        pairs(*((split, "tp", c, r) for split, c, r in trained)),
    )
    assert groups(result.rows, least) == {
        "overlapping": set(parts),
        "premise": set(),
        **{part: {i for i, p in parts.items() if p == {part}} for part in ("chosen", "rejected")},
        **{way: {i for i, w in ways.items() if w == {way}} for way in ("toward", "against")},
    }

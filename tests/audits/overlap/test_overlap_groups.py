from collections.abc import Iterable
from random import Random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audits.overlap.star_groups import GROUPS, star_groups


def pairs_of(pairs: Iterable[tuple[int, int]]) -> pd.DataFrame:
    rows = [(left, right, 0.5 + left / 100, 0.3 + right / 100) for left, right in pairs]
    return pd.DataFrame(rows, columns=["left", "right", "containment", "jaccard"])


def grouped(groups: pd.DataFrame) -> dict[str, list[str]]:
    return {
        str(centre): rows["member_id"].tolist()
        for centre, rows in groups.groupby("centre_id", sort=False)
    }


def test_a_chain_is_not_one_group() -> None:
    members = {0: ["a"], 1: ["b"], 2: ["c"], 3: ["d"], 4: ["e"]}
    # b is similar to two, so are c and d: b comes first by name.
    groups = star_groups(pairs_of([(0, 1), (1, 2), (2, 3), (3, 4)]), members)
    assert grouped(groups) == {"b": ["b", "a", "c"], "d": ["d", "e"]}
    assert groups["size"].tolist() == [3, 3, 3, 2, 2]


def test_what_is_similar_to_most_is_a_centre() -> None:
    members = {place: [name] for place, name in enumerate("abcz")}
    assert grouped(star_groups(pairs_of([(0, 3), (1, 3), (2, 3)]), members)) == {
        "z": ["z", "a", "b", "c"]
    }


def test_a_centre_that_nobody_can_join_makes_no_group() -> None:
    # Of b and y, similar to three each, b comes first and takes x; then y takes z and w.
    members = {place: [name] for place, name in enumerate("abcxyzw")}
    links = [(1, 0), (1, 2), (1, 3), (3, 4), (4, 5), (4, 6)]
    assert grouped(star_groups(pairs_of(links), members)) == {
        "b": ["b", "a", "c", "x"],
        "y": ["y", "w", "z"],
    }
    # d is similar to c alone, and c is with b.
    assert grouped(star_groups(pairs_of([(1, 0), (1, 2), (2, 3)]), members)) == {
        "b": ["b", "a", "c"]
    }


def test_ids_of_one_text_stay_together() -> None:
    members = {0: ["a", "b", "c"], 1: ["d"], 2: ["e", "f"]}
    groups = star_groups(pairs_of([(0, 1)]), members)
    assert grouped(groups) == {"a": ["a", "b", "c", "d"], "e": ["e", "f"]}
    row = groups[groups["member_id"] == "d"].iloc[0]
    assert (row["containment"], row["jaccard"], row["identical"]) == (0.5, 0.31, False)
    others = groups[groups["member_id"] != "d"]
    assert others["identical"].all()
    assert (others[["containment", "jaccard"]] == 1).all(axis=None)


def test_an_id_of_two_texts_does_not_join_what_is_similar_to_either() -> None:
    # x stands for texts 0 and 1: y has the one, z the other, and y and z are not similar.
    groups = star_groups(pairs_of([]), {0: ["x", "y"], 1: ["x", "z"]})
    assert grouped(groups) == {"x": ["x", "y", "z"]}
    # w is similar to y's text and not to z's.
    groups = star_groups(pairs_of([(0, 2)]), {0: ["v", "y"], 1: ["x", "y"], 2: ["w"]})
    assert grouped(groups) == {"y": ["y", "v", "w", "x"]}
    # b is in a's group already when d, which has a text in common with it, becomes a centre.
    texts = {0: ["a", "b"], 1: ["a", "c"], 2: ["b", "d"], 3: ["d", "e"]}
    assert grouped(star_groups(pairs_of([]), texts)) == {"a": ["a", "b", "c"], "d": ["d", "e"]}
    # Through two texts, the stronger pair stands.
    groups = star_groups(pairs_of([(0, 2), (1, 2)]), {0: ["x"], 1: ["x"], 2: ["y"]})
    assert groups[["containment", "jaccard"]].values.tolist() == [[1, 1], [0.51, 0.32]]


def test_nothing_to_group() -> None:
    for members in ({}, {0: ["a"]}):
        groups = star_groups(pairs_of([]), members)
        assert groups.empty
        assert groups.columns.tolist() == list(GROUPS)


def test_a_pair_of_unknown_texts_is_refused() -> None:
    with pytest.raises(KeyError):
        star_groups(pairs_of([(0, 9)]), {0: ["a"]})


def test_ten_thousand_ids_of_one_text_are_grouped_at_once() -> None:
    members = {text: [f"{text}-{place:05}" for place in range(5000)] for text in range(2)}
    groups = star_groups(pairs_of([(0, 1)]), members)
    assert len(groups) == 10_000
    assert groups["centre_id"].unique().tolist() == ["0-00000"]


TEXTS = 8
NUMBERS = st.integers(0, TEXTS - 1)


@given(
    st.sets(st.tuples(NUMBERS, NUMBERS).filter(lambda pair: pair[0] < pair[1])),
    st.lists(
        st.sets(st.sampled_from("abcdefghij"), min_size=1, max_size=3),
        min_size=TEXTS,
        max_size=TEXTS,
    ),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_every_member_was_verified_with_its_centre(
    links: set[tuple[int, int]], names: list[set[str]], repeated: bool, random: Random
) -> None:
    if not repeated:  # every ID stands for one text
        names = [{f"{text}{name}" for name in ids} for text, ids in enumerate(names)]
    members = {text: sorted(ids) for text, ids in enumerate(names)}
    pairs = pairs_of(sorted(links))
    groups = star_groups(pairs, members)
    similar = {(one, other) for ids in names for one in ids for other in ids}
    for left, right in links:
        similar |= {(one, other) for one in names[left] for other in names[right]}
        similar |= {(other, one) for one in names[left] for other in names[right]}
    assert set(zip(groups["centre_id"], groups["member_id"], strict=True)) <= similar
    assert groups["member_id"].is_unique
    assert (groups["size"] >= 2).all()
    sizes = groups.groupby("centre_id")["size"].agg(["size", "min", "max"])
    assert (sizes["size"] == sizes["min"]).all() and (sizes["min"] == sizes["max"]).all()
    # Maximal: two IDs that are in no group are not similar.
    alone = {name for ids in names for name in ids} - set(groups["member_id"])
    assert not any(one != other for one, other in similar if {one, other} <= alone)
    # Identical where they have a text in common.
    for row in groups.itertuples():
        common = any({row.centre_id, row.member_id} <= ids for ids in names)
        assert row.identical == common
    # Whatever the order of pairs and texts.
    texts = random.sample(range(TEXTS), TEXTS)
    shuffled = pairs.sample(frac=1, random_state=random.randrange(100))
    again = star_groups(shuffled, {text: members[text] for text in texts})
    pd.testing.assert_frame_equal(again, groups)

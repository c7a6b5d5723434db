from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import sqrt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.overlap.kernels.minhash import recall
from audits.overlap.near_duplicates import (
    PAIRS,
    Limits,
    NearDuplicates,
    compare,
    near_duplicates,
    propose,
)
from storyaudit.errors import InputError
from storyaudit.io.row_batches import Batch
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.shingles import shingle
from storyaudit.text.similarity import containment, jaccard, shingles
from storyaudit.text.tokens import tokenise
from storyaudit.text.words import words

Prose = Callable[[int], str]
Rows = Sequence[tuple[str, str | None]]


def batches(rows: Rows, size: int = 100) -> Callable[[], Iterator[Batch]]:
    def read() -> Iterator[Batch]:
        for start in range(0, len(rows), size):
            part = rows[start : start + size]
            yield Batch(
                [name for name, _ in part], pa.array([text for _, text in part], pa.large_string())
            )

    return read


def search(rows: Rows, size: int = 100, **params: float) -> NearDuplicates:
    return near_duplicates(batches(rows, size), OverlapParams(**params), threads=1)


def edited(text: str, every: int) -> str:
    return " ".join(
        "edited" if number % every == 0 else word for number, word in enumerate(text.split(), 1)
    )


def named(found: NearDuplicates) -> set[tuple[str, str]]:
    return set(zip(found.pairs["left_id"], found.pairs["right_id"], strict=True))


def same(one: NearDuplicates, other: NearDuplicates) -> None:
    pd.testing.assert_frame_equal(one.pairs, other.pairs)
    pd.testing.assert_frame_equal(one.groups, other.groups)
    assert one[2:] == other[2:]


def by_force(rows: Rows, size: int) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the measures of all pairs of different texts, by their first IDs."""
    ids = defaultdict(list)
    for name, text in rows:
        if words(text or ""):
            ids[tuple(words(text or ""))].append(name)
    firsts = sorted((min(names), text) for text, names in ids.items())
    measures = {}
    for (left, one), (right, other) in combinations(firsts, 2):
        ours, theirs = shingles(one, size), shingles(other, size)
        share = max(containment(ours, theirs), containment(theirs, ours))
        measures[left, right] = (share, jaccard(ours, theirs))
    return measures


TEXT = st.lists(st.sampled_from("ab字é"), max_size=14).map(" ".join)
# Three letters' runs share much; every row of the index is a band, so that hardly a pair is lost.
SURE = {"permutations": 512, "bands": 512}


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXT, max_size=12), st.integers(1, 4), st.integers(1, 5))
def test_pairs_are_those_of_words_compared_by_force(
    texts: list[str], size: int, batch: int
) -> None:
    rows = [(f"t{place:02}", text) for place, text in enumerate(texts)]
    found = search(rows, batch, shingle=size, **SURE)
    expected = {
        pair: measures for pair, measures in by_force(rows, size).items() if measures[0] >= 0.5
    }
    measured = found.pairs[["containment", "jaccard"]].itertuples(index=False)
    pairs = zip(found.pairs["left_id"], found.pairs["right_id"], strict=True)
    assert dict(zip(pairs, map(tuple, measured), strict=True)) == expected
    assert found.texts == len(texts)
    assert found.empty == sum(not words(text) for text in texts)
    assert found.uncompared == 0


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, max_size=12))
def test_members_are_identical_to_their_centre_or_paired_with_it(texts: list[str]) -> None:
    rows = [(f"t{place:02}", text) for place, text in enumerate(texts)]
    found = search(rows, shingle=2, **SURE)
    sequences = {name: tuple(words(text or "")) for name, text in rows}
    first = {
        text: min(name for name, other in sequences.items() if other == text)
        for text in sequences.values()
    }
    for row in found.groups.itertuples():
        centre, member = sequences[row.centre_id], sequences[row.member_id]
        assert centre and member
        assert row.identical == (centre == member)
        if centre != member:
            assert tuple(sorted((first[centre], first[member]))) in named(found)
            ours, theirs = shingles(centre, 2), shingles(member, 2)
            assert row.jaccard == jaccard(ours, theirs)
            assert row.containment == max(containment(ours, theirs), containment(theirs, ours))


def test_duplicates_and_edits_are_found_and_nothing_else(prose: Prose) -> None:
    story, other = prose(150), prose(150)
    rows = [(f"o{place}", prose(150)) for place in range(50)]
    rows += [("a", story), ("b", edited(story, 40)), ("c", other), ("d", edited(other, 30))]
    rows += [("e", story.upper().replace(" ", ", "))]
    found = search(rows)
    assert found.pairs.columns.tolist() == list(PAIRS)
    # 146 shingles, of which every edited word, far from the ends, changes five.
    left = 146 - 3 * 5
    assert found.pairs.iloc[0].tolist() == ["a", "b", 2, 1, left / 146, left / (292 - left)]
    # Of words 30, 60, 90, 120 and 150 the last changes one shingle.
    left = 146 - 4 * 5 - 1
    assert found.pairs.iloc[1].tolist() == ["c", "d", 1, 1, left / 146, left / (292 - left)]
    assert len(found.pairs) == 2
    groups = found.groups.set_index("member_id")
    assert groups["centre_id"].to_dict() == {"a": "a", "e": "a", "b": "a", "c": "c", "d": "c"}
    assert groups["size"].to_dict() == {"a": 3, "e": 3, "b": 3, "c": 2, "d": 2}
    assert groups["identical"].to_dict() == {
        "a": True,
        "e": True,
        "b": False,
        "c": True,
        "d": False,
    }
    assert found.texts == 55


def test_injected_pairs_are_found_as_often_as_computed() -> None:
    # 300 drawn_pairs of 150 single words each, 100 of them shared: a Jaccard similarity of 1/2.
    drawn_pairs, rows = 300, []
    for place in range(drawn_pairs):
        shared = [f"s{place}x{word}" for word in range(100)]
        for side in "lr":
            own = [f"{side}{place}x{word}" for word in range(50)]
            rows.append((f"{place}{side}", " ".join(shared + own)))
    found = search(rows, shingle=1)
    expected = recall(0.5, OverlapParams())
    assert named(found) <= {(f"{place}l", f"{place}r") for place in range(drawn_pairs)}
    assert abs(len(found.pairs) / drawn_pairs - expected) < 4 * sqrt(
        expected * (1 - expected) / drawn_pairs
    )
    assert set(found.pairs["jaccard"]) == {0.5}
    assert set(found.pairs["containment"]) == {100 / 150}


def test_containment_is_that_of_the_shorter_text(prose: Prose) -> None:
    text = prose(100)
    found = search([("long", f"{text} {prose(40)}"), ("short", text)])
    # 96 shingles, all of which stand among 136.
    assert found.pairs[["containment", "jaccard"]].values.tolist() == [[1.0, 96 / 136]]


def test_what_is_below_the_threshold_is_not_reported(prose: Prose) -> None:
    text = prose(100)
    rows = [("a", text), ("b", edited(text, 20))]
    # Edits of words 20, 40, 60, 80 and 100 leave 96 − (4 · 5 + 1) = 75 of 96 shingles.
    assert len(search(rows, duplicate_threshold=75 / 96, **SURE).pairs) == 1
    below = search(rows, duplicate_threshold=76 / 96, **SURE)
    assert below.pairs.empty and below.groups.empty
    assert below.proposed == 1


def test_texts_shorter_than_a_shingle_are_similar_only_if_equal() -> None:
    rows = [("a", "the last lamp"), ("b", "The last lamp!"), ("c", "the last"), ("d", "lamp")]
    rows += [("e", "the last lamp went out at noon")]
    found = search(rows)
    assert found.pairs.empty
    assert found.groups["member_id"].tolist() == ["a", "b"]


@pytest.mark.parametrize("empty", ["", " \n", "…!? —", "👍", None])
def test_texts_without_a_word_are_similar_to_nothing(empty: str | None) -> None:
    found = search([("a", empty), ("b", empty), ("c", "one"), ("d", empty)])
    assert found.pairs.empty and found.groups.empty
    assert (found.texts, found.empty, found.proposed) == (4, 3, 0)


def test_no_texts() -> None:
    for rows in ([], [("a", "one text alone")]):
        found = search(rows)
        assert found.pairs.columns.tolist() == list(PAIRS)
        assert found.pairs.empty and found.groups.empty
        assert found.texts == len(rows)


def mixed(prose: Prose) -> list[tuple[str, str]]:
    texts = [prose(60) for _ in range(12)]
    rows = [(f"t{place:02}", text) for place, text in enumerate(texts)]
    rows += [(f"e{place}", edited(text, 25)) for place, text in enumerate(texts[:6])]
    rows += [(f"f{place}", edited(text, 17)) for place, text in enumerate(texts[:4])]
    rows += [(f"c{place}", text) for place, text in enumerate(texts[2:5])]
    # IDs of several texts, and one twice with the same.
    rows += [("t00", texts[1]), ("t03", edited(texts[3], 25)), ("x", texts[5]), ("x", texts[5])]
    return [*rows, ("empty", "…")]


def test_nothing_depends_on_order_batches_threads_or_rounds(prose: Prose) -> None:
    rows = mixed(prose)
    expected = search(rows, 1000)
    assert len(expected.pairs) > 8
    rng = np.random.default_rng(4)
    for size, threads, budget in [(1, 2, 2**26), (3, 1, 130), (7, 3, 1), (1000, 2, 400)]:
        shuffled = [rows[place] for place in rng.permutation(len(rows))]
        found = near_duplicates(
            batches(shuffled, size),
            OverlapParams(),
            threads=threads,
            limits=Limits(shingles=budget),
        )
        same(found, expected)


def test_a_small_budget_reads_the_texts_more_often(prose: Prose) -> None:
    rows = mixed(prose)
    reads = []

    def read() -> Iterator[Batch]:
        reads.append(1)
        return batches(rows)()

    near_duplicates(read, OverlapParams())
    assert len(reads) == 2
    reads.clear()
    near_duplicates(read, OverlapParams(), limits=Limits(shingles=400))
    assert len(reads) > 3


def test_texts_that_share_no_band_are_read_once(prose: Prose) -> None:
    reads = []

    def read() -> Iterator[Batch]:
        reads.append(1)
        return batches([("a", prose(20)), ("b", prose(20))])()

    near_duplicates(read, OverlapParams())
    assert len(reads) == 1


def test_an_id_of_several_texts_keeps_its_strongest_pair(prose: Prose) -> None:
    text = prose(100)
    rows = [("a", text), ("b", edited(text, 10)), ("b", edited(text, 30)), ("b", prose(50))]
    found = search(rows, **SURE)
    # Three edits, far from the ends.
    assert found.pairs[["left_id", "right_id", "containment"]].values.tolist() == [
        ["a", "b", (96 - 3 * 5) / 96]
    ]
    # Two of b's texts are similar to one of a's: b is the centre.
    assert found.groups["member_id"].tolist() == ["b", "a"]
    assert found.groups["containment"].tolist() == [1, (96 - 3 * 5) / 96]


def test_an_id_makes_no_pair_with_itself(prose: Prose) -> None:
    text = prose(100)
    found = search([("a", text), ("a", edited(text, 30)), ("a", text)])
    assert found.pairs.empty and found.groups.empty
    assert found.proposed == 1


def test_chinese_characters_are_words() -> None:
    story = "老人把灯放在窗台上等着海边的船回来一直等到雪停"
    other = "城里没有人记得那座钟是谁造的也没有人敢去修它了"
    found = search([("a", story), ("b", f"「{story[:12]}，\n{story[12:]}。」"), ("c", other)])
    assert found.pairs.empty
    assert found.groups["member_id"].tolist() == ["a", "b"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_strings_of_every_layout_are_read(prose: Prose, kind: pa.DataType) -> None:
    text = prose(40)
    texts = [text, None, edited(text, 30)]
    ids = ["a", "b", "c"]
    whole = pa.array(texts, kind)
    for array in (
        whole,
        pa.chunked_array([whole[:1], whole[1:]]),
        pa.array(["x", *texts], kind)[1:],
    ):
        found = near_duplicates(lambda array=array: [Batch(ids, array)], OverlapParams())
        assert named(found) == {("a", "c")}


def test_ten_thousand_equal_texts_are_one(prose: Prose) -> None:
    text = prose(30)
    rows = [(f"{place:05}", text) for place in range(10_000)] + [("x", edited(text, 29))]
    found = search(rows, 2000)
    assert found.pairs[["left_id", "right_id", "left_count", "right_count"]].values.tolist() == [
        ["00000", "x", 10_000, 1]
    ]
    assert found.groups["size"].unique().tolist() == [10_001]
    assert found.groups["centre_id"].unique().tolist() == ["00000"]
    assert found.proposed == 1


def test_a_crowd_of_variants_is_compared_with_few_and_counted(prose: Prose) -> None:
    text = prose(60)
    rows = [(f"v{place:04}", f"{text} end{place}") for place in range(400)]
    rows += [("w0", prose(60))]
    limits = Limits(bucket=50, first=4)
    found = near_duplicates(batches(rows), OverlapParams(), limits=limits)
    # All are similar, but of 79,800 pairs those with four of them are enough for one group.
    assert found.groups["member_id"].tolist() == [name for name, _ in rows[:-1]]
    assert found.groups["size"].unique().tolist() == [400]
    assert 4 * 396 + 6 <= found.proposed < 10_000
    assert found.proposed + found.uncompared >= 79_800
    assert found.uncompared <= 79_800
    turned = near_duplicates(batches(rows[::-1], 7), OverlapParams(), limits=limits)
    same(turned, found)


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), max_size=12),
    st.integers(2, 12),
    st.integers(1, 3),
)
def test_pairs_proposed_share_a_key(keys: list[list[int]], bucket: int, first: int) -> None:
    table = np.array(keys, dtype=np.uint64).reshape(-1, 3)
    expected, skipped = set(), set()
    for band in range(3):
        for value in range(3):
            texts = [text for text, row in enumerate(keys) if row[band] == value]
            for one, other in combinations(range(len(texts)), 2):
                near = len(texts) <= bucket or one < first
                (expected if near else skipped).add((texts[one], texts[other]))
    pairs, left_out = propose(table, Limits(bucket, first))
    assert [tuple(pair) for pair in pairs.tolist()] == sorted(expected)
    assert left_out >= len(skipped - expected)
    assert (left_out == 0) == (not skipped)


@settings(max_examples=50, deadline=None)
@given(st.lists(TEXT.filter(words), min_size=1, max_size=8), st.integers(1, 4))
def test_comparing_counts_shared_shingles(texts: list[str], threads: int) -> None:
    made = shingle(tokenise(texts), 2)
    pairs = list(combinations(range(len(texts)), 2))
    measured = compare(made, np.array(pairs, dtype=np.int64).reshape(-1, 2), threads)
    sets = [shingles(words(text), 2) for text in texts]
    assert [tuple(row) for row in measured.tolist()] == [
        (
            max(containment(sets[one], sets[other]), containment(sets[other], sets[one])),
            jaccard(sets[one], sets[other]),
        )
        for one, other in pairs
    ]


@pytest.mark.parametrize("change", ["ids", "fewer", "more", "emptied"])
def test_texts_that_change_meanwhile_are_refused(prose: Prose, change: str) -> None:
    text = prose(50)
    rows = [("a", text), ("b", edited(text, 30)), ("c", prose(30))]
    later = {
        "ids": [("a", text), ("c", edited(text, 30)), ("b", prose(30))],
        "fewer": rows[:2],
        "more": [*rows, ("d", "more")],
        "emptied": [("a", ""), *rows[1:]],
    }[change]
    reads = iter([rows, later])
    with pytest.raises(InputError, match="were not the same"):
        near_duplicates(lambda: batches(next(reads), 2)(), OverlapParams())


def test_an_error_while_reading_comes_through(prose: Prose) -> None:
    def read() -> Iterator[Batch]:
        yield Batch(["a"], pa.array([prose(20)]))
        raise InputError("row 2 is torn.", "Mend it.")

    with pytest.raises(InputError, match="torn"):
        near_duplicates(read, OverlapParams())


def test_progress_counts_bytes_and_texts_of_every_reading() -> None:
    seen: list[tuple[int, int]] = []
    near_duplicates(
        batches([("a", "字 b c d"), ("b", "字, b; c d"), ("c", None), ("d", "字 b c e")], 2),
        OverlapParams(shingle=1, **SURE),
        watch=lambda size, texts: seen.append((size, texts)),
    )
    assert seen == [(9 + 11, 2), (9, 2)] * 2


def test_few_batches_are_in_memory_at_once(prose: Prose) -> None:
    rows = [(f"t{place:02}", prose(10)) for place in range(60)]
    given, done = 0, 0
    ahead: list[int] = []

    def read() -> Iterator[Batch]:
        nonlocal given
        for batch in batches(rows, 2)():
            given += 1
            ahead.append(given - done)
            yield batch

    def watch(size: int, texts: int) -> None:
        nonlocal done
        done += 1

    near_duplicates(read, OverlapParams(), threads=2, watch=watch)
    assert given == done == 30
    assert max(ahead) <= 4

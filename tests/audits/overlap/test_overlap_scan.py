from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import longest_shared_run

from audits.overlap import scan as scanning
from audits.overlap.kernels.candidate_pairs import lighten, needed
from audits.overlap.kernels.index import build_index, find_hits
from audits.overlap.kernels.verify import verify
from audits.overlap.scan import read_side, scan
from storyaudit.data.tables import OVERLAPS
from storyaudit.errors import InputError
from storyaudit.io.row_batches import Batch
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.shingles import Shingles
from storyaudit.text.similarity import containment, jaccard, shingles
from storyaudit.text.words import words

Rows = list[tuple[str, str | None]]
Found = dict[tuple[str, str], tuple[float, float, int]]


def batches(rows: Rows, size: int = 3) -> Iterator[Batch]:
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        yield Batch([name for name, _ in part], pa.array([t for _, t in part], pa.large_string()))


def found_in(training: Rows, benchmark: Rows, size: int = 3, threads: int = 2, **params: object):
    table, _ = scan(
        read_side(batches(benchmark)),
        batches(training, size),
        OverlapParams(**params),
        threads=threads,
    )
    return table


def as_found(table: pd.DataFrame) -> Found:
    return {(row[0], row[1]): tuple(row[2:]) for row in table.itertuples(index=False)}


def windows(text: list[str], window: int) -> list[list[str]]:
    if len(text) <= window:
        return [text]
    starts = [start for start in range(0, len(text), window // 2) if start + window < len(text)]
    return [text[start : start + window] for start in [*starts, len(text) - window]]


def expected(training: Rows, benchmark: Rows, **params: object) -> Found:
    """Every pair, by sets of words."""
    known = OverlapParams(**params)
    found: Found = {}
    for left, left_text in benchmark:
        left_words = words(left_text or "")
        part = shingles(left_words, known.shingle)
        for right, right_text in training:
            best = max(
                windows(words(right_text or ""), known.window),
                key=lambda window: len(part & shingles(window, known.shingle)),
            )
            whole = shingles(best, known.shingle)
            if (share := containment(part, whole)) < known.min_containment:
                continue
            measures = (share, jaccard(part, whole), longest_shared_run(left_words, best))
            found[left, right] = max(found.get((left, right), measures), measures)
    return found


few_words = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=25).map(" ".join)
one_word = st.lists(st.just("a"), max_size=40).map(" ".join)
any_text = st.none() | few_words | one_word | st.text(max_size=12)
names = st.sampled_from(["n1", "n2", "n3", "n4", "n5", "n6"])
side = st.lists(st.tuples(names, any_text), max_size=6)
settings_of_a_scan = st.fixed_dictionaries(
    {
        "shingle": st.sampled_from([1, 2, 3]),
        "window": st.sampled_from([6, 7, 12, 50]),
        "min_containment": st.sampled_from([0.1, 1 / 3, 0.5]),
    }
)


@settings(max_examples=200, deadline=None)
@given(side, side, settings_of_a_scan, st.integers(1, 4), st.integers(1, 3))
def test_it_finds_what_all_pairs_by_sets_of_words_find(
    training: Rows, benchmark: Rows, params: dict[str, object], size: int, threads: int
) -> None:
    table = found_in(training, benchmark, size, threads, **params)
    assert as_found(table) == expected(training, benchmark, **params)


def prose(seed: int, count: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [f"w{number}" for number in rng.integers(0, 500, count).tolist()]


def test_injected_duplicates_edits_and_excerpts_are_found_with_their_measures() -> None:
    stories = [prose(seed, 300) for seed in range(5)]
    edited = [word if number % 20 else "new" for number, word in enumerate(stories[1])]
    benchmark = [(f"b{number}", " ".join(story)) for number, story in enumerate(stories)]
    training = [
        ("copy", "“" + ", ".join(stories[0]).upper() + "!”"),
        ("edited", " ".join(edited)),
        ("inside", " ".join(prose(10, 5000) + stories[2] + prose(11, 5000))),
        ("excerpt", " ".join(prose(12, 100) + stories[3][100:150] + prose(13, 100))),
        ("other", " ".join(prose(14, 300))),
    ]
    found = as_found(found_in(training, benchmark))
    assert found == expected(training, benchmark)
    assert set(found) == {
        ("b0", "copy"),
        ("b1", "edited"),
        ("b2", "inside"),
        ("b3", "excerpt"),
    }
    assert found["b0", "copy"] == (1.0, 1.0, 300)
    assert found["b2", "inside"][0] == 1.0
    assert found["b3", "excerpt"] == (46 / 296, pytest.approx(46 / (296 + 246 - 46)), 50)


def test_nothing_depends_on_threads_batches_or_the_order_of_rows() -> None:
    stories = [prose(seed, 60) for seed in range(12)]
    mixed = [
        stories[n] + stories[(n + 1) % 12][:30] + stories[(n + 5) % 12][:10] for n in range(12)
    ]
    training = [(f"t{number}", " ".join(text)) for number, text in enumerate(mixed)]
    benchmark = [(f"b{number}", " ".join(text)) for number, text in enumerate(stories)]
    first = found_in(training, benchmark, size=100, threads=1)
    assert len(first) > 20
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(12).tolist()
        other = found_in(
            [training[n] for n in order], [benchmark[n] for n in order], seed + 1, seed % 3 + 1
        )
        pd.testing.assert_frame_equal(first, other)


def test_pairs_come_the_strongest_first() -> None:
    story = prose(1, 50)
    training = [(f"t{n}", " ".join(story[: 10 * n] + prose(n + 5, 30))) for n in range(1, 6)]
    table = found_in([*training, ("a", training[-1][1])], [("b", " ".join(story))])
    assert table["right_id"].tolist() == ["a", "t5", "t4", "t3", "t2", "t1"]
    assert list(table.columns) == [
        c.name
        for c in OVERLAPS.columns
        if c.name in ("left_id", "right_id") or c.kind in ("float", "int")
    ]


@pytest.mark.parametrize(("others", "found"), [(9, True), (10, False), (8, True)])
def test_the_floor_belongs_to_what_is_reported(others: int, found: bool) -> None:
    # One of 1 + others shingles is shared.
    story = [f"s{number}" for number in range(5 + others)]
    training = [("t", " ".join([*story[:5], "x", "y"]))]
    table = found_in(training, [("b", " ".join(story))])
    assert len(table) == found


@pytest.mark.parametrize("floor", [0.1, 0.15, 0.29, 1 / 3, 0.5, 0.57, 0.58, 0.7, 1.0, 1e-9])
def test_the_needed_count_is_the_least_whose_quotient_reaches_the_floor(floor: float) -> None:
    counts = np.arange(0, 700)
    shingles_of_all = Shingles(np.empty(0, dtype=np.uint64), np.append(0, np.cumsum(counts)))
    need = needed(shingles_of_all, floor)
    assert need[0] == 1
    for count, least in zip(counts[1:].tolist(), need[1:].tolist(), strict=True):
        assert least == min(n for n in range(1, count + 1) if n / count >= floor)


def test_a_text_shorter_than_a_shingle_is_found_only_where_it_is_all() -> None:
    training = [("same", "Once, upon a"), ("longer", "once upon a time there was"), ("a", "once")]
    found = as_found(found_in(training, [("b", "once upon a")]))
    assert found == {("b", "same"): (1.0, 1.0, 3)}


def test_identical_benchmark_texts_are_looked_up_once_and_reported_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_up = []

    def counting(benchmark, *rest):
        looked_up.append(len(benchmark.starts) - 1)
        return verify(benchmark, *rest)

    monkeypatch.setattr(scanning, "verify", counting)
    story = " ".join(prose(3, 100))
    benchmark = [(f"b{number}", story.upper() if number % 2 else story) for number in range(3000)]
    table = found_in([("t", story), ("u", story)], [*benchmark, ("other", "x y z")])
    assert len(table) == 6000
    assert set(table["left_id"]) == {name for name, _ in benchmark}
    assert looked_up == [2]


def test_an_id_of_several_texts_counts_once_with_its_strongest_pair() -> None:
    story, other = prose(1, 40), prose(2, 40)
    benchmark = [("b", " ".join(other)), ("b", " ".join(story)), ("b", " ".join(story))]
    training = [("t", " ".join(story[:20] + other[:30])), ("t", " ".join(story)), ("t", None)]
    found = as_found(found_in(training, benchmark, size=1))
    assert found == {("b", "t"): (1.0, 1.0, 40)}


def test_stock_phrases_do_not_add_up_in_a_long_text() -> None:
    story = prose(1, 200)
    filler = prose(2, 8000)
    phrases = [story[n : n + 10] for n in range(0, 200, 10)]
    training = []
    for number, phrase in enumerate(phrases):  # 400 words of others between two phrases
        training += phrase + filler[400 * number : 400 * (number + 1)]
    rows = [("t", " ".join(training))]
    benchmark = [("b", " ".join(story))]
    assert len(found_in(rows, benchmark, window=2 * len(training))) == 1
    assert len(found_in(rows, benchmark, window=1000)) == 0
    near = as_found(found_in(rows, benchmark, window=4000))
    assert near == expected(rows, benchmark, window=4000)
    assert 0.1 < near["b", "t"][0] < 0.35


def stock_side(texts: int, phrases: int, held: int, own: int) -> tuple[list[list[str]], Rows]:
    """Return stock phrases of 8 words, and texts that hold some of them amid words of their own."""
    rng = np.random.default_rng(texts)
    stock = [[f"p{phrase}x{n}" for n in range(8)] for phrase in range(phrases)]
    rows: Rows = []
    for text in range(texts):
        parts = [[f"b{text}x{part}x{n}" for n in range(own)] for part in range(held)]
        chosen = rng.choice(phrases, held, replace=False).tolist()
        mixed = [word for part, p in zip(parts, chosen, strict=True) for word in part + stock[p]]
        rows.append((f"b{text}", " ".join(mixed)))
    return stock, rows


@pytest.mark.parametrize(
    ("own", "limit"),
    [
        (60, 16),  # every text needs more than its stock phrases: they are skipped at first
        (2, 128),  # they alone reach the need: nothing is skipped
    ],
)
def test_stock_phrases_in_hundreds_of_texts_change_no_result(
    own: int, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = []

    def seen(*args):
        limits.append(lighten(*args).common)
        return lighten(*args)

    monkeypatch.setattr(scanning, "lighten", seen)
    stock, benchmark = stock_side(300, 12, 3, own)
    rng = np.random.default_rng(1)
    all_stock = [word for phrase in stock for word in phrase]
    training = [("stock alone", " ".join(all_stock)), ("none", "other words than these there are")]
    for number in range(12):  # all stock phrases, and more and more of a text
        story = (benchmark[number * 20][1] or "").split()
        start = int(rng.integers(0, max(len(story) - 9 * number, 1)))
        part = story[start : start + 5 + 3 * number]
        training.append((f"t{number}", " ".join(all_stock + part + all_stock[:20])))
    for params in ({}, {"window": 70}, {"min_containment": 0.2}):
        found = as_found(found_in(training, benchmark, **params))
        assert found == expected(training, benchmark, **params)
        assert found
    assert limits[0] == limit


@pytest.mark.parametrize("stock_shared", [0, 3, 4])
@pytest.mark.parametrize("missing", [0, 1])
def test_a_text_at_its_need_is_found_whatever_part_of_it_is_common(
    stock_shared: int, missing: int
) -> None:
    # 100 texts of 80 shingles, 4 of them common: 8 shingles are needed, 4 without those.
    stock = [f"s{n}" for n in range(8)]
    benchmark = [(f"b{t}", " ".join(stock + [f"b{t}x{n}" for n in range(76)])) for t in range(100)]
    own = [f"b7x{n}" for n in range(76)]
    common = stock[: 4 + stock_shared] if stock_shared else []
    training = [("t", " ".join([*common, "x", *own[10 : 10 + 12 - stock_shared - missing]]))]
    found = as_found(found_in(training, benchmark))
    assert found == expected(training, benchmark)
    assert set(found) == (set() if missing else {("b7", "t")})


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([5, 17, 33, 70]), st.integers(1, 40))
def test_the_limit_of_common_shingles_is_the_least_that_leaves_every_text_a_need(
    seed: int, texts: int, most: int
) -> None:
    rng = np.random.default_rng(seed)
    frequent = rng.random(60) ** 2
    own = [np.flatnonzero(rng.random(60) < frequent).astype(np.uint64) for _ in range(texts)]
    need = rng.integers(1, most + 1, texts)
    index = build_index(Shingles(np.concatenate(own), np.cumsum([0, *map(len, own)])))
    times = np.bincount(np.concatenate(own).astype(np.int64), minlength=60)

    def left(limit: int) -> list[int]:
        held = [int((times[part.astype(np.int64)] > limit).sum()) for part in own]
        return (need - held).tolist()

    needs = lighten(index, need)
    assert needs.common == next(
        limit for limit in (16, 32, 64, 128) if all(n >= 1 for n in left(limit))
    )
    assert needs.light.tolist() == left(needs.common)
    assert needs.full.tolist() == need.tolist()


@pytest.mark.parametrize("length", [40, 41, 59, 60, 61, 79, 80, 81, 100, 9001])
def test_windows_start_half_a_window_apart_and_the_last_ends_with_the_text(length: int) -> None:
    # Distinct words: which shingles are shared tells which window it was.
    text = [f"w{number}" for number in range(length)]
    for start in {0, 10, 19, 20, 21, length - 40, length - 39, length - 20} & set(range(length)):
        benchmark = [("b", " ".join(text[start : start + 40]))]
        rows = [("t", " ".join(text))]
        params = {"window": 40, "min_containment": 0.01}
        assert as_found(found_in(rows, benchmark, **params)) == expected(rows, benchmark, **params)


def test_texts_longer_than_a_block_of_the_look_up_lose_nothing() -> None:
    text = prose(5, 13_000)
    for place in (4090, 4094, 4096, 8190, 12_990):
        benchmark = [("b", " ".join(text[place : place + 10]))]
        found = as_found(found_in([("t", " ".join(text))], benchmark))
        assert found["b", "t"][0] == 1.0


def test_texts_without_a_word_are_counted_and_compared_with_none() -> None:
    training: Rows = [("a", ""), ("b", None), ("c", " … !"), ("d", "a word")]
    table, empty = scan(
        read_side(batches([("x", ""), ("y", None), ("z", "a word")])),
        batches(training),
        OverlapParams(),
    )
    assert empty == 3
    assert as_found(table) == {("z", "d"): (1.0, 1.0, 2)}


@pytest.mark.parametrize("benchmark", [[], [("x", ""), ("y", None)]])
@pytest.mark.parametrize("training", [[], [("x", "some words"), ("y", "")]])
def test_sides_without_a_word_have_no_pair(training: Rows, benchmark: Rows) -> None:
    table = found_in(training, benchmark)
    assert len(table) == 0
    assert list(table.columns) == [
        "left_id",
        "right_id",
        "containment",
        "jaccard",
        "longest_common_substring",
    ]


def test_any_kind_of_arrow_text_will_do() -> None:
    story = " ".join(prose(1, 20))
    side = read_side([Batch(["b"], pa.array([story]))])
    for texts in (
        pa.array([story], pa.string()),
        pa.array([story], pa.large_string()),
        pa.array(["other", story, None], pa.large_string())[1:2],
        pa.chunked_array([[], [story]], pa.large_string()),
    ):
        table, _ = scan(side, [Batch(["t"], texts)], OverlapParams())
        assert as_found(table) == {("b", "t"): (1.0, 1.0, 20)}


def test_it_says_how_far_it_is() -> None:
    training = [("a", "día uno"), ("b", None), ("c", "x")]
    done: list[tuple[int, int]] = []
    side = read_side(batches([("b", "one two")]))
    scan(side, batches(training, 2), OverlapParams(), watch=lambda *now: done.append(now))
    assert done == [(len("día uno".encode()), 2), (1, 1)]


def test_too_many_pairs_are_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MOST_PAIRS", 8)
    rows = [(str(number), "the same words in all of them") for number in range(3)]
    with pytest.raises(InputError, match=r"8 overlapping pairs.*min_containment"):
        found_in(rows, rows)
    assert len(found_in(rows[:2], rows)) == 6


@pytest.mark.parametrize("good", [0, 1, 7])
def test_an_error_of_the_reader_ends_the_scan(good: int) -> None:
    def broken() -> Iterator[Batch]:
        yield from batches([(str(number), "a b c") for number in range(good)], 1)
        raise InputError("broken.", "Mend it.", file=Path("x.jsonl"), row=good + 1)

    with pytest.raises(InputError, match=f"row {good + 1}: broken"):
        scan(read_side(batches([("b", "a b c")])), broken(), OverlapParams())


def test_few_batches_are_read_ahead() -> None:
    read = 0
    done = 0

    def counted() -> Iterator[Batch]:
        nonlocal read
        for batch in batches([(str(number), "a b c") for number in range(20)], 1):
            read += 1
            assert read - done <= 3 + 1
            yield batch

    def watch(_: int, texts: int) -> None:
        nonlocal done
        done += texts

    scan(read_side(batches([("b", "a b c")])), counted(), OverlapParams(), threads=3, watch=watch)
    assert done == 20


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sets(st.integers(0, 9), max_size=6), max_size=5),
    st.sampled_from([0, 3, 50, 60]),  # hashes that differ in their last or their first bits
    st.lists(st.integers(0, 12), max_size=30),
)
def test_the_index_finds_what_is_there(
    texts: list[set[int]], shift: int, looked_up: list[int]
) -> None:
    hashes = [np.array(sorted(own), dtype=np.uint64) << np.uint64(shift) for own in texts]
    starts = np.cumsum([0, *map(len, hashes)])
    empty = np.empty(0, dtype=np.uint64)
    index = build_index(Shingles(np.concatenate([empty, *hashes]), starts))
    sought = np.array(looked_up, dtype=np.uint64) << np.uint64(shift)
    places = np.empty(len(sought), dtype=np.int64)
    found = np.empty(len(sought), dtype=np.uint32)
    hits = find_hits(sought, index, 5, places, found)
    held = {
        int(hashed): {n for n, own in enumerate(hashes) if hashed in own.tolist()}
        for hashed in {int(h) for own in hashes for h in own.tolist()}
    }
    there = [(5 + n, int(h)) for n, h in enumerate(sought.tolist()) if int(h) in held]
    assert places[:hits].tolist() == [place for place, _ in there]
    assert [
        set(index.texts[index.starts[entry] : index.starts[entry + 1]].tolist())
        for entry in found[:hits].tolist()
    ] == [held[hashed] for _, hashed in there]
    for start, stop in zip(index.starts, index.starts[1:], strict=False):
        own = index.texts[start:stop].tolist()
        assert own == sorted(set(own))


@pytest.mark.parametrize(
    "params",
    [
        {"window": 9},
        {"window": 1, "shingle": 1},
        {"permutations": 100},
        {"min_containment": 0.6},
        {"min_containment": 0.0},
        {"shingle": 0},
    ],
)
def test_params_that_do_not_fit_are_refused(params: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must|greater"):
        OverlapParams(**params)

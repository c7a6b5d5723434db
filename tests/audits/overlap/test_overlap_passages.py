"""Passages against a search by hand through words, over any text."""

import html
import random
from itertools import pairwise

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from audits.overlap import passages as module
from audits.overlap.passages import (
    COLUMNS,
    Passage,
    find_passages,
    passages,
    shortened,
    strongest,
)
from storyaudit.io.row_batches import Batch
from storyaudit.text.words import words

STORY = (
    "The ferryman counted his coins twice before the storm took the far bank, and when the girl "
    "asked for passage he named a price that nobody in the village had ever paid."
)
HOSTILE = (
    "=1+1 <script>alert(1)</script> \x1b[31m [bold]red[/bold] \u202egnp\u202c 'quoted', \r end"
)


def tiles(left: list[str], right: list[str], size: int, most: int) -> list[list[str]]:
    """The longest shared run among the words that are left, again and again."""
    if len(left) < size:
        return [left] if left and left == right else []
    runs = {tuple(right[i:j]) for i in range(len(right)) for j in range(i + size, len(right) + 1)}
    free = [True] * len(left)
    found: list[list[str]] = []
    while len(found) < most:
        fitting = [
            (i - j, i, j)
            for i in range(len(left))
            for j in range(i + size, len(left) + 1)
            if all(free[i:j]) and tuple(left[i:j]) in runs
        ]
        if not fitting:
            break
        _, start, stop = min(fitting)
        free[start:stop] = [False] * (stop - start)
        found.append(left[start:stop])
    return found


def said(found: list[Passage]) -> list[list[str]]:
    return [words(passage.left) for passage in found]


def batches(texts: dict[str, str | None], size: int = 2) -> list[Batch]:
    """Batches of so many texts each."""
    names = list(texts)
    return [
        Batch(part, pa.array([texts[name] for name in part], pa.large_string()))
        for part in (names[start : start + size] for start in range(0, len(names), size))
    ]


def id_pairs(*id_pairs: tuple[str, str]) -> pd.DataFrame:
    table = pd.DataFrame(id_pairs, columns=["left_id", "right_id"])
    return table.assign(containment=0.5)


few = st.lists(st.sampled_from(["a", "b", "c"]), max_size=12).map(" ".join)


@given(few, few, st.integers(1, 4), st.integers(1, 3))
@example("a a a a a a", "a a a", 2, 3)
@example("a b a b a b c", "b a b a c a b c", 2, 3)
def test_passages_are_the_longest_runs_one_after_another(
    left: str, right: str, size: int, most: int
) -> None:
    found = passages(left, right, size, most)
    assert said(found) == tiles(words(left), words(right), size, most)
    for passage in found:
        assert words(passage.right) == words(passage.left)
        assert len(words(passage.left)) == passage.tokens


anything = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


@given(anything, anything, anything, anything, anything)
@settings(deadline=None)
@example("x", "½ é e\u0301 café", "y", "中文。\ufe0f", "")
@example("x ", "don’t\u00ad stop\u200b", " ", "", "")
def test_what_is_cut_out_of_any_text_holds_the_same_words(
    shared: str, before: str, after: str, other: str, last: str
) -> None:
    left, right = f"{before} {shared} {after}", f"{other} {shared} {last}"
    for passage in passages(left, right, 1):
        assert passage.left == left[passage.left_start : passage.left_end]
        assert passage.right == right[passage.right_start : passage.right_end]
        # A character that is several words ('½') is cut out whole.
        assert len(words(passage.left)) >= passage.tokens
        assert len(words(passage.right)) >= passage.tokens
    if words(shared):
        most = max(passage.tokens for passage in passages(left, right, 1))
        assert most >= len(words(shared))


@given(st.lists(st.sampled_from(["word ", "中", "\n", "e\u0301", "é", "½", "’s ", "\u200b", "ｶﾞ"])))
@settings(deadline=None)
def test_parting_a_long_text_changes_no_word(pieces: list[str]) -> None:
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PART", 3)
        edges = module._edges(text)
    parts = [text[start:stop] for start, stop in pairwise(edges)]
    assert "".join(parts) == text
    assert [word for part in parts for word in words(part)] == words(text)


@pytest.mark.parametrize("filler", ["Nothing is said of it. ", "无事可说。", "a\u0301" * 60 + "\t"])
def test_a_story_inside_a_long_document_is_found_at_its_position(filler: str) -> None:
    document = filler * 3000 + STORY + filler * 3000
    (passage,) = passages(STORY, document, 5)
    start = document.index(STORY)
    assert (passage.right_start, passage.right_end) == (start, start + len(STORY) - 1)
    assert (passage.left_start, passage.left_end) == (0, len(STORY) - 1)
    assert passage.tokens == len(words(STORY))


def test_passages_are_as_many_as_asked_for_and_none_is_short() -> None:
    rows = [f"one{n} two{n} three{n} four{n} five{n}" for n in range(12)]
    left, right = " left ".join(rows), " right ".join(reversed(rows))
    found = passages(left, right, 5)
    assert said(found) == [row.split() for row in rows[:10]]
    assert passages(left, right, 6) == []


@pytest.mark.parametrize(
    ("left", "right", "runs"),
    [
        ("one two", "One, two!", [["one", "two"]]),  # as a whole
        ("one two", "zero one two three", []),
        ("", "", []),
        ("…", "…", []),
        ("ha " * 300, "ha " * 200, [["ha"] * 200, ["ha"] * 100]),
    ],
)
def test_short_empty_and_repetitive_texts(left: str, right: str, runs: list[list[str]]) -> None:
    found = passages(left, right, 5)
    assert [passage.tokens for passage in found] == [len(run) for run in runs]


def test_long_passages_lose_their_middle() -> None:
    text = "".join(chr(0x4E00 + n) for n in range(1000))
    (passage,) = passages(text, text, 5)
    assert len(passage.left) == len(passage.right) == 300
    head, tail = passage.left.split("…")
    assert text.startswith(head)
    assert text.endswith(tail)
    assert passage.left_end == 1000
    assert shortened(text, 10, 310) == text[10:310]


def test_the_strongest_pairs_by_containment_then_run_then_id() -> None:
    rows = [("b", "t2", 0.5, 9), ("a", "t1", 0.5, 9), ("c", "t3", 0.5, 12), ("d", "t4", 0.9, 7)]
    table = pd.DataFrame(
        rows, columns=["left_id", "right_id", "containment", "longest_common_substring"]
    )
    for seed in range(5):
        shuffled = table.sample(frac=1, random_state=seed)
        assert strongest(shuffled, 3)["left_id"].tolist() == ["d", "c", "a"]


def test_texts_are_fetched_by_id_in_the_order_of_the_pairs() -> None:
    benchmark = {"b1": STORY, "b2": "six words that stand here too", "b3": None, "b4": "unused"}
    training = {
        "t1": None,
        "t2": f"Before. {STORY}",
        "t3": "here: six words that stand here too",
        "t4": "nothing",
    }
    pairs = id_pairs(("b2", "t3"), ("b1", "t2"), ("b3", "t1"), ("b1", "absent"), ("b1", "t4"))
    table = find_passages(pairs, batches(benchmark), batches(training), 5)
    assert list(table.columns) == list(COLUMNS)
    assert table[["left_id", "right_id", "passage"]].to_numpy().tolist() == [
        ["b2", "t3", 1],
        ["b1", "t2", 1],
    ]
    assert table["tokens"].tolist() == [6, len(words(STORY))]
    assert table["right_start"].tolist() == [6, 8]
    assert table["right"].tolist() == ["six words that stand here too", STORY[:-1]]
    bare = find_passages(pairs, batches(benchmark), batches(training), 5, texts=False)
    assert list(bare.columns) == list(COLUMNS[:-2])
    pd.testing.assert_frame_equal(bare, table[list(COLUMNS[:-2])])


def test_of_an_id_of_several_texts_those_that_share_most_are_shown() -> None:
    lefts = ["an opening of seven words or so", STORY, STORY]
    rights = ["an opening of seven words or so, and much else that is not shared", STORY, "nothing"]
    pairs = id_pairs(("b", "t"))
    tables = []
    for seed in range(4):
        random.Random(seed).shuffle(rights)  # noqa: S311
        random.Random(seed).shuffle(lefts)  # noqa: S311
        sides = [[Batch([name], pa.array([text], pa.string())) for text in texts]
                 for name, texts in (("b", lefts), ("t", rights))]  # fmt: skip
        tables.append(find_passages(pairs, *sides, 5))
        pd.testing.assert_frame_equal(tables[0], tables[-1])
    assert tables[0]["left"].tolist() == [STORY[:-1]]


def test_hostile_text_comes_back_unchanged() -> None:
    (passage,) = passages(f"a {HOSTILE} b", f"c {HOSTILE} d", 5)
    assert passage.left == passage.right
    assert passage.left in HOSTILE
    assert "&lt;script&gt;" in html.escape(passage.left)


def test_no_pair_and_no_text() -> None:
    assert find_passages(id_pairs(), [], [], 5).empty
    assert list(find_passages(id_pairs(), [], [], 5, texts=False).columns) == list(COLUMNS[:-2])
    assert find_passages(id_pairs(("b", "t")), [], batches({"t": STORY}), 5).empty

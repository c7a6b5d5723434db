"""Tokens against the words of the reference, and its hash in Python."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st
from plain_measures import token_hash

from storyaudit.text import codepoints, tokens
from storyaudit.text.tokens import tokenise
from storyaudit.text.words import words

NASTY = st.text(
    st.sampled_from(
        "a1Zß'’＇‘-_. \0\n\u00ad\u200b\u200c\u200d\u2060\ufeffİŉǅﬁſΣςΐᾳKÅ\u0301\u0307\u0308\u0323"
        "\u0338\u0345\u0bd7\u093cक्षมไｶﾞが中々ー〇가각\u1100\u1161\u11a8½⑴㍿\ufdfa…—“´=🙂\ufe0f"
        "\ud800\udc00\U000e0100\U0010ffff"
    )
)
ANY = st.text() | st.text(st.characters()) | NASTY


def expected(texts):
    return [[token_hash(word) for word in words(text or "")] for text in texts]


def split(found):
    hashes, starts = found.hashes.tolist(), found.starts.tolist()
    assert found.hashes.dtype == np.uint64
    assert found.starts.dtype == np.int64
    assert starts[0] == 0
    assert starts[-1] == len(hashes)
    return [hashes[first:last] for first, last in pairwise(starts)]


@given(st.lists(ANY | st.none(), max_size=5))
@example(["rock ’n’ roll", "rock'n'roll'", "''a''b''", "a'\u0301b", "中'中", "a'中", "a\u00ad'b"])
@example(["e\u00ad\u0301", "a", "\u0301a", None, "", "㍿", "x"])
@example(["don’t" * 30, "caf\u00e9", "cafe\u0301", "\u1100\u1161\u11a8", "각"])
@example(["a\ud800b", "\ud83d\ude00", "\ud800\u0338"])
def test_tokens_are_the_words_of_the_reference(texts):
    assert split(tokenise(texts)) == expected(texts)


@given(st.lists(NASTY.map(lambda text: text.encode("utf-8", "replace").decode()), max_size=5))
def test_arrow_texts_have_the_same_tokens(texts):
    assert split(tokenise(pa.array(texts, pa.string()))) == expected(texts)


@pytest.fixture(scope="module")
def characters():
    """All assigned characters: those that need no neighbours looked at, then the others."""
    found = regex.findall(r"[\P{Cn}--[\p{Co}\p{Cs}]]", every_character(), regex.VERSION1)
    kinds = codepoints.folding().codes[list(map(ord, found))] >> 24
    parted = [
        [character for character, kind in zip(found, kinds, strict=True) if (kind >= 7) == complex_]
        for complex_ in (False, True)
    ]
    assert sum(map(len, parted)) > 140_000
    return parted


def every_character():
    return "".join(map(chr, range(0x110000)))


@pytest.mark.parametrize("form", ["{}", "a{0}b{0}"])
def test_every_assigned_character_agrees_with_the_reference(characters, form):
    for some in characters:
        texts = [
            " ".join(form.format(character) for character in some[first : first + 100])
            for first in range(0, len(some), 100)
        ]
        assert split(tokenise(texts)) == expected(texts)


def test_characters_that_python_normalises_one_by_one(characters):
    texts = [
        form.format(character) for character in characters[1] for form in ("{}", "a{}b", "中{}")
    ]
    assert split(tokenise(texts)) == expected(texts)


STORIES = ["It’s “late” …", None, "", "Ünï cafe\u0301", "中文 abc", "x"]


@pytest.mark.parametrize(
    "array",
    [
        pa.array(STORIES, pa.string()),
        pa.array(STORIES, pa.large_string()),
        pa.array(STORIES, pa.string_view()),
        pa.array(STORIES).dictionary_encode(),
        pa.array(["before", *STORIES, "after"])[1:-1],
        pa.array(["before", *STORIES, "after"], pa.large_string())[1:-1],
        pa.chunked_array([STORIES[:2], [], STORIES[2:]], pa.string()),
        pa.chunked_array([STORIES], pa.large_string()),
        tuple(STORIES),
    ],
    ids=str,
)
def test_all_kinds_of_arrays(array):
    assert split(tokenise(array)) == expected(STORIES)


@pytest.mark.parametrize(
    ("empty", "texts"),
    [
        ([], 0),
        (pa.array([], pa.string()), 0),
        (pa.chunked_array([], pa.string()), 0),
        (pa.array(["a", "b"])[1:1], 0),
        (pa.nulls(3), 3),
        (pa.nulls(3, pa.large_string()), 3),
        (pa.array(["", ""]), 2),
        ([None, "", " …\0"], 3),
    ],
    ids=str,
)
def test_no_words(empty, texts):
    assert split(tokenise(empty)) == [[]] * texts


def test_what_lies_under_a_null_is_not_read():
    offsets = pa.py_buffer(np.array([0, 3, 6], dtype=np.int32))
    valid = pa.py_buffer(bytes([0b10]))
    array = pa.Array.from_buffers(pa.string(), 2, [valid, offsets, pa.py_buffer(b"oneTWO")])
    assert split(tokenise(array)) == expected([None, "two"])


@pytest.mark.parametrize("array", [pa.array([1, 2]), pa.array([["a"]]), pa.array([b"a"])], ids=str)
def test_other_arrays_are_refused(array):
    with pytest.raises(TypeError, match="no type of text"):
        tokenise(array)


@given(st.lists(st.binary(max_size=12), min_size=1, max_size=3))
@example([b"abc\xe4"])
@example([b"\xf4\xff\xff\xff"])
@example([b"\xff\xfe", b"\x80", b"\xcc\x81\xf0"])
def test_bytes_that_are_no_utf8_do_no_harm(contents):
    offsets = np.cumsum([0, *map(len, contents)]).astype(np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(contents))]
    found = split(tokenise(pa.Array.from_buffers(pa.string(), len(contents), buffers)))
    for content, hashes in zip(contents, found, strict=True):
        assert len(hashes) <= len(content)
        if content.isascii():
            assert hashes == expected([content.decode()])[0]


def test_a_broken_text_does_not_reach_into_the_next():
    offsets = pa.py_buffer(np.array([0, 1, 3], dtype=np.int32))
    content = pa.py_buffer("中".encode())
    assert split(tokenise(pa.Array.from_buffers(pa.string(), 2, [None, offsets, content]))) == [
        [],
        [],
    ]


@pytest.mark.parametrize("content", [b"\xf7\xbf\xbf\xbf", b"\xff\xbf\xbf\xbf", b"\x80\x80\x80\x80"])
def test_there_is_no_code_point_beyond_the_tables(content):
    assert tokens._decoded(np.frombuffer(content, dtype=np.uint8), 0, 4) == (0, 1)


def test_the_kernel_stops_where_there_may_be_no_room():
    data, offsets = tokens._encoded(["a b c", "d e", "½½½", "f"])
    room = np.zeros(20, dtype=np.uint64)
    starts = np.zeros(5, dtype=np.int64)
    tables = codepoints.folding()
    assert tokens._fill(data, offsets, 0, *tables, room[:10], starts) == (2, 5, False)
    assert starts.tolist() == [0, 3, 5, 0, 0]
    assert not room[5:].any()


@pytest.mark.parametrize("room", [1, 2, 7, 40])
def test_the_room_of_the_kernel_does_not_show(monkeypatch, room):
    texts = [
        "one two three",
        "",
        "cafe\u0301",
        "a",
        "a b c d e f g h",
        None,
        "中文",
        "㍿",
        "½½½ z",
    ] * 3
    monkeypatch.setattr(tokens, "_ROOM", room)
    assert split(tokenise(texts)) == expected(texts)


def test_many_threads_at_once():
    texts = [f"{word}’s İ {word}\u0301 中" for word in range(300)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(tokenise, [texts] * 8))
    assert all(split(one) == expected(texts) for one in found)


def test_a_long_text_without_a_space():
    length = 2_000_000
    assert split(tokenise(["x" * length])) == [[token_hash("x" * length)]]
    assert len(tokenise(["中" * length]).hashes) == length
    assert len(tokenise(["a'" * length]).hashes) == 1


def test_hashes_tell_words_apart():
    numbers = [str(number) for number in range(100_000)]
    letters = [a + b + c for a in "abcdefgh" for b in "aé中’\u0301x" for c in "abßcdz'"]
    repeated = ["ab" * count for count in range(1, 3000)] + [
        "a" * count for count in range(1, 3000)
    ]
    different = {*numbers, *letters, *repeated, "", "'"}
    hashes = np.array([token_hash(word) for word in different], dtype=np.uint64)
    assert len(np.unique(hashes)) == len(different)
    assert len(np.unique(hashes & np.uint64(0xFFFFFFFFFF))) > 0.999 * len(different)

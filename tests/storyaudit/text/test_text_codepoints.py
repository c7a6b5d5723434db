import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.text import codepoints
from storyaudit.text.words import normalise, words

FOLDING = codepoints.folding().codes >> 24
JOINING = set(np.flatnonzero(FOLDING == codepoints.COMPLEX).tolist())


def becomes(character):
    """Return what the tables say a character is normalised to; separators as spaces."""
    codes, several = codepoints.folding()
    code = int(codes[ord(character)])
    if code >> 24 == codepoints.SEVERAL:
        place = code & 0xFFFFFF
        packed = several[place + 1 : place + 1 + several[place]].tolist()
    else:
        packed = [code]
    text = ""
    for code in packed:
        if code >> 24 in (codepoints.MARK, codepoints.SINGLE, codepoints.LETTER):
            text += chr(code & 0xFFFFFF)
        elif code >> 24 != codepoints.IGNORED:
            text += "'" if code >> 24 == codepoints.APOSTROPHE else " "
    return text


@pytest.mark.parametrize(
    ("character", "kind", "text"),
    [
        ("a", codepoints.LETTER, "a"),
        ("A", codepoints.LETTER, "a"),
        ("7", codepoints.LETTER, "7"),
        ("É", codepoints.LETTER, "é"),
        ("Ｗ", codepoints.LETTER, "w"),
        ("ς", codepoints.LETTER, "σ"),
        ("ǅ", codepoints.SEVERAL, "dž"),
        ("ß", codepoints.SEVERAL, "ss"),
        ("ŉ", codepoints.SEVERAL, "ʼn"),
        ("ﬁ", codepoints.SEVERAL, "fi"),
        ("½", codepoints.SEVERAL, "1 2"),
        ("'", codepoints.APOSTROPHE, "'"),
        ("’", codepoints.APOSTROPHE, "'"),
        ("＇", codepoints.APOSTROPHE, "'"),
        ("‘", codepoints.SEPARATOR, " "),
        ("…", codepoints.SEPARATOR, " "),
        ("´", codepoints.SEPARATOR, " "),  # a space and an accent on nothing
        (" ", codepoints.SEPARATOR, " "),
        ("\0", codepoints.SEPARATOR, " "),
        ("\ud800", codepoints.SEPARATOR, " "),
        ("\U0010ffff", codepoints.SEPARATOR, " "),
        ("🙂", codepoints.SEPARATOR, " "),
        ("\ufe0f", codepoints.MARK, "\ufe0f"),
        ("\u200d", codepoints.MARK, "\u200d"),
        ("\u00ad", codepoints.IGNORED, ""),
        ("\ufeff", codepoints.IGNORED, ""),
        ("中", codepoints.SINGLE, "中"),
        ("の", codepoints.SINGLE, "の"),
        ("각", codepoints.SINGLE, "각"),
    ],
)
def test_what_a_code_point_is_and_becomes(character, kind, text):
    assert FOLDING[ord(character)] == kind
    assert becomes(character) == text


@pytest.mark.parametrize("character", "\u0301\u0338\u0345\u093c\u094d\u1161\u11a8\u3099ﾞ")
def test_what_moves_before_or_joins_with_a_neighbour_is_complex(character):
    assert FOLDING[ord(character)] == codepoints.COMPLEX


@pytest.mark.parametrize("character", "㍿\ufdfa")
def test_more_words_than_bytes_are_known_for_it(character):
    assert FOLDING[ord(character)] == codepoints.MANY
    assert len(words(character)) > len(character.encode())


@given(st.text().filter(lambda text: JOINING.isdisjoint(map(ord, text[1:]))))
def test_a_text_is_its_code_points_normal_forms(text):
    assert normalise(text) == "".join(map(normalise, text))


def test_all_that_composes_is_complex():
    """By Unicode's own list: what is a later part of a canonical decomposition, and marks."""
    for point in range(0x30000):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) > 1 and not parts[0].startswith("<"):
            assert int(parts[1], 16) in JOINING
        if unicodedata.combining(chr(point)):
            assert point in JOINING


def test_normalised_text_is_taken_as_it_is():
    codes = codepoints.normalised().codes
    letters = [codepoints.LETTER << 24 | ord("A"), codepoints.MARK << 24 | 0x301]
    assert codes[[ord("A"), 0x301]].tolist() == letters
    assert not codes.flags.writeable

"""Plain counterparts of compiled code, for tests to compare with."""

from collections.abc import Sequence
from difflib import SequenceMatcher


def longest_shared_run(left: Sequence[str], right: Sequence[str]) -> int:
    """The length in words of the longest run that stands in both texts."""
    matcher = SequenceMatcher(None, list(left), list(right), autojunk=False)
    return matcher.find_longest_match().size


def token_hash(word: str) -> int:
    """The 64-bit hash of a word: a multiplication and a shift for every character."""
    hashed = 0x9E3779B97F4A7C15
    for character in word:
        hashed = ((hashed ^ ord(character)) * 0xD6E8FEB86659FD93) % 2**64
        hashed ^= hashed >> 32
    return hashed

"""Which two stories make no pair."""

import hashlib
from collections import Counter
from functools import lru_cache

from storyaudit.text.similarity import jaccard, shingles
from storyaudit.text.words import words

SHINGLE = 5
"""Words of the shingles by which two stories are near-duplicates."""


@lru_cache(maxsize=2**18)
def measured(text: str) -> tuple[str, int]:
    """Return a short key, the same for texts of the same words, and how many words there are.

    The key of a text without words is ''.
    """
    found = words(text)
    key = hashlib.sha256(" ".join(found).encode()).hexdigest()[:24] if found else ""
    return key, len(found)


def text_key(text: str) -> str:
    """Return a text's key, see ``measured``."""
    return measured(text)[0]


class PairFilter:
    """Lets through what may make a pair, and counts the rest by method and reason.

    A text pair makes one pair at most, whatever the method and the premise: so no pair is
    stated twice, and none in reverse.

    Attributes:
        dropped: '<method>.<reason>' and how often.
    """

    def __init__(self, near_copy_from: float) -> None:
        self.dropped: Counter[str] = Counter()
        self._near_copy_from = near_copy_from
        self._used: set[tuple[str, ...]] = set()

    def drop(self, method: str, reason: str) -> None:
        """Count something that makes no pair."""
        self.dropped[f"{method}.{reason}"] += 1

    def has_words(self, method: str, text: str) -> bool:
        """Return whether a story has a word."""
        if not text_key(text):
            self.drop(method, "no_words")
        return bool(text_key(text))

    def differ(self, method: str, left: str, right: str) -> bool:
        """Return whether two texts are no near-duplicates of each other."""
        left_shingles, right_shingles = (shingles(words(text), SHINGLE) for text in (left, right))
        similar = jaccard(left_shingles, right_shingles) >= self._near_copy_from
        if similar:
            self.drop(method, "near_copy")
        return not similar

    def lets_through(self, method: str, left: str, right: str) -> bool:
        """Return whether two texts may make a pair: see ``claim`` and ``differ``."""
        return self.claim(method, left, right) and self.differ(method, left, right)

    def claim(self, method: str, left: str, right: str) -> bool:
        """Return whether two texts have words, are not the same, and make no pair so far.

        They count as used from then on.
        """
        if not (self.has_words(method, left) and self.has_words(method, right)):
            return False
        text_pair = tuple(sorted((text_key(left), text_key(right))))
        if text_pair[0] == text_pair[1]:
            self.drop(method, "same_text")
            return False
        if text_pair in self._used:
            self.drop(method, "used_before")
            return False
        self._used.add(text_pair)
        return True

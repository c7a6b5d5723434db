"""Similarity of two texts, exact, as lists of words."""

from collections.abc import Sequence


def shingles(words: Sequence[str], size: int) -> frozenset[tuple[str, ...]]:
    """Return the distinct runs of ``size`` words.

    A text shorter than that is one shingle, its whole; an empty text has none. Thus short texts
    are similar only if they are equal.
    """
    if not words:
        return frozenset()
    if len(words) < size:
        return frozenset([tuple(words)])
    return frozenset(zip(*(words[start:] for start in range(size)), strict=False))


def containment(part: frozenset[tuple[str, ...]], whole: frozenset[tuple[str, ...]]) -> float:
    """Return the proportion of ``part``'s shingles in ``whole`` (Broder 1997); 0 if none."""
    return len(part & whole) / len(part) if part else 0.0


def jaccard(left: frozenset[tuple[str, ...]], right: frozenset[tuple[str, ...]]) -> float:
    """Return the shared shingles over all shingles of both (Broder 1997); 0 if there are none."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0

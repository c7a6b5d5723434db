"""Exact measures between two texts, as lists of words."""

from collections.abc import Sequence


def shingles(words: Sequence[str], size: int) -> frozenset[tuple[str, ...]]:
    """Return the distinct runs of ``size`` words.

    A text shorter than that is one shingle, its whole; an empty text has none. Thus short texts
    are alike only if they are equal.
    """
    if not words:
        return frozenset()
    if len(words) < size:
        return frozenset([tuple(words)])
    return frozenset(zip(*(words[start:] for start in range(size)), strict=False))


def containment(part: frozenset[tuple[str, ...]], whole: frozenset[tuple[str, ...]]) -> float:
    """Return the share of ``part``'s shingles that stand in ``whole`` (Broder 1997); 0 if none."""
    return len(part & whole) / len(part) if part else 0.0


def jaccard(left: frozenset[tuple[str, ...]], right: frozenset[tuple[str, ...]]) -> float:
    """Return the shared shingles over all shingles of both (Broder 1997); 0 if there are none."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0


def longest_shared_run(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length in words of the longest run that stands in both texts."""
    ends: dict[str, list[int]] = {}
    for index, word in enumerate(right):
        ends.setdefault(word, []).append(index)
    longest = 0
    running: dict[int, int] = {}
    for word in left:
        current = {index: running.get(index - 1, 0) + 1 for index in ends.get(word, ())}
        longest = max(longest, max(current.values(), default=0))
        running = current
    return longest

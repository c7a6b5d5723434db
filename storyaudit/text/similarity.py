"""How alike two texts are, exactly, as lists of words."""

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
    """Return the length in words of the longest run that stands in both texts.

    By a suffix automaton of the shorter text (Blumer et al. 1985): linear in both lengths, also
    where a word is repeated without end.
    """
    if len(left) > len(right):
        left, right = right, left
    following, suffix, length = _suffix_automaton(left)
    longest = state = run = 0
    for word in right:
        while state and word not in following[state]:
            state = suffix[state]
            run = length[state]
        if word in following[state]:
            state = following[state][word]
            run += 1
        longest = max(longest, run)
    return longest


def _suffix_automaton(
    words: Sequence[str],
) -> tuple[list[dict[str, int]], list[int], list[int]]:
    """Return, for each state, the states that follow by a word, its suffix link and its length."""
    following: list[dict[str, int]] = [{}]
    suffix, length = [-1], [0]
    last = 0
    for word in words:
        state = len(length)
        following.append({})
        length.append(length[last] + 1)
        suffix.append(0)
        before = last
        while before != -1 and word not in following[before]:
            following[before][word] = state
            before = suffix[before]
        if before != -1:
            after = following[before][word]
            if length[before] + 1 == length[after]:
                suffix[state] = after
            else:
                clone = len(length)
                following.append(dict(following[after]))
                length.append(length[before] + 1)
                suffix.append(suffix[after])
                while before != -1 and following[before].get(word) == after:
                    following[before][word] = clone
                    before = suffix[before]
                suffix[after] = suffix[state] = clone
        last = state
    return following, suffix, length

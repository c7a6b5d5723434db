"""Pairs within buckets of texts, and what two texts share."""

import numpy as np
from numpy.typing import NDArray

from storyaudit.text.compiled import compiled


@compiled
def bucket_pairs(
    order: NDArray[np.int64],
    sizes: NDArray[np.int64],
    reach: NDArray[np.int64],
    count: int,
    out: NDArray[np.int64],
) -> None:
    """Write left * count + right of each bucket's pairs; the first ``reach`` pair with all."""
    begin = place = 0
    for bucket in range(len(sizes)):
        for left in range(reach[bucket]):
            for right in range(left + 1, sizes[bucket]):
                out[place] = order[begin + left] * count + order[begin + right]
                place += 1
        begin += sizes[bucket]


@compiled
def shared_hashes(
    hashes: NDArray[np.uint64],
    starts: NDArray[np.int64],
    pairs: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Count the hashes that two ascending runs share, for each pair of runs."""
    for pair in range(len(pairs)):
        left, right = starts[pairs[pair, 0]], starts[pairs[pair, 1]]
        left_end, right_end = starts[pairs[pair, 0] + 1], starts[pairs[pair, 1] + 1]
        count = 0
        while left < left_end and right < right_end:
            mine, theirs = hashes[left], hashes[right]
            count += mine == theirs
            left += mine <= theirs
            right += theirs <= mine
        out[pair] = count

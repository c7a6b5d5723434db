"""Preference pairs to features: what the linear model learns from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.linear.features import CHUNK, features
from pipeline.reward.linear.ngrams import Hashes
from pipeline.reward.linear.reward_settings import Settings


@dataclass(frozen=True)
class PairFeatures:
    """Features of pairs, one a row.

    Attributes:
        settings: how they were made.
        differences: sparse, those of the chosen story less those of the rejected, times the sign.
            Behind the buckets' columns stand those of style, stored in every row, and filled in
            by each fit anew: how style is standardised depends on the pairs trained on.
        signs: 1 and −1 in turn. The solver wants two classes of rows; a pair turned round, with
            the other label, leaves the likelihood as it is.
        chosen: style of the chosen stories, raw.
        rejected: style of the rejected stories, raw.
        truncated: of the chosen and of the rejected stories, whether the end was not read.
    """

    settings: Settings
    differences: Any
    signs: NDArray[np.float64]
    chosen: NDArray[np.float64]
    rejected: NDArray[np.float64]
    truncated: NDArray[np.bool_]


def pair_features(
    premises: Sequence[str], chosen: Sequence[str], rejected: Sequence[str], settings: Settings
) -> PairFeatures:
    """Return the features of pairs of texts, one chosen and one rejected on each premise.

    A story is read once where pairs that share it stand near each other. The matrix grows chunk by
    chunk in place: at StoryAlign's size there is no room for a second one beside the texts.
    """
    from scipy.sparse import csr_matrix

    hashes = Hashes()
    data, indices = np.empty(0), np.empty(0, dtype="int32")
    signs = np.where(np.arange(len(premises)) % 2 == 0, 1.0, -1.0)
    ends, styles, truncated = [np.zeros(1, dtype="int64")], [], []
    for start in range(0, len(premises), CHUNK):
        chunk = slice(start, start + CHUNK)
        place: dict[tuple[str, str], int] = {}
        left, right = (
            [place.setdefault(both, len(place)) for both in zip(*texts, strict=True)]
            for texts in ((premises[chunk], chosen[chunk]), (premises[chunk], rejected[chunk]))
        )
        found = features([p for p, _ in place], [s for _, s in place], settings, hashes)
        rows = _with_room(found.ngrams[left] - found.ngrams[right], found.style.shape[1])
        rows.data *= np.repeat(signs[chunk], np.diff(rows.indptr))
        filled = len(data)
        data.resize(filled + rows.nnz, refcheck=False)
        indices.resize(filled + rows.nnz, refcheck=False)
        data[filled:], indices[filled:] = rows.data, rows.indices
        ends.append(filled + rows.indptr[1:].astype("int64"))
        styles.append(np.stack([found.style[left], found.style[right]]))
        truncated.append(np.stack([found.truncated[left], found.truncated[right]]))
    width = 2**settings.buckets_log2 + styles[0].shape[2]
    matrix = csr_matrix((data, indices, np.concatenate(ends)), shape=(len(premises), width))
    chosen_style, rejected_style = np.concatenate(styles, axis=1)
    return PairFeatures(
        settings, matrix, signs, chosen_style, rejected_style, np.concatenate(truncated, axis=1)
    )


def _with_room(differences: Any, columns: int) -> Any:
    """Return the matrix with so many further columns, stored in every row."""
    from scipy.sparse import csr_matrix, hstack

    if not columns:
        return differences
    return hstack([differences, csr_matrix(np.ones((differences.shape[0], columns)))], format="csr")

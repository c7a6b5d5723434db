"""Correction of p values for their number."""

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for their number (Holm 1979); of none, none.

    The i-th smallest of m becomes the largest of min(1, (m − j + 1) p_j) over j ≤ i.
    (statsmodels' multipletests gives the same, and collects all garbage at every call.)
    """
    values = np.array(p_values)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    corrected = np.empty(len(values))
    corrected[order] = np.minimum(1, np.maximum.accumulate(steps))
    return [float(p) for p in corrected]

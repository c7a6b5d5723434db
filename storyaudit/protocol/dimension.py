"""The dimension that sets an item's chosen story apart (StoryAlign, equations 3–5)."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rule = Literal["mean_gap", "margin", "variance", "priority", "unscored"]
_EQUAL = 1e-9  # sums of rounded scores that are equal on paper can differ in the last bit


class Dimension(NamedTuple):
    """The dimension, and the rule that decided it."""

    dimension: str
    rule: Rule


def distinguishing_dimension(
    chosen: NDArray[np.float64],
    rejected: NDArray[np.float64],
    dimensions: Sequence[str],
    *,
    tolerance: float,
    priority: Sequence[str],
) -> Dimension:
    """Return the dimension on which the chosen story stands out.

    First the largest mean gap, chosen minus the mean of the rejected; among the dimensions within
    ``tolerance`` of it, the largest margin over the strongest rejected; then the smallest
    (population) variance among the rejected; then the order of ``priority``, which the paper does
    not print.

    Args:
        chosen: mean score over judges, one a dimension.
        rejected: the same for each rejected story: one row a dimension, one column a story.
        dimensions: the names, in the rows' order.
        tolerance: in points of the scores' scale; 0.5 in the paper.
        priority: all the names, the most important first.

    Raises:
        ValueError: ``priority`` does not name the same dimensions.
    """
    if sorted(priority) != sorted(dimensions):
        raise ValueError(f"the priority order {priority} must name {dimensions}")
    gap = chosen - rejected.mean(axis=1)
    left = np.flatnonzero(gap >= gap.max() - tolerance - _EQUAL)
    if len(left) == 1:
        return Dimension(dimensions[left[0]], "mean_gap")
    margin = chosen - rejected.max(axis=1)
    left = left[margin[left] >= margin[left].max() - _EQUAL]
    if len(left) == 1:
        return Dimension(dimensions[left[0]], "margin")
    variance = rejected.var(axis=1)
    left = left[variance[left] <= variance[left].min() + _EQUAL]
    if len(left) == 1:
        return Dimension(dimensions[left[0]], "variance")
    names = {dimensions[index] for index in left}
    return Dimension(next(name for name in priority if name in names), "priority")

"""What is said of an agreement, of who decided and of how far it can be told."""

from storyaudit.stats.estimate import FEWEST, Estimate

PAIR = 2


def deciders(annotators: int) -> str:
    """Return who decided the items that two or more of so many annotators decided."""
    return "two annotators" if annotators == PAIR else f"two or more of {annotators} annotators"


def caution(estimate: Estimate, items: int) -> str:
    """Return what must be said of an agreement whose value by chance is zero, and its interval."""
    if items < FEWEST:
        return f" Fewer than {FEWEST} items are too few for an interval, or to rely on."
    how = " Intervals: bootstrap of items"
    if estimate.low is None:
        return f"{how}; none where resampled items are all alike, or often hold one answer only."
    if estimate.not_above(0):
        below = estimate.high is not None and estimate.high < 0
        return f" Agreement is {'below chance' if below else 'not told from chance'}.{how}."
    return f"{how}."

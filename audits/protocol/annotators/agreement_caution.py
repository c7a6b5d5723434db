"""What is said of an agreement: who decided, against chance, and by which interval."""

from storyaudit.phrasing import NOT_SIGNIFICANT, SIGNIFICANT
from storyaudit.stats.estimate import Estimate

PAIR = 2


def deciders(annotators: int) -> str:
    """Return who decided the items that two or more of so many annotators decided."""
    return "two annotators" if annotators == PAIR else f"two or more of {annotators} annotators"


def against_chance(measure: str, estimate: Estimate) -> str:
    """Return whether an agreement that is zero by chance differs from it; '' without an interval.

    Args:
        measure: its name, the subject of the sentence.
        estimate: its value and interval.
    """
    if estimate.low is None or estimate.high is None:
        return ""
    if estimate.high < 0:
        return f" {measure} is {SIGNIFICANT}ly below chance."
    how = SIGNIFICANT if estimate.above(0) else NOT_SIGNIFICANT
    return f" {measure} is {how}ly above chance."

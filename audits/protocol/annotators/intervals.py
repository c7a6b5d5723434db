"""Estimates over items, with intervals where there are items enough."""

from audits.protocol.bias.effects import FEWEST_ITEMS
from audits.protocol.bias.within import Array
from audits.ratings.estimates import Estimate
from storyaudit.bootstrap import percentile_interval

PAIR = 2


def over_items(value: float, samples: Array, items: int, confidence: float) -> Estimate:
    """Return an estimate with its percentile interval; from fewer than ten items without one."""
    if items < FEWEST_ITEMS:
        return Estimate(value)
    return Estimate(value, *percentile_interval(samples, confidence))


def percent(estimate: Estimate) -> str:
    """Return a share for a sentence."""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.0%} (interval cannot be told)"
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"


def deciders(annotators: int) -> str:
    """Return who decided the items that two or more of so many annotators decided."""
    return "two annotators" if annotators == PAIR else f"two or more of {annotators} annotators"


def caution(estimate: Estimate, items: int) -> str:
    """Return what must be said of an agreement whose value by chance is zero, and its interval."""
    if items < FEWEST_ITEMS:
        return f" Fewer than {FEWEST_ITEMS} items are too few for an interval, or to rely on."
    how = " Intervals: bootstrap of items"
    if estimate.low is None:
        return f"{how}; none where resampled items are all alike, or often hold one answer only."
    if not_above_chance(estimate):
        below = estimate.high is not None and estimate.high < 0
        return f" Agreement is {'below chance' if below else 'not told from chance'}.{how}."
    return f"{how}."


def not_above_chance(estimate: Estimate) -> bool:
    """Return whether there is an interval, and it does not lie above zero."""
    return estimate.low is not None and estimate.low <= 0

"""Design effects: how much less than independent values clustered ones weigh."""

from storyaudit.stats.estimate import Array, Estimate


def kish_design_effect(correlation: Estimate, size: float) -> Estimate:
    """Return 1 + (m − 1)ρ, the variance of a mean of clusters over that of a simple sample.

    Kish 1965; its interval is that of ρ.

    Args:
        correlation: ρ of two values of one cluster (``storyaudit.stats.intraclass``).
        size: m, values a cluster.
    """
    low, high = correlation.low, correlation.high
    return Estimate(
        1 + (size - 1) * correlation.value,
        None if low is None else 1 + (size - 1) * low,
        None if high is None else 1 + (size - 1) * high,
    )


def seeds_design_effect(*parts: Array) -> float:
    """Return the variance of items' means over seeds, as a share of that of a single answer.

    Both are pooled over the parts: the mean square within them, over p(1 − p). It lies between
    1 / s for s seeds that are right and wrong independently, and 1 for seeds that all agree.
    With no variation, or no more items than parts, it is 1.
    """
    items, seeds = sum(map(len, parts)), parts[0].shape[1]
    by_item = [part.mean(axis=1) for part in parts]
    squares = float(sum(((means - means.mean()) ** 2).sum() for means in by_item))
    single = float(sum(len(means) * means.mean() * (1 - means.mean()) for means in by_item))
    if single <= 0 or items <= len(parts):
        return 1.0
    share = squares / (items - len(parts)) / (single / items)
    return float(min(1.0, max(1 / seeds, share)))

"""Figures over premises as clauses, and whether they lie above chance."""

from collections.abc import Callable

from storyaudit.phrasing import NOT_SIGNIFICANT, SIGNIFICANT, estimated, no_bootstrap_ci, percent
from storyaudit.stats.clustered_means import ClusteredMean
from storyaudit.stats.estimate import Estimate

BEST = "best by the raters' mean"
UNIT = "premises"


def shown(
    found: ClusteredMean,
    confidence: float,
    phrased: Callable[[float], str] = percent,
    *,
    unit: str = "",
) -> str:
    """Return a mean with its interval over premises, or why there is none."""
    reason = no_bootstrap_ci(found.clusters, UNIT)
    return estimated(found.estimate, confidence, phrased, no_ci=reason, unit=unit)


def resampled(*means: ClusteredMean) -> str:
    """Return the unit of resampling, as a sentence; '' where no mean has an interval."""
    if all(found.estimate.low is None for found in means):
        return ""
    return f" Bootstrap over {UNIT}."


def above_chance(found: Estimate, chance: float) -> str:
    """Return chance, and whether an estimate is significantly above it, as a clause."""
    if found.low is None or found.high is None:
        return f"chance {percent(chance)}"
    if found.high < chance:
        return f"{SIGNIFICANT}ly below chance ({percent(chance)})"
    how = SIGNIFICANT if found.above(chance) else NOT_SIGNIFICANT
    return f"{how}ly above chance ({percent(chance)})"

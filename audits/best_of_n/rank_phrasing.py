"""How estimates over pools are phrased in findings' sentences."""

from collections.abc import Callable

from storyaudit.findings import counted
from storyaudit.phrasing import estimated, no_bootstrap_ci
from storyaudit.stats.estimate import FEWEST, Estimate


def estimate_of(
    found: Estimate,
    pools: int,
    confidence: float,
    shown: Callable[[float], str],
    *,
    unit: str = "",
) -> str:
    """Return an estimate with its interval; with too few pools alone, as ``resampled`` says why."""
    if pools < FEWEST:
        return f"{shown(found.value)} {unit}".rstrip()
    no_ci = no_bootstrap_ci(pools, "pools")
    return estimated(found, confidence, shown, no_ci=no_ci, unit=unit)


def resampled(pools: int, seeds: int = 0) -> str:
    """Return over what intervals are, or why there are none, as a sentence.

    Args:
        pools: that were resampled.
        seeds: of the model; 0 where there is none.
    """
    of_seeds = f", {counted(seeds, 'seed')}" if seeds else ""
    if pools < FEWEST:
        return f"Over {counted(pools, 'pool')}{of_seeds}; {no_bootstrap_ci(pools, 'pools')}."
    return f"Bootstrap over {pools} pools{of_seeds}."

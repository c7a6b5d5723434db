"""Which net win rates so many pools can detect."""

from collections.abc import Sequence

from audits.best_of_n.matches import Result
from storyaudit.findings import Finding, Number, counted
from storyaudit.phrasing import level, unsigned_points
from storyaudit.stats.estimate import FEWEST, rounded
from storyaudit.stats.net_win_rate import comparisons_for, detectable_net_win_rate

POWER = 0.8
SMALL = 0.2
"""A net win rate of 20 points: of ten picks six win and four lose."""


def power_finding(pools: int, results: Sequence[Result], *, confidence: float) -> Finding:
    """Return the minimum detectable net win rate of so many pools.

    Args:
        pools: with a final ranking.
        results: of the matches.
        confidence: of the intervals.
    """
    if pools < FEWEST:
        return Finding(
            id="pools",
            severity="warn",
            statement=f"No CI: {counted(pools, 'pool has', 'pools have')} a final ranking, and a "
            f"CI needs {FEWEST}. The results describe these pools alone.",
            numbers={"pools": pools, "fewest": FEWEST},
        )
    net, enough = (
        detectable_net_win_rate(pools, confidence, POWER),
        comparisons_for(SMALL, confidence, POWER),
    )
    widths = [
        (result.net.high - result.net.low) / 2
        for result in results
        if result.net.low is not None and result.net.high is not None
    ]
    statement = (
        f"With {pools} pools the minimum detectable net win rate is {unsigned_points(net)} points "
        f"({level(POWER)} power, {level(confidence)} confidence). This holds for two models with "
        f"one seed that never pick the same story. To detect {unsigned_points(SMALL)} points, "
        f"{enough} pools are needed."
    )
    numbers: dict[str, Number] = {
        "pools": pools,
        "minimum_detectable_net_win_rate": rounded(net),
        "power": POWER,
        f"pools_for_{100 * SMALL:.0f}_points": enough,
        "confidence": confidence,
    }
    if widths:
        ends = dict.fromkeys(unsigned_points(width) for width in (min(widths), max(widths)))
        statement += (
            f" Half-widths of the CIs here: {' to '.join(ends)} points. Shared picks and averages "
            f"over seeds narrow them."
        )
        numbers |= {
            "half_width_least": rounded(min(widths)),
            "half_width_most": rounded(max(widths)),
        }
    return Finding(id="pools", severity="note", statement=statement, numbers=numbers)

"""What so many pools can show."""

from collections.abc import Sequence

from audits.best_of.matches import Result
from storyaudit.findings import Finding, Number, counted
from storyaudit.stats.estimate import FEWEST, rounded
from storyaudit.stats.net_win_rate import comparisons_for, detectable_net_win_rate

POWER = 0.8
SMALL = 0.2
"""A net of 20 points: of ten picks six win and four lose."""


def power_finding(pools: int, results: Sequence[Result], *, confidence: float) -> Finding:
    """Return how large a difference must be for so many pools to show it.

    Args:
        pools: with a ranking that stands.
        results: of the matches.
        confidence: of the intervals.
    """
    if pools < FEWEST:
        return Finding(
            id="pools",
            severity="warn",
            statement=f"{counted(pools, 'pool is', 'pools are')} too few for intervals (at least "
            f"{FEWEST}): nothing here can be told of other pools.",
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
        f"With {pools} pools, two models with one seed that never pick the same story must differ "
        f"by {100 * net:.0f} points of wins less losses to be told apart in four of five such "
        f"studies; {100 * SMALL:.0f} points take {enough} pools."
    )
    numbers: dict[str, Number] = {
        "pools": pools,
        "visible_net": rounded(net),
        "power": POWER,
        f"pools_for_{100 * SMALL:.0f}_points": enough,
        "confidence": confidence,
    }
    if widths:
        statement += (
            f" The intervals here reach {100 * min(widths):.0f} to {100 * max(widths):.0f} points "
            f"to either side: less where models often pick the same story or several seeds are "
            f"averaged."
        )
        numbers |= {
            "half_width_least": rounded(min(widths)),
            "half_width_most": rounded(max(widths)),
        }
    return Finding(id="pools", severity="note", statement=statement, numbers=numbers)

"""How large a net win rate so many paired comparisons can show."""

from math import ceil, sqrt
from statistics import NormalDist


def detectable_net_win_rate(comparisons: int, confidence: float, power: float) -> float:
    """Return the net win rate that so many comparisons show with a given power.

    The net win rate is the proportion of wins less that of losses. Without ties a comparison gives
    1 or −1, with variance 1 − net²; the rate must be as large as the sum of the two normal
    quantiles times the standard error (Cohen 1988).

    Args:
        comparisons: independent ones, at least one.
        confidence: of the two-sided interval that is to exclude zero.
        power: probability that it does.
    """
    quantiles = _quantiles(confidence, power)
    return quantiles / sqrt(comparisons + quantiles**2)


def comparisons_for(net: float, confidence: float, power: float) -> int:
    """Return how many comparisons show a net win rate; the inverse of ``detectable_net_win_rate``.

    Args:
        net: above 0.
        confidence: of the two-sided interval.
        power: probability that it excludes zero.
    """
    return ceil(_quantiles(confidence, power) ** 2 * (1 / net**2 - 1))


def _quantiles(confidence: float, power: float) -> float:
    normal = NormalDist()
    return normal.inv_cdf((1 + confidence) / 2) + normal.inv_cdf(power)

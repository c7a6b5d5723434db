from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from storyaudit.stats.net_win_rate import comparisons_for, detectable_net_win_rate


@pytest.mark.parametrize("comparisons", [24, 100, 400])
def test_a_detectable_net_is_significant_as_often_as_stated(comparisons: int) -> None:
    # Of comparisons that are won or lost, net ± 1.96 SE excludes zero with probability 0.8.
    net = detectable_net_win_rate(comparisons, 0.95, 0.8)
    rng = np.random.default_rng(4)
    wins = rng.binomial(comparisons, (1 + net) / 2, 40_000)
    nets = 2 * wins / comparisons - 1
    half = NormalDist().inv_cdf(0.975) * np.sqrt((1 - nets**2) / comparisons)
    assert (nets > half).mean() == pytest.approx(0.8, abs=0.08)
    assert comparisons_for(net, 0.95, 0.8) in (comparisons, comparisons + 1)


def test_by_hand() -> None:
    quantiles = 1.959964 + 0.841621
    assert detectable_net_win_rate(24, 0.95, 0.8) == pytest.approx(
        quantiles / sqrt(24 + quantiles**2)
    )
    assert comparisons_for(0.2, 0.95, 0.8) == 189  # 7.849 · 24 = 188.4

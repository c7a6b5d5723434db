import numpy as np
import pytest

from storyaudit.protocol.ranking import route

# One of six pairs is discordant: tau is (5 − 1) / 6.
TWO_THIRDS = [[1, 2, 3, 4], [2, 1, 3, 4]]
# Two of ten pairs are discordant: (8 − 2) / 10.
SIX_TENTHS = [[1, 2, 3, 4, 5], [2, 1, 4, 3, 5]]
# Of ten pairs of judges six agree wholly, and four at 0, three of six pairs being discordant.
SIX_TENTHS_OF_FIVE = [*[[1, 2, 3, 4]] * 4, [1, 4, 3, 2]]


@pytest.mark.parametrize(
    ("scores", "threshold", "way", "tau"),
    [
        (TWO_THIRDS, 0.6, "confirmation", 4 / 6),
        (TWO_THIRDS, 0.7, "complete_ranking", 4 / 6),
        # 'Below' the threshold, not at it.
        (SIX_TENTHS, 0.6, "confirmation", 0.6),
        (SIX_TENTHS_OF_FIVE, 0.6, "confirmation", 0.6),
        (SIX_TENTHS, 0.61, "complete_ranking", 0.6),
        # The judges agree, but nobody is first alone.
        ([[1, 2, 3, 3], [1, 2, 3, 3]], 0.6, "complete_ranking", 1),
        # A tie further down leaves a first to confirm.
        ([[1, 1, 2, 3], [1, 1, 2, 3]], 0.6, "confirmation", 1),
        # Means of 0.1 and 0.2 and of 0.15 and 0.15: first places that are tied on paper.
        ([[0.1, 0.15], [0.2, 0.15]], -1.0, "complete_ranking", -1),
        # Judges who rank nothing send the item to people.
        ([[5, 5], [5, 5]], 0.6, "complete_ranking", 0),
    ],
)
def test_route(scores, threshold, way, tau):
    found, average = route(np.array(scores, dtype=float), tau_threshold=threshold)
    assert found == way
    assert average == pytest.approx(tau)

import numpy as np
import pytest

from storyaudit.protocol.ranking import route

# One of six pairs is discordant: tau is (5 − 1) / 6.
TWO_THIRDS = [[1, 2, 3, 4], [2, 1, 3, 4]]


@pytest.mark.parametrize(
    ("scores", "threshold", "way", "tau"),
    [
        (TWO_THIRDS, 0.6, "confirmation", 4 / 6),
        (TWO_THIRDS, 0.7, "complete_ranking", 4 / 6),
        (TWO_THIRDS, 4 / 6, "confirmation", 4 / 6),  # 'below' the threshold, not at it
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

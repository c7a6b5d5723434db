"""The scale that scores really use."""

from collections.abc import Mapping

from audits.claims.computations import Data, Named


def scores_off_scale(data: Data, low: float, high: float) -> int | None:
    """Return how many scores lie below or above the ends of a scale."""
    if data.ratings is None:
        return None
    scores = data.ratings["score"]
    return int(((scores < low) | (scores > high)).sum())


SCALE: Mapping[str, Named] = {"scores_off_scale": Named(scores_off_scale, columns=("score",))}

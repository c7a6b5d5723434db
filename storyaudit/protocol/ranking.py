"""Which annotation route gives an item its ranking: complete ranking, or confirmation."""

import numpy as np
from numpy.typing import NDArray

from storyaudit.protocol.judge_agreement import tau_average
from storyaudit.vocabulary import BY_CONFIRMATION, BY_RANKING, Route


def route(overall: NDArray[np.float64], *, tau_threshold: float) -> tuple[Route, float]:
    """Return how an LLM–LLM item is ranked, and its ``tau_avg`` (StoryAlign, section 2.2).

    Below the threshold annotators rank all candidates. Otherwise an annotator confirms the ranking
    by mean overall; where the first place of that ranking is tied there is nothing to confirm, and
    annotators rank as well (the paper does not say).

    Args:
        overall: overall scores, one row a judge, one column a story.
        tau_threshold: 0.6 in the paper.
    """
    tau = tau_average(overall)
    means = np.sort(overall.mean(axis=0))
    tied_first = means[-1] - means[-2] < 1e-9
    return (BY_RANKING if tau < tau_threshold or tied_first else BY_CONFIRMATION), tau

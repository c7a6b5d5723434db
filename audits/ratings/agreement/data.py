"""What agreement is computed from."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.findings import Number
from storyaudit.phrasing import decimal, estimated
from storyaudit.stats.bootstrap import MOST_UNDEFINED, percentile_ci
from storyaudit.stats.estimate import Array, Estimate


@dataclass(frozen=True)
class Ratings:
    """What agreement is computed from.

    Attributes:
        rows: usable rows of the ratings table.
        pairs: ``rater_pairs`` of them.
        totals: totals of complete rating rows.
        weights: bootstrap samples of stories, one row a sample, one column a story by name.
        confidence: of every interval.
    """

    rows: pd.DataFrame
    pairs: pd.DataFrame
    totals: pd.DataFrame
    weights: NDArray[np.float64]
    confidence: float

    def story(self, table: pd.DataFrame) -> NDArray[np.int64]:
        """Return each row's story as a column of ``weights``."""
        names = np.unique(self.rows["story_id"].to_numpy(dtype=str))
        return np.searchsorted(names, table["story_id"].to_numpy(dtype=str))

    def how(self) -> dict[str, Number]:
        """Return what every finding says of its intervals."""
        return {
            "confidence": self.confidence,
            "resamples": len(self.weights),
            "stories": self.weights.shape[1],
            "unit": "story",
        }

    @property
    def bootstrap(self) -> str:
        """What was resampled, behind an interval: ', bootstrap over 12 stories'."""
        stories = self.weights.shape[1]
        return f", bootstrap over {stories} stories" if stories > 1 else ""

    def estimate(self, value: float, samples: Array) -> Estimate:
        """Return a statistic with its percentile interval over stories."""
        return Estimate(value, *percentile_ci(samples, self.confidence))

    def phrased(self, value: float, samples: Array) -> str:
        """Return a statistic with its interval, or with the reason why there is none."""
        found = self.estimate(value, samples)
        return estimated(found, self.confidence, decimal, no_ci=self._no_ci(samples))

    def _no_ci(self, samples: Array) -> str:
        if self.weights.shape[1] == 1:
            return "no CI: a single story"
        if np.isfinite(samples).mean() < 1 - MOST_UNDEFINED:
            return f"no CI: undefined in more than {100 * MOST_UNDEFINED:g} % of bootstrap samples"
        return "no CI: no variation between stories"

"""What agreement is computed from."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.findings import Number


@dataclass(frozen=True)
class Ratings:
    """What agreement is computed from.

    Attributes:
        rows: usable rows of the ratings table.
        pairs: ``rater_pairs`` of them.
        sheets: complete sheets' totals.
        weights: bootstrap samples of stories, one row a sample, one column a story by name.
        confidence: of every interval.
    """

    rows: pd.DataFrame
    pairs: pd.DataFrame
    sheets: pd.DataFrame
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

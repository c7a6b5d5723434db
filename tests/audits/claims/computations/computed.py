"""Small tables for the tests of computations, and how a ledger calls one."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from audits.claims.computations import Data
from audits.claims.computations.all_computations import COMPUTATIONS

Cell = tuple[str, str, str, str, float]
"""rater, story, author, item, score"""


def ratings(cells: Sequence[Cell], groups: Mapping[str, str] | None = None) -> Data:
    table = pd.DataFrame(cells, columns=["rater", "story_id", "author", "item", "score"])
    if groups is not None:
        table["group"] = table["story_id"].map(dict(groups))
    return Data(ratings=table.astype({"score": "float64"}))


def facts(**columns: Sequence[Any]) -> Data:
    return Data(stories=pd.DataFrame(columns))


def drawn(seed: int, *, raters: int = 4, stories: int = 9, items: int = 3, top: int = 6) -> Data:
    """Every rater scores every story of three authors; whole scores, weakly correlated."""
    rng = np.random.default_rng(seed)
    cells: list[Cell] = []
    for story in range(stories):
        quality = rng.integers(0, top)
        for rater in range(1, raters + 1):
            for item in range(1, items + 1):
                score = float(np.clip(quality + rng.integers(-2, 3), 0, top))
                cells.append((str(rater), f"s{story}", "abc"[story % 3], str(item), score))
    return ratings(cells)


def compute(computation: str, data: Data, **arguments: Any) -> Any:
    """The value by the stated method, after the check of arguments that a ledger gets."""
    named = COMPUTATIONS[computation]
    assert named.misfit(arguments) == ""
    return named.compute(data, **arguments)


def otherwise(computation: str, data: Data, **arguments: Any) -> dict[str, Any]:
    """The values by the other conventions."""
    conventions = COMPUTATIONS[computation].conventions
    return {name: function(data, **arguments) for name, function in conventions.items()}

"""What reward each run gives each story of a pool."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.best_of_n.pools import Pools
from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY
from storyaudit.stats.estimate import Array


def ranked_places(pools: Pools) -> NDArray[np.bool_]:
    """Return which ranks each pool's final ranking has: pools × ranks."""
    most = max((len(order) for order in pools.finals.values()), default=0)
    lengths = [len(pools.finals.get(item, ())) for item in pools.stories]
    exists: NDArray[np.bool_] = np.arange(most) < np.array(lengths)[:, None]
    return exists


def placed_rewards(scores: pd.DataFrame, runs: pd.DataFrame, pools: Pools) -> Array:
    """Return the rewards, runs × pools × ranks, NaN where there is none."""
    exists = ranked_places(pools)
    rewards = np.full((len(runs), *exists.shape), np.nan)
    place = pd.DataFrame(
        [
            (item, story, pool, rank)
            for pool, item in enumerate(pools.stories)
            for rank, story in enumerate(pools.finals.get(item, ()))
        ],
        columns=["item_id", "story_id", "pool", "place"],
    )
    placed = scores.merge(place, on=CANDIDATE_KEY).merge(runs.assign(run=runs.index), on=RUN_KEY)
    rewards[placed["run"], placed["pool"], placed["place"]] = placed["reward"]
    return rewards

"""What reward each run gives each story of a pool."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.best_of.pools import Pools
from audits.best_of.rows import left_out
from storyaudit.estimates import Array
from storyaudit.findings import Finding
from storyaudit.selection import RUN


def usable_scores(
    scores: pd.DataFrame, pools: Pools, command: str
) -> tuple[pd.DataFrame, list[Finding]]:
    """Return the rows that say something; a reward that contradicts another becomes missing."""
    key = [*RUN, "item_id", "story_id"]
    scores = scores.sort_values([*key, "reward"], ignore_index=True)
    lacking = scores[key].isna().any(axis=1)
    named = scores[~lacking].astype({"seed": "int64"})
    twice = named.duplicated(key)
    places = [(item, story) for item, pool in pools.stories.items() for story in pool]
    known = pd.MultiIndex.from_frame(named[["item_id", "story_id"]]).isin(places)
    findings = [
        *left_out(
            "scores-complete",
            "scores lack a variant, a model, a seed, a pool or a story; they are left out",
            scores.loc[lacking, key],
            len(scores),
            command,
        ),
        *left_out(
            "scores-once",
            "scores repeat the reward of a run for a story; where they contradict an earlier one "
            "the run has no reward for it",
            named.loc[twice, [*key, "reward"]],
            len(scores),
            command,
        ),
        *left_out(
            "scores-strays",
            "scores are for a story that is no candidate of the pool; they are left out",
            named.loc[~known, key],
            len(scores),
            command,
        ),
    ]
    distinct = named.drop_duplicates([*key, "reward"])
    contradicted = distinct.duplicated(key, keep=False)
    distinct["reward"] = distinct["reward"].mask(contradicted)
    return distinct.drop_duplicates(key), findings


def ranked_places(pools: Pools) -> NDArray[np.bool_]:
    """Return which places each pool's standing ranking has: pools × places."""
    most = max((len(order) for order in pools.finals.values()), default=0)
    lengths = [len(pools.finals.get(item, ())) for item in pools.stories]
    exists: NDArray[np.bool_] = np.arange(most) < np.array(lengths)[:, None]
    return exists


def placed_rewards(scores: pd.DataFrame, runs: pd.DataFrame, pools: Pools) -> Array:
    """Return the rewards, runs × pools × places, NaN where there is none."""
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
    placed = scores.merge(place, on=["item_id", "story_id"]).merge(
        runs.assign(run=runs.index), on=RUN
    )
    rewards[placed["run"], placed["pool"], placed["place"]] = placed["reward"]
    return rewards

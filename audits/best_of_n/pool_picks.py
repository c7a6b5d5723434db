"""Which story of each pool a run picks: the one with the highest reward."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.best_of_n.pools import Pools
from audits.best_of_n.rewards import placed_rewards, ranked_places
from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY
from storyaudit.findings import Finding, left_out
from storyaudit.phrasing import agreeing
from storyaudit.results.selection import model_names
from storyaudit.results.usable_scores import valid_scores
from storyaudit.stats.estimate import Array


class Picks(NamedTuple):
    """What models pick from the pools.

    Attributes:
        models: names: the variant, with the model where a variant has several.
        chances: for each model, with what probability each seed picks each rank of the final
            ranking: seeds × pools × ranks, the best rank first. Stories that tie for the highest
            reward are equally likely. All zero where a seed picks nothing, for want of a reward or
            of a ranking.
    """

    models: list[str]
    chances: list[Array]

    def by_pool(self, model: int) -> Array:
        """Return a model's chances summed over seeds: pools × ranks."""
        summed: Array = self.chances[model].sum(axis=0)
        return summed


def picks(scores: pd.DataFrame, pools: Pools) -> tuple[Picks, list[Finding]]:
    """Return what each run picks, and findings on rewards that cannot be used.

    A run picks from a pool only if it has a finite reward for each of its stories.

    Args:
        scores: the scores table of the pools, valid or not.
        pools: those pools.
    """
    places = [(item, story) for item, pool in pools.stories.items() for story in pool]
    findings, usable = valid_scores(scores, pd.DataFrame(places, columns=CANDIDATE_KEY))
    # A run whose every row is unusable is among the models that cannot be checked.
    named = scores[RUN_KEY].dropna().astype({"seed": "int64"})
    runs = named.drop_duplicates().sort_values(RUN_KEY, ignore_index=True)
    rewards = placed_rewards(usable, runs, pools)
    exists = ranked_places(pools)
    known = np.isfinite(rewards)
    complete = np.asarray((known | ~exists).all(axis=2)) & exists.any(axis=1)
    highest = np.where(known, rewards, -np.inf).max(axis=2, keepdims=True, initial=-np.inf)
    top: NDArray[np.bool_] = known & (rewards == highest) & complete[:, :, None]
    shared = top.sum(axis=2, keepdims=True)
    chances = np.divide(top, shared, out=np.zeros(top.shape), where=shared > 0)
    findings += _missing(complete, exists, known, runs, pools)
    findings += _equal(complete, exists, shared[:, :, 0], runs)
    models = runs[["variant", "model"]].drop_duplicates()
    keys = list(zip(models["variant"], models["model"], strict=True))
    of_model = [
        chances[((runs["variant"] == variant) & (runs["model"] == model)).to_numpy()]
        for variant, model in keys
    ]
    return Picks(model_names(keys), of_model), findings


def _missing(
    complete: NDArray[np.bool_],
    exists: NDArray[np.bool_],
    known: NDArray[np.bool_],
    runs: pd.DataFrame,
    pools: Pools,
) -> list[Finding]:
    """Return a warning on the pools of which some run has not every reward."""
    ranked = exists.any(axis=1)
    run, pool = np.nonzero(~complete & ranked)
    rows = runs.iloc[run].assign(
        item_id=np.array([*pools.stories], dtype="object")[pool],
        without_reward=(exists & ~known).sum(axis=2)[run, pool],
    )
    total = int(ranked.sum()) * len(runs)
    combinations = "combination" if total == 1 else "combinations"
    return left_out(
        "rewards-missing",
        f"{combinations} of pool and run {agreeing(len(rows), total, 'lacks', 'lack')} a finite "
        f"reward of some story. The run picks nothing there",
        rows,
        total,
        "warn",
    )


def _equal(
    complete: NDArray[np.bool_],
    exists: NDArray[np.bool_],
    shared: NDArray[np.int64],
    runs: pd.DataFrame,
) -> list[Finding]:
    """Return a warning on runs that reward all stories of some pool equally."""
    equal = (complete & (shared == exists.sum(axis=1))).sum(axis=1)
    rows = runs.assign(equal_pools=equal, pools=complete.sum(axis=1))[equal > 0]
    return left_out(
        "rewards-equal",
        f"runs {agreeing(len(rows), len(runs), 'gives', 'give')} all stories of some pool the same "
        f"reward and {agreeing(len(rows), len(runs), 'picks', 'pick')} at random there",
        rows,
        len(runs),
        "warn",
    )

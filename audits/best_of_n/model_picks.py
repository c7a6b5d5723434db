"""How good the stories are that a model picks, by the final ranking of the pool."""

import numpy as np

from audits.best_of_n.pool_picks import Picks
from audits.best_of_n.pools import Pools
from audits.best_of_n.rank_phrasing import estimate_of, resampled
from storyaudit.findings import Finding, Unchecked, counted, slugs
from storyaudit.phrasing import decimal, level, percent, tenths
from storyaudit.stats.bootstrap import bootstrap_ratio
from storyaudit.stats.estimate import Array, rounded


def model_findings(
    picks: Picks, pools: Pools, counts: Array, *, confidence: float
) -> list[Finding | Unchecked]:
    """Return each model's mean rank, gain over a random pick, and hits of the top story.

    A model's rank in a pool is its mean over seeds.

    Args:
        picks: what the models pick.
        pools: from these pools.
        counts: how often each pool is in each bootstrap sample, samples × pools.
        confidence: of every interval.
    """
    stories = np.array([len(pool) for pool in pools.stories.values()], dtype="float64")
    return [
        _model(name, slug, chances, stories, counts, confidence)
        if chances.any()
        else Unchecked(
            id=f"model-{slug}",
            check=f"picks of {name}",
            reason="no ranked pool has its reward for every story",
        )
        for name, slug, chances in zip(
            picks.models, slugs(picks.models), picks.chances, strict=True
        )
    ]


def best_model(picks: Picks) -> str:
    """Return the model whose picks have the least mean rank; of equals the first."""
    able = [n for n, chances in enumerate(picks.chances) if chances.any()]
    best = min(able, key=lambda n: round(_mean(mean_ranks(picks.chances[n])), 9))
    return picks.models[best]


def _mean(by_pool: Array) -> float:
    return float(by_pool[by_pool > 0].mean())


def mean_ranks(chances: Array) -> Array:
    """Return the mean rank of a model's picks in each pool, over its seeds.

    Args:
        chances: seeds × pools × ranks, or pools × ranks; see ``Picks``.

    Returns:
        One a pool; 0 where the model picks nothing.
    """
    by_pool = chances.reshape(-1, *chances.shape[-2:]).sum(axis=0)
    sizes = by_pool.sum(axis=1)
    totals = by_pool @ np.arange(1.0, by_pool.shape[1] + 1)
    means: Array = np.divide(totals, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    return means


def _model(
    name: str, slug: str, chances: Array, stories: Array, counts: Array, confidence: float
) -> Finding:
    by_pool = chances.sum(axis=0)
    sizes = by_pool.sum(axis=1)
    present = (sizes > 0.5).astype("float64")
    pools, made = int(present.sum()), round(float(sizes.sum()))
    of_picks = mean_ranks(chances)
    rank = bootstrap_ratio(of_picks, present, counts).estimate(confidence)
    regret = bootstrap_ratio(of_picks - present, present, counts).estimate(confidence)
    gain = bootstrap_ratio(((stories + 1) / 2 - of_picks) * present, present, counts).estimate(
        confidence
    )
    hits = bootstrap_ratio(by_pool[:, 0], sizes, counts).estimate(confidence)
    rank_chance = float(((stories + 1) / 2) @ present / pools)
    hit_chance = float((sizes / stories).sum() / sizes.sum())
    single = chances.max(axis=2) > 1 - 1e-9
    sure = int((chances[:, :, 0] > 1 - 1e-9).sum())
    shared = int(((chances[:, :, 0] > 0) & ~single).sum())
    tied = made - int(single.sum())
    spread = _spread(chances)
    seeds = len(chances)
    statement = (
        f"{name}: the picks have mean rank {estimate_of(rank, pools, confidence, tenths)} in the "
        f"final ranking (1 at best, {tenths(rank_chance)} by chance). Gain over a random pick: "
        f"{estimate_of(gain, pools, confidence, tenths, unit='ranks')}."
    )
    if gain.low is not None and not gain.excludes_zero():
        statement += f" Not significant ({level(confidence)} CI includes 0)."
    statement += f" The top story is picked in {sure} of {counted(made, 'case')}"
    if shared:
        statement += f", and ties for the highest reward in {shared} more"
    statement += (
        f": {estimate_of(hits, pools, confidence, percent)}, {percent(hit_chance)} by chance."
    )
    if tied:
        statement += (
            f" Ties for the highest reward count as equally likely picks ({counted(tied, 'pick')})."
        )
    if spread is not None:
        statement += f" SD of the mean rank over seeds: {decimal(spread)}."
    statement += f" {resampled(pools, seeds)}"
    return Finding(
        id=f"model-{slug}",
        severity="note",
        statement=statement,
        numbers={
            **rank.numbers("rank"),
            "rank_chance": rounded(rank_chance),
            **regret.numbers("regret"),
            **gain.numbers("gain"),
            "first": sure,
            "first_shared": shared,
            **hits.numbers("first_rate"),
            "first_chance": rounded(hit_chance, 4),
            "picks": made,
            "picks_tied": tied,
            "pools": pools,
            "seeds": seeds,
            "sd_over_seeds": rounded(spread),
            "unit": "pool",
            "confidence": confidence,
            "resamples": len(counts),
        },
    )


def _spread(chances: Array) -> float | None:
    """Return the sample SD over seeds of the mean rank, on the pools from which all picked."""
    common = chances[:, (chances.sum(axis=2) > 0.5).all(axis=0)]
    if len(common) < 2 or not common.shape[1]:
        return None
    return float(np.std([mean_ranks(seed).mean() for seed in common], ddof=1))

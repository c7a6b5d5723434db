"""How an external judge scores the stories that models pick out of 16."""

from typing import Any

import numpy as np
import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import agreeing, decimal, level
from storyaudit.results.selection import model_names
from storyaudit.results.usable_scores import valid_scores
from storyaudit.stats.estimate import rounded
from storyaudit.stats.row_means import RowSamples

_NAMED = 3


def picks_findings(
    external: pd.DataFrame,
    candidates: pd.DataFrame,
    scores: pd.DataFrame,
    why: str,
    params: ExperimentsParams,
    rng: np.random.Generator,
) -> list[Finding | Unchecked]:
    """Return the mean external score of each model's picks, and the pools' mean and best.

    A model picks the story with its highest reward; among several, each is as likely. Seeds are
    averaged within a premise, and premises are resampled. A model's pools without a reward for
    every story are left out, for that model alone.

    Args:
        external: the external judge's valid scores.
        candidates: of the pools; may have no rows.
        scores: the models' rewards in the pools; may have no rows.
        why: there are no external scores, or ''.
        params: resamples and confidence.
        rng: draws the bootstrap samples of premises.
    """
    worth = _worth(external, candidates)
    faults, valid = valid_scores(
        scores, candidates[CANDIDATE_KEY].dropna(), name="pool-scores", rows_of="rewards of pools"
    )
    picked = _picked(worth, valid)
    if picked.empty:
        return [
            *faults,
            Unchecked(
                id="external-picks",
                check="external scores of the stories that models pick",
                reason=why or "no pool has an external score and a model's reward for every story",
            ),
        ]
    sample = RowSamples.draw(picked["premise_id"], params.resamples, rng)
    run = picked.groupby(["variant", "model"]).ngroup()
    rows = [_row(picked, run == number, sample, params) for number in range(run.max() + 1)]
    rows.sort(key=lambda row: (-float(row["score"]), row["variant"], row["model"]))
    pools = worth.drop_duplicates("item_id")
    mean, best = float(pools["mean"].mean()), float(pools["best"].mean())
    significant = sum(bool(row["significant"]) for row in rows)
    names = model_names([(row["variant"], row["model"]) for row in rows])
    scored = [f"{name} {decimal(row['score'])}" for name, row in zip(names, rows, strict=True)]
    premises = sample.counts.shape[1]
    no_ci = sum(row["over_mean_low"] is None for row in rows)
    return [
        *faults,
        Finding(
            id="external-picks",
            severity="note",
            statement="Mean external score of the picks"
            + (f", highest {_NAMED}" if len(rows) > _NAMED else "")
            + f" of {counted(len(rows), 'model')}: {', '.join(scored[:_NAMED])}. The mean over "
            f"{counted(len(pools), 'pool')} is {decimal(mean)}, the best possible {decimal(best)}. "
            f"{significant} of {counted(len(rows), 'model')} "
            f"{agreeing(significant, len(rows), 'differs', 'differ')} significantly from the mean "
            f"of the same pools ({level(params.confidence)} CI excludes 0, bootstrap over "
            f"{counted(premises, 'premise')})."
            + (f" {counted(no_ci, 'model has', 'models have')} no CI." if no_ci else "")
            + " The CIs are not adjusted for multiple comparisons.",
            numbers={
                "pools": len(pools),
                "mean": round(mean, 4),
                "best": round(best, 4),
                "variants": len(rows),
                "significant": significant,
                "confidence": params.confidence,
            },
            evidence=evidence(rows),
        ),
    ]


def _worth(external: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the stories of the pools that are scored as a whole, one a row.

    Returns:
        premise_id, item_id, story_id, its external score (``worth``), and the size, the mean and
        the best score of its pool.
    """
    places = candidates[["premise_id", *CANDIDATE_KEY]].dropna().drop_duplicates(CANDIDATE_KEY)
    rows = places.merge(
        external[[*CANDIDATE_KEY, "reward"]].rename(columns={"reward": "worth"}),
        on=CANDIDATE_KEY,
        how="left",
    )
    of_pool = rows.groupby("item_id")["worth"]
    rows["size"] = of_pool.transform("size")
    rows["mean"] = of_pool.transform("mean")
    rows["best"] = of_pool.transform("max")
    whole = of_pool.transform("count") == rows["size"]
    return rows[whole].sort_values(CANDIDATE_KEY, ignore_index=True)


def _picked(worth: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Return each model's expected score in each pool, with the pool's mean and best."""
    rows = worth.merge(scores, on=CANDIDATE_KEY)
    rewards = rows.groupby([*RUN_KEY, "item_id"])["reward"]
    whole = rewards.transform("count") == rows["size"]
    first = rows[whole & (rows["reward"] == rewards.transform("max"))]
    by_seed = first.groupby([*RUN_KEY, "premise_id", "item_id"], as_index=False).agg(
        pick=("worth", "mean"),
        tied=("worth", "size"),
        mean=("mean", "first"),
        best=("best", "first"),
    )
    by_seed["tied"] = by_seed["tied"] > 1
    return by_seed.groupby(["variant", "model", "premise_id", "item_id"], as_index=False).agg(
        pick=("pick", "mean"),
        tied=("tied", "sum"),
        seeds=("seed", "size"),
        mean=("mean", "first"),
        best=("best", "first"),
    )


def _row(
    picked: pd.DataFrame,
    of: pd.Series,
    sample: RowSamples,
    params: ExperimentsParams,
) -> dict[str, Any]:
    score, mean, best = (sample.mean(picked[column], of) for column in ("pick", "mean", "best"))
    gain = score.less(mean).estimate(params.confidence)
    possible = best.value - mean.value
    return {
        "variant": picked.loc[of, "variant"].iloc[0],
        "model": picked.loc[of, "model"].iloc[0],
        "pools": int(of.sum()),
        "seeds": int(picked.loc[of, "seeds"].max()),
        "ties": int(picked.loc[of, "tied"].sum()),
        **score.estimate(params.confidence).numbers("score", 4),
        **gain.numbers("over_mean", 4),
        "significant": gain.excludes_zero(),
        "of_possible_gain": rounded(gain.value / possible, 4) if possible > 0 else None,
    }

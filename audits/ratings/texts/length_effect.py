"""Length against score: does the longer story win, between authors and within them?"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.bootstrap import percentile_interval
from storyaudit.stats.estimate import Estimate, rounded

Array = NDArray[np.float64]
FEWEST = 6
"""Stories below which no rank correlation is given."""


def rank_correlation(
    x: Array,
    y: Array,
    stratum: NDArray[np.int64],
    *,
    resamples: int,
    confidence: float,
    rng: np.random.Generator,
) -> Estimate | None:
    """Return Spearman's correlation of deviations from stratum means, with a bootstrap interval.

    With one stratum it is Spearman's correlation. Values are drawn with replacement within their
    stratum and centred again in every sample.

    Args:
        x: one value a story.
        y: one value a story.
        stratum: each story's stratum, 0, 1, …
        resamples: bootstrap samples.
        confidence: of the percentile interval.
        rng: draws the samples.

    Returns:
        None where it cannot be told: a constant side, or fewer than ``FEWEST`` stories.
    """
    if len(x) < FEWEST:
        return None
    drawn = np.empty((resamples, len(x)), dtype="int64")
    for name in range(int(stratum.max()) + 1):
        inside = np.flatnonzero(stratum == name)
        drawn[:, inside] = inside[rng.integers(0, len(inside), size=(resamples, len(inside)))]
    members = (stratum[:, None] == np.arange(stratum.max() + 1)).astype("float64")
    value = _spearman(x[None, :], y[None, :], members)[0]
    if not np.isfinite(value):
        return None
    samples = _spearman(x[drawn], y[drawn], members)
    return Estimate(float(value), *percentile_interval(samples, confidence))


def _spearman(x: Array, y: Array, members: Array) -> Array:
    from scipy.stats import rankdata

    sides = []
    for values in (x, y):
        means = values @ members / members.sum(axis=0)
        centred = np.round(values - means @ members.T, 9)
        ranks = rankdata(centred, axis=1)
        sides.append(ranks - ranks.mean(axis=1, keepdims=True))
    power = (sides[0] ** 2).sum(axis=1) * (sides[1] ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(power > 0, (sides[0] * sides[1]).sum(axis=1) / np.sqrt(power), np.nan)


def length_finding(
    words: pd.Series,
    sheets: pd.DataFrame,
    rng: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> Finding | Unchecked:
    """Return how length goes with a story's mean total, across authors and within them.

    Args:
        words: length of each story, by story_id.
        sheets: complete sheets.
        rng: draws the bootstrap samples of stories.
        confidence: of the intervals.
        resamples: bootstrap samples.
    """
    stories = sheets.groupby(["author", "story_id"])["total"].mean().reset_index()
    stories = stories[stories["story_id"].isin(words.index)]
    lengths = words.loc[stories["story_id"]].to_numpy(dtype="float64")
    score = stories["total"].to_numpy()

    def correlate(chosen: NDArray[np.bool_], stratum: NDArray[np.int64]) -> Estimate | None:
        return rank_correlation(
            lengths[chosen],
            score[chosen],
            stratum,
            resamples=resamples,
            confidence=confidence,
            rng=rng,
        )

    all_stories = np.ones(len(stories), dtype=bool)
    across = correlate(all_stories, np.zeros(len(stories), dtype="int64"))
    if across is None:
        return Unchecked(
            id="length",
            check="whether longer stories score higher",
            reason=f"fewer than {FEWEST} rated stories have a text, or they do not vary",
        )
    several = stories.groupby("author")["story_id"].transform("size").to_numpy() > 1
    author, names = codes(stories["author"][several])
    within = correlate(several, author)
    drives = within is not None and within.excludes_zero()
    rows: list[dict[str, Number]] = [
        {
            "author": name,
            "stories": int((stories["author"] == name).sum()),
            "mean_words": rounded(float(lengths[stories["author"] == name].mean()), 0),
            "mean_total": rounded(float(score[stories["author"] == name].mean()), 1),
        }
        for name in sorted(set(stories["author"]))
    ]
    if within is None:
        inside = "within authors it cannot be told, as too few have two stories"
    else:
        inside = (
            f"within authors, apart from their means, {within} ({int(several.sum())} stories of "
            f"{len(names)} authors)"
        )
    return Finding(
        id="length",
        severity="warn" if drives else "note",
        statement=f"Spearman's correlation of a story's words and mean total is {across} over "
        f"{len(stories)} stories of all authors; {inside}.",
        numbers={
            **across.numbers("across"),
            **(within.numbers("within") if within else {"within": None}),
            "stories": len(stories),
            "unit": "story",
            "resamples": resamples,
            "confidence": confidence,
        },
        evidence=evidence(sorted(rows, key=lambda row: -float(row["mean_words"] or 0))),
    )

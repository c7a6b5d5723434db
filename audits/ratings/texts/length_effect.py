"""Length bias: the correlation of length with score, across authors and within them."""

import numpy as np
import pandas as pd

from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import NOT_SIGNIFICANT, SIGNIFICANT, estimated
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.estimate import Codes, Estimate, Mask, rounded
from storyaudit.stats.stratified_spearman import FEWEST, stratified_spearman

NO_CI = "no CI: bootstrap samples undefined or all equal"


def length_finding(
    words: pd.Series,
    row_totals: pd.DataFrame,
    rng: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> Finding | Unchecked:
    """Return how length correlates with a story's mean total, across authors and within them.

    Args:
        words: length of each story, by story_id.
        row_totals: totals of complete rating rows.
        rng: draws the bootstrap samples of stories.
        confidence: of the intervals.
        resamples: bootstrap samples.
    """
    stories = row_totals.groupby(["author", "story_id"])["total"].mean().reset_index()
    stories = stories[stories["story_id"].isin(words.index)]
    lengths = words.loc[stories["story_id"]].to_numpy(dtype="float64")
    score = stories["total"].to_numpy()

    def correlate(chosen: Mask, stratum: Codes) -> Estimate | None:
        return stratified_spearman(
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
            check="the correlation of length and score",
            reason=f"undefined: fewer than {FEWEST} rated stories have a text"
            if len(stories) < FEWEST
            else "undefined: the lengths or the mean totals of the stories do not vary",
        )
    several = stories.groupby("author")["story_id"].transform("size").to_numpy() > 1
    author, names = codes(stories["author"][several])
    within = correlate(several, author)
    rows: list[dict[str, Number]] = [
        {
            "author": name,
            "stories": int((stories["author"] == name).sum()),
            "mean_words": rounded(float(lengths[stories["author"] == name].mean()), 0),
            "mean_total": rounded(float(score[stories["author"] == name].mean()), 1),
        }
        for name in sorted(set(stories["author"]))
    ]
    return Finding(
        id="length",
        severity="warn" if within is not None and within.excludes_zero() else "note",
        statement=f"Spearman's correlation of a story's length in words with its mean total is "
        f"{estimated(across, confidence, no_ci=NO_CI)}, bootstrap over {len(stories)} stories of "
        f"all authors. {_within(within, int(several.sum()), len(names), confidence)}",
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


def _within(within: Estimate | None, stories: int, authors: int, confidence: float) -> str:
    """Return the correlation within authors as a sentence."""
    if within is None and stories < FEWEST:
        return f"Within authors it is undefined: fewer than {FEWEST} stories share an author."
    if within is None:
        return "Within authors it is undefined: lengths or mean totals do not vary."
    statement = (
        f"Within authors, as deviations from authors' means, it is "
        f"{estimated(within, confidence, no_ci=NO_CI)}, bootstrap over {stories} stories of "
        f"{counted(authors, 'author')}"
    )
    if within.low is None:
        return f"{statement}."
    return f"{statement}: {SIGNIFICANT if within.excludes_zero() else NOT_SIGNIFICANT}."

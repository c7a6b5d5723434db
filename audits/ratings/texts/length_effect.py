"""Length against score: does the longer story win, between authors and within them?"""

import numpy as np
import pandas as pd

from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import with_ci
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.estimate import Codes, Estimate, Mask, rounded
from storyaudit.stats.stratified_spearman import FEWEST, stratified_spearman


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
            f"within authors, apart from their means, {with_ci(within)} ({int(several.sum())} "
            f"stories of {len(names)} authors)"
        )
    return Finding(
        id="length",
        severity="warn" if drives else "note",
        statement=f"Spearman's correlation of a story's words and mean total is {with_ci(across)} "
        f"over {len(stories)} stories of all authors; {inside}.",
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

"""A ratings table: means by author, and scores that are off scale, missing or duplicated."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from audits.ratings.optional_analyses import optional_analyses
from storyaudit.findings import Finding, Report, Unchecked, counted, evidence
from storyaudit.phrasing import level
from storyaudit.ratings.rating_rows import (
    LARGEST,
    OVERALL,
    RATING_ROW_KEY,
    author_statistics,
    rating_rows,
)
from storyaudit.stats.estimate import rounded

AUDIT = "ratings"
Scale = tuple[float, float]


def ratings_report(
    ratings: pd.DataFrame,
    *,
    scale: Scale | None,
    study: str,
    confidence: float = 0.95,
    resamples: int = 2000,
    reference: str | None = None,
    stories: pd.DataFrame | None = None,
    labels: pd.DataFrame | None = None,
    box_items: Sequence[str] = (),
    rng: np.random.Generator,
) -> Report:
    """Return the findings on a ratings table.

    Args:
        ratings: the ratings table.
        scale: lowest and highest allowed score, or None if it is not known.
        study: the study's name.
        confidence: of every interval.
        resamples: bootstrap samples.
        reference: the author to compare the others with; ``human`` if None.
        stories: the stories' texts (``storyaudit.layouts.story_files``), if at hand.
        labels: the stories' authors by two lists (``storyaudit.layouts.rating_sheets``), if at
            hand.
        box_items: criteria whose boxes are shown beside those of totals.
        rng: draws bootstrap samples.

    Raises:
        InputError: a criterion named ``overall``, or no such reference author.
    """
    parts: list[Finding | Unchecked] = [
        _missing(ratings),
        _duplicated(ratings),
        *_no_score(ratings),
        *_author_of_story(ratings),
        _authors(ratings, confidence),
    ]
    if scale is None:
        parts.append(
            Unchecked(
                id="off-scale",
                check="whether all scores lie on the scale",
                reason="the scale was not given (--scale LOW HIGH)",
            )
        )
    else:
        parts.append(_off_scale(ratings, scale))
    parts += optional_analyses(
        ratings,
        rng,
        confidence=confidence,
        resamples=resamples,
        reference=reference,
        stories=stories,
        labels=labels,
        box_items=box_items,
    )
    return Report.of(parts, study=study, audit=AUDIT)


def _off_scale(ratings: pd.DataFrame, scale: Scale) -> Finding:
    low, high = scale
    off = ratings[(ratings["score"] < low) | (ratings["score"] > high)]
    by = off.groupby(["rater", "item", "score"]).size().reset_index(name="scores")
    return Finding(
        id="off-scale",
        severity="fail" if len(off) else "pass",
        statement=(
            f"{len(off)} of {len(ratings)} scores {'lies' if len(off) == 1 else 'lie'} outside the "
            f"scale from {low:g} to {high:g}, given by {off['rater'].nunique()} of "
            f"{ratings['rater'].nunique()} raters."
            if len(off)
            else f"All {ratings['score'].notna().sum()} scores lie on the scale from {low:g} to "
            f"{high:g}."
        ),
        numbers={"scores": len(ratings), "off_scale": len(off), "low": low, "high": high},
        evidence=evidence(by),
    )


def _missing(ratings: pd.DataFrame) -> Finding:
    criteria = ratings["item"].dropna().unique()
    given = ratings.dropna(subset=[*RATING_ROW_KEY, "item", "score"]).drop_duplicates(
        [*RATING_ROW_KEY, "item"]
    )
    started = ratings.dropna(subset=RATING_ROW_KEY).drop_duplicates(RATING_ROW_KEY)[RATING_ROW_KEY]
    grid = started.merge(pd.Series(criteria, name="item"), how="cross")
    lacking = grid.merge(given[[*RATING_ROW_KEY, "item"]], how="left", indicator=True)
    lacking = lacking[lacking["_merge"] == "left_only"]
    nameless = int(ratings[[*RATING_ROW_KEY, "item", "author"]].isna().any(axis=1).sum())
    count = len(lacking)
    shown = counted(len(criteria), "criterion", "criteria")
    statement = (
        f"{count} of {len(grid)} scores {'is' if count == 1 else 'are'} missing "
        f"({counted(len(started), 'rating row')}, {shown})."
        if count
        else f"All {counted(len(started), 'rating row')} (rater × story) have a score on each of "
        f"{shown}."
    )
    if nameless:
        statement += (
            f" {counted(nameless, 'score lacks', 'scores lack')} a rater, story, author or "
            "criterion."
        )
    return Finding(
        id="missing",
        severity="warn" if count or nameless else "pass",
        statement=statement,
        numbers={
            "rating_rows": len(started),
            "items": len(criteria),
            "missing": count,
            "nameless": nameless,
        },
        evidence=evidence(lacking[[*RATING_ROW_KEY, "item"]]),
    )


def _duplicated(ratings: pd.DataFrame) -> Finding:
    duplicated = ratings[ratings.duplicated([*RATING_ROW_KEY, "item"])]
    return Finding(
        id="scored-once",
        severity="fail" if len(duplicated) else "pass",
        statement=(
            f"{counted(len(duplicated), 'score repeats', 'scores repeat')} an earlier score by the "
            "same rater of the same story on the same criterion."
            if len(duplicated)
            else "No rater scored a story twice on one criterion."
        ),
        numbers={"rows": len(duplicated)},
        evidence=evidence(duplicated[[*RATING_ROW_KEY, "item", "score"]]),
    )


def _no_score(ratings: pd.DataFrame) -> list[Finding]:
    wrong = ratings[ratings["score"].abs() > LARGEST]
    if wrong.empty:
        return []
    return [
        Finding(
            id="no-score",
            severity="fail",
            statement=f"{len(wrong)} of {len(ratings)} scores "
            f"{'is' if len(wrong) == 1 else 'are'} infinite or above {LARGEST:,.0f} in absolute "
            "value. No statistic uses them.",
            numbers={"scores": len(wrong)},
            evidence=evidence(wrong[[*RATING_ROW_KEY, "item", "score"]].astype({"score": "str"})),
        )
    ]


def _author_of_story(ratings: pd.DataFrame) -> list[Finding]:
    authors = ratings.groupby("story_id")["author"].nunique()
    wrong = authors[authors > 1].index
    if wrong.empty:
        return []
    rows = ratings[ratings["story_id"].isin(wrong)][["story_id", "author"]].drop_duplicates()
    return [
        Finding(
            id="one-author",
            severity="fail",
            statement=f"{counted(len(wrong), 'story has', 'stories have')} more than one author. "
            "Agreement, comparisons and variance components exclude such stories.",
            numbers={"stories": len(wrong)},
            evidence=evidence(rows.sort_values(["story_id", "author"])),
        )
    ]


def _authors(ratings: pd.DataFrame, confidence: float) -> Finding:
    possible = ratings[~(ratings["score"].abs() > LARGEST)]
    known = possible.dropna(subset=[*RATING_ROW_KEY, "author", "item"])
    complete = rating_rows(known)[OVERALL].dropna().reset_index()
    statistics = author_statistics(known).query("item == @OVERALL")
    by_story = complete.groupby(["author", "story_id"])[OVERALL].mean()
    rows = []
    for author, mean, sd, n in statistics.sort_values("mean", ascending=False, kind="stable")[
        ["author", "mean", "sd", "n"]
    ].itertuples(index=False, name=None):
        stories = by_story[by_story.index.get_level_values("author") == author]
        low, high = _t_interval(stories, confidence)
        rows.append(
            {
                "author": author,
                "mean": rounded(mean, 2),
                "sd": rounded(sd, 2),
                "rating_rows": n,
                "stories": len(stories),
                "low": rounded(low, 2),
                "high": rounded(high, 2),
            }
        )
    return Finding(
        id="author-means",
        severity="note",
        statement=(
            f"The evidence lists mean totals of {counted(len(rows), 'author')} over "
            f"{counted(len(complete), 'complete rating row')}. Their {level(confidence)} CIs are "
            f"Student's t over story means."
        ),
        numbers={"authors": len(rows), "rating_rows": len(complete), "confidence": confidence},
        evidence=evidence(rows),
    )


def _t_interval(values: pd.Series, confidence: float) -> tuple[float, float] | tuple[None, None]:
    """Return Student's interval of a mean, or two None with fewer than two values."""
    from scipy.stats import t

    if len(values) < 2:
        return None, None
    error = values.std(ddof=1) / len(values) ** 0.5
    half = t.ppf((1 + confidence) / 2, len(values) - 1) * error
    return float(values.mean() - half), float(values.mean() + half)

"""A ratings table: per author means, and scores that are off scale, missing or doubled."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from audits.ratings.optional_analyses import deeper_findings
from storyaudit.findings import Finding, Report, Unchecked, evidence
from storyaudit.ratings.rating_rows import LARGEST, OVERALL, SHEET, author_statistics, sheets
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
        box_items: items whose boxes are shown beside those of totals.
        rng: draws bootstrap samples.

    Raises:
        InputError: an item named ``overall``, or no such reference author.
    """
    parts: list[Finding | Unchecked] = [
        _missing(ratings),
        _twice(ratings),
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
    parts += deeper_findings(
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
            f"{len(off)} of {len(ratings)} scores lie outside the scale from {low:g} to {high:g}, "
            f"given by {off['rater'].nunique()} of {ratings['rater'].nunique()} raters."
            if len(off)
            else f"All {ratings['score'].notna().sum()} scores lie on the scale from {low:g} to "
            f"{high:g}."
        ),
        numbers={"scores": len(ratings), "off_scale": len(off), "low": low, "high": high},
        evidence=evidence(by),
    )


def _missing(ratings: pd.DataFrame) -> Finding:
    items = ratings["item"].dropna().unique()
    given = ratings.dropna(subset=[*SHEET, "item", "score"]).drop_duplicates([*SHEET, "item"])
    started = ratings.dropna(subset=SHEET).drop_duplicates(SHEET)[SHEET]
    grid = started.merge(pd.Series(items, name="item"), how="cross")
    lacking = grid.merge(given[[*SHEET, "item"]], how="left", indicator=True)
    lacking = lacking[lacking["_merge"] == "left_only"]
    nameless = int(ratings[[*SHEET, "item", "author"]].isna().any(axis=1).sum())
    count = len(lacking)
    statement = (
        f"{count} of {len(grid)} scores are missing ({len(started)} sheets of {len(items)} items)"
        if count
        else f"All {len(started)} sheets have a score on each of the {len(items)} items"
    )
    if nameless:
        statement += f"; {nameless} rows lack a rater, story, author or item"
    return Finding(
        id="missing",
        severity="warn" if count or nameless else "pass",
        statement=statement + ".",
        numbers={
            "sheets": len(started),
            "items": len(items),
            "missing": count,
            "nameless": nameless,
        },
        evidence=evidence(lacking[[*SHEET, "item"]]),
    )


def _twice(ratings: pd.DataFrame) -> Finding:
    twice = ratings[ratings.duplicated([*SHEET, "item"])]
    return Finding(
        id="scored-once",
        severity="fail" if len(twice) else "pass",
        statement=(
            f"{len(twice)} rows score a story's item that the same rater has scored before."
            if len(twice)
            else "No rater scores an item of a story twice."
        ),
        numbers={"rows": len(twice)},
        evidence=evidence(twice[[*SHEET, "item", "score"]]),
    )


def _no_score(ratings: pd.DataFrame) -> list[Finding]:
    wrong = ratings[ratings["score"].abs() > LARGEST]
    if wrong.empty:
        return []
    return [
        Finding(
            id="no-score",
            severity="fail",
            statement=f"{len(wrong)} of {len(ratings)} scores are infinite or beyond a million: no "
            f"points of a rubric, and left out of every statistic.",
            numbers={"scores": len(wrong)},
            evidence=evidence(wrong[[*SHEET, "item", "score"]].astype({"score": "str"})),
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
            statement=f"{len(wrong)} stories stand under more than one author.",
            numbers={"stories": len(wrong)},
            evidence=evidence(rows.sort_values(["story_id", "author"])),
        )
    ]


def _authors(ratings: pd.DataFrame, confidence: float) -> Finding:
    possible = ratings[~(ratings["score"].abs() > LARGEST)]
    known = possible.dropna(subset=[*SHEET, "author", "item"])
    complete = sheets(known)[OVERALL].dropna().reset_index()
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
                "sheets": n,
                "stories": len(stories),
                "low": rounded(low, 2),
                "high": rounded(high, 2),
            }
        )
    return Finding(
        id="author-means",
        severity="note",
        statement=(
            f"Mean total score of {len(rows)} authors over {len(complete)} complete sheets; the "
            f"{confidence:.0%} intervals take stories as the unit (Student's t over story means)."
        ),
        numbers={"authors": len(rows), "sheets": len(complete), "confidence": confidence},
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

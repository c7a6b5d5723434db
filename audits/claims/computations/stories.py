"""Single stories, found by their rank: whose they are, and the scores that raters gave them.

Stories rank by the mean of their raters' totals, the best first: see ``Data.stories_ranked``.
"""

from collections.abc import Mapping

import pandas as pd

from audits.claims.computations import Data, Named

COLUMNS = ("rater", "story_id", "author", "item", "score")


def _rating_rows(data: Data, rank: int, author: str | None) -> pd.DataFrame | None:
    """Return the rating rows of the one story of a rank; None where none or several have it."""
    stories = data.stories_ranked
    at_rank = stories["rank"] == rank if author is None else stories["own"] == rank
    chosen = stories[at_rank & (stories["author"] == author)] if author else stories[at_rank]
    if len(chosen) != 1:
        return None
    return data.rating_rows_of_story[chosen["story_id"].iloc[0]]


def story_score(
    data: Data, rank: int, rater: str, item: str, author: str | None = None
) -> float | None:
    """Return a rater's score of the story of a rank.

    Args:
        data: with ratings.
        rank: among all stories, or the author's.
        rater: who gave it.
        item: a criterion or ``overall``.
        author: whose stories are ranked; all if None.
    """
    rating_rows = _rating_rows(data, rank, author)
    if rating_rows is None or item not in rating_rows.columns:
        return None
    scores = rating_rows.loc[rating_rows["rater"] == rater, item]
    return None if len(scores) != 1 else float(scores.iloc[0])


def story_mean(data: Data, rank: int, item: str, author: str | None = None) -> float | None:
    """Return the mean of the raters' scores of the story of a rank."""
    rating_rows = _rating_rows(data, rank, author)
    if rating_rows is None or item not in rating_rows.columns:
        return None
    return float(rating_rows[item].mean(skipna=False))


def story_raters(data: Data, rank: int, author: str | None = None) -> list[str] | None:
    """Return who rated the story of a rank, by number."""
    rating_rows = _rating_rows(data, rank, author)
    return (
        None
        if rating_rows is None
        else sorted(rating_rows["rater"], key=lambda name: (len(name), name))
    )


def story_authors(data: Data, rank: int) -> list[str] | None:
    """Return the authors of the stories of a rank among all."""
    stories = data.stories_ranked
    authors = stories.loc[stories["rank"] == rank, "author"]
    return None if authors.empty else sorted(authors)


def best_rank(data: Data, author: str) -> int | None:
    """Return the rank of an author's best story among all stories."""
    stories = data.stories_ranked
    ranks = stories.loc[stories["author"] == author, "rank"]
    return None if ranks.empty or ranks.isna().any() else int(ranks.min())


STORIES: Mapping[str, Named] = {
    "story_score": Named(story_score, columns=COLUMNS),
    "story_mean": Named(story_mean, columns=COLUMNS),
    "story_raters": Named(story_raters, columns=COLUMNS),
    "story_authors": Named(story_authors, columns=COLUMNS),
    "best_rank": Named(best_rank, columns=COLUMNS),
}

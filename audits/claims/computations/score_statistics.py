"""Means and standard deviations of rubric scores."""

from collections.abc import Mapping
from typing import Literal

import pandas as pd

from audits.claims.computations import Data, Named

COLUMNS = ("rater", "story_id", "author", "item", "score")
OTHER_DDOF = "n in place of n − 1 (or the reverse, where n is stated)"
Ddof = Literal[0, 1]


def _of_author(data: Data, author: str, item: str) -> "pd.Series[float]":
    """Return an author's scores on a criterion, or totals (``overall``); none if absent."""
    rating_rows = data.rating_rows_of_author.get(author, pd.DataFrame())
    return rating_rows[item] if item in rating_rows else pd.Series(dtype="float64")


def _of_all(data: Data, item: str) -> pd.DataFrame:
    """Return author and score of all scores on a criterion, or totals (``overall``)."""
    if item not in data.rating_rows:
        return pd.DataFrame({"author": [], "score": []}, dtype="float64")
    return data.rating_rows[["author", item]].rename(columns={item: "score"})


def mean(data: Data, author: str, item: str) -> float | None:
    """Return the mean of an author's scores on a criterion."""
    scores = _of_author(data, author, item)
    return None if scores.empty else float(scores.mean(skipna=False))


def sd(data: Data, author: str, item: str, ddof: Ddof = 1) -> float | None:
    """Return the SD of an author's scores on a criterion, over n − ``ddof``."""
    scores = _of_author(data, author, item)
    return None if len(scores) <= ddof else float(scores.std(ddof=ddof, skipna=False))


def mean_of_means(data: Data, item: str) -> float | None:
    """Return the unweighted mean over authors of their mean scores on a criterion."""
    means = _of_all(data, item).groupby("author")["score"].mean(skipna=False)
    return None if means.empty else float(means.mean(skipna=False))


def mean_of_sds(data: Data, item: str, ddof: Ddof = 1) -> float | None:
    """Return the unweighted mean over authors of their SDs on a criterion."""
    deviations = _of_all(data, item).groupby("author")["score"].std(ddof=ddof, skipna=False)
    return None if deviations.empty else float(deviations.mean(skipna=False))


def _pooled_mean(data: Data, item: str) -> float | None:
    scores = _of_all(data, item)["score"]
    return None if scores.empty else float(scores.mean())


def _mean_of_rounded_means(data: Data, item: str) -> float | None:
    means = _of_all(data, item).groupby("author")["score"].mean().round(1)
    return None if means.empty else float(means.mean())


def _pooled_sd(data: Data, item: str, ddof: Ddof = 1) -> float | None:
    scores = _of_all(data, item)["score"]
    return None if len(scores) < 2 else float(scores.std(ddof=ddof))


def _other_sd(data: Data, author: str, item: str, ddof: Ddof = 1) -> float | None:
    return sd(data, author, item, 0 if ddof else 1)


def _mean_of_other_sds(data: Data, item: str, ddof: Ddof = 1) -> float | None:
    return mean_of_sds(data, item, 0 if ddof else 1)


SCORES: Mapping[str, Named] = {
    "mean": Named(mean, columns=COLUMNS),
    "sd": Named(sd, columns=COLUMNS, conventions={OTHER_DDOF: _other_sd}),
    "mean_of_means": Named(
        mean_of_means,
        columns=COLUMNS,
        conventions={
            "the mean of all scores": _pooled_mean,
            "the mean of means rounded to one decimal": _mean_of_rounded_means,
        },
    ),
    "mean_of_sds": Named(
        mean_of_sds,
        columns=COLUMNS,
        conventions={
            OTHER_DDOF: _mean_of_other_sds,
            "the SD of all scores": _pooled_sd,
        },
    ),
}

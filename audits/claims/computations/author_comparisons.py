"""Which authors differ from another by a significance test.

Welch's t test (1947), two-sided, every score or total taken as independent. Conventions: Student's
t test with equal variances, one side in the claimed direction, the Mann–Whitney U test, and the t
and Wilcoxon tests of differences within raters. Rank tests take the normal distribution, corrected
for continuity, as R does where values tie.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from audits.claims.computations import Data, Function, Named
from storyaudit.ratings.rating_rows import OVERALL, RATING_ROW_KEY

COLUMNS = ("rater", "story_id", "author", "item", "score")
EVERY_SCORE = "every score"
"""In place of a criterion: all scores on all criteria, each as an observation."""

Side = Literal["lower", "higher", "either"]
_ALTERNATIVE: Mapping[Side, Literal["less", "greater", "two-sided"]] = {
    "lower": "less",
    "higher": "greater",
    "either": "two-sided",
}


@dataclass(frozen=True)
class Sample:
    """An author's scores or totals, in the order of their raters' names."""

    values: NDArray[np.float64]
    raters: list[str]


Test = Callable[[Sample, Sample, Side], float]
"""Gives a p value; NaN where it is undefined."""


def _sample(data: Data, author: str, item: str) -> Sample | None:
    """Return an author's sample; None if it has fewer than two values, or one is missing.

    A test that silently leaves out a missing score would be another test.
    """
    if author not in data.rating_rows_of_author:
        return None
    rating_rows = data.rating_rows_of_author[author].sort_values("rater")
    if item == EVERY_SCORE:
        values = (
            rating_rows.drop(columns=[*RATING_ROW_KEY, "author", OVERALL])
            .to_numpy(dtype="float64")
            .ravel()
        )
    elif item in rating_rows.columns:
        values = rating_rows[item].to_numpy(dtype="float64")
    else:
        return None
    return (
        None
        if len(values) < 2 or np.isnan(values).any()
        else Sample(values, [*rating_rows["rater"]])
    )


def _t(x: Sample, y: Sample, side: Side, *, equal_var: bool) -> float:
    from scipy.stats import ttest_ind

    if np.ptp(x.values) == 0 and np.ptp(y.values) == 0:
        return float("nan")
    alternative = _ALTERNATIVE[side]
    return float(ttest_ind(x.values, y.values, equal_var=equal_var, alternative=alternative).pvalue)


def _welch(x: Sample, y: Sample, side: Side) -> float:
    return _t(x, y, "either", equal_var=False)


def _student(x: Sample, y: Sample, side: Side) -> float:
    return _t(x, y, "either", equal_var=True)


def _one_sided(x: Sample, y: Sample, side: Side) -> float:
    if side == "either":
        side = "lower" if x.values.mean() < y.values.mean() else "higher"
    return _t(x, y, side, equal_var=False)


def _mann_whitney(x: Sample, y: Sample, side: Side) -> float:
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(x.values, y.values, method="asymptotic").pvalue)


def _within_raters(x: Sample, y: Sample, side: Side, *, ranks: bool) -> float:
    from scipy.stats import ttest_rel, wilcoxon

    paired = x.raters == y.raters and len(set(x.raters)) == len(x.raters)
    if not paired or len(x.values) != len(y.values) or np.ptp(x.values - y.values) == 0:
        return float("nan")
    if ranks:
        test = wilcoxon(x.values, y.values, correction=True, method="approx")
        return float(test.pvalue)
    return float(ttest_rel(x.values, y.values).pvalue)


def p_value(
    data: Data, author: str, reference: str, item: str, *, test: Test = _welch
) -> float | None:
    """Return the p value of the difference between two authors.

    Args:
        data: with ratings.
        author: one.
        reference: the other.
        item: a criterion, ``overall`` or ``every score``.
        test: gives the p value of two samples.
    """
    x, y = (_sample(data, name, item) for name in (author, reference))
    return None if x is None or y is None else test(x, y, "either")


def differing(
    data: Data,
    reference: str,
    item: str,
    side: Side = "either",
    alpha: float = 0.05,
    among: list[str] | None = None,
    *,
    test: Test = _welch,
) -> list[str] | None:
    """Return the authors that differ significantly from another, by name.

    Args:
        data: with ratings.
        reference: the author to compare with.
        item: a criterion, ``overall`` or ``every score``.
        side: only authors whose mean is ``lower`` or ``higher``, or ``either``.
        alpha: p values below it are significant.
        among: the authors to compare; all others if None.
        test: gives the p value of two samples.
    """
    authors = sorted({*data.means.index} - {reference} if among is None else among)
    other = _sample(data, reference, item)
    found = []
    for author in authors:
        own = _sample(data, author, item)
        if own is None or other is None:
            return None
        difference = own.values.mean() - other.values.mean()
        on_side = {"lower": difference < 0, "higher": difference > 0, "either": True}[side]
        if on_side and test(own, other, side) < alpha:
            found.append(author)
    return found


CONVENTIONS: Mapping[str, Test] = {
    "a one-sided Welch test": _one_sided,
    "Student's t test": _student,
    "the Mann–Whitney test": _mann_whitney,
    "a t test of differences within raters": partial(_within_raters, ranks=False),
    "the Wilcoxon test of differences within raters": partial(_within_raters, ranks=True),
}


def _conventions(function: Function) -> dict[str, Function]:
    return {said: partial(function, test=test) for said, test in CONVENTIONS.items()}


COMPARISONS: Mapping[str, Named] = {
    "p_value": Named(p_value, columns=COLUMNS, conventions=_conventions(p_value)),
    "differing": Named(differing, columns=COLUMNS, conventions=_conventions(differing)),
}

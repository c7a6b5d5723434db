"""Variance components of totals, and the design effect of scores that are not independent."""

import numpy as np
import pandas as pd

from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import decimal, estimated, percent, tenths
from storyaudit.ratings.rating_rows import RATING_ROW_KEY
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.design_effect import kish_design_effect
from storyaudit.stats.estimate import Codes, Estimate, rounded
from storyaudit.stats.intraclass import nested
from storyaudit.stats.mixed_model import RESIDUAL, MixedFit, fit_mixed

BETWEEN = {
    "author": "between authors",
    "story_id": "between stories within authors",
    "rater": "between raters",
    RESIDUAL: "residual",
}


def random_factors(row_totals: pd.DataFrame, names: list[str]) -> dict[str, Codes]:
    """Return the columns that can be random factors: two levels or more, fewer than rows.

    Args:
        row_totals: totals of complete rating rows.
        names: columns of them.
    """
    levels = {name: codes(row_totals[name])[0] for name in names}
    return {name: code for name, code in levels.items() if 0 < code.max() < len(row_totals) - 1}


def variance_components(row_totals: pd.DataFrame) -> MixedFit | None:
    """Fit totals by random authors, stories within authors, and raters.

    A story's names are unique, so that stories lie within authors. With one rater a story, the
    residual holds the stories' variance too.

    Args:
        row_totals: totals of complete rating rows (``storyaudit.ratings.usable_ratings.totals``).

    Returns:
        None where they are not identifiable.
    """
    if len(row_totals) < 3:
        return None
    factors = random_factors(row_totals, ["author", "story_id", "rater"])
    if not factors:
        return None
    return fit_mixed(row_totals["total"].to_numpy(), np.ones((len(row_totals), 1)), factors)


def component_finding(row_totals: pd.DataFrame, confidence: float = 0.95) -> Finding | Unchecked:
    """Return the variance components of totals as a note, or why they are undefined."""
    fit = variance_components(row_totals) if len(row_totals) else None
    if fit is None:
        return Unchecked(
            id="variance-components",
            check="variance components of totals by author, story and rater",
            reason=_why_no_components(row_totals),
        )
    total = sum(fit.variances.values())
    names = {"story_id": "story within author", RESIDUAL: "residual"}
    rows: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    for name, value in fit.variances.items():
        shown = names.get(name, name)
        estimate = fit.variance(name, confidence)
        rows.append(
            {
                "component": shown,
                "levels": len(row_totals) if name == RESIDUAL else row_totals[name].nunique(),
                "sd": rounded(value**0.5, 1),
                **estimate.numbers("variance", 0),
                "proportion": rounded(value / total, 2),
            }
        )
        numbers |= estimate.numbers(f"variance_{name.removesuffix('_id')}", 0)
    proportions = ", ".join(
        f"{percent(value / total)} is {BETWEEN[name]}" for name, value in fit.variances.items()
    )
    statement = (
        f"Of the variance of a rating row's total, {proportions} (REML, "
        f"{counted(len(row_totals), 'complete rating row')})."
    )
    if "story_id" not in fit.variances:
        statement += (
            " All rating rows are of one story."
            if row_totals["story_id"].nunique() == 1
            else " Each story has one rating row, so the residual includes stories."
        )
    return Finding(
        id="variance-components",
        severity="note",
        statement=statement,
        numbers={
            **numbers,
            "rating_rows": len(row_totals),
            "unit": "rating row (REML; variances' intervals by chi-squared, Satterthwaite's df)",
            "confidence": confidence,
        },
        evidence=evidence(rows),
    )


def _why_no_components(row_totals: pd.DataFrame) -> str:
    if len(row_totals) < 3:
        return "undefined: fewer than 3 complete rating rows"
    if row_totals["total"].nunique() == 1:
        return "undefined: all totals are equal"
    if not random_factors(row_totals, ["author", "story_id", "rater"]):
        return "undefined: no author, story or rater has several rating rows beside others"
    return "not identifiable: the levels of author, story and rater coincide, or leave no residual"


def within_authors(
    rows: pd.DataFrame, cluster: list[str], confidence: float
) -> tuple[Estimate, float] | None:
    """Return the correlation of two scores of one cluster, authors' means apart, and the size.

    Args:
        rows: usable rows of the ratings table.
        cluster: columns that name a cluster.
        confidence: of the F interval.

    Returns:
        The correlation, and scores a cluster; None where it is undefined.
    """
    author, _ = codes(rows["author"])
    named = rows[["author", *cluster]].astype("str").agg("\0".join, axis=1)
    return nested(rows["score"].to_numpy(dtype="float64"), author, codes(named)[0], confidence)


def _of_correlation(correlation: Estimate) -> str:
    """Return what a correlation's interval leaves open of the design effect, as a clause."""
    if correlation.low is None or correlation.high is None or correlation.excludes_zero():
        return ""
    which = "above" if correlation.value > 0 else "different from"
    return f"; the correlation is not significantly {which} 0, so the design effect may be 1"


def design_effect_finding(rows: pd.DataFrame, confidence: float = 0.95) -> Finding | Unchecked:
    """Return the design effect of single scores (Kish 1965), as a note."""
    table: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    sentences = []
    above = False
    for name, cluster in (("rating row", RATING_ROW_KEY), ("story", ["story_id"])):
        found = within_authors(rows, cluster, confidence)
        if found is None:
            continue
        correlation, size = found
        above = above or correlation.above(0)
        effect = kish_design_effect(correlation, size)
        effective = len(rows) / effect.value if effect.value > 0 else None
        table.append(
            {
                "cluster": name,
                "scores_a_cluster": rounded(size, 1),
                **correlation.numbers("correlation", 2),
                **effect.numbers("design_effect", 1),
                "effective_scores": rounded(effective, 0),
            }
        )
        key = name.replace(" ", "_")
        numbers |= {**correlation.numbers(f"correlation_{key}", 2)}
        numbers |= {**effect.numbers(f"design_effect_{key}", 1)}
        if effective is not None:
            shown = estimated(
                correlation, confidence, decimal, no_ci=f"no CI: no variation within a {name}"
            )
            sentences.append(
                f"Within authors, two scores of one {name} correlate by {shown}. Estimated design "
                f"effect {tenths(effect.value)} ({len(rows)} scores ≈ {effective:.0f} "
                f"independent){_of_correlation(correlation)}."
            )
    if not sentences:
        return Unchecked(
            id="design-effect",
            check="the design effect of scores that are not independent",
            reason="undefined: no variation between rating rows of one author or between stories"
            if table
            else "undefined: no two scores in one rating row or story, a single row or story an "
            "author, or no variation",
        )
    return Finding(
        id="design-effect",
        severity="note",
        statement=" ".join(sentences)
        + (
            " Tests that take single scores as independent understate the standard error."
            if above
            else ""
        ),
        numbers={**numbers, "scores": len(rows), "unit": "rating row", "confidence": confidence},
        evidence=evidence(table),
    )

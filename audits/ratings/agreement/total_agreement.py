"""Findings on agreement about totals: intraclass and other correlations."""

import pandas as pd

from audits.ratings.agreement.data import Ratings
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import decimal, estimated
from storyaudit.ratings.usable_ratings import codes, crossed_blocks, rater_pairs
from storyaudit.stats.correlation import KINDS, bootstrap_correlation, correlation, pearson_by_order
from storyaudit.stats.estimate import Array, rounded
from storyaudit.stats.intraclass import one_way, two_way

SYMBOLS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}


def icc_finding(data: Ratings) -> Finding | Unchecked:
    """Return the intraclass correlation of totals that the design allows, and which and why."""
    groups = [part.to_numpy() for _, part in data.totals.groupby("story_id")["total"]]
    single = one_way(groups, data.confidence)
    if single is None:
        return Unchecked(
            id="icc",
            check="the intraclass correlation of totals",
            reason=f"undefined: {_why_no_icc(groups)}",
        )
    blocks = crossed_blocks(data.totals)
    rows: list[dict[str, Number]] = []
    for block in blocks:
        row: dict[str, Number] = {
            "raters": ", ".join(map(str, block.columns)),
            "stories": len(block),
        }
        both = two_way(block.to_numpy(), data.confidence)
        if both is not None:
            row |= {**both[0].numbers("agreement"), **both[1].numbers("consistency")}
        rows.append(row)
    shown = estimated(single, data.confidence, decimal, no_ci="no CI: no variation within stories")
    return Finding(
        id="icc",
        severity="note",
        statement=f"The intraclass correlation of a single rater's total, ICC(1,1), is {shown}. "
        f"The F interval is over {len(groups)} stories with "
        f"{counted(len(data.totals), 'complete rating row')}. {_two_way(blocks, len(groups))}",
        numbers={
            **single.numbers("icc1"),
            "stories": len(groups),
            "rating_rows": len(data.totals),
            "unit": "story (F interval)",
            "confidence": data.confidence,
        },
        evidence=evidence(rows),
    )


def _why_no_icc(groups: list[Array]) -> str:
    if len(groups) < 2:
        return "fewer than 2 stories with a complete rating row"
    if all(len(group) < 2 for group in groups):
        return "no story with two complete rating rows"
    return "all totals are equal"


def _two_way(blocks: list[pd.DataFrame], stories: int) -> str:
    """Return which two-way intraclass correlations the design allows, as a sentence."""
    if not blocks:
        return "No two stories share the same two or more raters, so no two-way ICC applies."
    if len(blocks) == 1 and len(blocks[0]) == stories:
        return "All raters rated all stories, so ICC(2,1) and ICC(3,1) apply as well (evidence)."
    return (
        "The raters differ between stories, so two-way ICCs apply only within "
        f"{counted(len(blocks), 'set')} of stories with the same raters (evidence)."
    )


def correlation_finding(data: Ratings) -> Finding | Unchecked:
    """Return Pearson's, Spearman's and Kendall's correlations of two raters' totals."""
    pairs = rater_pairs(data.totals.assign(item="", score=data.totals["total"]))
    first, second = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    weights = data.weights[:, data.story(pairs)]
    rows: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    estimates = []
    for kind in KINDS:
        point = correlation(first, second, kind, data.confidence)
        if point is None:
            few = len(pairs) < 3
            return Unchecked(
                id="totals-correlation",
                check="the correlation of two raters' totals",
                reason="undefined: fewer than 3 pairs of complete rating rows"
                if few
                else "undefined: the totals of one side are all equal",
            )
        samples = bootstrap_correlation(first, second, kind, weights)
        estimate = data.estimate(point.value, samples)
        row: dict[str, Number] = {"correlation": kind, "pairs": len(pairs)}
        row["value"] = rounded(point.value)
        row |= {"analytic_low": rounded(point.low), "analytic_high": rounded(point.high)}
        rows.append(
            {**row, "story_low": rounded(estimate.low), "story_high": rounded(estimate.high)}
        )
        numbers |= estimate.numbers(kind)
        estimates.append(f"{SYMBOLS[kind]} {data.phrased(point.value, samples)}")
    block, _ = codes(pairs["first_rater"] + "\0" + pairs["second_rater"])
    order = pearson_by_order(first, second, block)
    statement = (
        f"Two raters' totals of the same story make {counted(len(pairs), 'pair')}. "
        f"The correlations are {', '.join(estimates)}{data.bootstrap}."
    )
    if order is not None:
        numbers |= {"pearson_lowest": rounded(order[0]), "pearson_highest": rounded(order[1])}
        statement += (
            f" Pearson's r depends on which rater of each of the {block.max() + 1} pairs of raters "
            f"is listed first: {order[0]:.2f} to {order[1]:.2f} over all such orders. The data do "
            "not determine the order, and the intraclass correlation does not depend on it."
        )
    return Finding(
        id="totals-correlation",
        severity="note",
        statement=statement,
        numbers={**numbers, "pairs": len(pairs), **data.how()},
        evidence=evidence(rows),
    )

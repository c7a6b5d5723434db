"""Findings on agreement about totals: intraclass and other correlations."""

from audits.ratings.agreement.data import Ratings
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import with_ci
from storyaudit.ratings.usable_ratings import codes, crossed_blocks, rater_pairs
from storyaudit.stats.bootstrap import percentile_ci
from storyaudit.stats.correlation import KINDS, bootstrap_correlation, correlation, pearson_by_order
from storyaudit.stats.estimate import Estimate, rounded
from storyaudit.stats.intraclass import one_way, two_way


def icc_finding(data: Ratings) -> Finding | Unchecked:
    """Return the intraclass correlation of totals that the design allows, and which and why."""
    groups = [part.to_numpy() for _, part in data.sheets.groupby("story_id")["total"]]
    single = one_way(groups, data.confidence)
    if single is None:
        return Unchecked(
            id="icc",
            check="the intraclass correlation of totals",
            reason="fewer than two stories have totals that vary, or none has two complete sheets",
        )
    blocks = crossed_blocks(data.sheets)
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
    everywhere = len(blocks) == 1 and len(blocks[0]) == len(groups)
    if everywhere:
        why = "all raters rated all stories, so that ICC(2,1) and ICC(3,1) in the evidence hold too"
    elif blocks:
        why = (
            f"ICC(1,1), as no rater rated all stories; a two-way ICC holds only within each of "
            f"the {len(blocks)} sets of stories that the same raters share"
        )
    else:
        why = "ICC(1,1), as no two stories share the same raters, which a two-way ICC needs"
    return Finding(
        id="icc",
        severity="note",
        statement=f"Intraclass correlation of one rater's total, {len(groups)} stories, "
        f"{len(data.sheets)} complete sheets: {with_ci(single)} ({why}).",
        numbers={
            **single.numbers("icc1"),
            "stories": len(groups),
            "sheets": len(data.sheets),
            "unit": "story (F interval)",
            "confidence": data.confidence,
        },
        evidence=evidence(rows),
    )


def correlation_finding(data: Ratings) -> Finding | Unchecked:
    """Return Pearson's, Spearman's and Kendall's correlations of two raters' totals."""
    pairs = rater_pairs(data.sheets.assign(item="", score=data.sheets["total"]))
    first, second = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    weights = data.weights[:, data.story(pairs)]
    rows: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    sentences = []
    for kind in KINDS:
        point = correlation(first, second, kind, data.confidence)
        if point is None:
            return Unchecked(
                id="totals-correlation",
                check="the correlation of two raters' totals",
                reason="fewer than three pairs of complete sheets, or totals of one value",
            )
        samples = bootstrap_correlation(first, second, kind, weights)
        estimate = Estimate(point.value, *percentile_ci(samples, data.confidence))
        row: dict[str, Number] = {"correlation": kind, "pairs": len(pairs)}
        row["value"] = rounded(point.value)
        row |= {"analytic_low": rounded(point.low), "analytic_high": rounded(point.high)}
        rows.append(
            {**row, "story_low": rounded(estimate.low), "story_high": rounded(estimate.high)}
        )
        numbers |= estimate.numbers(kind)
        sentences.append(f"{kind.capitalize()} {with_ci(estimate)}")
    block, _ = codes(pairs["first_rater"] + "\0" + pairs["second_rater"])
    order = pearson_by_order(first, second, block)
    statement = (
        f"Totals of two raters over {len(pairs)} pairs: {', '.join(sentences)} (bootstrap of "
        f"{data.weights.shape[1]} stories)."
    )
    if order is not None:
        numbers |= {"pearson_lowest": rounded(order[0]), "pearson_highest": rounded(order[1])}
        statement += (
            f" Pearson's moves from {order[0]:.2f} to {order[1]:.2f} with which rater of each of "
            f"the {block.max() + 1} pairs is called the first, which no data decide; the "
            f"intraclass correlation does not move."
        )
    return Finding(
        id="totals-correlation",
        severity="note",
        statement=statement,
        numbers={**numbers, "pairs": len(pairs), **data.how()},
        evidence=evidence(rows),
    )

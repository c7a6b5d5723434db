"""How robust comparisons of authors are to the unit of analysis and to Holm's correction."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from audits.ratings.comparisons.comparison_methods import Method, Outcome, compare
from storyaudit.errors import InputError
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence, slugs
from storyaudit.phrasing import estimated, listed
from storyaudit.stats.estimate import rounded, rounded_p
from storyaudit.stats.holm import holm
from storyaudit.vocabulary import Severity

DEFAULT_REFERENCE = "human"
CORRECTION = "Holm's correction over authors"
CHOICE = "depends on the method (test and unit of analysis)"


@dataclass(frozen=True)
class Judged:
    """An outcome with Holm's correction over its method's comparisons.

    Attributes:
        method: the method.
        outcome: of one author.
        holm: corrected p (Holm 1979).
        capable: whether the smallest p that so many units can give is significant after Holm.
    """

    method: Method
    outcome: Outcome
    holm: float
    capable: bool


def judge(methods: list[Method], alpha: float) -> dict[str, list[Judged]]:
    """Return each author's outcomes by method, corrected within the method."""
    judged: dict[str, list[Judged]] = {}
    for method in methods:
        corrected = holm([outcome.p for outcome in method.outcomes.values()])
        family = len(corrected)
        for (author, outcome), p in zip(method.outcomes.items(), corrected, strict=True):
            capable = outcome.smallest * family <= alpha
            judged.setdefault(author, []).append(Judged(method, outcome, p, capable))
    return judged


def comparison_findings(
    rows: pd.DataFrame,
    row_totals: pd.DataFrame,
    rng: np.random.Generator,
    *,
    reference: str | None = None,
    confidence: float = 0.95,
) -> list[Finding | Unchecked]:
    """Return one conclusion an author, a table of the methods, and what the design forbids.

    Args:
        rows: usable rows of the ratings table.
        row_totals: totals of complete rating rows.
        rng: draws patterns of signs where there are too many to count.
        reference: the author to compare with; ``human`` if None.
        confidence: of the intervals; 1 − confidence is the level of the tests.

    Raises:
        InputError: the table has no such author.
    """
    authors = sorted(set(rows["author"]))
    if reference is not None and reference not in authors:
        raise InputError(
            f"expected the author '{reference}' to compare with, found {', '.join(authors)}.",
            "Name one of these.",
            column="author",
        )
    against = reference or DEFAULT_REFERENCE
    if against not in authors or len(authors) < 2:
        reason = (
            "the ratings table has one author"
            if len(authors) < 2
            else f"no reference author was named, and none is called '{DEFAULT_REFERENCE}'"
        )
        check = "comparison of authors with a reference author"
        return [Unchecked(id="comparisons", check=check, reason=reason)]
    methods = compare(rows, row_totals, against, rng, confidence)
    alpha = 1 - confidence
    judged = judge(methods, alpha)
    unchecked = [
        Unchecked(
            id=f"comparison-by-{method.id}",
            check=f"comparison of authors with {against} by {method.name}",
            reason=method.why_not,
        )
        for method in methods
        if not method.outcomes
    ]
    findings = [
        _conclusion(author, slug, against, judged[author], alpha)
        for author, slug in zip(judged, slugs(judged), strict=True)
    ]
    if findings:
        findings.append(_methods(methods, judged, findings, against, alpha))
    return [*findings, *unchecked]


def _conclusion(
    author: str, slug: str, reference: str, results: list[Judged], alpha: float
) -> Finding:
    able = [result for result in results if result.capable]
    significant = [result for result in able if result.holm <= alpha]
    uncorrected = [result for result in able if result.outcome.p <= alpha]
    directions = {result.outcome.estimate.value > 0 for result in significant}
    severity: Severity = "warn"
    conclusion = "depends"
    methods = f"{len(able)} methods"
    if not able:
        conclusion, result = "inconclusive", "No method has enough units to reach significance"
    elif len(significant) == len(able) and len(directions) == 1:
        conclusion, severity = "survives", "note"
        result = (
            f"The difference is significant by {len(able)} of {methods}, in the same direction, "
            f"after {CORRECTION}"
        )
    elif len(significant) == len(able):
        result = (
            f"The difference is significant by {len(able)} of {methods} after {CORRECTION}, but "
            f"its direction {CHOICE}"
        )
    elif significant:
        result = (
            f"The difference is significant by {_of(significant, able)} after {CORRECTION}, so "
            f"the conclusion {CHOICE}"
        )
    elif uncorrected:
        result = (
            f"The difference is significant by 0 of {methods} after {CORRECTION}, and by "
            f"{_of(uncorrected, able)} without it"
        )
    else:
        conclusion = "inconclusive"
        result = (
            f"The difference is not significant by any of {methods}, with or without {CORRECTION}"
        )
    return Finding(
        id=f"comparison-{slug}",
        severity=severity,
        statement=f"{_shown(author, reference, results, alpha)}"
        f"{_unadjusted(_lead(results), alpha)} {result}.{_incapable(results, alpha)}",
        numbers={
            "conclusion": conclusion,
            "reference": reference,
            "methods": len(able),
            "significant_after_holm": len(significant),
            "significant_before_holm": len(uncorrected),
            "level": rounded(alpha),
            **_lead(results).outcome.estimate.numbers("difference", 2),
            "unit": _lead(results).method.unit,
        },
        evidence=evidence(_row(result, alpha) for result in results),
    )


def _lead(results: list[Judged]) -> Judged:
    """Return the outcome to show: of the last method, which leaves the least for granted."""
    return results[-1]


def _shown(author: str, reference: str, results: list[Judged], alpha: float) -> str:
    lead = _lead(results)
    scale = "score" if lead.method.unit == "score" else "total"
    difference = estimated(
        lead.outcome.estimate,
        1 - alpha,
        signed_tenths,
        unit="points",
        no_ci=f"no CI: only {counted(lead.outcome.first, lead.method.unit)}",
    )
    return (
        f"The mean {scale} of {author} minus that of {reference} is {difference}, "
        f"{lead.method.name}."
    )


def _unadjusted(lead: Judged, alpha: float) -> str:
    """Return that the shown interval excludes zero only without the correction, as a sentence."""
    if lead.holm <= alpha or not lead.outcome.estimate.excludes_zero():
        return ""
    return (
        " This CI is unadjusted; by the same method the difference is not significant after Holm's "
        "correction."
    )


def signed_tenths(value: float) -> str:
    """Return a difference with one digit after the point, with its sign."""
    return f"{value:+z.1f}"


def _of(some: list[Judged], able: list[Judged]) -> str:
    """Return how many methods are some, and their names: '1 of 5 methods (mixed model)'."""
    others = [result for result in able if result not in some]
    few, label = (some, "") if len(some) <= 3 else (others, "all but ")
    if not 0 < len(few) <= 3:
        return f"{len(some)} of {len(able)} methods"
    names = listed([result.method.name for result in few], "methods")
    return f"{len(some)} of {len(able)} methods ({label}{names})"


def _incapable(results: list[Judged], alpha: float) -> str:
    """Return which methods have too few units for any significance, as a sentence."""
    unable = [result for result in results if not result.capable]
    if not unable:
        return ""
    smallest = max(result.outcome.smallest for result in unable)
    names = listed([result.method.name for result in unable], "further methods")
    return (
        f" Not among these methods: {names}, with too few units for p ≤ {alpha:.3g} after "
        f"correction (smallest possible uncorrected p {smallest:.3g})."
    )


def _row(result: Judged, alpha: float) -> dict[str, Number]:
    outcome = result.outcome
    if not result.capable:
        verdict = f"none: smallest possible p {outcome.smallest:.3g}"
    else:
        verdict = "significant" if result.holm <= alpha else "not significant"
    return {
        "method": result.method.name,
        "unit": result.method.unit,
        "n": outcome.first,
        "n_reference": outcome.second,
        "of": "a score" if result.method.unit == "score" else "a total",
        **outcome.estimate.numbers("difference", 2),
        "p": rounded_p(outcome.p),
        "p_holm": rounded_p(result.holm),
        "verdict": verdict,
    }


def _methods(
    methods: list[Method],
    judged: dict[str, list[Judged]],
    findings: list[Finding],
    reference: str,
    alpha: float,
) -> Finding:
    rows: list[dict[str, Number]] = []
    for method in methods:
        own = [r for results in judged.values() for r in results if r.method is method]
        if not own:
            continue
        rows.append(
            {
                "method": method.name,
                "unit": method.unit,
                "about": method.about,
                "comparisons": len(own),
                "smallest_possible_p": rounded(max(r.outcome.smallest for r in own), 4),
                "significant_before_holm": sum(r.outcome.p <= alpha for r in own),
                "significant_after_holm": sum(r.holm <= alpha for r in own),
            }
        )
    ends = [str(finding.numbers["conclusion"]) for finding in findings]
    counts = {end: ends.count(end) for end in ("survives", "depends", "inconclusive")}
    return Finding(
        id="comparisons",
        severity="note",
        statement=(
            f"{counted(len(findings), 'author is', 'authors are')} compared with {reference} by "
            f"{counted(len(rows), 'method')}. {counts['survives']} of {len(findings)} differ "
            f"significantly after {CORRECTION} by every method with enough units. For "
            f"{counts['depends']} of {len(findings)} significance or direction depends on the "
            f"method (test and unit of analysis) or the correction. For {counts['inconclusive']} "
            f"of {len(findings)} no method with enough units finds a significant difference."
        ),
        numbers={
            "authors": len(findings),
            **counts,
            "level": rounded(alpha),
        },
        evidence=evidence(rows),
    )

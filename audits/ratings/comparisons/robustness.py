"""What comparisons conclude: does the conclusion survive every method that could show it?"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from audits.ratings.comparisons.comparison_methods import Method, Outcome, compare
from storyaudit.errors import InputError
from storyaudit.findings import Finding, Number, Unchecked, evidence, slugs
from storyaudit.phrasing import TOLD, p_value
from storyaudit.stats.estimate import rounded, rounded_p
from storyaudit.stats.holm import holm
from storyaudit.vocabulary import Severity

DEFAULT_REFERENCE = "human"


@dataclass(frozen=True)
class Judged:
    """An outcome with Holm's correction over its method's comparisons.

    Attributes:
        method: the method.
        outcome: of one author.
        holm: corrected p (Holm 1979).
        capable: whether the smallest p that so many units can give would survive Holm.
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
    sheets: pd.DataFrame,
    rng: np.random.Generator,
    *,
    reference: str | None = None,
    confidence: float = 0.95,
) -> list[Finding | Unchecked]:
    """Return one conclusion an author, a table of the methods, and what the design forbids.

    Args:
        rows: usable rows of the ratings table.
        sheets: complete sheets.
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
            "the table has one author"
            if len(authors) < 2
            else f"no reference author was named, and none is called '{DEFAULT_REFERENCE}'"
        )
        check = "which authors differ from a reference author"
        return [Unchecked(id="comparisons", check=check, reason=reason)]
    methods = compare(rows, sheets, against, rng, confidence)
    alpha = 1 - confidence
    judged = judge(methods, alpha)
    unchecked = [
        Unchecked(
            id=f"comparison-by-{method.id}",
            check=f"authors against {against} by {method.name}",
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
    told = [result for result in able if result.holm <= alpha]
    uncorrected = [result for result in able if result.outcome.p <= alpha]
    directions = {result.outcome.estimate.value > 0 for result in told}
    unable = [result for result in results if not result.capable]
    shown = _shown(results)
    severity: Severity = "warn"
    if told and len(told) == len(able) and len(directions) == 1:
        conclusion, severity = "survives", "note"
        sentence = f"it survives: all {len(told)} methods that could show it tell it from zero"
    elif told:
        conclusion = "depends"
        others = [result for result in able if result not in told]
        sentence = (
            f"it depends on the unit: {TOLD} after Holm by {_names(told)}, not by "
            f"{_names(others, with_p=True)}"
            if others
            else f"it depends on the unit, which turns its direction: {_names(told)}"
        )
    elif uncorrected:
        conclusion = "depends"
        sentence = (
            f"it depends on the correction: {TOLD} by {_names(uncorrected)} only without "
            f"Holm's correction for the number of comparisons"
        )
    else:
        conclusion = "cannot be told"
        sentence = (
            "it cannot be told from this design: no method tells it from zero, corrected or not"
        )
    if unable:
        smallest = max(result.outcome.smallest for result in unable)
        sentence += f"; {_names(unable)} can give no verdict (smallest possible p {smallest:.3g})"
    return Finding(
        id=f"comparison-{slug}",
        severity=severity,
        statement=f"{author} against {reference}: {shown}; {sentence}.",
        numbers={
            "conclusion": conclusion,
            "reference": reference,
            "methods": len(able),
            "told_after_holm": len(told),
            "told_before_holm": len(uncorrected),
            "level": rounded(alpha),
            **_lead(results).outcome.estimate.numbers("difference", 2),
            "unit": _lead(results).method.unit,
        },
        evidence=evidence(_row(result, alpha) for result in results),
    )


def _lead(results: list[Judged]) -> Judged:
    """Return the outcome to show: of the last method, which leaves the least for granted."""
    return results[-1]


def _shown(results: list[Judged]) -> str:
    lead = _lead(results)
    estimate = lead.outcome.estimate
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f", {estimate.low:+.1f} to {estimate.high:+.1f}"
    scale = "a score" if lead.method.unit == "score" else "the total"
    return f"{estimate.value:+.1f} points of {scale} ({lead.method.name}{interval})"


def _names(results: list[Judged], *, with_p: bool = False) -> str:
    return ", ".join(
        result.method.name + (f" (Holm {p_value(result.holm)})" if with_p else "")
        for result in results
    )


def _row(result: Judged, alpha: float) -> dict[str, Number]:
    outcome = result.outcome
    if not result.capable:
        verdict = f"none: smallest possible p {outcome.smallest:.3g}"
    else:
        verdict = "told" if result.holm <= alpha else "not told"
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
                "told_before_holm": sum(r.outcome.p <= alpha for r in own),
                "told_after_holm": sum(r.holm <= alpha for r in own),
            }
        )
    ends = [str(finding.numbers["conclusion"]) for finding in findings]
    counts = {end: ends.count(end) for end in ("survives", "depends", "cannot be told")}
    return Finding(
        id="comparisons",
        severity="note",
        statement=(
            f"Of {len(findings)} authors against {reference}, {counts['survives']} differ by "
            f"every method that could show it after Holm's correction, {counts['depends']} depend "
            f"on the unit or the correction, and {counts['cannot be told']} cannot be told from "
            f"this design."
        ),
        numbers={
            "authors": len(findings),
            **{name.replace(" ", "_"): count for name, count in counts.items()},
            "level": rounded(alpha),
        },
        evidence=evidence(rows),
    )

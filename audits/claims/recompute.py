"""A paper's printed figures against the data they were computed from."""

import math
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from audits.ratings.sheets import author_statistics
from storyaudit.findings import Finding, Report, Unchecked, evidence
from storyaudit.ledger import Figure, Ledger, Recomputation

AUDIT = "claims"
Verdict = Literal["match", "differs", "not computable"]


@dataclass(frozen=True)
class Checked:
    """One figure as printed and as recomputed."""

    figure: Figure
    value: float | None
    verdict: Verdict
    reason: str = ""


def recompute(ledger: Ledger, ratings: pd.DataFrame) -> list[Checked]:
    """Recompute every figure of the ledger that says how, at full precision.

    A figure matches if the recomputed value rounds to the print.
    """
    statistics = author_statistics(ratings).set_index(["author", "item"])
    checked = []
    for figure in ledger.figures:
        if figure.recompute is None:
            continue
        value = _value(figure.recompute, statistics)
        if value is None or not math.isfinite(value):
            what = figure.recompute.author or "any author"
            reason = (
                f"the data hold too few finite scores of {what} on item {figure.recompute.item}"
            )
            checked.append(Checked(figure, None, "not computable", reason))
        else:
            verdict: Verdict = "match" if figure.number.admits(value) else "differs"
            checked.append(Checked(figure, value, verdict))
    return checked


def _value(how: Recomputation, statistics: pd.DataFrame) -> float | None:
    column = "mean" if how.statistic in ("mean", "mean_of_means") else "sd"
    if how.author is not None:
        place = (how.author, how.item)
        return dict(statistics[column].items()).get(place)
    of_item = statistics[statistics.index.get_level_values("item") == how.item][column]
    return float(of_item.mean(skipna=False)) if len(of_item) else None


def comparison(checked: list[Checked]) -> pd.DataFrame:
    """Return the comparison figure by figure: where, printed, recomputed, verdict."""
    return pd.DataFrame(
        [
            {
                "figure": entry.figure.id,
                "where": entry.figure.where,
                "printed": entry.figure.printed,
                "recomputed": None if entry.value is None else round(entry.value, 4),
                "verdict": entry.verdict,
            }
            for entry in checked
        ],
        columns=["figure", "where", "printed", "recomputed", "verdict"],
    )


def claims_report(ledger: Ledger, checked: list[Checked], *, command: str) -> Report:
    """Return the findings: one for all figures that match, one for each that does not."""
    rows = comparison(checked)
    matching = rows[rows["verdict"] == "match"]
    findings = []
    if len(checked):
        findings.append(
            Finding(
                id="recomputed",
                severity="pass" if len(matching) else "note",
                statement=f"{len(matching)} of {len(rows)} printed figures are reproduced from the "
                f"data at the printed precision.",
                numbers={"figures": len(rows), "match": len(matching)},
                evidence=evidence(matching.drop(columns="verdict")),
                command=command,
            )
        )
    second_hand = " (the text is known second hand)" if ledger.hand == "second" else ""
    for entry in checked:
        if entry.verdict == "differs" and entry.value is not None:
            decimals = entry.figure.number.decimals
            findings.append(
                Finding(
                    id=f"figure-{entry.figure.id}",
                    severity="fail",
                    statement=f"{entry.figure.where}: printed {entry.figure.printed}, recomputed "
                    f"{entry.value:.{decimals + 2}f}{second_hand}.",
                    numbers={"recomputed": round(entry.value, decimals + 4)},
                    command=command,
                )
            )
    unchecked = [
        Unchecked(
            id=f"figure-{entry.figure.id}",
            check=f"{entry.figure.where}: printed {entry.figure.printed}",
            reason=entry.reason,
        )
        for entry in checked
        if entry.verdict == "not computable"
    ]
    without = sum(figure.recompute is None for figure in ledger.figures)
    if without:
        unchecked.append(
            Unchecked(
                id="figures-without-recomputation",
                check=f"{without} further figures of the ledger",
                reason="the ledger does not say how they follow from the data",
            )
        )
    return Report(study=ledger.study, audit=AUDIT, findings=findings, unchecked=unchecked)

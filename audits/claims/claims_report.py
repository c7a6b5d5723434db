"""The findings on a paper's ledger."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from audits.claims.computations import Data
from audits.claims.derived import derived_findings
from audits.claims.disclosure import paper_disclosure, unknown_items
from audits.claims.feasibility_checks import check_possible
from audits.claims.p_values import check_p_values
from audits.claims.printed_differences import check_differences
from audits.claims.quantities import LedgerError, resolve, rests_on
from audits.claims.recompute import check_recomputations
from audits.claims.relations import check_relations
from audits.claims.verdict import Checked
from storyaudit.errors import InputError
from storyaudit.findings import Finding, Report, Unchecked, counted, evidence
from storyaudit.ledger.ledger_file import Conflict, Ledger
from storyaudit.phrasing import among
from storyaudit.vocabulary import Severity

AUDIT = "claims"
_HELD = {
    "figures": "printed figures are reproduced from the data at the printed precision",
    "claims": "printed statements follow from the data",
    "relations": "determinable relations between printed figures hold",
    "possible": "printed figures are possible for the stated number and scale",
    "p_values": "printed p values and verdicts follow from other printed figures",
}


def check_ledger(ledger: Ledger, data: Data, *, file: Path) -> list[Checked]:
    """Return the verdicts of every check that the ledger asks for.

    Raises:
        InputError: an entry that cannot be followed; the message names it.
    """
    if unknown := unknown_items(ledger):
        raise InputError(
            f"disclosure names '{unknown[0]}', which is no item of the checklist.",
            "Use the ids of expectations/checklist.yaml.",
            file=file,
        )
    try:
        return [
            *check_recomputations(ledger, data),
            *check_relations(ledger),
            *check_possible(ledger),
            *check_p_values(ledger),
            *check_differences(ledger),
        ]
    except LedgerError as error:
        raise InputError(f"{error}.", error.remedy, file=file) from None


def verdicts(ledger: Ledger, checked: Sequence[Checked]) -> pd.DataFrame:
    """Return one row a check, and one for each figure, claim or quantity without its own."""
    used = _relied_on(ledger, checked)
    known = resolve(ledger, {figure.id: figure.interval for figure in ledger.figures})
    rows = [(c.section, c.id, c.where, c.printed, c.verdict) for c in checked]
    rows += [
        (
            "figures",
            figure.id,
            figure.where,
            figure.printed,
            "used by a check" if figure.id in used else "not checked",
        )
        for figure in ledger.figures
        if figure.recompute is None
    ]
    rows += [
        ("claims", claim.id, claim.where, claim.statement, "not checked")
        for claim in ledger.claims
        if claim.recompute is None
    ]
    rows += [
        ("quantities", q.id, "", q.expression, "derived" if q.id in known else "undetermined")
        for q in ledger.quantities
    ]
    return pd.DataFrame(rows, columns=["section", "entry", "where", "printed", "verdict"])


def claims_report(ledger: Ledger, checked: Sequence[Checked]) -> Report:
    """Return the findings: one for all that held in a section, one for each that did not.

    A contradiction that depends on the wording of a text known second hand, and a conflict in such
    a text, is no more than a ``warn``.
    """
    hedged = {entry.id for entry in ledger.entries() if entry.wording and ledger.hand == "second"}
    notes = {entry.id: entry.note for entry in ledger.entries() if entry.note}
    findings = _held(checked)
    unchecked = []
    for entry in checked:
        if entry.outcome == "pass":
            continue
        if entry.outcome == "unchecked":
            unchecked.append(
                Unchecked(
                    id=f"{entry.section}-{entry.id}",
                    check=f"{entry.where}: {entry.printed.removesuffix('.')}",
                    reason=entry.sentence.removesuffix("."),
                )
            )
            continue
        severity: Severity = entry.outcome
        sentence = entry.sentence
        if severity == "fail" and entry.id in hedged:
            severity = "warn"
            sentence += " This depends on the wording of a text known second hand."
        if entry.id in notes:
            sentence += f" {notes[entry.id]}"
        findings.append(
            Finding(
                id=f"{entry.section}-{entry.id}",
                severity=severity,
                statement=sentence,
                numbers=dict(entry.numbers),
            )
        )
    findings += [_conflict(entry, ledger) for entry in ledger.conflicts]
    findings += derived_findings(ledger)
    unchecked += _silent(ledger, checked)
    parts = [*findings, *unchecked, *paper_disclosure(ledger)]
    return Report.of(parts, study=ledger.study, audit=AUDIT)


def _held(checked: Sequence[Checked]) -> list[Finding]:
    findings = []
    for section, what in _HELD.items():
        entries = [c for c in checked if c.section == section and c.outcome != "unchecked"]
        held = [entry for entry in entries if entry.outcome == "pass"]
        if entries:
            findings.append(
                Finding(
                    id=f"held-{section}",
                    severity="pass" if held else "note",
                    statement=f"{len(held)} of {len(entries)} {what}."
                    + (_of_relations(checked) if section == "relations" else ""),
                    numbers={"checked": len(entries), "held": len(held)},
                    evidence=evidence(
                        {"entry": e.id, "where": e.where, "printed": e.printed} for e in held
                    ),
                )
            )
    return findings


def _of_relations(checked: Sequence[Checked]) -> str:
    """Return how many relations do not hold, by verdict, as sentences."""
    number = Counter(entry.verdict for entry in checked if entry.section == "relations")
    rounding, contradicted = number["holds only through rounding"], number["contradicted"]
    open_ = number["undetermined"]
    parts = [
        text
        for count, text in (
            (rounding, f"{rounding} {'holds' if rounding == 1 else 'hold'} only through rounding"),
            (contradicted, f"{counted(contradicted, 'is', 'are')} contradicted"),
        )
        if count
    ]
    said = f" {' and '.join(parts)}." if parts else ""
    if open_:
        said += f" {counted(open_, 'further relation is', 'further relations are')} undetermined."
    return said


def _conflict(entry: Conflict, ledger: Ledger) -> Finding:
    hedged = ledger.hand == "second"
    statement = entry.statement.removesuffix(".") + f" ({'; '.join(entry.where)})."
    if hedged:
        statement += " The text is known second hand."
    if entry.resolution:
        statement += f" {entry.resolution}"
    return Finding(
        id=f"conflicts-{entry.id}", severity="warn" if hedged else "fail", statement=statement
    )


def _relied_on(ledger: Ledger, checked: Sequence[Checked]) -> set[str]:
    """Return the figures on which the checks that came to a verdict rest."""
    rests = rests_on(ledger)
    return set().union(*(rests.get(c.id, set()) for c in checked if c.outcome != "unchecked"))


def _silent(ledger: Ledger, checked: Sequence[Checked]) -> list[Unchecked]:
    """Return what the ledger lists and no check comes to a verdict on."""
    used = _relied_on(ledger, checked)
    known = resolve(ledger, {figure.id: figure.interval for figure in ledger.figures})
    nothing = "no data or other printed figure to check against"
    divisor = "not determinable from what is reported: a divisor may be zero"
    left = {
        ("figure", "figures"): (
            [
                f"{figure.id} ({figure.printed})"
                for figure in ledger.figures
                if figure.recompute is None and figure.id not in used
            ],
            nothing,
        ),
        ("claim", "claims"): (
            [c.statement.removesuffix(".") for c in ledger.claims if c.recompute is None],
            nothing,
        ),
        ("quantity", "quantities"): (
            [q.id for q in ledger.quantities if q.id not in known],
            divisor,
        ),
    }
    return [
        Unchecked(
            id=f"unchecked-{several}",
            check=f"{counted(len(entries), one, several)}: {among(entries)}",
            reason=reason,
        )
        for (one, several), (entries, reason) in left.items()
        if entries
    ]

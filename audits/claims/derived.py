"""What follows from a paper's printed figures although it does not print it."""

from collections.abc import Mapping
from fractions import Fraction

from audits.claims.quantities import resolve
from storyaudit.findings import Finding, Number, counted, evidence
from storyaudit.ledger.ledger_file import Ledger, Quantity
from storyaudit.stats.rational_intervals import Interval


def derived_findings(ledger: Ledger) -> list[Finding]:
    """Return one note on the ledger's quantities, each with what rounding leaves of it.

    Raises:
        LedgerError: see ``audits.claims.quantities``.
    """
    if not ledger.quantities:
        return []
    rounded = resolve(ledger, {figure.id: figure.interval for figure in ledger.figures})
    printed = resolve(
        ledger, {f.id: Interval.point(Fraction(f.number.value)) for f in ledger.figures}
    )
    rows = [_row(quantity, rounded, printed) for quantity in ledger.quantities]
    count = len(rows)
    return [
        Finding(
            id="quantities-derived",
            severity="note",
            statement=f"{counted(count, 'quantity is', 'quantities are')} derived from printed "
            "figures and not printed in the paper.",
            numbers={"quantities": count},
            evidence=evidence(rows),
        )
    ]


def _row(
    quantity: Quantity, rounded: Mapping[str, Interval], printed: Mapping[str, Interval]
) -> dict[str, Number]:
    known = quantity.id in rounded and quantity.id in printed
    return {
        "quantity": quantity.id,
        "expression": quantity.expression,
        "value": _shown(printed[quantity.id].low) if known else "undetermined",
        "from": _shown(rounded[quantity.id].low) if known else None,
        "to": _shown(rounded[quantity.id].high) if known else None,
        "note": quantity.note,
    }


def _shown(value: Fraction) -> Number:
    return int(value) if value.denominator == 1 else round(float(value), 4)

"""The expressions of a ledger: every name known, quantities in the order of need."""

from collections.abc import Callable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from audits.claims.expressions import (
    Expression,
    ExpressionError,
    Relation,
    bounds,
    names,
    parse_expression,
    parse_relation,
)
from storyaudit.ledger.ledger_file import Ledger
from storyaudit.stats.rational_intervals import Interval

Parsed = TypeVar("Parsed", Expression, Relation)


class LedgerError(ValueError):
    """A ledger whose entry cannot be followed.

    Args:
        problem: names the entry and the fault, as a clause.
        remedy: what the person can do about it, as a sentence.
    """

    def __init__(
        self, problem: str, remedy: str = "docs/ledgers.md shows how to write it."
    ) -> None:
        super().__init__(problem)
        self.remedy = remedy


def parse_relations(ledger: Ledger) -> dict[str, Relation]:
    """Return the relations by id.

    Raises:
        LedgerError: a text that is no relation, an unknown name, or a figure of which a bound is
            printed.
    """
    texts = {entry.id: entry.relation for entry in ledger.relations}
    return _parse_all("relation", texts, parse_relation, ledger)


def parse_quantities(ledger: Ledger) -> dict[str, Expression]:
    """Return the quantities by id, each after those it needs.

    Raises:
        LedgerError: as for relations, or quantities that need each other.
    """
    texts = {entry.id: entry.expression for entry in ledger.quantities}
    parsed = _parse_all("quantity", texts, parse_expression, ledger)
    needs = {name: sorted(names(quantity) & set(parsed)) for name, quantity in parsed.items()}
    try:
        return {name: parsed[name] for name in TopologicalSorter(needs).static_order()}
    except CycleError as error:
        circle = ", ".join(f"'{name}'" for name in sorted(set(error.args[1])))
        raise LedgerError(f"quantities need each other in a circle: {circle}") from None


def _parse_all(
    kind: str, texts: Mapping[str, str], parse: Callable[[str], Parsed], ledger: Ledger
) -> dict[str, Parsed]:
    quantities = {quantity.id for quantity in ledger.quantities}
    parsed = {}
    for entry, text in texts.items():
        try:
            parsed[entry] = parse(text)
        except ExpressionError as error:
            raise LedgerError(f"{kind} '{entry}': {error}") from None
        for name in sorted(names(parsed[entry]) - quantities):
            figure = ledger.figure_by_id.get(name)
            if figure is None:
                raise LedgerError(
                    f"{kind} '{entry}' speaks of '{name}', which is no figure and no quantity"
                )
            if figure.sign != "=":
                raise LedgerError(
                    f"{kind} '{entry}' reckons with '{name}', of which a bound is printed"
                )
    return parsed


def resolve(ledger: Ledger, values: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return the values of figures together with those of all quantities.

    A quantity whose divisor may be zero, or that needs such a one, is left out: whatever speaks of
    it is undetermined.

    Args:
        ledger: with quantities.
        values: of the figures, by id.

    Raises:
        LedgerError: see ``parse_quantities``, or a quantity that cannot be computed.
    """
    resolved = dict(values)
    for name, expression in parse_quantities(ledger).items():
        try:
            resolved[name] = bounds(expression, resolved)
        except (ZeroDivisionError, KeyError):
            continue
        except (ValueError, OverflowError) as error:
            raise LedgerError(f"quantity '{name}': {error}") from None
    return resolved


def rests_on(ledger: Ledger) -> dict[str, set[str]]:
    """Return the figures and quantities on which each entry rests, by the entry's id.

    Raises:
        LedgerError: see ``parse_quantities`` and ``parse_relations``.
    """
    rests: dict[str, set[str]] = {}
    for entry, name in ledger.references():
        rests.setdefault(entry, set()).add(name)
    for entry, part in (*parse_quantities(ledger).items(), *parse_relations(ledger).items()):
        direct = names(part)
        rests[entry] = direct.union(*(rests.get(name, set()) for name in direct))
    return rests

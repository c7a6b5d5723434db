"""Small ledgers, and true values with the prints that they round to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from audits.claims.claims_report import check_ledger
from audits.claims.computations import Data
from audits.claims.verdict import Checked
from storyaudit.ledger.ledger_file import Ledger

HEAD = {"paper": "A paper", "study": "demo", "source": "a test", "hand": "first"}


def ledger(figures: Iterable[dict[str, Any]], **sections: Any) -> Ledger:
    """Return a ledger; figures may leave out where they stand."""
    return Ledger.model_validate(
        HEAD | {"figures": [{"where": "p. 1"} | figure for figure in figures]} | sections
    )


def figures(**prints: str) -> list[dict[str, Any]]:
    """Return figures by their prints; '2.0~1' prints 2.0 with one decimal said."""
    entries = []
    for name, text in prints.items():
        printed, _, decimals = text.partition("~")
        entry: dict[str, Any] = {"id": name.replace("_", "-"), "printed": printed}
        entries.append(entry | ({"decimals": int(decimals)} if decimals else {}))
    return entries


def check(content: Ledger, data: Data | None = None) -> dict[str, Checked]:
    """Return the verdicts by section and id, as 'relations/sum'."""
    checked = check_ledger(content, data or Data(), file=Path("ledger.yaml"))
    return {f"{entry.section}/{entry.id}": entry for entry in checked}


@dataclass(frozen=True)
class Term:
    """An expression as text, and its true value by Python's fractions; None if there is none."""

    text: str
    value: Fraction | None


@st.composite
def printed_truths(
    draw: st.DrawFn, values: st.SearchStrategy[Fraction] | None = None, *, low: int = -40
) -> dict[str, Any]:
    """A true value, and a figure that it rounds to, halves up or down."""
    value = draw(
        st.fractions(low, 40, max_denominator=60) | st.integers(low, 40).map(Fraction)
        if values is None
        else values
    )
    decimals = draw(st.integers(-1, 3))
    scaled = value * Fraction(10) ** decimals
    whole = floor(scaled)
    rest = scaled - whole
    up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and draw(st.booleans()))
    printed = Decimal(whole + up).scaleb(-decimals)
    return {"printed": f"{printed:f}", "decimals": decimals, "true": value}


def _divided(x: Fraction, y: Fraction) -> Fraction | None:
    return x / y if y else None


BINARY: dict[str, Callable[[Fraction, Fraction], Fraction | None]] = {
    "({} + {})": lambda x, y: x + y,
    "({} - {})": lambda x, y: x - y,
    "{} * ({})": lambda x, y: x * y,
    "{} / ({})": _divided,
    "percent({}, {})": lambda x, y: _divided(100 * x, y),
    "change({}, {})": lambda x, y: None if y == 0 else 100 * (x - y) / y,
    "sum({}, {}, 2)": lambda x, y: x + y + 2,
    "mean({}, 0.5, {})": lambda x, y: (x + y + Fraction(1, 2)) / 3,
    "max({}, {})": max,
    "min({}, {})": min,
    "weighted_mean({}, {}; 3, 1)": lambda x, y: (3 * x + y) / 4,
    "count({0} < {1}, {0} = {1}, {1} >= 0 > -{0}, {0} != 1)": lambda x, y: Fraction(
        (x < y) + (x == y) + (y >= 0 > -x) + (x != 1)
    ),
}


def terms(truths: dict[str, Fraction]) -> st.SearchStrategy[Term]:
    """Expressions over figures of which the true values are given, ``w`` among them, above zero."""
    leaves = st.sampled_from([Term(f"[{name}]", value) for name, value in truths.items()])
    leaves |= st.integers(0, 5).map(lambda n: Term(str(n), Fraction(n)))

    def extended(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        def joined(form: str, left: Term, right: Term) -> Term:
            text = form.format(left.text, right.text)
            if left.value is None or right.value is None:
                return Term(text, None)
            return Term(text, BINARY[form](left.value, right.value))

        def negated(term: Term) -> Term:
            return Term(f"-({term.text})", None if term.value is None else -term.value)

        def weighted(term: Term) -> Term:
            text, weight = f"weighted_mean(5, 7, {term.text}; 1, [w], 2)", truths["w"]
            if term.value is None:
                return Term(text, None)
            return Term(text, (5 + 7 * weight + 2 * term.value) / (3 + weight))

        both = st.builds(joined, st.sampled_from(list(BINARY)), inner, inner)
        return both | inner.map(negated) | inner.map(weighted)

    return st.recursive(leaves, extended, max_leaves=5)

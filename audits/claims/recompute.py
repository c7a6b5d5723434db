"""A paper's printed figures and claims against the data they were computed from."""

import math
from collections.abc import Mapping, Sequence

from audits.claims.computations import Data, Named, Value
from audits.claims.computations.all_computations import COMPUTATIONS
from audits.claims.quantities import LedgerError
from audits.claims.verdict import Checked, Outcome
from storyaudit.findings import Number, counted
from storyaudit.ledger.ledger_file import Claim, Computation, Figure, Ledger
from storyaudit.phrasing import listed

_OPTIONS = {"ratings": "--data", "stories": "--stories"}


class _NotComputableError(Exception):
    """The data do not suffice for a computation; the message says why."""


def check_recomputations(ledger: Ledger, data: Data) -> list[Checked]:
    """Recompute every figure and claim of the ledger that says how, at full precision.

    Where the stated method does not give the print, the computation's other conventions are tried:
    that one of them does is worth a note, the stated method fails all the same. What needs a table
    that is not given, or more rows than it has, is unchecked.

    Raises:
        LedgerError: an unknown computation, arguments that it does not take, a result of another
            kind than the entry's, or a table without a column that the computation needs.
    """
    checked: list[Checked] = []
    for figure in ledger.figures:
        if figure.recompute is not None:
            checked += _figure(figure, figure.recompute, data)
    for claim in ledger.claims:
        if claim.recompute is not None:
            checked += _claim(claim, claim.recompute, data)
    return checked


def _figure(figure: Figure, how: Computation, data: Data) -> list[Checked]:
    try:
        value = _number(_compute(figure.id, how, data))
    except _NotComputableError as error:
        return [_verdict(figure, "not computable", "unchecked", str(error))]
    if value is None:
        raise LedgerError(f"'{figure.id}' is a number, and {how.computation} gives none")
    digits = max(figure.number.decimals, 0) + 2
    shown = f"{value:.{digits}f}"
    numbers: dict[str, Number] = {"recomputed": round(value, digits + 2)}
    if figure.number.admits(value):
        sentence = f"{figure.place}: {figure.printed} is reproduced ({shown})."
        return [_verdict(figure, "reproduced", "pass", sentence, numbers)]
    sentence = f"{figure.place}: the paper prints {figure.printed}, the data give {shown}."
    stated = _verdict(figure, "differs", "fail", sentence, numbers)
    others = {
        name: number
        for name, other in _by_other_conventions(how, data).items()
        if (number := _number(other)) is not None
    }
    if not others:
        return [stated]
    matching = [name for name, number in others.items() if figure.number.admits(number)]
    # If all values lay anywhere in the range they span, how many would round to the print?
    step = 2 * float(figure.number.half_step)
    span = max(value, *others.values()) - min(value, *others.values())
    by_chance = len(others) * step / (span + step)
    return [stated, _on_conventions(figure, others, matching, by_chance)]


def _claim(claim: Claim, how: Computation, data: Data) -> list[Checked]:
    try:
        value = _compute(claim.id, how, data)
    except _NotComputableError as error:
        return [_verdict(claim, "not computable", "unchecked", str(error))]
    if _kind(value) != _kind(claim.expects):
        raise LedgerError(
            f"'{claim.id}' expects {_kind(claim.expects)}, and {how.computation} gives "
            f"{_kind(value)}"
        )
    said = f"{claim.where}: {claim.statement.removesuffix('.')}."
    if _same(value, claim.expects):
        return [_verdict(claim, "holds", "pass", f"{said} The data give {_shown(value)}.")]
    sentence = f"{said} {_difference(claim.expects, value)}"
    stated = _verdict(claim, "does not hold", "fail", sentence)
    others = _by_other_conventions(how, data)
    if not others:
        return [stated]
    matching = [name for name, other in others.items() if _same(other, claim.expects)]
    return [stated, _on_conventions(claim, others, matching)]


def _compute(entry: str, how: Computation, data: Data) -> Value:
    """Return the value by the stated method.

    Raises:
        LedgerError: see ``check_recomputations``.
        _NotComputableError: a table is not given, or has too few rows.
    """
    named = COMPUTATIONS.get(how.computation)
    if named is None:
        raise LedgerError(
            f"'{entry}' names the computation '{how.computation[:40]}'; there are "
            + ", ".join(sorted(COMPUTATIONS))
        )
    if misfit := named.misfit(how.arguments):
        raise LedgerError(f"'{entry}': {how.computation} {misfit}")
    _require_table(entry, how.computation, named, data)
    value = named.compute(data, **how.arguments)
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise _NotComputableError("undefined: too few values in the data")
    return value


def _require_table(entry: str, computation: str, named: Named, data: Data) -> None:
    table, option = getattr(data, named.table), _OPTIONS[named.table]
    if table is None:
        raise _NotComputableError(f"no table of {named.table} was given ({option})")
    absent = [column for column in named.columns if column not in table.columns]
    if absent:
        raise LedgerError(
            f"'{entry}': {computation} needs the column {', '.join(absent)}, which the table of "
            f"{named.table} ({option}) does not have",
            f"Add it to the table, or drop 'recompute' from '{entry}'.",
        )


def _by_other_conventions(how: Computation, data: Data) -> dict[str, Value]:
    """Return the values that the computation's other conventions give, as far as they give one."""
    values = {
        name: function(data, **how.arguments)
        for name, function in sorted(COMPUTATIONS[how.computation].conventions.items())
    }
    return {name: value for name, value in values.items() if value is not None}


def _on_conventions(
    entry: Figure | Claim,
    values: Mapping[str, Value],
    matching: Sequence[str],
    by_chance: float | None = None,
) -> Checked:
    """Return a note on the conventions that were tried beside the stated method."""
    numbers: dict[str, Number] = {"tried": len(values), "matched": len(matching)}
    tried = f"{counted(len(values), 'convention')} tried instead of the stated method"
    matched = len(matching)
    if isinstance(entry, Figure):
        sentence = f"{entry.place}: of {tried}, {matched} "
        sentence += f"{'gives' if len(matching) == 1 else 'give'} the printed {entry.printed}"
    else:
        sentence = f"{entry.where}: {entry.statement.removesuffix('.')}. Of {tried}, {matched} "
        sentence += f"{'supports' if len(matching) == 1 else 'support'} this"
    if 0 < len(matching) <= 3:
        sentence += f" ({'; '.join(matching)})"
    if by_chance is not None:
        numbers["expected_by_chance"] = round(by_chance, 2)
        if matching:
            sentence += f". Expected by chance: {by_chance:.1f}"
    for name, value in values.items():
        numbers[name] = round(value, 6) if isinstance(value, float) else _shown(value)
    verdict = "reproduced only otherwise" if matching else "not reproduced"
    return _verdict(entry, verdict, "note", f"{sentence}.", numbers, section="conventions")


def _verdict(
    entry: Figure | Claim,
    verdict: str,
    outcome: Outcome,
    sentence: str,
    numbers: Mapping[str, Number] | None = None,
    section: str = "",
) -> Checked:
    figure = isinstance(entry, Figure)
    return Checked(
        id=entry.id,
        section=section or ("figures" if figure else "claims"),
        where=entry.where,
        printed=entry.printed if isinstance(entry, Figure) else entry.statement,
        verdict=verdict,
        outcome=outcome,
        sentence=sentence,
        numbers=dict(numbers or {}),
    )


def _number(value: Value) -> float | None:
    """Return a computation's result as a number, None if it is none or not finite."""
    if isinstance(value, bool | str | list) or not math.isfinite(value):
        return None
    return float(value)


def _kind(value: object) -> str:
    names = {bool: "yes or no", str: "text", list: "a list"}
    return names.get(type(value), "a number")


def _same(value: Value, expected: object) -> bool:
    if isinstance(value, list) and isinstance(expected, list):
        return value == [str(item) for item in expected]
    if isinstance(value, float) and isinstance(expected, float | int):
        return math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-9)
    return value == expected


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _difference(expected: object, given: object) -> str:
    """Return how what the data give differs from what was expected, as a sentence."""
    if not (isinstance(expected, list) and isinstance(given, list)):
        return f"Expected {_shown(expected)}, the data give {_shown(given)}."
    if max(len(expected), len(given)) <= 3:
        return f"Expected {_shown(expected)}, the data give {_shown(given)}."
    lacking = [str(name) for name in expected if str(name) not in given]
    further = [str(name) for name in given if name not in [str(other) for other in expected]]
    parts = [
        f"{words} {listed(names, 'others')}"
        for words, names in (("lack", lacking), ("add", further))
        if names
    ]
    if not parts:
        return f"The data give the {len(given)} expected in another order."
    return f"Of the {len(expected)} expected, the data {' and '.join(parts)}."

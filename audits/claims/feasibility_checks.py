"""Ledger entries that ask whether a printed figure is arithmetically possible."""

from collections.abc import Sequence

from audits.claims.quantities import LedgerError
from audits.claims.verdict import Checked, Outcome
from storyaudit.ledger.ledger_file import Figure, Ledger, Possible
from storyaudit.stats.feasible_summaries import (
    possible_counts,
    possible_denominators,
    possible_deviation,
    possible_sums,
)
from storyaudit.stats.rational_intervals import Interval

_OUTCOMES: dict[bool | None, tuple[str, Outcome]] = {
    True: ("possible", "pass"),
    False: ("impossible", "fail"),
    None: ("undetermined", "unchecked"),
}


def check_possible(ledger: Ledger) -> list[Checked]:
    """Return the verdict on every entry of the section ``possible``.

    Raises:
        LedgerError: the figure that an entry names as its ``n`` is no count.
    """
    return [_check(entry, ledger) for entry in ledger.possible]


def _check(entry: Possible, ledger: Ledger) -> Checked:
    names = [entry.mean, entry.sd, entry.percentage, *entry.row]
    figures = [ledger.figure(name) for name in names if name is not None]
    printed = ", ".join(figure.printed for figure in figures)
    intervals = [figure.interval for figure in figures]
    possible: bool | None
    if entry.check == "percentage":
        possible, sentence = _percentage(intervals[0], printed, _size(entry, ledger))
    elif entry.check == "denominators":
        possible, sentence = _denominators(entry, intervals, printed)
    else:
        possible, sentence = _scores(entry, figures, _size(entry, ledger))
    verdict, outcome = _OUTCOMES[possible]
    return Checked(
        id=entry.id,
        section="possible",
        where=", ".join(dict.fromkeys(figure.where for figure in figures)),
        printed=printed,
        verdict=verdict,
        outcome=outcome,
        sentence=sentence,
    )


def _size(entry: Possible, ledger: Ledger) -> int:
    if not isinstance(entry.n, str):
        return entry.n or 0
    figure = ledger.figure(entry.n)
    if not figure.exact or not 1 <= figure.number.value <= 10**9:
        raise LedgerError(
            f"'{entry.id}' takes n from '{figure.id}', printed {figure.printed}",
            "Give a figure that is a count, or the number itself.",
        )
    return int(figure.number.value)


def _scores(entry: Possible, figures: Sequence[Figure], n: int) -> tuple[bool | None, str]:
    low, high = entry.scale or (0, 0)
    scores = f"{n} whole scores from {low} to {high}"
    mean = figures[0].interval
    possible: bool | None
    if entry.check == "mean":
        possible = bool(possible_sums(mean, n, low, high))
        what = f"a mean of {figures[0].printed}"
    else:
        sd = figures[1].interval
        ddofs = (1, 0) if entry.ddof is None else (entry.ddof,)
        answers = [possible_deviation(mean, sd, n, low, high, ddof=ddof) for ddof in ddofs]
        possible = True if True in answers else None if None in answers else False
        divisor = {None: "", 0: " (n)", 1: " (n − 1)"}[entry.ddof]
        what = f"a mean of {figures[0].printed} with a standard deviation of {figures[1].printed}"
        what += divisor
    if possible is None:
        return (
            None,
            f"not determined: whether {scores} can have {what} would take too long to search",
        )
    return possible, f"{scores} {'can' if possible else 'cannot'} have {what}."


def _percentage(percentage: Interval, printed: str, n: int) -> tuple[bool, str]:
    counts = possible_counts(percentage, n)
    if not counts:
        return False, f"No count of {n} gives {printed} %."
    return True, f"{printed} % of {n} is {_listed(counts)}."


def _denominators(entry: Possible, row: Sequence[Interval], printed: str) -> tuple[bool, str]:
    first, last = entry.at_least or 1, entry.at_most or 1
    allowed = possible_denominators(row, range(first, last + 1), exhaustive=entry.exhaustive)
    if not allowed:
        return False, f"No denominator from {first} to {last} allows {printed} %."
    return True, (
        f"Of the denominators from {first} to {last}, {len(allowed)} allow {printed} %: "
        f"{_listed(allowed)}."
    )


def _listed(values: Sequence[int]) -> str:
    return ", ".join(map(str, values[:10])) + (", …" if len(values) > 10 else "")

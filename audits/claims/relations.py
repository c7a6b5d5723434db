"""Verdicts on relations between printed figures, as far as rounding determines them."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from audits.claims.expressions import Expression, FigureName, Relation, bounds
from audits.claims.quantities import LedgerError, parse_relations, resolve, rests_on
from audits.claims.verdict import NOT_DETERMINABLE, Checked, Outcome
from storyaudit.findings import Number
from storyaudit.ledger.ledger_file import Ledger, RelationEntry
from storyaudit.stats.rational_intervals import Comparison, Interval, compare

Verdict = Literal["holds", "holds only through rounding", "contradicted", "undetermined"]
_OUTCOMES: Mapping[Verdict, Outcome] = {
    "contradicted": "fail",
    "undetermined": "unchecked",
    "holds only through rounding": "note",
    "holds": "pass",
}
_WORST = tuple(_OUTCOMES)


@dataclass(frozen=True)
class Values:
    """What is known of a ledger's figures and quantities, by id.

    Attributes:
        rounded: what rounding leaves of each.
        printed: the same of the figures taken as printed, intervals of one number.
        figures: the ids that are figures.
    """

    rounded: Mapping[str, Interval]
    printed: Mapping[str, Interval]
    figures: frozenset[str]


@dataclass(frozen=True)
class Link:
    """The verdict on one link of a chain, and the values of its two sides if they have any."""

    verdict: Verdict
    left: Interval | None = None
    right: Interval | None = None


def check_relations(ledger: Ledger) -> list[Checked]:
    """Return the verdict on every relation of a ledger.

    Raises:
        LedgerError: an entry cannot be followed; see ``audits.claims.quantities``.
    """
    figures = ledger.figure_by_id
    values = Values(
        rounded=resolve(ledger, {name: figure.interval for name, figure in figures.items()}),
        printed=resolve(
            ledger,
            {name: Interval.point(Fraction(f.number.value)) for name, f in figures.items()},
        ),
        figures=frozenset(figures),
    )
    relations = parse_relations(ledger)
    rests = rests_on(ledger)
    checked = []
    for entry in ledger.relations:
        try:
            link = judge(relations[entry.id], values)
        except (ValueError, OverflowError) as error:
            raise LedgerError(f"relation '{entry.id}': {error}") from None
        places = [figure.where for figure in ledger.figures if figure.id in rests[entry.id]]
        checked.append(_checked(entry, link, _in_figures(entry.relation, ledger), places))
    return checked


def judge(relation: Relation, values: Values) -> Link:
    """Return what can be said of a relation; of a chain, the worst of its links.

    *holds*: an equation, if the figures as printed satisfy it, or give a value that rounds to the
    single figure on the other side; an inequality, whatever rounding left open. *holds only through
    rounding*: some values that round to the prints satisfy it, others do not. *contradicted*: none
    does. *undetermined*: a divisor may be zero.

    A figure that occurs twice counts as two, which can only widen the bounds and never makes a
    contradiction.

    Raises:
        ValueError: a weight is negative.
        OverflowError: a number grows beyond all measure.
    """
    links = [_link(left, sign, right, values) for left, sign, right in relation.links()]
    return min(links, key=lambda link: _WORST.index(link.verdict))


def _link(left: Expression, sign: Comparison, right: Expression, values: Values) -> Link:
    try:
        sides = bounds(left, values.rounded), bounds(right, values.rounded)
        as_printed = bounds(left, values.printed).low, bounds(right, values.printed).low
    except (ZeroDivisionError, KeyError):  # a quantity that is undetermined is left out
        return Link("undetermined")
    if sign == "=" and (
        as_printed[0] == as_printed[1]
        or (_is_figure(left, values) and as_printed[1] in sides[0])
        or (_is_figure(right, values) and as_printed[0] in sides[1])
    ):
        return Link("holds", *sides)
    verdicts: Mapping[bool | None, Verdict] = {
        True: "holds",
        False: "contradicted",
        None: "holds only through rounding",
    }
    return Link(verdicts[compare(sides[0], sign, sides[1])], *sides)


def _is_figure(side: Expression, values: Values) -> bool:
    return isinstance(side, FigureName) and side.id in values.figures


def _checked(entry: RelationEntry, link: Link, shown: str, places: list[str]) -> Checked:
    sentence = f"{entry.statement.removesuffix('.')}: {shown} "
    sentence += "is contradicted" if link.verdict == "contradicted" else link.verdict
    if link.verdict == "undetermined":
        sentence = f"{NOT_DETERMINABLE}: a divisor may be zero"
    numbers: dict[str, Number] = {}
    if link.left is not None and link.right is not None:
        if link.verdict != "holds":
            sentence += f" (left side {_shown(link.left)}, right side {_shown(link.right)})"
        for side, interval in (("left", link.left), ("right", link.right)):
            numbers[f"{side}_low"], numbers[f"{side}_high"] = _ends(interval)
    return Checked(
        id=entry.id,
        section="relations",
        where="; ".join(dict.fromkeys(places)),
        printed=shown,
        verdict=link.verdict,
        outcome=_OUTCOMES[link.verdict],
        sentence=f"{sentence}.",
        numbers=numbers,
    )


def _shown(interval: Interval) -> str:
    low, high = (f"{end:.8g}" for end in _ends(interval))
    return low if low == high else f"{low} to {high}"


def _ends(interval: Interval) -> tuple[float, float]:
    return float(interval.low), float(interval.high)


def _in_figures(text: str, ledger: Ledger) -> str:
    """Return the relation with printed figures in place of their ids."""
    for figure in ledger.figures:
        text = text.replace(f"[{figure.id}]", figure.printed)
    return text

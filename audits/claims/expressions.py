"""Relations between printed figures: parsed into a tree, never evaluated as code.

    [ranked] + [confirmed] = [llm_llm]
    mean([acc.creativity], [acc.coherence]) = [acc.macro]
    [table-2.gpt4.overall] > [table-2.claude.overall] > [table-2.human.overall]
    count([a.1] > [b.1], [a.2] > [b.2], [a.3] > [b.3]) = 2

A figure stands in square brackets. Numbers are exact. Operators are ``+ - * /``, functions are
those of ``FUNCTIONS``, ``weighted_mean`` and ``count``; a relation chains ``= != < <= > >=``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar, cast

from storyaudit.stats import rational_intervals as intervals
from storyaudit.stats.rational_intervals import Comparison, Interval

T = TypeVar("T")

_TOKEN = re.compile(
    r"\s*(?:(?P<figure>\[[^\[\]\s]+\])|(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z_]+)"
    r"|(?P<relation>!=|<=|>=|=|<|>)|(?P<symbol>[-+*/(),;])|(?P<end>$))"
)
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
_DEEPEST = 50
_MOST_OPERATORS = 200  # each one deepens the tree; long sums have sum()
_MOST_DIGITS = 30


class ExpressionError(ValueError):
    """A text that is no expression; the message says where it stops being one."""


@dataclass(frozen=True)
class Literal:
    """An exact number."""

    value: Fraction


@dataclass(frozen=True)
class FigureName:
    """A figure or quantity, by its id."""

    id: str


@dataclass(frozen=True)
class Call:
    """An operator or function with its arguments."""

    function: str
    arguments: tuple["Expression", ...]


@dataclass(frozen=True)
class WeightedMean:
    """A mean of values with a weight each."""

    values: tuple["Expression", ...]
    weights: tuple["Expression", ...]


@dataclass(frozen=True)
class Count:
    """How many of the relations are true."""

    relations: tuple["Relation", ...]


Expression = Literal | FigureName | Call | WeightedMean | Count


@dataclass(frozen=True)
class Relation:
    """A chain: sides, and the sign between each and the next."""

    sides: tuple[Expression, ...]
    signs: tuple[Comparison, ...]

    def links(self) -> Iterator[tuple[Expression, Comparison, Expression]]:
        """Yield each side with the sign that follows and the next side."""
        return zip(self.sides, self.signs, self.sides[1:], strict=False)


def _maximum(parts: Sequence[Interval]) -> Interval:
    return Interval(max(p.low for p in parts), max(p.high for p in parts))


def _minimum(parts: Sequence[Interval]) -> Interval:
    return Interval(min(p.low for p in parts), min(p.high for p in parts))


def _percent(parts: Sequence[Interval]) -> Interval:
    return Interval.point(100) * parts[0] / parts[1]


def _change(parts: Sequence[Interval]) -> Interval:
    return _percent(parts) - Interval.point(100)


FUNCTIONS: Mapping[str, Callable[[Sequence[Interval]], Interval]] = {
    "sum": intervals.total,
    "mean": intervals.mean,
    "max": _maximum,
    "min": _minimum,
    "percent": _percent,
    "change": _change,
}
"""Functions of a list; ``percent(a, b)`` is 100 a / b, ``change(a, b)`` is 100 a / b − 100."""
_OPERATORS: Mapping[str, Callable[[Sequence[Interval]], Interval]] = {
    "+": lambda parts: parts[0] + parts[1],
    "-": lambda parts: parts[0] - parts[1] if len(parts) == 2 else -parts[0],
    "*": lambda parts: parts[0] * parts[1],
    "/": lambda parts: parts[0] / parts[1],
}
_TWO = ("percent", "change")
WEIGHTED = "weighted_mean"
"""``weighted_mean(v1, v2, …; w1, w2, …)``: values, then weights."""
COUNT = "count"
"""``count(relation, relation, …)``: how many of them are true."""


def parse_relation(text: str) -> Relation:
    """Parse a relation.

    Raises:
        ExpressionError: the text is none.
    """
    parser = _Parser(text)
    relation = parser.relation()
    parser.end()
    return relation


def parse_expression(text: str) -> Expression:
    """Parse an expression without a relation.

    Raises:
        ExpressionError: the text is none.
    """
    parser = _Parser(text)
    expression = parser.expression()
    parser.end()
    return expression


def names(part: Expression | Relation) -> set[str]:
    """Return the ids of the figures and quantities that stand in an expression or relation."""
    match part:
        case Literal():
            return set()
        case FigureName(name):
            return {name}
        case Call(_, inner) | Count(inner) | Relation(inner, _):
            return set().union(*map(names, inner))
        case WeightedMean(values, weights):
            return set().union(*map(names, values + weights))


def bounds(expression: Expression, known: Mapping[str, Interval]) -> Interval:
    """Return the interval in which an expression lies.

    A figure that stands twice in it counts as two, which can only widen the interval.

    Raises:
        ZeroDivisionError: a divisor may be zero.
        KeyError: a figure or quantity is not known.
        ValueError: a weight is negative.
        OverflowError: a number grows beyond all measure.
    """
    match expression:
        case Literal(value):
            return Interval.point(value)
        case FigureName(name):
            return known[name]
        case Call(function, arguments):
            compute = _OPERATORS.get(function) or FUNCTIONS[function]
            return compute([bounds(argument, known) for argument in arguments])
        case WeightedMean(values, weights):
            return intervals.weighted_mean(
                [bounds(value, known) for value in values],
                [bounds(weight, known) for weight in weights],
            )
        case Count(relations):
            true = [truth(relation, known) for relation in relations]
            return Interval(Fraction(true.count(True)), Fraction(len(true) - true.count(False)))


def truth(relation: Relation, known: Mapping[str, Interval]) -> bool | None:
    """Return whether a relation is true whatever the intervals leave open, or never is.

    Returns:
        None if it is true of some values in them and false of others.

    Raises:
        ZeroDivisionError, KeyError, ValueError, OverflowError: see ``bounds``.
    """
    links = {
        intervals.compare(bounds(left, known), sign, bounds(right, known))
        for left, sign, right in relation.links()
    }
    return False if False in links else None if None in links else True


class _Parser:
    def __init__(self, text: str) -> None:
        if _THOUSANDS.search(text):
            raise ExpressionError("write 1133, not 1,133: a comma parts the entries of a list")
        self._text, self._position, self._depth, self._operators = text, 0, 0, 0
        self.kind, self._value = "", ""
        self._next()

    def _next(self) -> None:
        match = _TOKEN.match(self._text, self._position)
        if match is None or match.lastgroup is None:
            rest = self._text[self._position :].strip()[:20]
            raise ExpressionError(f"cannot read {rest!r}")
        self.kind, self._value = match.lastgroup, match.group(match.lastgroup)
        self._position = match.end()

    def _take(self) -> str:
        value = self._value
        self._next()
        return value

    def _unexpected(self, expected: str) -> ExpressionError:
        before = self._text[: self._position].removesuffix(self._value).rstrip()[-20:]
        after = f" after {before!r}" if before else ""
        return ExpressionError(f"expected {expected}{after}, found {self._value or 'the end'!r}")

    def end(self) -> None:
        if self.kind != "end":
            raise self._unexpected("the end")

    def _symbol(self, *symbols: str) -> bool:
        return self.kind == "symbol" and self._value in symbols

    def _expect(self, symbol: str) -> None:
        if not self._symbol(symbol):
            raise self._unexpected(repr(symbol))
        self._next()

    def _operator(self) -> str:
        self._operators += 1
        if self._operators > _MOST_OPERATORS:
            raise ExpressionError(f"more than {_MOST_OPERATORS} operators: use sum(…)")
        return self._take()

    def relation(self) -> Relation:
        sides, signs = [self.expression()], []
        while self.kind == "relation":
            signs.append(cast(Comparison, self._take()))
            sides.append(self.expression())
        if not signs:
            raise self._unexpected("=, !=, <, <=, > or >=")
        return Relation(tuple(sides), tuple(signs))

    def expression(self) -> Expression:
        left = self._product()
        while self._symbol("+", "-"):
            left = Call(self._operator(), (left, self._product()))
        return left

    def _product(self) -> Expression:
        left = self._operand()
        while self._symbol("*", "/"):
            left = Call(self._operator(), (left, self._operand()))
        return left

    def _operand(self) -> Expression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ExpressionError(f"nested more than {_DEEPEST} deep")
        operand = self._undecorated()
        self._depth -= 1
        return operand

    def _undecorated(self) -> Expression:
        if self._symbol("-"):
            self._next()
            return Call("-", (self._operand(),))
        if self._symbol("("):
            self._next()
            inner = self.expression()
            self._expect(")")
            return inner
        if self.kind == "number":
            number = self._take()
            if len(number) > _MOST_DIGITS:
                raise ExpressionError(f"a number of more than {_MOST_DIGITS} digits")
            return Literal(Fraction(number))
        if self.kind == "figure":
            return FigureName(self._take()[1:-1])
        if self.kind == "name":
            return self._call()
        raise self._unexpected("a figure or number")

    def _call(self) -> Expression:
        if self._value not in (*FUNCTIONS, WEIGHTED, COUNT):
            known = ", ".join([*FUNCTIONS, WEIGHTED, COUNT])
            raise ExpressionError(f"{self._value[:40]!r} is no function; there are {known}")
        name = self._take()
        self._expect("(")
        call = self._arguments(name)
        self._expect(")")
        return call

    def _arguments(self, name: str) -> Expression:
        if name == COUNT:
            return Count(self._list(self.relation))
        arguments = self._list(self.expression)
        if name == WEIGHTED:
            self._expect(";")
            weights = self._list(self.expression)
            if len(weights) != len(arguments):
                raise ExpressionError(f"{name} needs a weight for each value")
            return WeightedMean(arguments, weights)
        if name in _TWO and len(arguments) != 2:
            raise ExpressionError(f"{name} needs two arguments, found {len(arguments)}")
        return Call(name, arguments)

    def _list(self, part: Callable[[], T]) -> tuple[T, ...]:
        parts = [part()]
        while self._symbol(","):
            self._next()
            parts.append(part())
        return tuple(parts)

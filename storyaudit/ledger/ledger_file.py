"""A paper's ledger: what it prints, where, and how its figures follow from each other and data.

``docs/ledgers.md`` says how to write one.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from storyaudit.errors import InputError
from storyaudit.io.checked import Id, first_fault, repeated
from storyaudit.io.yaml_file import read_yaml
from storyaudit.ledger.printed import Printed, Sign, parse_printed
from storyaudit.stats.rational_intervals import Interval

EntryId = Annotated[Id, StringConstraints(max_length=150)]
"""Shorter than a finding's, which has the section in front."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Formula = Annotated[Text, StringConstraints(max_length=20_000)]
Count = Annotated[int, Field(ge=1, le=10**9)]
Argument = str | int | float | bool | list[str | int | float]
"""What a named computation may be given."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Computation(BaseModel):
    """A named computation over data, and its arguments beside the name."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    __pydantic_extra__: dict[str, Argument]
    computation: Text

    @property
    def arguments(self) -> dict[str, Argument]:
        """The arguments, by name."""
        return dict(self.__pydantic_extra__)


class _Entry(_Model):
    """What every entry of a ledger has.

    Attributes:
        id: unique in the ledger.
        wording: the entry depends on words, brackets or number words of a text known second hand,
            so that it can be no more than a ``warn``.
        note: anything a reader of the finding should know.
    """

    id: EntryId
    wording: bool = False
    note: str = ""


class Figure(_Entry):
    """One printed figure.

    Attributes:
        printed: the printed string, with '<' or '>' in front where the paper has it; its
            precision is information. A whole number is exact.
        decimals: the places it stands for: 0 for a whole number that is rounded, more where the
            print drops trailing zeros, fewer for a round number ('about 100,000' is 100,000
            with -5).
        where: where it is printed.
        what: what it is.
        recompute: how it follows from data, if it does.
    """

    printed: Text
    where: Text
    what: str = ""
    decimals: Annotated[int, Field(ge=-12, le=12)] | None = None
    recompute: Computation | None = None

    @model_validator(mode="after")
    def _is_a_number(self) -> "Figure":
        _ = self.number
        return self

    @cached_property
    def number(self) -> Printed:
        """The printed number."""
        return parse_printed(self.printed, self.decimals)

    @property
    def place(self) -> str:
        """Where it is printed and, if that does not say so, what it is."""
        return f"{self.where}, {self.what}" if self.what else self.where

    @property
    def sign(self) -> Sign:
        """How the print compares the figure with its number."""
        return self.number.sign

    @property
    def exact(self) -> bool:
        """Whether it is a count: a whole number that nothing says is rounded."""
        return self.number.exact

    @property
    def interval(self) -> Interval:
        """What rounding leaves of it."""
        return self.number.interval


class Claim(_Entry):
    """A statement that is no figure: a rank, a date, a comparison, which are significant.

    Attributes:
        statement: what the paper says, in a sentence.
        where: where it says so.
        recompute: how it follows from data, if it does.
        expects: what the computation must give for the statement to be true.
    """

    statement: Text
    where: Text
    recompute: Computation | None = None
    expects: Argument | None = None

    @model_validator(mode="after")
    def _both_or_none(self) -> "Claim":
        if (self.recompute is None) != (self.expects is None):
            raise ValueError("'recompute' and 'expects' go together")
        return self


class Quantity(_Entry):
    """A name for an expression over figures and other quantities."""

    expression: Formula


class RelationEntry(_Entry):
    """A relation that the figures must satisfy."""

    statement: Text
    relation: Formula


Bound = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


class Possible(_Entry):
    """A figure that must be possible for so many whole scores on a scale, or so many items.

    Attributes:
        check: ``mean``; ``mean_and_sd``, together; ``percentage`` of ``n``; ``denominators``, of
            the ``row`` of percentages from ``at_least`` to ``at_most``.
        n: a figure's id, or a whole number that the ledger's writer gives.
        ddof: 1 or 0; without it either will do.
        exhaustive: the row's counts make up the denominator.
    """

    check: Literal["mean", "mean_and_sd", "percentage", "denominators"]
    mean: EntryId | None = None
    sd: EntryId | None = None
    percentage: EntryId | None = None
    row: Annotated[list[EntryId], Field(max_length=50)] = []
    n: EntryId | Count | None = None
    scale: Annotated[list[Bound], Field(min_length=2, max_length=2)] | None = None
    ddof: Literal[0, 1] | None = None
    at_least: Annotated[int, Field(ge=1, le=100_000)] | None = None
    at_most: Annotated[int, Field(ge=1, le=100_000)] | None = None
    exhaustive: bool = False

    @model_validator(mode="after")
    def _complete(self) -> "Possible":
        needed = {
            "mean": ("mean", "n", "scale"),
            "mean_and_sd": ("mean", "sd", "n", "scale"),
            "percentage": ("percentage", "n"),
            "denominators": ("row", "at_least", "at_most"),
        }[self.check]
        missing = [name for name in needed if getattr(self, name) in (None, [])]
        if missing:
            raise ValueError(f"check '{self.check}' needs {', '.join(missing)}")
        if self.scale is not None and not self.scale[0] < self.scale[1]:
            raise ValueError("scale is [lowest, highest]")
        if self.at_least and self.at_most and self.at_least > self.at_most:
            raise ValueError("at_least lies above at_most")
        return self


class SampleReference(_Model):
    """A sample as printed: ids of mean and standard deviation, and its size."""

    mean: EntryId
    sd: EntryId
    n: Annotated[Count, Field(ge=2)]


Freedom = Annotated[float, Field(gt=0, le=10**9)]


class PValue(_Entry):
    """A p value, or a verdict of significance, that must follow from other printed figures.

    Attributes:
        where: where it is printed.
        test: the test's name as printed.
        sides: of the test. With one, a printed statistic speaks for the side of its sign.
        first: the sample claimed to be higher, where the test has one side.
        second: the other sample.
        statistic: in place of samples, the printed statistic's figure …
        df: … and its degrees of freedom, or their figure.
        p: the printed p value's figure, or
        significant: the printed verdict,
        alpha: at this level.
    """

    where: Text
    test: Literal["welch", "student", "z", "t", "chi2"]
    sides: Literal[1, 2] = 2
    first: SampleReference | None = None
    second: SampleReference | None = None
    statistic: EntryId | None = None
    df: EntryId | Freedom | None = None
    p: EntryId | None = None
    significant: bool | None = None
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05

    @model_validator(mode="after")
    def _complete(self) -> "PValue":
        if (self.p is None) == (self.significant is None):
            raise ValueError("give either 'p' or 'significant'")
        samples = [sample for sample in (self.first, self.second) if sample is not None]
        if len(samples) != (2 if self.statistic is None else 0):
            raise ValueError("give 'first' and 'second', or 'statistic'")
        if self.statistic is None and self.test in ("t", "chi2"):
            raise ValueError(f"test '{self.test}' needs 'statistic'")
        if self.statistic is not None and self.test in ("welch", "student"):
            raise ValueError("a printed statistic is of test 't', 'z' or 'chi2'")
        if (self.df is not None) != (self.test in ("t", "chi2")):
            raise ValueError("the tests 't' and 'chi2' need 'df', and no other does")
        if self.test == "chi2" and self.sides == 1:
            raise ValueError("test 'chi2' has no sides")
        return self


class Difference(_Entry):
    """Two systems' printed macro accuracies on the same items, and whether they differ.

    Attributes:
        where: where the comparison is printed.
        first: figure of the higher accuracy, in percent.
        second: figure of the other.
        items: figures of the dimensions' denominators.
    """

    where: Text
    first: EntryId
    second: EntryId
    items: Annotated[list[EntryId], Field(min_length=1)]


class Conflict(_Entry):
    """Places of the text that contradict each other.

    Attributes:
        statement: what contradicts what.
        where: the places.
        resolution: which reading the ledger follows and why, if any.
    """

    statement: Text
    where: Annotated[list[Text], Field(min_length=2)]
    resolution: str = ""


class Disclosure(_Model):
    """Whether the paper answers an item of ``expectations/checklist.yaml``, and where."""

    item: Id
    reported: Literal["yes", "partly", "no"]
    where: str = ""
    note: str = ""

    @model_validator(mode="after")
    def _somewhere(self) -> "Disclosure":
        if self.reported != "no" and not self.where:
            raise ValueError("what is reported needs a place: give 'where'")
        return self


class Ledger(_Model):
    """What a paper prints.

    Attributes:
        paper: its title.
        study: the study's name in reports.
        source: where the text is from.
        hand: ``first`` where the paper itself was read, ``second`` where notes or a translation.
    """

    paper: Text
    study: Id
    source: Text
    hand: Literal["first", "second"]
    figures: Annotated[list[Figure], Field(min_length=1)]
    claims: list[Claim] = []
    quantities: list[Quantity] = []
    relations: list[RelationEntry] = []
    possible: list[Possible] = []
    p_values: list[PValue] = []
    differences: list[Difference] = []
    conflicts: list[Conflict] = []
    disclosure: list[Disclosure] = []

    def entries(self) -> Iterator[_Entry]:
        """Yield all entries that have an id."""
        for _, section in self:
            if isinstance(section, list):
                yield from (entry for entry in section if isinstance(entry, _Entry))

    @cached_property
    def figure_by_id(self) -> Mapping[str, Figure]:
        """The figures by their ids."""
        return {figure.id: figure for figure in self.figures}

    def figure(self, name: str) -> Figure:
        """Return a figure by its id."""
        return self.figure_by_id[name]

    def counts(self) -> Mapping[str, int]:
        """Return the figures that are counts, by id."""
        return {
            figure.id: int(figure.number.value)
            for figure in self.figures
            if figure.exact and figure.sign == "="
        }

    @model_validator(mode="after")
    def _consistent(self) -> "Ledger":
        if twice := repeated(entry.id for entry in self.entries()):
            raise ValueError(f"the id '{twice}' stands twice")
        if twice := repeated(answer.item for answer in self.disclosure):
            raise ValueError(f"the checklist's item '{twice}' stands twice")
        for speaker, name, use in self._uses():
            figure = self.figure_by_id.get(name)
            if figure is None:
                raise ValueError(f"'{speaker}' speaks of the figure '{name}', which is not there")
            if figure.sign != "=" and use != "p value":
                raise ValueError(f"'{speaker}' reckons with '{name}', of which a bound is printed")
            if figure.sign == "=" and figure.exact and use != "number":
                raise ValueError(
                    f"'{speaker}' takes '{name}', printed {figure.printed}, for a rounded number: "
                    "give it 'decimals', 0 if it is rounded to a whole number"
                )
        return self

    def references(self) -> Iterator[tuple[str, str]]:
        """Yield (entry, figure) for every figure that an entry without an expression speaks of."""
        return ((entry, figure) for entry, figure, _ in self._uses())

    def _uses(self) -> Iterator[tuple[str, str, Literal["rounded", "number", "p value"]]]:
        """Yield them with what each is used as."""
        for possible in self.possible:
            if isinstance(possible.n, str):
                yield possible.id, possible.n, "number"
            for name in (possible.mean, possible.sd, possible.percentage, *possible.row):
                if name is not None:
                    yield possible.id, name, "rounded"
        for test in self.p_values:
            samples = [sample for sample in (test.first, test.second) if sample is not None]
            for name in (test.statistic, *(n for s in samples for n in (s.mean, s.sd))):
                if name is not None:
                    yield test.id, name, "rounded"
            if isinstance(test.df, str):
                yield test.id, test.df, "number"
            if test.p is not None:
                yield test.id, test.p, "p value"
        for difference in self.differences:
            for name in (difference.first, difference.second, *difference.items):
                yield difference.id, name, "number"


def read_ledger(path: Path) -> Ledger:
    """Read a ledger.

    Raises:
        InputError: not YAML, or not a ledger's layout; the message names the entry and the fix.
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        found = "nothing" if content is None else "a list" if isinstance(content, list) else "text"
        raise InputError(
            f"not a ledger: expected sections such as 'paper:' and 'figures:', found {found}.",
            "'storyaudit claims NEW.yaml --template' writes one to fill in.",
            file=path,
        )
    try:
        return Ledger.model_validate(content)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        quote = fault["type"] == "string_type" and not isinstance(fault["input"], list | dict)
        raise InputError(
            f"not a ledger: {first_fault(error).replace('value error, ', '')}"
            f"{_entry_at(content, fault['loc'])}.",
            "Put it in quotes." if quote else "docs/ledgers.md shows what each section holds.",
            file=path,
        ) from None


def _entry_at(content: dict[Any, Any], where: tuple[int | str, ...]) -> str:
    """Return the id of the entry at fault, for the message."""
    if len(where) >= 2 and isinstance(where[1], int):
        entry = content[where[0]][where[1]]
        name = entry.get("id", entry.get("item")) if isinstance(entry, dict) else None
        return f" ({where[0]}: {_named(name, where[1])})"
    return ""


def _named(name: object, place: int) -> str:
    return f"'{name}'" if isinstance(name, str) and len(name) <= 200 else f"entry {place + 1}"

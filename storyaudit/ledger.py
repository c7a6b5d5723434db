"""A paper's ledger: the figures that it prints, where they stand, and how to recompute them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from storyaudit.errors import InputError
from storyaudit.findings import Id, first_fault
from storyaudit.printed import Printed, parse_printed
from storyaudit.readers.yaml_file import read_yaml


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Recomputation(_Entry):
    """A named computation over a ratings table and its arguments.

    Attributes:
        statistic: ``mean`` and ``sd`` (of a sample) are over the scores of one author and item;
            ``mean_of_means`` and ``mean_of_sds`` are unweighted means of those over authors.
        item: the rubric item, or ``overall`` for the sum over items of each rated story.
        author: for ``mean`` and ``sd``.
    """

    statistic: Literal["mean", "sd", "mean_of_means", "mean_of_sds"]
    item: str
    author: str | None = None

    @model_validator(mode="after")
    def _author_where_needed(self) -> "Recomputation":
        if (self.author is None) != self.statistic.startswith("mean_of_"):
            raise ValueError(
                f"'{self.statistic}' goes {'without' if self.author else 'with'} an author"
            )
        return self


class Figure(_Entry):
    """One printed figure.

    Attributes:
        id: unique in the ledger.
        printed: the printed string; its precision is information.
        decimals: the places it stands for where the print drops trailing zeros.
        where: where it is printed.
        recompute: how it follows from data, if it does.
    """

    id: Id
    printed: str
    where: str = Field(min_length=1)
    decimals: int | None = Field(default=None, ge=0, le=12)
    recompute: Recomputation | None = None

    @model_validator(mode="after")
    def _is_a_number(self) -> "Figure":
        parse_printed(self.printed, self.decimals)
        return self

    @property
    def number(self) -> Printed:
        """The printed number."""
        return parse_printed(self.printed, self.decimals)


class Ledger(_Entry):
    """What a paper prints.

    Attributes:
        paper: its title.
        study: the study's name in reports.
        source: where the text is from.
        hand: ``second`` where only notes or a translation are known.
    """

    paper: str
    study: Id
    source: str
    hand: Literal["first", "second"]
    figures: list[Figure] = Field(min_length=1)

    @field_validator("figures")
    @classmethod
    def _unique(cls, figures: list[Figure]) -> list[Figure]:
        seen: set[str] = set()
        for figure in figures:
            if figure.id in seen:
                raise ValueError(f"the figure '{figure.id}' stands twice")
            seen.add(figure.id)
        return figures

    def counts(self) -> Mapping[str, int]:
        """Return the figures that are whole numbers, by id."""
        return {
            figure.id: int(figure.number.value)
            for figure in self.figures
            if figure.number.decimals == 0
        }


def read_ledger(path: Path) -> Ledger:
    """Read a ledger.

    Raises:
        InputError: not YAML, or not a ledger's layout; the message names the entry and the fix.
    """
    content = read_yaml(path)
    try:
        return Ledger.model_validate(content)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = fault["loc"]
        name = ""
        if len(where) >= 2 and where[0] == "figures" and isinstance(where[1], int):
            entry = content["figures"][where[1]]
            name = f" of figure '{entry.get('id', where[1])}'" if isinstance(entry, dict) else ""
        raise InputError(
            f"not a ledger: {first_fault(error)}{name}.",
            "A ledger has paper, study, source, hand and figures, each with id, printed, where.",
            file=path,
        ) from None

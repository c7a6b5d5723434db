"""Named computations: how a printed figure or claim follows from data.

A computation is a function of the data and the ledger's arguments. It declares the other
conventions in use for the same statistic; they are tried only where the stated method does not
give the print.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np
import pandas as pd
from pydantic import ConfigDict, TypeAdapter, ValidationError

from storyaudit.ratings.rating_rows import OVERALL, RATING_ROW_KEY, rating_rows
from storyaudit.ratings.usable_ratings import rater_pairs, totals, usable

Value = float | int | bool | str | list[str]
Function = Callable[..., Value | None]


@dataclass(frozen=True)
class Data:
    """The tables that computations read; None where a study's reviewer does not have one.

    Attributes:
        ratings: the ratings table.
        stories: one row a story: story_id, author, and what is known of it, such as words or date.
    """

    ratings: pd.DataFrame | None = None
    stories: pd.DataFrame | None = None

    @cached_property
    def rating_rows(self) -> pd.DataFrame:
        """One row a rater and story, with its scores and their sum in ``overall``."""
        if self.ratings is None:
            raise ValueError("there is no ratings table")
        return rating_rows(self.ratings).reset_index()

    @cached_property
    def rating_rows_of_author(self) -> Mapping[str, pd.DataFrame]:
        """The rating rows of each author's stories."""
        return {str(name): part for name, part in self.rating_rows.groupby("author")}

    @cached_property
    def rating_rows_of_story(self) -> Mapping[str, pd.DataFrame]:
        """The rating rows of each story."""
        return {str(name): part for name, part in self.rating_rows.groupby("story_id")}

    @cached_property
    def means(self) -> pd.DataFrame:
        """Each author's mean score by criterion and of totals, ties free of floating point."""
        return self._scores.groupby("author").mean(skipna=False).round(9)

    @cached_property
    def deviations(self) -> pd.DataFrame:
        """Each author's sample standard deviation (n − 1), in the same form."""
        return self._scores.groupby("author").std(skipna=False).round(9)

    @property
    def _scores(self) -> pd.DataFrame:
        return self.rating_rows.drop(columns=RATING_ROW_KEY)

    @cached_property
    def stories_ranked(self) -> pd.DataFrame:
        """One row a story: story_id, author, its rank among all and among the author's (``own``).

        By the mean of its raters' totals, the best first; tied stories share the better rank. A
        story with a missing score has no mean, so that neither it nor the others have a rank.
        """
        of_story = self.rating_rows.groupby(["story_id", "author"])[OVERALL]
        table = of_story.mean(skipna=False).round(9).reset_index()
        by_author = table.groupby("author")[OVERALL]
        table["rank"] = table[OVERALL].rank(ascending=False, method="min", na_option="keep")
        table["own"] = by_author.rank(ascending=False, method="min", na_option="keep")
        table.loc[by_author.transform("count") < by_author.transform("size"), "own"] = np.nan
        if table[OVERALL].isna().any():
            table["rank"] = np.nan
        return table

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row a pair of raters, story and criterion: see ``rater_pairs``."""
        return rater_pairs(self._usable)

    @cached_property
    def pairs_of_totals(self) -> pd.DataFrame:
        """One row a pair of raters and story, with both totals in the same form."""
        row_totals = totals(self._usable)
        return rater_pairs(row_totals.assign(item=OVERALL, score=row_totals["total"]))

    @property
    def _usable(self) -> pd.DataFrame:
        if self.ratings is None:
            raise ValueError("there is no ratings table")
        return usable(self.ratings)


@dataclass(frozen=True)
class Named:
    """A computation.

    Attributes:
        compute: by the stated method; None where the data hold too little.
        table: the field of ``Data`` that it reads.
        columns: of that table, that it needs.
        conventions: other conventions for the same statistic, by what they do differently.
    """

    compute: Function
    table: str = "ratings"
    columns: tuple[str, ...] = ()
    conventions: Mapping[str, Function] = field(default_factory=dict)

    @cached_property
    def signature(self) -> Signature:
        """What a ledger may give: no data, and nothing by keyword only, which conventions vary."""
        parameters = list(signature(self.compute).parameters.values())[1:]
        return Signature([p for p in parameters if p.kind is Parameter.POSITIONAL_OR_KEYWORD])

    @cached_property
    def _types(self) -> dict[str, TypeAdapter[Any]]:
        return {
            name: TypeAdapter(parameter.annotation, config=ConfigDict(strict=True))
            for name, parameter in self.signature.parameters.items()
        }

    def misfit(self, arguments: Mapping[str, object]) -> str:
        """Return what is wrong with a ledger's arguments, or ''."""
        try:
            self.signature.bind(**arguments)
        except TypeError as error:
            return f"takes {', '.join(self.signature.parameters) or 'no arguments'} ({error})"
        for name, value in arguments.items():
            try:
                self._types[name].validate_python(value)
            except ValidationError as error:
                return f"takes no {name} {value!r} ({error.errors(include_url=False)[0]['msg']})"
        return ""

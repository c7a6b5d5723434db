"""Raters' and judges' scores of the same stories, as arrays."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from audits.protocol.validity.score_tables import criteria, with_criteria
from storyaudit.data.tables import HUMAN_SCORES, JUDGE_SCORES, Table, coerce_types, validate
from storyaudit.errors import InputError
from storyaudit.stats.estimate import Array, Codes

UNPARSED = -1.0
"""An answer that could not be parsed, within a judge's average."""
HUMAN_AUTHOR = "human"
"""The name of the human author, in any case of letters."""
MOST_AUTHORS = 30
"""27,405 sets of four a premise."""
LEEWAY = 1e-9
"""Of the comparison with the scale's lower end."""


@dataclass(frozen=True)
class Panel:
    """Overall scores: the mean of the criteria, for raters and judges.

    Attributes:
        premises: names, sorted.
        authors: names; the automatic ones, sorted, before the human one.
        human_author: whether the last author is the human one.
        judges: names, sorted.
        variants: names of prompt variants, sorted.
        criteria: their names.
        human: premise × author × rater; a story's raters in the order of their names, so that one
            index is one rater only where stories share their raters.
        judge: variant × judge × premise × author.
        below: how many of the averages behind each of ``judge`` lie below the scale.
    """

    premises: list[str]
    authors: list[str]
    human_author: bool
    judges: list[str]
    variants: list[str]
    criteria: list[str]
    human: Array
    judge: Array
    below: Codes

    @property
    def automatic(self) -> int:
        """How many authors are automatic."""
        return len(self.authors) - self.human_author


def as_panel(
    human_scores: pd.DataFrame,
    judge_scores: pd.DataFrame,
    scale: tuple[float, float],
) -> Panel:
    """Return the scores as arrays.

    Args:
        human_scores: the human_scores table with its criteria.
        judge_scores: the judge_scores table with the same.
        scale: lowest and highest score. A judge's average may lie below it down to −1, which is
            how an unparsed answer counts.

    Raises:
        InputError: no common criterion, a missing, duplicated or infinite score, one off the scale,
            fewer than two judges, or a premise that lacks an author, rater, judge or variant.
    """
    names = criteria(human_scores, judge_scores)
    human = _sound(human_scores, HUMAN_SCORES, names, scale)
    judge = _sound(judge_scores, JUDGE_SCORES, names, (min(UNPARSED, scale[0]), scale[1]))
    premises = sorted(set(human["premise_id"]) | set(judge["premise_id"]))
    authors = sorted(
        set(human["author"]) | set(judge["author"]),
        key=lambda name: (name.casefold() == HUMAN_AUTHOR, name),
    )
    _check_authors(authors)
    judges, variants = (sorted(set(judge[name])) for name in ("judge", "prompt_variant"))
    if len(judges) < 2:
        raise InputError(
            f"expected two judges or more, found {judges[0]} alone.",
            "Agreement between judges needs two.",
            file=JUDGE_SCORES.name,
            column="judge",
        )
    # A rater's number among the story's: other stories may have other raters.
    number = human.groupby(["premise_id", "author"])["rater"].rank("dense").astype("int64")
    human = human.assign(rater="number " + number.astype("str"))
    raters = [f"number {n}" for n in range(1, int(number.max()) + 1)]
    by_rater = _cube(human, HUMAN_SCORES, names, [premises, authors, raters])
    by_judge = _cube(judge, JUDGE_SCORES, names, [premises, authors, judges, variants])
    by_judge = by_judge.transpose(3, 2, 0, 1, 4)
    return Panel(
        premises,
        authors,
        authors[-1].casefold() == HUMAN_AUTHOR,
        judges,
        variants,
        names,
        by_rater.mean(axis=-1),
        by_judge.mean(axis=-1),
        (by_judge < scale[0] - LEEWAY).sum(axis=-1),
    )


def _check_authors(authors: list[str]) -> None:
    humans = [name for name in authors if name.casefold() == HUMAN_AUTHOR]
    if len(humans) > 1:
        raise InputError(
            f"expected one human author, found {' and '.join(humans)}.",
            "Give the author one name.",
            column="author",
        )
    if len(authors) > MOST_AUTHORS:
        raise InputError(
            f"expected {MOST_AUTHORS} authors at most, found {len(authors)}: their sets of four "
            f"would be too many.",
            "Leave some out of both tables.",
            column="author",
        )


def _sound(
    frame: pd.DataFrame, table: Table, names: list[str], scale: tuple[float, float]
) -> pd.DataFrame:
    file, schema = Path(table.name), with_criteria(table, names)
    conformed, _ = coerce_types(frame, schema, file=file)
    validate(conformed, schema, file=file)
    for name in names:
        off = conformed[~conformed[name].between(*scale)]
        if len(off):
            raise InputError(
                f"expected scores from {scale[0]:g} to {scale[1]:g}, found "
                f"{off[name].iloc[0]:g} ({_key_of(off.iloc[0], table)}); {len(off)} of "
                f"{len(conformed)} lie off the scale.",
                "Correct them, or give the scale that was used.",
                file=file,
                column=name,
            )
    return conformed


def _cube(frame: pd.DataFrame, table: Table, names: list[str], axes: list[list[str]]) -> Array:
    """Return the scores with an axis a key column, and the criteria last."""
    cube = np.full((*map(len, axes), len(names)), np.nan)
    index = tuple(
        pd.Categorical(frame[name], categories=values).codes
        for name, values in zip(table.key, axes, strict=True)
    )
    cube[index] = frame[names].to_numpy()
    absent = np.argwhere(np.isnan(cube[..., 0]))
    if len(absent):
        where = pd.Series(
            {
                name: values[index]
                for name, values, index in zip(table.key, axes, absent[0], strict=True)
            }
        )
        raise InputError(
            f"expected every story's scores from every source, found none for "
            f"{_key_of(where, table)}; {len(absent)} of {cube[..., 0].size} are missing.",
            "Complete them, or leave the premise, author, rater or judge out of both tables.",
            file=table.name,
        )
    return cube


def _key_of(row: "pd.Series[str]", table: Table) -> str:
    return ", ".join(f"{name} {row[name]}" for name in table.key)

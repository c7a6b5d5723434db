"""Simulated judges: language models that favour places, lengths and stories of their own family.

A judge's score of a story on a dimension, before rounding, is the story's hidden quality in points
of the scale, plus the judge's leniency on that dimension, plus what the judge adds for the story's
place, length and family, plus an error. What is known of every judge is the table
``JUDGES_TRUTH``, which tests and calibration read, and no audit.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field

from pipeline.simulation.authors import MODELS
from pipeline.simulation.truth_tables import points
from storyaudit.data.tables import Column, Table
from storyaudit.errors import InputError
from storyaudit.runs.params import Deviation, Params
from storyaudit.vocabulary import DIMENSIONS

SPREAD = 0.5
"""A judge's strength lies within this share of the parameter, evenly distributed."""

LENIENCY_COLUMNS = tuple(f"lenience_{name}" for name in DIMENSIONS)
STRENGTHS = ("noise", "position_bias", "length_bias", "family_bias")

JUDGES_TRUTH = Table(
    "judges",
    ("judge",),
    (
        Column("judge"),
        Column("family"),
        *(Column(name, "float") for name in (*LENIENCY_COLUMNS, *STRENGTHS)),
    ),
    may_be_empty=True,  # where the judges are not simulated
)
"""Every number is in points of the judges' scale; see ``lean`` for what they do."""


Bias = Annotated[float, Field(ge=-100, le=100)]


class JudgementsParams(Params):
    """How many simulated judges, and how they err: in points of the 1–10 scale.

    Attributes:
        judges: how many; their families are those of the models, in turn.
        noise: SD of a judge's error on one score.
        lenience: SD over judges of a constant on a dimension.
        position_bias: how much more the first place gets than the last.
        length_bias: added for each doubling of the words over the mean of the item.
        family_bias: added to the stories by models of the judge's own family.
    """

    judges: Annotated[int, Field(ge=2, le=1000)]
    noise: Deviation
    lenience: Deviation
    position_bias: Bias
    length_bias: Bias
    family_bias: Bias


def family(model: str) -> str:
    """Return a model's family: its name before the first '-'."""
    return model.split("-", maxsplit=1)[0]


FAMILIES = tuple(family(model.name) for model in MODELS)


def draw_judges(
    params: JudgementsParams, rng: np.random.Generator, *, order_biased: float = 0.0
) -> pd.DataFrame:
    """Return the table ``JUDGES_TRUTH``: families in turn, and strengths around the parameters.

    The first judge's position bias grows by ``order_biased``. One judge more leaves the others as
    they are.
    """
    strengths = [getattr(params, name) for name in STRENGTHS]
    rows: list[dict[str, str | float]] = []
    for index in range(params.judges):
        own = FAMILIES[index % len(FAMILIES)]
        leniency = params.lenience * rng.standard_normal(len(DIMENSIONS))
        drawn = rng.uniform(1 - SPREAD, 1 + SPREAD, len(STRENGTHS)) * strengths
        if index == 0:
            drawn[STRENGTHS.index("position_bias")] += order_biased
        numbers = dict(zip([*LENIENCY_COLUMNS, *STRENGTHS], [*leniency, *drawn], strict=True))
        rows.append(
            {"judge": f"{own}-judge-{index + 1}", "family": own}
            | {name: round(float(value), 6) for name, value in numbers.items()}
        )
    return pd.DataFrame(rows)


def lean(judge: Mapping[Any, Any], shown: pd.DataFrame) -> NDArray[np.float64]:
    """Return the points that a judge adds to each story for what is not its quality.

    ``position_bias`` is how much more the first place gets than the last, linear between and 0
    on average; ``length_bias`` is added for each doubling of the words over the geometric mean of
    the item's stories; ``family_bias`` where the author is of the judge's family.

    Args:
        judge: a row of ``JUDGES_TRUTH``.
        shown: columns item_id, position (from 1), words (none counts as one) and author, one row
            a story.
    """
    items = shown.groupby("item_id", sort=False)
    last = items["position"].transform("max")
    place = (0.5 - (shown["position"] - 1) / (last - 1)).fillna(0.0)  # the only place
    doublings = np.log2(shown["words"].clip(lower=1))
    longer = doublings - doublings.groupby(shown["item_id"], sort=False).transform("mean")
    related = shown["author"].map(family) == judge["family"]
    added: pd.Series = (
        judge["position_bias"] * place
        + judge["length_bias"] * longer
        + judge["family_bias"] * related
    )
    return added.to_numpy(dtype="float64")


def worth_of(candidates: pd.DataFrame, qualities: pd.DataFrame) -> pd.DataFrame:
    """Return each candidate's hidden qualities in points of the scale, in their order.

    Raises:
        InputError: a candidate without qualities.
    """
    worth = points(qualities).reindex(candidates["story_id"])
    without = worth.isna().any(axis=1).to_numpy()
    if without.any():
        first = candidates[without].iloc[0]
        raise InputError(
            f"the candidate {first['story_id']} of item {first['item_id']} has no qualities, which "
            "simulated judges and annotators need "
            f"({candidates.loc[without, 'story_id'].nunique()} such stories).",
            "Add them to the table 'qualities', or take judges and annotators off 'simulated'.",
        )
    return worth

"""Self-preference (family) bias: whether judges favour stories by models of their family."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.protocol.bias.effects import Effects, effects
from audits.protocol.bias.judge_bias import NAMED, JudgeBias, Setting, effects_finding
from audits.protocol.bias.overall_scores import Overall
from storyaudit.data.table_files import read_valid_table
from storyaudit.data.tables import Column, Table
from storyaudit.findings import Finding, counted
from storyaudit.stats.estimate import Array, Codes
from storyaudit.stats.within_blocks import coefficients, demeaned, moments
from storyaudit.vocabulary import HUMAN

FAMILIES = Table("families", ("name",), (Column("name"), Column("family")))
"""A judge's or author's name, and its family."""


def read_families(path: Path) -> dict[str, str]:
    """Read the families of models by name.

    Raises:
        InputError: no table of name and family, a missing value, or a name twice.
    """
    table = read_valid_table(path, FAMILIES)
    return dict(zip(table["name"], table["family"], strict=True))


def family(name: str, families: Mapping[str, str] | None = None) -> str:
    """Return a model's family: as given, or the letters with which its name begins.

    'Qwen2.5-Max' and 'qwen/Qwen-Long' are both of 'qwen'; a name that begins otherwise is a
    family by itself.
    """
    if families is not None and name in families:
        return families[name].casefold()
    letters = re.match(r"[^\W\d_]+", name.rsplit("/", 1)[-1])
    return (letters.group() if letters else name).casefold()


class FamilyBias(NamedTuple):
    """The effect, and how many stories of the judge's family each judge's rests on."""

    effects: Effects
    same_family_stories: dict[str, int]


def family_effects(
    overall: Overall, families: Mapping[str, str] | None, weights: Array, confidence: float
) -> FamilyBias | None:
    """Return by how many points judges score their family's stories higher than others do.

    A difference in differences within items: the judge's scores of same-family stories less the
    other judges' scores of the same stories, relative to the item's other stories. By least
    squares with effects for item and judge together, for each story, and, where words are known,
    for each judge's length bias. Only judges who scored all the item's scored stories count
    there.

    Returns:
        None where no judge's family wrote a story beside others', or one judge is alone.
    """
    rows = _complete(overall.rows)
    families_of = {
        name: family(name, families)
        for name in {*rows["judge"].unique(), *rows["author"].dropna().unique()} - {HUMAN}
    }
    same = (rows["author"].map(families_of) == rows["judge"].map(families_of)).to_numpy(dtype=bool)
    everyone = sorted(rows["judge"].unique())
    judges = sorted(rows.loc[same, "judge"].unique())
    if not judges:
        return None
    by_judge = rows["judge"].to_numpy(dtype=str)[:, None]
    x = same[:, None] & (by_judge == np.array(judges, dtype=str))
    x = x.astype("float64")
    if rows["log2_words"].notna().all():
        length = rows["log2_words"].to_numpy("float64")[:, None]
        x = np.hstack([x, length * (by_judge == np.array(everyone, dtype=str))])
    item = overall.item_codes(rows)
    within = _twice_demeaned(np.hstack([x, rows[["score"]].to_numpy("float64")]), rows)
    sums = moments(within[:, :-1], within[:, -1], item, len(overall.items))
    count = len(judges)
    found = effects(
        judges,
        coefficients(sums, np.ones((1, len(overall.items))))[0, :count],
        coefficients(sums, weights)[:, :count],
        [int((sums.xx[:, n, n] > 0).sum()) for n in range(count)],
        confidence,
    )
    if found is None:
        return None
    stories = {name: int((same & (by_judge[:, 0] == name)).sum()) for name in judges}
    return FamilyBias(found, stories)


def _complete(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of judges who scored all of an item's scored stories, of two at least."""
    stories = rows.groupby("item_id")["story_id"].transform("nunique")
    rows = rows[rows.groupby(["item_id", "judge"])["story_id"].transform("size") == stories]
    return rows[rows.groupby("item_id")["judge"].transform("nunique") > 1]


def _twice_demeaned(values: Array, rows: pd.DataFrame) -> Array:
    """Return values less their means by item and judge and by item and story."""
    for other in ("judge", "story_id"):
        block: Codes = rows.groupby(["item_id", other]).ngroup().to_numpy().astype("int64")
        values = demeaned(values, block)
    return values


def family_finding(setting: Setting) -> Finding | str:
    """Return the finding on self-preference of judges' families, or why there is none."""
    overall, families = setting.overall, setting.families
    found = family_effects(overall, families, setting.weights, setting.confidence)
    if found is None:
        judges = {family(name, families) for name in overall.rows["judge"].unique()}
        authors = {
            family(name, families)
            for name in overall.rows["author"].dropna().unique()
            if name != HUMAN
        }
        return setting.no_stories or (
            "no item has a story by a model of a judge's family beside other stories and judges "
            f"(families of judges: {_some(judges)}; of authors: {_some(authors)})"
        )
    stories = sum(found.same_family_stories.values())
    return effects_finding(
        "family",
        "Self-preference (family) bias (overall score of same-family stories, judge minus others)",
        "Difference in differences within items, which cancels effects common to all judges. "
        f"It rests on {counted(stories, 'same-family score')}.",
        found.effects,
        setting,
        "warn" if found.effects.any_significant() else "note",
    )


def _some(families: set[str]) -> str:
    """Return the first few families by name, for a sentence."""
    names = sorted(families)
    return f"{', '.join(names[:NAMED]) or 'none'}{', …' if len(names) > NAMED else ''}"


FAMILY = JudgeBias("family", "self-preference (family) bias of the judges", family_finding)

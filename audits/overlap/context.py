"""Where the texts of a study stand: items of the benchmark, methods and sources of the pairs."""

from typing import NamedTuple

import pandas as pd

from audits.overlap.study_comparisons import Study

TRAITS = ("method", "source", "language")
PARTS = ("chosen", "rejected", "premise")


class Context(NamedTuple):
    """Where texts stand.

    Attributes:
        places: a row an item and text of it: item_id, origin, part (one of ``PARTS``), level,
            text_id.
        traits: a row a training text and what a pair says of it: level, text_id and columns as in
            ``TRAITS``.
    """

    places: pd.DataFrame
    traits: pd.DataFrame


def study_context(study: Study) -> Context:
    """Return where the texts of a study stand; rows without an ID are left out."""
    kept = study.kept().dropna(subset=["item_id"])
    gold = set(zip(study.benchmark["item_id"], study.benchmark["chosen_id"], strict=True))
    places = list(zip(kept["item_id"], kept["story_id"], strict=True))
    columns = ["item_id", "origin", "part", "level", "text_id"]
    stories = kept.rename(columns={"story_id": "text_id"}).assign(
        level="story", part=["chosen" if place in gold else "rejected" for place in places]
    )
    premises = kept.rename(columns={"premise_id": "text_id"}).assign(
        level="premise", part="premise"
    )
    both = pd.concat([stories[columns], premises[columns]], ignore_index=True)
    pairs = study.pairs
    traits = pd.concat(
        [
            pairs.rename(columns={name: "text_id"})[["text_id", *TRAITS]].assign(level=level)
            for name, level in (
                ("chosen_id", "story"),
                ("rejected_id", "story"),
                ("premise_id", "premise"),
            )
        ],
        ignore_index=True,
    )
    return Context(
        both.dropna(subset=["text_id"]).drop_duplicates(ignore_index=True),
        traits.dropna(subset=["text_id"]).drop_duplicates(ignore_index=True),
    )


def by_trait(traits: pd.DataFrame, overlapping: set[str]) -> pd.DataFrame:
    """Return how many training texts overlap, by method, source and language.

    A text that stands in pairs of several methods counts for each.

    Args:
        traits: as in ``Context``, of one level.
        overlapping: some of the texts.

    Returns:
        trait, value, overlapping, texts; of each trait the values with most overlapping texts
        first, and none without.
    """
    parts: list[pd.DataFrame] = []
    for trait in TRAITS:
        known = traits[["text_id", trait]].dropna().drop_duplicates()
        known = known.rename(columns={trait: "value"}).assign(trait=trait)
        known["hit"] = known["text_id"].isin(overlapping)
        found = known.groupby(["trait", "value"])["hit"].agg(overlapping="sum", texts="size")
        found = found[found["overlapping"] > 0].reset_index()
        parts.append(found.sort_values(["overlapping", "value"], ascending=[False, True]))
    return pd.concat(parts, ignore_index=True)


def whole_items(places: pd.DataFrame, stories: set[str], premises: set[str]) -> pd.DataFrame:
    """Return the items of which every text overlaps, or the premise and the chosen story.

    Args:
        places: as in ``Context``.
        stories: the benchmark's that overlap.
        premises: the same.

    Returns:
        item_id and origin; ``every`` says that all of its texts do. Sorted by item.
    """
    premise = places["level"] == "premise"
    hit = places["text_id"].isin(stories).mask(premise, places["text_id"].isin(premises))
    missed = places.assign(missed=~hit.astype(bool))
    misses = missed.groupby(["item_id", "part"])["missed"].sum().unstack().reindex(columns=PARTS)
    table = pd.DataFrame(
        {
            "item_id": misses.index,
            "every": (misses.fillna(0) == 0).all(axis=1).to_numpy(),
            "core": (misses[["premise", "chosen"]] == 0).all(axis=1).to_numpy(),
        }
    )
    found = table[table["every"] | table["core"]].drop(columns="core")
    origins = places[["item_id", "origin"]].drop_duplicates("item_id")
    return pd.merge(found, origins, on="item_id")

"""Context of a study's texts: items of the benchmark, methods and sources of the pairs."""

from typing import NamedTuple

import pandas as pd

from audits.overlap.study_comparisons import Study

TRAITS = ("method", "source", "language")
PARTS = ("chosen", "rejected", "premise")


class Context(NamedTuple):
    """What is known of texts.

    Attributes:
        item_texts: a row an item and text of it: item_id, origin, part (one of ``PARTS``), level,
            text_id.
        traits: a row a training text and what a pair says of it: level, text_id and columns as in
            ``TRAITS``.
    """

    item_texts: pd.DataFrame
    traits: pd.DataFrame


def study_context(study: Study) -> Context:
    """Return the context of a study's texts; rows without an ID are left out."""
    kept = study.kept().dropna(subset=["item_id"])
    gold = set(zip(study.benchmark["item_id"], study.benchmark["chosen_id"], strict=True))
    named = list(zip(kept["item_id"], kept["story_id"], strict=True))
    columns = ["item_id", "origin", "part", "level", "text_id"]
    stories = kept.rename(columns={"story_id": "text_id"}).assign(
        level="story", part=["chosen" if one in gold else "rejected" for one in named]
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

    A text in pairs of several methods counts for each.

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


def whole_items(item_texts: pd.DataFrame, stories: set[str], premises: set[str]) -> pd.DataFrame:
    """Return the items of which every text overlaps, or the premise and the chosen story.

    Args:
        item_texts: as in ``Context``.
        stories: the benchmark's that overlap.
        premises: the same.

    Returns:
        item_id and origin; ``every`` says that all of its texts do. Sorted by item.
    """
    premise = item_texts["level"] == "premise"
    hit = item_texts["text_id"].isin(stories).mask(premise, item_texts["text_id"].isin(premises))
    missed = item_texts.assign(missed=~hit.astype(bool))
    misses = missed.groupby(["item_id", "part"])["missed"].sum().unstack().reindex(columns=PARTS)
    table = pd.DataFrame(
        {
            "item_id": misses.index,
            "every": (misses.fillna(0) == 0).all(axis=1).to_numpy(),
            "core": (misses[["premise", "chosen"]] == 0).all(axis=1).to_numpy(),
        }
    )
    found = table[table["every"] | table["core"]].drop(columns="core")
    origins = item_texts[["item_id", "origin"]].drop_duplicates("item_id")
    return pd.merge(found, origins, on="item_id")

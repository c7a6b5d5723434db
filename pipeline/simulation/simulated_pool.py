"""Simulated Best-of-16 pools: stories by one model on premises of their own."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.simulation.authors import MODELS, draw_length, draw_quality
from pipeline.simulation.premise import write_premise
from pipeline.simulation.story import write_story
from pipeline.simulation.truth_tables import QUALITIES
from storyaudit.data.corpus import content_id
from storyaudit.text.words import words
from storyaudit.vocabulary import DIMENSIONS, LLM, USE_POOL

AUTHOR = MODELS[-1].name
"""The largest model writes the pools; in StoryAlign, section 5, it is Llama-3.1-70B-Instruct."""
SOURCE = "simulated-pool"

_TEXT = ("text", "language", "source", "use")
_WRITTEN = ("story_id", "author_kind", "author", "words")


class Pools(NamedTuple):
    """The pools' texts, and the hidden qualities of the stories."""

    premises: pd.DataFrame
    stories: pd.DataFrame
    qualities: pd.DataFrame


def simulate_pools(
    premises: int, stories: int, median_words: float, rng: np.random.Generator
) -> Pools:
    """Return so many English premises, and so many stories on each.

    Every story has a quality of its own. No text stands twice. What is written on one premise does
    not depend on the others.

    Args:
        premises: how many; none gives empty tables.
        stories: on each premise.
        median_words: of the study's stories.
        rng: draws everything.
    """
    premise_rows: list[dict[str, str]] = []
    story_rows: list[dict[str, object]] = []
    qualities: list[tuple[object, ...]] = []
    seen: set[str] = set()
    shared = {"language": "en", "source": SOURCE, "use": USE_POOL}
    for number, own in enumerate(rng.spawn(premises), start=1):
        premise = write_premise(own)
        while premise.text in seen:
            premise = write_premise(own)
        seen.add(premise.text)
        premise_id = f"pool{number:06d}"
        premise_rows.append({"premise_id": premise_id, "text": premise.text, **shared})
        for stream in own.spawn(stories):
            quality = draw_quality(AUTHOR, stream)
            length = draw_length(AUTHOR, stream, median_words)
            text = write_story(premise, quality, words=length, style=AUTHOR, rng=stream)
            while text in seen:
                text = write_story(premise, quality, words=length, style=AUTHOR, rng=stream)
            seen.add(text)
            story_id = content_id("s", text, SOURCE)
            story_rows.append(
                {
                    "story_id": story_id,
                    "premise_id": premise_id,
                    "author_kind": LLM,
                    "author": AUTHOR,
                    "text": text,
                    "words": len(words(text)),
                    **shared,
                }
            )
            qualities.append((story_id, *(round(getattr(quality, d), 6) for d in DIMENSIONS)))
    return Pools(
        pd.DataFrame(premise_rows, columns=[*_TEXT, "premise_id"]),
        pd.DataFrame(story_rows, columns=[*_TEXT, "premise_id", *_WRITTEN]),
        pd.DataFrame(qualities, columns=QUALITIES.names),
    )

"""What the simulation knows and a real study would not: hidden qualities, injected leaks."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from storyaudit.data.tables import Column, Table
from storyaudit.vocabulary import DIMENSIONS

GROUND_TRUTH = Path("data/world")
LLM, HUMAN, TRAINING = "simulated-llm", "simulated-human", "simulated-training"
"""Sources: premises of LLM–LLM items, of Human–LLM items, and of training pairs."""
TRAINING_HUMAN = "simulated-training-human"
"""Source of premises with one story by a person each, as WritingPrompts has them, for training."""
PLATFORM = "simulated-platform"
"""Source of people's stories without a premise, in the columns of a platform."""
LOWEST, HIGHEST = 1, 10
"""The judges' scale."""

QUALITIES = Table(
    "qualities",
    ("story_id",),
    (Column("story_id"), *(Column(name, "float") for name in DIMENSIONS)),
)
POOL_GROUND_TRUTH = GROUND_TRUTH / "pool"
POOL_QUALITIES = replace(QUALITIES, may_be_empty=True)
"""Of the stories of Best-of-16."""
LEAKS = Table(
    "leaks",
    ("training_id", "benchmark_id"),
    (Column("training_id"), Column("benchmark_id"), Column("kind")),
    may_be_empty=True,
)
"""Kinds, of stories: ``copy``, ``light_edit`` (a share of the words exchanged), ``embedded`` (a
benchmark story between a training story's paragraphs); of premises: ``premise`` (the same text)."""
BRIEFS = Table(
    "briefs",
    ("brief_id",),
    (
        Column("brief_id"),
        *(
            Column(name)
            for name in (
                "theme",
                "seed",
                "hero",
                "rival",
                "place",
                "goal",
                "obstacle",
                "object",
                "text",
                "language",
            )
        ),
    ),
    may_be_empty=True,
)
"""What stories are written on: ``brief_id`` is a premise, or a platform story, whose premise nobody
published. A simulated model that infers a premise or rewrites a story reads it in place of them."""


def points(qualities: pd.DataFrame) -> pd.DataFrame:
    """Return the qualities in [0, 1] as points of the judges' scale, indexed by story."""
    by_story = qualities.set_index("story_id")[list(DIMENSIONS)]
    return LOWEST + (HIGHEST - LOWEST) * by_story

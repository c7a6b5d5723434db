"""What the simulated world knows and a real study would not: hidden qualities, planted leaks."""

from pathlib import Path

import pandas as pd

from storyaudit.tables import DIMENSIONS, Column, Table

WORLD = Path("data/world")
LLM, HUMAN, TRAINING = "simulated-llm", "simulated-human", "simulated-training"
"""Sources: premises of LLM–LLM items, of Human–LLM items, and of training pairs."""
LOWEST, HIGHEST = 1, 10
"""The judges' scale."""

QUALITIES = Table(
    "qualities",
    ("story_id",),
    (Column("story_id"), *(Column(name, "float") for name in DIMENSIONS)),
)
LEAKS = Table(
    "leaks",
    ("training_id", "benchmark_id"),
    (Column("training_id"), Column("benchmark_id"), Column("kind")),
    may_be_empty=True,
)


def points(qualities: pd.DataFrame) -> pd.DataFrame:
    """Return the qualities in [0, 1] as points of the judges' scale, indexed by story."""
    by_story = qualities.set_index("story_id")[list(DIMENSIONS)]
    return LOWEST + (HIGHEST - LOWEST) * by_story

"""Ratings tables for tests: drawn, published, and as their authors made them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from real_data import real_path

from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS
from storyaudit.findings import Finding, Report, Unchecked

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "data/published/confederacy/ratings.csv"
REAL = real_path("confederacy")

real = [
    pytest.mark.real,
    pytest.mark.skipif(
        not REAL.is_dir(), reason=f"the public files of the study are not at {REAL}"
    ),
]


def published() -> pd.DataFrame:
    return read_table(PUBLISHED, RATINGS).frame


def drawn(
    seed: int = 0,
    *,
    stories: int = 12,
    raters: int = 4,
    a_story: int | None = None,
    authors: Sequence[str] = ("human", "m1", "m2"),
    items: Sequence[str] = ("1", "2", "3"),
    groups: bool = False,
) -> pd.DataFrame:
    """Scores from 1 to 10 drawn at random: every rater reads every story, or so many a story."""
    rng = np.random.default_rng(seed)
    rows = [
        {"rater": f"r{rater}", "story_id": f"s{story}", "author": authors[story % len(authors)]}
        | {"item": item, "score": float(rng.integers(1, 11))}
        for story in range(stories)
        for rater in sorted(rng.choice(raters, a_story or raters, replace=False))
        for item in items
    ]
    table = pd.DataFrame(rows)
    return table.assign(group="1") if groups else table


def by_id(findings: Sequence[Finding]) -> dict[str, Finding]:
    return {finding.id: finding for finding in findings}


def parted(
    parts: Sequence[Finding | Unchecked],
) -> tuple[dict[str, Finding], dict[str, Unchecked]]:
    """Findings, and checks that could not run, by their ids."""
    report = Report.of(parts, study="s", audit="ratings")
    return by_id(report.findings), {left.id: left for left in report.unchecked}

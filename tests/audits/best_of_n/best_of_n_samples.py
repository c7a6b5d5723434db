"""Small pools: what annotators rank, and what models reward, written down by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from finding_samples import by_id

from audits.best_of_n.best_of_n_report import BestOfParams, best_of_n_report
from storyaudit.findings import Finding, Report, ordered

ANNOTATION = ["item_id", "annotator", "kind", "story_id", "value"]
SCORE = ["variant", "model", "seed", "item_id", "story_id", "reward"]
Tables = dict[str, pd.DataFrame]


def candidates(pools: Mapping[str, str]) -> pd.DataFrame:
    """Pools by item ID; each letter is a story."""
    rows = [
        (item, place, story, f"p-{item}", "llm_llm")
        for item, stories in pools.items()
        for place, story in enumerate(sorted(stories), start=1)
    ]
    return pd.DataFrame(rows, columns=["item_id", "position", "story_id", "premise_id", "origin"])


def ranking(item: str, annotator: str, stories: Sequence[str]) -> list[tuple]:
    """A ranking, best first."""
    return [(item, annotator, "ranking", s, float(n)) for n, s in enumerate(stories, start=1)]


def annotations(rows: list[tuple]) -> pd.DataFrame:
    """An annotations table."""
    return pd.DataFrame(rows, columns=ANNOTATION).astype({"value": "float64"})


def rewards(
    variant: str, by_pool: Mapping[str, Mapping[str, float]], seed: int = 0, model: str = "m"
) -> list[tuple]:
    """A run's rewards, by pool and story."""
    return [
        (variant, model, seed, item, story, reward)
        for item, of_stories in by_pool.items()
        for story, reward in of_stories.items()
    ]


def picking(variant: str, stories: Mapping[str, str], pool: str, seed: int = 0) -> list[tuple]:
    """A run that rewards the given story of each pool most; several letters tie."""
    return rewards(
        variant,
        {item: {s: float(s in picked) for s in pool} for item, picked in stories.items()},
        seed,
    )


def scores(rows: list[tuple]) -> pd.DataFrame:
    """A scores table."""
    return pd.DataFrame(rows, columns=SCORE).astype({"seed": "int64", "reward": "float64"})


def pools(finals: Mapping[str, str], rows: list[tuple]) -> Tables:
    """The audit's tables: pools that two annotators rank equally, with a final ranking."""
    of_annotators = [
        row for item, order in finals.items() for who in "xy" for row in ranking(item, who, order)
    ]
    final = [row for item, order in finals.items() for row in ranking(item, "mean-rank", order)]
    return {
        "candidates": candidates(finals),
        "annotations": annotations(final),
        "individual": annotations(of_annotators),
        "scores": scores(rows),
    }


def report(tables: Tables, **params: Any) -> Report:
    """The audit's report, sorted; it must be writable."""
    made = best_of_n_report(
        tables["candidates"],
        tables["annotations"],
        tables["individual"],
        tables["scores"],
        BestOfParams(**{"resamples": 200, "adjudicators": ["senior"], **params}),
        np.random.default_rng(5),
        study="demo",
    )
    made.to_json()  # refuses NaN, and an id twice
    return ordered(made)


def findings(tables: Tables, **params: Any) -> dict[str, Finding]:
    """The findings by id."""
    return by_id(report(tables, **params))

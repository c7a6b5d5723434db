"""A small study without a fault.

Items i1 (LLM–LLM, ranked), i2 (LLM–LLM, confirmed), i3 (Human–LLM) and i4, a drawn Human–LLM item
that was removed as unsure. The candidates of item iN are the stories sN1 to sN4, and sN1 is
chosen. Two training premises, t1 with two pairs and t2 with one.
"""

import pandas as pd
import pytest

from storyaudit.tables import (
    ANNOTATIONS,
    BENCHMARK,
    CANDIDATES,
    PAIRS,
    PREMISES,
    SCORES,
    STORIES,
    Table,
)

Tables = dict[str, pd.DataFrame]


def _frame(table: Table, *rows: tuple[object, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[column.name for column in table.columns])


@pytest.fixture
def sound() -> Tables:
    origin = {1: "llm_llm", 2: "llm_llm", 3: "human_llm", 4: "human_llm"}
    places = [(item, place) for item in origin for place in range(1, 5)]
    return {
        "premises": _frame(
            PREMISES, *((p, f"about {p}", "en", "s") for p in ("p1", "p2", "p3", "p4", "t1", "t2"))
        ),
        "stories": _frame(
            STORIES,
            *((f"s{i}{n}", f"p{i}", "llm", "m", "en", f"story {i} {n}", "s") for i, n in places),
            *((f"u{n}", "t1", "llm", "m", "en", f"training {n}", "s") for n in range(1, 6)),
        ),
        "candidates": _frame(
            CANDIDATES, *((f"i{i}", n, f"s{i}{n}", f"p{i}", origin[i]) for i, n in places)
        ),
        "annotations": _frame(
            ANNOTATIONS,
            *(("i1", "a", "ranking", f"s1{n}", float(n)) for n in range(1, 5)),
            ("i2", "a", "confirmation", "s21", 1.0),
            ("i3", "a", "best", "s31", 1.0),
            ("i4", "a", "unsure", "s41", 1.0),
        ),
        "benchmark": _frame(
            BENCHMARK,
            ("i1", "p1", "llm_llm", "s11", "complete_ranking", 0.2, "creativity", "mean_gap"),
            ("i2", "p2", "llm_llm", "s21", "confirmation", 0.8, "fluency", "margin"),
            ("i3", "p3", "human_llm", "s31", "human_first", 1.0, "creativity", "priority"),
        ),
        "pairs": _frame(
            PAIRS,
            ("1", "judged", "s", "train", "t1", "u1", "u2", "en"),
            ("2", "size", "s", "train", "t1", "u1", "u3", "en"),
            ("3", "size", "s", "validation", "t2", "u4", "u5", "en"),
        ),
        "scores": _frame(
            SCORES,
            *(
                ("linear", "m", seed, f"i{i}", f"s{i}{n}", 1.0 / n)
                for seed in (1, 2)
                for i, n in places
                if i < 4
            ),
        ),
    }

"""A small study without a fault.

Items i1 (LLM–LLM, ranked), i2 (LLM–LLM, confirmed), i3 (Human–LLM) and i4, a drawn Human–LLM item
that was removed as unsure. The candidates of item iN are the stories sN1 to sN4, and sN1 is
chosen; s31 and s41 are by people. Judges j1 and j2 score all of them. Two training premises, t1
with two pairs and t2 with one, and t3, inferred for a pair of v1 and v2; u1 overlaps with s11, t1
and u3 with p1, s11 with s21, u1 with v1. In both of its runs the model is right on i1, ties with
one other candidate on i2 and is wrong on i3.
"""

import pandas as pd
import pytest

from storyaudit.data.tables import (
    ANNOTATIONS,
    BENCHMARK,
    CANDIDATES,
    JUDGEMENTS,
    OVERLAPS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    RESULTS,
    SCORES,
    STORIES,
    Table,
)
from storyaudit.vocabulary import DIMENSIONS

Tables = dict[str, pd.DataFrame]


def _frame(table: Table, *rows: tuple[object, ...]) -> pd.DataFrame:
    names = [column.name for column in table.columns if not column.optional]
    return pd.DataFrame(rows, columns=names)


@pytest.fixture
def valid(made: Tables) -> Tables:
    return {name: table.copy() for name, table in made.items()}


@pytest.fixture(scope="session")
def made() -> Tables:
    origin = {1: "llm_llm", 2: "llm_llm", 3: "human_llm", 4: "human_llm"}
    places = [(item, place) for item in origin for place in range(1, 5)]
    return {
        "premises": _frame(
            PREMISES, *((p, f"about {p}", "en", "s") for p in ("p1", "p2", "p3", "p4", "t1", "t2"))
        ),
        "stories": _frame(
            STORIES,
            *(
                (f"s{i}{n}", "human" if i > 2 and n == 1 else "llm", "m", "en", f"{i} {n}", "s")
                for i, n in places
            ),
            *((f"u{n}", "llm", "m", "en", f"training {n}", "s") for n in range(1, 6)),
        ),
        "candidates": _frame(
            CANDIDATES, *((f"i{i}", n, f"s{i}{n}", f"p{i}", origin[i]) for i, n in places)
        ),
        "judgements": _frame(
            JUDGEMENTS,
            *(
                (f"i{i}", f"s{i}{n}", judge, "1", n, dimension, 11.0 - 2 * n)
                for i, n in places
                for judge in ("j1", "j2")
                for dimension in (*DIMENSIONS, "overall")
            ),
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
            ("0", "rewriting", "s", "train", "t3", "v1", "v2", "en"),
        ),
        "pair_premises": _frame(PAIR_PREMISES, ("t3", "about t3", "en", "s")),
        "pair_stories": _frame(
            PAIR_STORIES,
            ("v1", "human", "a", "en", "told well", "s"),
            ("v2", "llm", "m", "en", "told badly", "s"),
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
        "results": _frame(
            RESULTS,
            *(
                ("linear", "m", seed, *outcome)
                for seed in (1, 2)
                for outcome in (
                    ("i1", "creativity", "llm_llm", True, 0, 1.0),
                    ("i2", "fluency", "llm_llm", False, 1, 0.5),
                    ("i3", "creativity", "human_llm", False, 0, 0.0),
                )
            ),
        ),
        "overlaps": pd.DataFrame(
            [
                ("train_benchmark", "story", "s11", "u1", 0.5, 0.2, 12, True, None),
                ("train_benchmark", "premise", "p1", "t1", 1.0, 1.0, 2, True, None),
                ("train_benchmark", "premise_in_story", "p1", "u3", 1.0, 0.1, 2, True, None),
                ("benchmark_benchmark", "story", "s11", "s21", 0.3, 0.2, 9, True, None),
                ("train_train", "story", "u1", "v1", 0.8, 0.7, 90, True, "derived"),
            ],
            columns=[column.name for column in OVERLAPS.columns],
        ),
    }

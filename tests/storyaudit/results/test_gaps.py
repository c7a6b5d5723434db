from math import isnan

import pandas as pd
import prose
import pytest

from storyaudit.findings import Unchecked
from storyaudit.results.gaps import reward_gaps


def rows(variant: str, outcomes: str, *, seed: int = 1, dimensions: str = "") -> list[dict]:
    """One row a character: 1 is right, 0 wrong, m wrong for want of two rewards."""
    return [
        {
            "variant": variant,
            "model": "m",
            "seed": seed,
            "item_id": f"i{number}",
            "dimension": dimensions[number] if dimensions else "d",
            "correct": outcome == "1",
            "missing": 2 * (outcome == "m"),
        }
        for number, outcome in enumerate(outcomes)
    ]


def test_runs_that_lack_rewards_are_named_with_their_accuracy_without_them() -> None:
    # Dimension a: 1, 0, m; b: 1, m, m. Macro (1/3 + 1/3) / 2 with them, (1/2 + 1) / 2 without.
    table = pd.DataFrame(
        rows("x", "10m1mm", dimensions="aaabbb") + rows("y", "101111", dimensions="aaabbb")
    )
    (found,) = reward_gaps(table)
    assert (found.id, found.severity) == ("missing-rewards", "warn")
    assert found.numbers == {"runs": 2, "runs_lacking": 1, "items": 3}
    assert found.evidence == [
        {
            "variant": "x",
            "model": "m",
            "seed": 1,
            "items": 6,
            "items_lacking": 3,
            "macro": round(1 / 3, 4),
            "macro_of_complete": 0.75,
        }
    ]
    assert {"3", "6", "33.3", "75.0"} <= prose.figures(found)
    prose.check("results/missing-rewards: one of two runs", found)


def test_a_run_without_any_reward_has_no_accuracy_without_them() -> None:
    (found,) = reward_gaps(pd.DataFrame(rows("x", "mm") + rows("y", "11")))
    assert found.evidence[0]["macro_of_complete"] is None
    assert found.evidence[0]["macro"] == 0
    assert "nan" not in found.statement.lower()
    prose.check("results/missing-rewards: a run without any", found)


def test_one_of_many_runs_is_named() -> None:
    table = [row for seed in range(30) for row in rows("x", "1m", seed=seed)]
    (found,) = reward_gaps(pd.DataFrame(table))
    assert found.numbers["runs_lacking"] == 30
    assert "30" in prose.figures(found)
    prose.check("results/missing-rewards: thirty runs", found)
    assert [row["seed"] for row in found.evidence] == list(range(20))


def test_complete_runs_pass() -> None:
    (found,) = reward_gaps(pd.DataFrame(rows("x", "10")))
    assert found.severity == "pass" and found.numbers == {"runs": 1, "runs_lacking": 0}
    prose.check("results/missing-rewards: none", found)


@pytest.mark.parametrize("table", [rows("x", "10"), []])
def test_what_the_results_do_not_say_is_not_checked(table: list[dict]) -> None:
    frame = pd.DataFrame(table, columns=list(rows("x", "1")[0]))
    for case, unsaid in (
        ("no column", frame.drop(columns="missing")),
        ("an empty column", frame.assign(missing=float("nan"))),
    ):
        (left,) = reward_gaps(unsaid)
        assert isinstance(left, Unchecked) and left.id == "missing-rewards"
        prose.check(f"results/missing-rewards unsaid: {case if table else 'no results'}", left)


def test_runs_of_two_models_of_one_variant_are_distinct() -> None:
    table = rows("x", "1m") + [{**row, "model": "other"} for row in rows("x", "mm")]
    (found,) = reward_gaps(pd.DataFrame(table))
    lacking = [(row["model"], row["items_lacking"], row["items"]) for row in found.evidence]
    assert lacking == [("m", 1, 2), ("other", 2, 2)]
    prose.check("results/missing-rewards: two models of one variant", found)


def test_an_unsaid_number_is_no_missing_reward() -> None:
    table = pd.DataFrame(rows("x", "1m0"))
    table["missing"] = [None, 2, 0]
    assert isnan(table["missing"].iloc[0])
    (found,) = reward_gaps(table)
    assert found.evidence[0]["items_lacking"] == 1

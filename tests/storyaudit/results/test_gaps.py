from math import isnan

import pandas as pd
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
    assert "x (seed 1) on 3 of 6 items, macro 33.3% with them and 75.0% without" in found.statement


def test_a_run_without_any_reward_has_no_accuracy_without_them() -> None:
    (found,) = reward_gaps(pd.DataFrame(rows("x", "mm") + rows("y", "11")))
    assert found.evidence[0]["macro_of_complete"] is None
    assert "macro 0.0% with them and nothing without" in found.statement
    assert "nan" not in found.statement.lower()


def test_only_some_runs_are_named() -> None:
    table = [row for seed in range(30) for row in rows("x", "1m", seed=seed)]
    (found,) = reward_gaps(pd.DataFrame(table))
    assert found.numbers["runs_lacking"] == 30
    assert found.statement.count("x (seed") == 3 and "27 further runs" in found.statement
    assert [row["seed"] for row in found.evidence] == list(range(20))


def test_complete_runs_pass() -> None:
    (found,) = reward_gaps(pd.DataFrame(rows("x", "10")))
    assert found.severity == "pass" and found.statement.startswith("1 run has a reward")


@pytest.mark.parametrize("table", [rows("x", "10"), []])
def test_what_the_results_do_not_say_is_not_checked(table: list[dict]) -> None:
    frame = pd.DataFrame(table, columns=list(rows("x", "1")[0]))
    for unsaid, reason in (
        (frame.drop(columns="missing"), "no column 'missing'"),
        (frame.assign(missing=float("nan")), "nothing stands in their column 'missing'"),
    ):
        (left,) = reward_gaps(unsaid)
        assert isinstance(left, Unchecked) and left.id == "missing-rewards"
        assert (reason if table else "no row of results can be used") in left.reason


def test_runs_of_two_models_of_one_variant_are_told_apart() -> None:
    table = rows("x", "1m") + [{**row, "model": "other"} for row in rows("x", "mm")]
    (found,) = reward_gaps(pd.DataFrame(table))
    assert "x/m (seed 1) on 1 of 2" in found.statement
    assert "x/other (seed 1) on 2 of 2" in found.statement


def test_an_unsaid_number_is_no_missing_reward() -> None:
    table = pd.DataFrame(rows("x", "1m0"))
    table["missing"] = [None, 2, 0]
    assert isnan(table["missing"].iloc[0])
    (found,) = reward_gaps(table)
    assert found.evidence[0]["items_lacking"] == 1

import math
import statistics

import numpy as np
import pandas as pd
import pytest

from storyaudit.errors import InputError
from storyaudit.ratings.rating_rows import author_statistics, natural_order, rating_rows


def ratings(*rows: tuple[str, str, str, str, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["rater", "story_id", "author", "item", "score"])


def drawn(seed: int, *, raters: int = 3, stories: int = 6, items: int = 4) -> pd.DataFrame:
    """A full grid of scores, stories by three authors in turn, with a tenth of the rows dropped."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"r{r}", f"s{s}", "abc"[s % 3], f"{i}", float(rng.integers(1, 11)))
        for r in range(raters)
        for s in range(stories)
        for i in range(1, items + 1)
    ]
    return ratings(*(row for row in rows if rng.random() > 0.1))


def by_loops(table: pd.DataFrame, items: set[str]) -> dict[tuple[str, str], list[float]]:
    """The scores of each author and item, and the totals of complete rating rows as `overall`."""
    scores: dict[tuple[str, str], list[float]] = {}
    totals: dict[tuple[str, str, str], dict[str, float]] = {}
    for row in table.to_dict("records"):
        scores.setdefault((row["author"], row["item"]), []).append(row["score"])
        key = (row["author"], row["rater"], row["story_id"])
        totals.setdefault(key, {})[row["item"]] = row["score"]
    for (author, _, _), given in totals.items():
        if set(given) == items:
            scores.setdefault((author, "overall"), []).append(sum(given.values()))
    return scores


@pytest.mark.parametrize("seed", range(5))
def test_author_statistics_are_those_of_loops(seed: int) -> None:
    table = drawn(seed)
    expected = by_loops(table, set(table["item"]))
    found = author_statistics(table).set_index(["author", "item"])
    assert set(expected) <= set(found.index)
    for place, row in found.iterrows():
        values = expected.get(place, [])
        assert row["n"] == len(values)
        assert row["mean"] == pytest.approx(np.mean(values) if values else math.nan, nan_ok=True)
        deviation = statistics.stdev(values) if len(values) > 1 else math.nan
        assert row["sd"] == pytest.approx(deviation, nan_ok=True)


def test_a_rating_row_sums_its_scores() -> None:
    wide = rating_rows(
        ratings(("r", "s", "a", "1", 3), ("r", "s", "a", "2", 5), ("q", "s", "a", "1", 9))
    )
    assert wide.loc[("r", "s", "a")].to_dict() == {"1": 3, "2": 5, "overall": 8}
    assert math.isnan(wide.loc[("q", "s", "a"), "overall"])


def test_of_a_duplicated_score_the_first_counts() -> None:
    wide = rating_rows(ratings(("r", "s", "a", "1", 3), ("r", "s", "a", "1", 9)))
    assert wide.loc[("r", "s", "a"), "overall"] == 3


def test_a_criterion_that_bears_the_name_of_the_sum_is_refused() -> None:
    with pytest.raises(InputError, match="'overall'"):
        rating_rows(ratings(("r", "s", "a", "1", 3), ("r", "s", "a", "overall", 9)))


def test_criteria_are_in_the_order_of_their_numbers() -> None:
    names = ["plot", "10", "overall", "2", "٣", "1"]
    assert sorted(names, key=natural_order) == ["1", "2", "10", "plot", "٣", "overall"]


def test_statistics_are_sorted_by_author_then_criterion() -> None:
    table = drawn(1, items=11)
    found = author_statistics(table)
    assert found["author"].tolist() == sorted(found["author"])
    assert found["item"].tolist()[:12] == [*map(str, range(1, 12)), "overall"]
    pd.testing.assert_frame_equal(author_statistics(table.sample(frac=1, random_state=2)), found)

import numpy as np
import pandas as pd
import pytest
from ratings_samples import drawn

from storyaudit.ratings.usable_ratings import crossed_blocks, rater_pairs, totals, usable


def test_rows_that_no_statistic_can_use_are_left_out() -> None:
    table = drawn(stories=4, raters=2, items=["1", "2"])  # 16 rows
    table.loc[0, "score"] = np.nan
    table.loc[1, "score"] = np.inf
    table.loc[4, "rater"] = None
    table = pd.concat([table, table.loc[[5]].assign(score=9.0)])  # scored a second time
    table.loc[table.index[8], "author"] = "other"  # story s2 has two authors
    kept = usable(table)
    assert set(kept["story_id"]) == {"s0", "s1", "s3"}
    assert len(kept) == 16 - 2 - 1 - 4
    assert kept["score"].iloc[-1] == table["score"].loc[15]


@pytest.mark.parametrize(("missing", "kept"), [(False, True), (True, False)])
def test_groups_count_only_if_every_row_has_one(missing: bool, kept: bool) -> None:
    table = drawn(groups=True)
    table.loc[3, "group"] = None if missing else "1"
    assert ("group" in usable(table)) == kept
    assert ("group" in totals(usable(table))) == kept


def test_totals_are_of_complete_rating_rows() -> None:
    table = drawn(stories=2, raters=2, items=["1", "2"]).drop(index=[1])
    found = totals(table)
    assert found[["rater", "story_id"]].to_numpy().tolist() == [
        ["r0", "s1"],
        ["r1", "s0"],
        ["r1", "s1"],
    ]
    assert found["total"].iloc[0] == table["score"].loc[[4, 5]].sum()


def test_raters_are_ordered_as_numbers_where_they_are_numbers() -> None:
    rows = pd.DataFrame(
        [(rater, "s", "1", float(rater)) for rater in ("10", "9", "2")],
        columns=["rater", "story_id", "item", "score"],
    )
    found = rater_pairs(rows)
    assert found[["first_rater", "second_rater"]].to_numpy().tolist() == [
        ["2", "9"],
        ["2", "10"],
        ["9", "10"],
    ]
    assert found[["first", "second"]].to_numpy().tolist() == [[2, 9], [2, 10], [9, 10]]


def test_one_rater_makes_no_pair() -> None:
    assert rater_pairs(drawn(raters=1)).empty


def test_blocks_are_stories_with_the_same_raters() -> None:
    table = pd.concat(
        [
            drawn(1, stories=3, raters=2),
            drawn(2, stories=2, raters=3).assign(story_id=lambda t: "x" + t["story_id"]),
            drawn(3, stories=4, raters=1).assign(story_id=lambda t: "y" + t["story_id"]),
        ]
    )
    blocks = crossed_blocks(totals(table))
    assert [block.shape for block in blocks] == [(3, 2), (2, 3)]
    assert list(blocks[0].columns) == ["r0", "r1"]
    assert not any(block.isna().any().any() for block in blocks)

import numpy as np
import pandas as pd
import prose
import pytest
from matplotlib.cbook import boxplot_stats
from ratings_samples import drawn, published

from audits.ratings.boxes import box_finding, box_statistics
from storyaudit.ratings.usable_ratings import totals, usable


@pytest.mark.parametrize("seed", range(4))
def test_matplotlib_draws_the_same_box(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = pd.Series(np.round(rng.standard_t(2, 60) * 10))
    authors = pd.Series(rng.choice(["a", "b"], 60))
    table = box_statistics(scores, authors).set_index("author")
    for author in ("a", "b"):
        (expected,) = boxplot_stats(scores[authors == author])
        row = table.loc[author]
        assert (row["q1"], row["median"], row["q3"], row["mean"]) == pytest.approx(
            (expected["q1"], expected["med"], expected["q3"], expected["mean"])
        )
        assert (row["whisker_low"], row["whisker_high"]) == (expected["whislo"], expected["whishi"])
        outliers = [float(value) for value in row["outliers"].split(", ") if value]
        assert outliers == sorted(expected["fliers"])


def test_by_hand() -> None:
    # Quartiles 2 and 4 of 1, 2, 3, 4, 20: the whiskers reach at most −1 and 7.
    (row,) = box_statistics(pd.Series([20.0, 1, 3, 2, 4]), pd.Series(["a"] * 5)).to_dict("records")
    assert row == {
        "author": "a", "n": 5, "mean": 6.0, "median": 3.0, "q1": 2.0, "q3": 4.0,
        "whisker_low": 1.0, "whisker_high": 4.0, "outliers": "20",
    }  # fmt: skip


def test_one_value_is_its_own_box() -> None:
    (row,) = box_statistics(pd.Series([7.0]), pd.Series(["a"])).to_dict("records")
    assert {row[name] for name in ("median", "q1", "q3", "whisker_low", "whisker_high")} == {7.0}


def test_the_finding_is_of_totals_or_of_a_criterion() -> None:
    rows = usable(published())
    of_totals = box_finding(rows, totals(rows))
    humour = box_finding(rows, totals(rows), "10")
    assert of_totals is not None and humour is not None
    assert of_totals.id == "boxes" and of_totals.numbers["rating_rows"] == 130
    assert humour.id == "boxes-criterion-10"
    prose.check("ratings/boxes of totals and of a criterion", of_totals, humour)
    assert [row["author"] for row in of_totals.evidence][:3] == [
        "chatgpt-gpt4",
        "claude12",
        "human",
    ]
    means = [row["mean"] for row in humour.evidence]
    assert means == sorted(means, reverse=True)
    assert box_finding(rows, totals(rows), "no such criterion") is None
    assert box_finding(rows.head(0), totals(rows).head(0)) is None


def test_outliers_are_counted() -> None:
    table = drawn(items=["1"]).assign(score=5.0)
    table.loc[0, "score"] = 10.0
    rows = usable(table)
    found = box_finding(rows, totals(rows))
    assert found is not None and found.numbers["outliers"] == 1
    assert {"1"} <= prose.figures(found)
    prose.check("ratings/outliers are counted", found)

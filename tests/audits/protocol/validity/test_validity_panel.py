import numpy as np
import pandas as pd
import pytest
from validity_samples import drawn

from audits.protocol.validity.panel import as_panel
from audits.protocol.validity.score_tables import criteria, read_scores
from storyaudit.errors import InputError


@pytest.fixture
def scores():
    return drawn(np.random.default_rng(0))


def panel(human, judge, **more):
    return as_panel(human, judge, **{"scale": (1.0, 5.0)} | more)


def test_axes_and_means(scores):
    human, judge = (table.sample(frac=1, random_state=1) for table in scores)
    found = panel(human, judge)
    assert found.authors == ["a0", "a1", "a2", "a3", "a4", "Human"]
    assert (found.automatic, found.human_author) == (5, True)
    assert found.premises == ["p0", "p1", "p2", "p3"]
    assert found.human.shape == (4, 6, 3)
    assert found.judge.shape == (1, 3, 4, 6)
    row = judge.query("premise_id == 'p2' and author == 'a3' and judge == 'judge1'").iloc[0]
    assert found.judge[0, 1, 2, 3] == (row["c0"] + row["c1"]) / 2
    row = human.query("premise_id == 'p1' and author == 'Human' and rater == 'rater2'").iloc[0]
    assert found.human[1, 5, 2] == (row["c0"] + row["c1"]) / 2


def test_without_a_human_author(scores):
    found = panel(*(table.replace({"author": {"Human": "person"}}) for table in scores))
    assert (found.human_author, found.automatic) == (False, 6)


@pytest.mark.parametrize("of", [["premise_id"], ["premise_id", "author"]])
def test_premises_or_stories_may_have_raters_of_their_own(scores, of):
    human, judge = scores
    renamed = human.assign(rater=human[of].sum(axis=1) + human["rater"])
    assert (panel(renamed, judge).human == panel(human, judge).human).all()


def test_criteria_are_what_both_tables_have(scores):
    human, judge = scores
    human = human.assign(note="x", c9=1)
    assert criteria(human, judge.assign(c8=2)) == ["c0", "c1"]
    assert panel(human, judge).criteria == ["c0", "c1"]


def test_averages_below_the_scale_are_counted_not_refused(scores):
    human, judge = scores
    judge.loc[[0, 1], "c0"] = [-1, 0.9999]
    judge.loc[0, "c1"] = -1 / 3
    below = panel(human, judge).below
    assert below.sum() == 3
    assert below.max() == 2
    # A scale that starts at 0 proves the two below 0 only.
    assert panel(human, judge, scale=(0.0, 5.0)).below.sum() == 2


def spoiled(table, row, column, value):
    table = table.copy()
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda h, j: (h.drop(index=5), j), "none for premise_id p0, author a1, rater number 3"),
        (lambda h, j: (h, j.drop(index=5)), "judge judge2, prompt_variant 1; 1 of 72"),
        (lambda h, j: (h[h["author"] != "a2"], j), "premise_id p0, author a2"),
        (lambda h, j: (h, j[j["premise_id"] != "p3"]), "premise_id p3"),
        (lambda h, j: (spoiled(h, 4, "c1", np.nan), j), "a number in every row, found nan"),
        (lambda h, j: (h, spoiled(j, 4, "c1", np.inf)), "a number in every row, found inf"),
        (lambda h, j: (spoiled(h, 4, "c1", 6), j), "from 1 to 5, found 6 .*author a1, rater"),
        (lambda h, j: (spoiled(h, 4, "c1", 0.5), j), "from 1 to 5, found 0.5"),
        (lambda h, j: (h, spoiled(j, 4, "c1", 5.5)), "from -1 to 5, found 5.5"),
        (lambda h, j: (h, spoiled(j, 4, "c1", -1.5)), "from -1 to 5, found -1.5"),
        (lambda h, j: (pd.concat([h, h[:1]]), j), "one row for each .* again"),
        (lambda h, j: (h, j[j["judge"] == "judge0"]), "two judges or more, found judge0 alone"),
        (lambda h, j: (h.rename(columns={"c0": "x", "c1": "y"}), j), "a criterion that raters"),
        (lambda h, j: (h.drop(columns="rater"), j), "the column rater of the table 'human_scores'"),
        (lambda h, j: (h.assign(c0="good"), j), "a number, found 'good'"),
        (lambda h, j: (h[:0], j), "at least one row"),
        (lambda h, j: (h.replace({"author": {"a0": "HUMAN"}}), j), "one human author"),
    ],
)
def test_what_cannot_be_audited_is_bad_input(scores, spoil, message):
    with pytest.raises(InputError, match=message):
        panel(*spoil(*scores))


def test_too_many_authors():
    human, judge = drawn(np.random.default_rng(0), premises=1, automatic=31, criteria=1)
    with pytest.raises(InputError, match="30 authors at most, found 32"):
        panel(human, judge)


def test_reading_both_files(tmp_path, scores):
    human, judge = scores
    human.assign(note="x").to_csv(tmp_path / "h.csv", index=False)
    judge.to_parquet(tmp_path / "j.parquet")
    found = read_scores(tmp_path / "h.csv", tmp_path / "j.parquet")
    assert found.ignored == {str(tmp_path / "h.csv"): ["note"], str(tmp_path / "j.parquet"): []}
    assert found.human["c0"].tolist() == human["c0"].tolist()
    assert found.judge["c1"].tolist() == judge["c1"].tolist()


def test_a_criterion_that_is_no_number_is_named_with_its_row(tmp_path, scores):
    human, judge = scores
    human = human.astype({"c1": "object"})
    human.loc[2, "c1"] = "four"
    human.to_csv(tmp_path / "h.csv", index=False)
    judge.to_csv(tmp_path / "j.csv", index=False)
    with pytest.raises(InputError, match=r"h.csv, row 4, column 'c1'.*found 'four'"):
        read_scores(tmp_path / "h.csv", tmp_path / "j.csv")

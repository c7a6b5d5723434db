from itertools import product

import numpy as np
import pandas as pd
import pytest

from storyaudit.protocol.judge_scores import scores_by_item
from storyaudit.vocabulary import DIMENSIONS, MEASURES, OVERALL


def score(item, judge, story, measure):
    """A number that says where it belongs."""
    return 1000.0 * item + 100 * judge + 10 * story + MEASURES.index(measure)


@pytest.fixture
def judgements():
    rows = [
        {"item_id": f"i{i}", "judge": f"j{j}", "story_id": f"s{s}", "dimension": m}
        | {"prompt_variant": "1", "score": score(i, j, s, m)}
        for i, j, s, m in product((1, 2), (1, 2, 3), (1, 2, 3, 4), MEASURES)
    ]
    return pd.DataFrame(rows).sample(frac=1, random_state=5)


def test_every_score_finds_its_place(judgements):
    items = scores_by_item(judgements)
    assert list(items) == ["i1", "i2"]
    for i in (1, 2):
        found = items[f"i{i}"]
        assert found.stories == ["s1", "s2", "s3", "s4"]
        for j, s in product((1, 2, 3), (1, 2, 3, 4)):
            assert found.overall[j - 1, s - 1] == score(i, j, s, OVERALL)
        for (d, name), s in product(enumerate(DIMENSIONS), (1, 2, 3, 4)):
            # The mean of judges 1, 2 and 3 is judge 2's score.
            assert found.dimensions[d, s - 1] == score(i, 2, s, name)


def only_judges(item):
    return item.judges, item.left_out


@pytest.mark.parametrize(
    "gone",
    [
        "item_id == 'i2' and judge == 'j1' and story_id == 's3' and dimension == 'overall'",
        "item_id == 'i2' and judge == 'j1' and story_id == 's3'",
        "item_id == 'i2' and judge == 'j1'",
    ],
)
def test_a_judge_with_a_gap_is_left_out_of_that_item(judgements, gone):
    items = scores_by_item(judgements.query(f"not ({gone})"))
    assert only_judges(items["i1"]) == (["j1", "j2", "j3"], [])
    assert only_judges(items["i2"]) == (["j2", "j3"], ["j1"])
    assert items["i2"].overall[0, 2] == score(2, 2, 3, OVERALL)


def test_a_dimension_without_scores_leaves_no_judge(judgements):
    items = scores_by_item(judgements[judgements["dimension"] != "fluency"])
    assert only_judges(items["i1"]) == ([], ["j1", "j2", "j3"])
    assert items["i1"].scores.shape == (0, 4, 6)


def test_nan_is_a_gap(judgements):
    judgements.loc[0, "score"] = np.nan  # of i1, j1, s1, creativity
    items = scores_by_item(judgements)
    assert only_judges(items["i1"]) == (["j2", "j3"], ["j1"])
    assert only_judges(items["i2"]) == (["j1", "j2", "j3"], [])


def test_two_scores_are_none(judgements):
    first = judgements.loc[[0]]
    items = scores_by_item(pd.concat([judgements, first.assign(score=3.0)]))
    assert only_judges(items["i1"]) == (["j2", "j3"], ["j1"])


def test_further_dimensions_do_not_count(judgements):
    more = judgements.loc[[0]].assign(dimension="plot")
    items = scores_by_item(pd.concat([judgements, more]))
    assert only_judges(items["i1"]) == (["j1", "j2", "j3"], [])


def test_without_a_judge(judgements):
    others = scores_by_item(judgements)["i2"].without_judge("j2")
    assert others.judges == ["j1", "j3"]
    assert np.array_equal(others.overall[1], [score(2, 3, s, OVERALL) for s in (1, 2, 3, 4)])


def test_the_first_is_the_story_with_the_highest_mean_overall_and_ties_are_kept(judgements):
    # score() grows with the story's number.
    assert scores_by_item(judgements)["i1"].first == ["s4"]
    rows = (judgements["dimension"] == OVERALL) & (judgements["judge"] == "j1")
    # j1 takes from s4 what it gains on s3 over three judges: 3 · 10 points.
    judgements.loc[rows & (judgements["story_id"] == "s4"), "score"] -= 30
    assert scores_by_item(judgements)["i1"].first == ["s3", "s4"]


def test_items_may_have_stories_of_their_own(judgements):
    judgements["story_id"] = judgements["item_id"] + judgements["story_id"]
    items = scores_by_item(judgements)
    assert items["i2"].stories == ["i2s1", "i2s2", "i2s3", "i2s4"]
    assert items["i2"].overall.shape == (3, 4)


def test_only_some_stories(judgements):
    all_four = scores_by_item(judgements)["i1"]
    some = all_four.only({"s4", "s2", "elsewhere"})
    assert some.stories == ["s2", "s4"]
    assert np.array_equal(some.overall, all_four.overall[:, [1, 3]])
    assert np.array_equal(some.dimensions, all_four.dimensions[:, [1, 3]])


def test_means_that_are_equal_on_paper_are_equal(judgements):
    # In floating point 0.1 + 0.2 is a bit more than 0.15 + 0.15.
    given = {("j1", "s3"): 0.1, ("j2", "s3"): 0.2, ("j1", "s4"): 0.15, ("j2", "s4"): 0.15}
    places = zip(judgements["judge"], judgements["story_id"], strict=True)
    judgements["score"] = [given.get(place, 0.0) for place in places]
    items = scores_by_item(judgements[judgements["judge"] != "j3"])
    assert items["i1"].first == ["s3", "s4"]

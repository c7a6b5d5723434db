from itertools import product

import numpy as np
import pandas as pd
import pytest

from storyaudit.errors import InputError
from storyaudit.protocol.judging import OVERALL, scores_by_item
from storyaudit.tables import DIMENSIONS

MEASURES = (*DIMENSIONS, OVERALL)


def score(item, judge, story, measure):
    """A number that says where it belongs."""
    return 1000.0 * item + 100 * judge + 10 * story + MEASURES.index(measure)


@pytest.fixture
def judgements():
    rows = [
        {"item_id": f"i{i}", "judge": f"j{j}", "story_id": f"s{s}", "dimension": m}
        | {"score": score(i, j, s, m)}
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


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        (
            "item_id == 'i2' and judge == 'j1' and story_id == 's3' and dimension == 'overall'",
            "item i2: judge j1 lacks a score of story s3",
        ),
        (
            "item_id == 'i2' and judge == 'j1' and story_id == 's3'",
            "item i2: not every judge scores every story",
        ),
        ("item_id == 'i2' and judge == 'j1'", "item i2: not every judge scores every story"),
        ("dimension == 'fluency'", "no judge scores 'fluency'"),
    ],
)
def test_a_gap_is_named(judgements, gone, message):
    with pytest.raises(InputError, match=message):
        scores_by_item(judgements.query(f"not ({gone})"))


def test_nan_is_a_gap(judgements):
    judgements.loc[0, "score"] = np.nan
    with pytest.raises(InputError, match="item i1: judge j1 lacks a score of story s1"):
        scores_by_item(judgements)


def test_a_score_twice_is_refused(judgements):
    with pytest.raises(ValueError, match="duplicate"):
        scores_by_item(pd.concat([judgements, judgements.iloc[:1]]))


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

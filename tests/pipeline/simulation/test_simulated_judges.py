import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.simulation.judges import (
    JUDGES_TRUTH,
    LENIENCY_COLUMNS,
    STRENGTHS,
    JudgementsParams,
    draw_judges,
    family,
    lean,
)
from storyaudit.data.tables import validate

NOTHING = {"noise": 0.0, "lenience": 0.0} | dict.fromkeys(STRENGTHS[1:], 0.0)


def draw(
    judges: int = 4, seed: int = 1, order_biased: float = 0.0, **params: float
) -> pd.DataFrame:
    settings = JudgementsParams(judges=judges, **{**NOTHING, **params})
    return draw_judges(settings, np.random.default_rng(seed), order_biased=order_biased)


def shown(**columns: list[object]) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    plain = {"item_id": ["i"] * rows, "position": list(range(1, rows + 1))}
    plain |= {"words": [100] * rows, "author": ["nobody"] * rows}
    return pd.DataFrame({**plain, **columns})


def leaning(of: pd.DataFrame, **judge: float) -> list[float]:
    return lean({"family": "wren"} | dict.fromkeys(STRENGTHS, 0.0) | judge, of).tolist()


def test_families_take_turns() -> None:
    judges = draw(judges=6)
    validate(judges, JUDGES_TRUTH, file="judges")
    assert judges["judge"].tolist() == [
        "wren-judge-1",
        "heron-judge-2",
        "kestrel-judge-3",
        "condor-judge-4",
        "wren-judge-5",
        "heron-judge-6",
    ]
    assert (judges["family"] == judges["judge"].map(family)).all()


def test_a_family_is_the_name_before_the_first_dash() -> None:
    assert [family(name) for name in ("wren-1b", "GPT-2-medium", "human")] == [
        "wren",
        "GPT",
        "human",
    ]


@pytest.mark.parametrize("name", STRENGTHS)
def test_strengths_lie_evenly_within_half_of_the_parameter(name: str) -> None:
    drawn = draw(judges=400, **{name: 2.0})
    assert drawn[name].between(1.0, 3.0).all()
    # Even on [1, 3]: mean 2, SD of the mean 2 / √12 / √400 = 0.029.
    assert drawn[name].mean() == pytest.approx(2.0, abs=0.12)
    assert drawn[name].std() == pytest.approx(2 / 12**0.5, abs=0.06)
    others = [other for other in (*LENIENCY_COLUMNS, *STRENGTHS) if other != name]
    assert (drawn[others] == 0).all(axis=None)


def test_leniency_has_the_deviation_of_the_parameter() -> None:
    drawn = draw(judges=400, lenience=0.5)[list(LENIENCY_COLUMNS)]
    # 2,000 draws of SD 0.5: the SE of their SD is 0.5 / √4000 = 0.008.
    assert drawn.to_numpy().std() == pytest.approx(0.5, abs=0.033)
    assert abs(drawn.corr().to_numpy() - np.eye(5)).max() < 0.25  # each dimension its own


def test_a_further_judge_and_an_order_bias_leave_the_others_as_they_are() -> None:
    params = {"noise": 1.0, "lenience": 0.5, "position_bias": 0.2, "length_bias": 0.3}
    four = draw(judges=4, **params)
    pd.testing.assert_frame_equal(draw(judges=9, **params).head(4), four)
    biased = draw(judges=4, order_biased=1.5, **params)
    difference = (biased[list(STRENGTHS)] - four[list(STRENGTHS)]).round(6)
    assert difference.loc[0].to_dict() == dict.fromkeys(STRENGTHS, 0.0) | {"position_bias": 1.5}
    pd.testing.assert_frame_equal(biased.tail(3), four.tail(3))
    assert not draw(judges=4, seed=2, **params).equals(four)


def test_the_first_place_gets_the_bias_more_than_the_last() -> None:
    # 0.6 points over four places: 0.3, 0.1, −0.1, −0.3; rows in any order.
    of = shown(position=[3, 1, 4, 2])
    assert leaning(of, position_bias=0.6) == pytest.approx([-0.1, 0.3, -0.3, 0.1])
    assert leaning(shown(position=[1]), position_bias=0.6) == [0.0]


def test_places_are_those_of_the_item() -> None:
    # Places 1 and 2 of two, and 1 to 3 of three.
    of = shown(item_id=["i", "j", "i", "j", "j"], position=[1, 1, 2, 2, 3])
    assert leaning(of, position_bias=1.0) == pytest.approx([0.5, 0.5, -0.5, 0.0, -0.5])


def test_twice_the_words_get_the_length_bias() -> None:
    # log2 of 100, 200, 400, 200 is 1 around its mean: −1, 0, 1, 0; the other item is even.
    of = shown(item_id=["i"] * 4 + ["j"] * 2, words=[100, 200, 400, 200, 50, 50])
    assert leaning(of, length_bias=0.3) == pytest.approx([-0.3, 0.0, 0.3, 0.0, 0.0, 0.0])


def test_a_story_without_words_counts_as_one_word() -> None:
    assert leaning(shown(words=[0, 1, 4, 1]), length_bias=2.0) == pytest.approx([-1, -1, 3, -1])


def test_stories_of_its_own_family_get_the_family_bias() -> None:
    of = shown(author=["wren-1b", "wrench-1b", "human", "wren-9b"])
    assert leaning(of, family_bias=0.4) == pytest.approx([0.4, 0.0, 0.0, 0.4])


def test_leanings_add_up() -> None:
    of = shown(author=["wren-1b", "x", "x", "x"], words=[50, 100, 200, 100])
    # Place: 0.3 …; length −1, 0, 1, 0 doublings; family: the first alone.
    expected = [0.3 - 0.2 + 0.4, 0.1, -0.1 + 0.2, -0.3]
    found = leaning(of, position_bias=0.6, length_bias=0.2, family_bias=0.4)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("field", "value"),
    [("judges", 1), ("judges", 1001), ("judges", 4.0), ("noise", -0.1), ("lenience", -1.0)]
    + [(name, float("nan")) for name in STRENGTHS]
    + [(name, 101.0) for name in STRENGTHS[1:]],
)
def test_parameters_that_make_no_judges_are_refused(field: str, value: float) -> None:
    with pytest.raises(ValidationError, match=field):
        JudgementsParams(**{"judges": 4, **NOTHING, field: value})


def test_a_judge_may_favour_the_last_place_and_the_short() -> None:
    drawn = draw(position_bias=-1.0, length_bias=-1.0)
    assert (drawn[["position_bias", "length_bias"]] < 0).all(axis=None)

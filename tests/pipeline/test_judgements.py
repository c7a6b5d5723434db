import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.judgements import JudgementsParams, points, simulate_judgements
from storyaudit.protocol.judging import scores_by_item
from storyaudit.tables import DIMENSIONS, JUDGEMENTS, require_sound

CANDIDATES = pd.DataFrame(
    {"item_id": ["i1"] * 4 + ["i2"] * 4, "story_id": list("abcdefgh"), "position": [1, 2, 3, 4] * 2}
)
HUMAN = {"e"}


def qualities(seed: int = 0) -> pd.DataFrame:
    drawn = np.random.default_rng(seed).random((8, 5))
    return pd.DataFrame(drawn, columns=list(DIMENSIONS)).assign(story_id=list("abcdefgh"))


def judge(table: pd.DataFrame, seed: int = 1, **params: object) -> pd.DataFrame:
    defaults = {"judges": 3, "judge_human_story": True, "noise": 1.6, "bias": 0.5}
    return simulate_judgements(
        CANDIDATES,
        table,
        HUMAN,
        JudgementsParams(**{**defaults, **params}),
        np.random.default_rng(seed),
    )


def test_every_judge_scores_every_story_on_every_dimension() -> None:
    table = judge(qualities())
    require_sound(table, JUDGEMENTS, file="judgements")
    assert len(table) == 3 * 8 * 6
    assert set(table["dimension"]) == {*DIMENSIONS, "overall"}
    assert set(scores_by_item(table)) == {"i1", "i2"}  # which refuses gaps
    positions = CANDIDATES.set_index("story_id")["position"]
    assert (table["position"] == table["story_id"].map(positions)).all()


@pytest.mark.parametrize("noise", [0.0, 1.6, 50.0])
def test_scores_are_whole_points_from_1_to_10(noise: float) -> None:
    scores = judge(qualities(), noise=noise)["score"]
    assert set(scores) <= set(range(1, 11))


def test_a_judge_without_error_gives_the_rounded_quality() -> None:
    # Quality q in [0, 1] is 1 + 9 q points.
    truth = qualities()
    table = judge(truth, noise=0.0, bias=0.0)
    wide = table[table["judge"] == "simulated-judge-2"].pivot(
        index="story_id", columns="dimension", values="score"
    )
    for story in truth.to_dict("records"):
        exact = [1 + 9 * story[name] for name in DIMENSIONS]
        assert wide.loc[story["story_id"], list(DIMENSIONS)].tolist() == list(map(round, exact))
        assert wide.loc[story["story_id"], "overall"] == round(sum(exact) / 5)


def test_points_span_the_scale() -> None:
    qualities = pd.DataFrame({"story_id": ["a", "b", "c"]})
    qualities = qualities.assign(**{name: [0.0, 0.5, 1.0] for name in DIMENSIONS})
    assert points(qualities)["fluency"].to_dict() == {"a": 1.0, "b": 5.5, "c": 10.0}


def test_a_judges_lenience_is_constant_on_a_dimension() -> None:
    # Without noise, and far from the ends of the scale, equal stories get equal scores.
    table = judge(qualities().assign(**dict.fromkeys(DIMENSIONS, 0.5)), noise=0.0, bias=1.0)
    spread = table.groupby(["judge", "dimension"])["score"].nunique()
    assert (spread == 1).all()
    assert table.groupby("dimension")["score"].nunique().max() > 1  # judges differ


def test_many_judges_find_the_truth() -> None:
    truth = qualities().assign(**dict.fromkeys(DIMENSIONS, 0.5))
    table = judge(truth, judges=200, noise=1.0, bias=0.5)
    means = table[table["dimension"] != "overall"].groupby("dimension")["score"].mean()
    # SE of a dimension's mean: bias 0.5 / √200 = 0.035 and less for noise and rounding.
    assert means.to_dict() == pytest.approx(dict.fromkeys(DIMENSIONS, 5.5), abs=0.16)


def test_the_human_story_is_judged_or_not() -> None:
    assert "e" in set(judge(qualities())["story_id"])
    without = judge(qualities(), judge_human_story=False)
    assert set(without["story_id"]) == set("abcdfgh")
    assert len(without) == 3 * 7 * 6


def test_the_seed_decides() -> None:
    pd.testing.assert_frame_equal(judge(qualities()), judge(qualities()))
    assert not judge(qualities(), seed=2).equals(judge(qualities()))


@pytest.mark.parametrize("wrong", [{"judges": 1}, {"noise": -0.1}, {"judge_human_story": "yes"}])
def test_parameters_that_make_no_judges_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        judge(qualities(), **wrong)

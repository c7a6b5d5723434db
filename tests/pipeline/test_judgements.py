import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from pipeline.judgements import main, simulate_judgements
from pipeline.simulation.judges import JUDGES_TRUTH, JudgementsParams, draw_judges, worth_of
from pipeline.simulation.truth_tables import points
from storyaudit.data.tables import JUDGEMENTS, validate
from storyaudit.errors import InputError
from storyaudit.protocol.judge_scores import scores_by_item
from storyaudit.vocabulary import DIMENSIONS

CANDIDATES = pd.DataFrame(
    {"item_id": ["i1"] * 4 + ["i2"] * 4, "story_id": list("abcdefgh"), "position": [1, 2, 3, 4] * 2}
)
STORIES = pd.DataFrame(
    {
        "story_id": list("abcdefghz"),
        "author": [
            "wren-1b",
            "heron-8b",
            "kestrel-32b",
            "condor-120b",
            "human",
            "x",
            "x",
            "x",
            "x",
        ],
        "author_kind": ["llm"] * 4 + ["human"] + ["llm"] * 4,
        "words": [100] * 9,
        "text": ["one two three"] * 9,
    }
)
EQUAL = pd.DataFrame({"story_id": list("abcdefgh")} | dict.fromkeys(DIMENSIONS, [0.5] * 8))
KEY = ["item_id", "story_id", "judge", "dimension"]


def qualities(seed: int = 0) -> pd.DataFrame:
    drawn = np.random.default_rng(seed).random((8, 5))
    return pd.DataFrame(drawn, columns=list(DIMENSIONS)).assign(story_id=list("abcdefgh"))


def judge(
    table: pd.DataFrame,
    seed: int = 1,
    *,
    stories: pd.DataFrame = STORIES,
    judge_human_story: bool = True,
    **params: float,
) -> pd.DataFrame:
    """Three judges who err in nothing but what is given."""
    nothing = {"noise": 0.0, "lenience": 0.0}
    nothing |= {"position_bias": 0.0, "length_bias": 0.0, "family_bias": 0.0}
    judges = draw_judges(
        JudgementsParams(**{"judges": 3, **nothing, **params}), np.random.default_rng([seed, 1])
    )
    return simulate_judgements(
        CANDIDATES,
        stories,
        table,
        judges,
        np.random.default_rng([seed, 2]),
        judge_human_story=judge_human_story,
    )


def test_every_judge_scores_every_story_on_every_dimension() -> None:
    table = judge(qualities(), noise=1.6, lenience=0.5)
    validate(table, JUDGEMENTS, file="judgements")
    assert len(table) == 3 * 8 * 6
    assert set(table["dimension"]) == {*DIMENSIONS, "overall"}
    assert set(table["judge"]) == {"wren-judge-1", "heron-judge-2", "kestrel-judge-3"}
    assert set(table["prompt_variant"]) == {"1"}
    scores = scores_by_item(table)
    assert {item: (len(s.judges), len(s.stories)) for item, s in scores.items()} == {
        "i1": (3, 4),
        "i2": (3, 4),
    }
    positions = CANDIDATES.set_index("story_id")["position"]
    assert (table["position"] == table["story_id"].map(positions)).all()


@pytest.mark.parametrize("noise", [0.0, 1.6, 50.0])
def test_scores_are_whole_points_from_1_to_10(noise: float) -> None:
    scores = judge(qualities(), noise=noise)["score"]
    assert set(scores) <= set(range(1, 11))


def test_a_judge_without_error_gives_the_rounded_quality() -> None:
    # Quality q in [0, 1] is 1 + 9 q points.
    truth = qualities()
    table = judge(truth)
    wide = table[table["judge"] == "heron-judge-2"].pivot(
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


def test_a_judges_leniency_is_constant_on_a_dimension() -> None:
    # Without noise, and far from the ends of the scale, equal stories get equal scores.
    table = judge(EQUAL, lenience=1.0)
    spread = table.groupby(["judge", "dimension"])["score"].nunique()
    assert (spread == 1).all()
    assert table.groupby("dimension")["score"].nunique().max() > 1  # judges differ


def test_many_judges_find_the_truth() -> None:
    table = judge(EQUAL, judges=100, noise=1.0, lenience=0.5)
    means = table[table["dimension"] != "overall"].groupby("dimension")["score"].mean()
    # SE of a dimension's mean: leniency 0.5 / √100 = 0.05 and less for noise and rounding.
    assert means.to_dict() == pytest.approx(dict.fromkeys(DIMENSIONS, 5.5), abs=0.2)


def gaps(table: pd.DataFrame, story: str, other: str) -> pd.Series:
    """Mean over dimensions and judges of a story's score less another's."""
    means = table[table["dimension"] != "overall"].groupby("story_id")["score"].mean()
    return means[story] - means[other]


def test_biases_show_in_the_scores() -> None:
    # With noise the rounding evens out. 60 judges × 5 dimensions: a difference of two means has
    # an SE of 1.5 √2 / √300 = 0.12; the drawn strengths add 2 / √12 / √60 = 0.07.
    long = STORIES.assign(words=[100, 200, 100, 200, 100, 100, 100, 100, 100])
    noisy = {"judges": 60, "noise": 1.5}
    place = judge(EQUAL, position_bias=2.0, **noisy)
    assert gaps(place, "e", "h") == pytest.approx(2.0, abs=0.45)
    # A third of the way between the first place and the last.
    assert gaps(place, "e", "f") == pytest.approx(2.0 / 3, abs=0.45)
    length = judge(EQUAL, length_bias=2.0, stories=long, **noisy)
    assert gaps(length, "b", "a") == pytest.approx(2.0, abs=0.45)
    # Every fourth judge is a wren, and story a is by one: 2 points in 15 of 60 judges.
    kin = judge(EQUAL, family_bias=2.0, **noisy)
    own = kin["judge"].str.startswith("wren-")
    assert gaps(kin[own], "a", "e") == pytest.approx(2.0, abs=0.7)
    assert gaps(kin[~own], "a", "e") == pytest.approx(0.0, abs=0.45)


def test_errors_are_the_same_whatever_the_biases() -> None:
    # A bias too small to move a rounded score moves none.
    plain = judge(qualities(), noise=1.6, lenience=0.5)
    pd.testing.assert_frame_equal(
        judge(qualities(), noise=1.6, lenience=0.5, position_bias=1e-9, family_bias=1e-9), plain
    )


def test_words_are_counted_where_the_table_lacks_them() -> None:
    texts = ["one two " * 50, *["one two three four " * 50] * 8]  # 100 words, and 200
    bare = STORIES.assign(text=texts).drop(columns="words")
    counted = STORIES.assign(words=[100] + [200] * 8)
    half = counted.assign(text=texts, words=[100.0, *[None] * 4, *[200.0] * 4])
    expected = judge(qualities(), length_bias=1.5, stories=counted)
    for stories in (bare, half):
        pd.testing.assert_frame_equal(
            judge(qualities(), length_bias=1.5, stories=stories), expected
        )


def test_a_human_story_that_is_not_judged_leaves_the_other_scores() -> None:
    whole = judge(qualities(), noise=1.6, length_bias=0.3)
    without = judge(qualities(), noise=1.6, length_bias=0.3, judge_human_story=False)
    assert set(without["story_id"]) == set("abcdfgh")
    expected = whole[whole["story_id"] != "e"].reset_index(drop=True)
    pd.testing.assert_frame_equal(without, expected)


def test_the_seed_decides() -> None:
    noisy = {"noise": 1.6, "lenience": 0.5}
    pd.testing.assert_frame_equal(judge(qualities(), **noisy), judge(qualities(), **noisy))
    assert not judge(qualities(), seed=2, **noisy).equals(judge(qualities(), **noisy))


def test_scores_do_not_depend_on_the_order_of_the_truth() -> None:
    shuffled = qualities().sample(frac=1, random_state=1)
    stories = STORIES.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(judge(shuffled, stories=stories), judge(qualities()))


@pytest.mark.parametrize("missing", ["row", "value"])
def test_a_candidate_without_qualities_is_refused_by_name(missing: str) -> None:
    table = qualities()
    if missing == "row":
        table = table[table["story_id"] != "f"]
    else:
        table.loc[table["story_id"] == "f", "fluency"] = None
    message = r"candidate f of item i2 has no qualities.*\(1 such stories\)"
    for refuse in (lambda: judge(table), lambda: worth_of(CANDIDATES, table)):
        with pytest.raises(InputError, match=message):
            refuse()


def test_a_candidate_that_is_no_story_is_refused_by_name() -> None:
    stories = STORIES[~STORIES["story_id"].isin(["b", "g"])]
    message = "candidate b of item i1 is not among the stories (2 such stories)"
    with pytest.raises(InputError, match=re.escape(message)):
        judge(qualities(), stories=stories)


def test_judges_that_are_not_simulated_are_an_empty_table(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    params = yaml.safe_load((Path(__file__).parents[2] / "params.yaml").read_text())
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params | {"simulated": ["annotators"]}))
    (tmp_path / "data/raw/judgements").mkdir(parents=True)
    given = judge(qualities())
    given.to_csv(tmp_path / "data/raw/judgements/judgements.csv", index=False)
    main()
    written = pd.read_parquet(tmp_path / "data/study/judgements.parquet").sort_values(KEY)
    expected = given.sort_values(KEY)
    assert (written[[*KEY, "score"]].to_numpy() == expected[[*KEY, "score"]].to_numpy()).all()
    truth = pd.read_parquet(tmp_path / "data/world/judges.parquet")
    assert truth.empty and list(truth.columns) == [c.name for c in JUDGES_TRUTH.columns]


def test_absent_judgements_are_asked_for(tmp_path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    params = yaml.safe_load((Path(__file__).parents[2] / "params.yaml").read_text())
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params | {"simulated": ["annotators"]}))
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "judgements" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()

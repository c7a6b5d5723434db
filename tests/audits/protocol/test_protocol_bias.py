"""Judges' biases: injected ones recovered, none found where there is none, and explicit dummies."""

import numpy as np
import pandas as pd
import prose
import pytest
from protocol_samples import MODELS, Tables, audited, by_id, simulated, unchecked

from audits.protocol.bias.family import family, family_effects
from audits.protocol.bias.length import length_effects
from audits.protocol.bias.overall_scores import overall_scores
from audits.protocol.bias.position import balance, position_effects
from storyaudit.findings import Finding
from storyaudit.stats.bootstrap import bootstrap_counts
from storyaudit.stats.within_blocks import coefficients, demeaned, moments

BIASES = ("position", "length", "family")
FINDING = {"position": "bias-position", "length": "bias-length", "family": "bias-family"}


def benchmark(tables: Tables) -> Tables:
    """The tables with a benchmark of which only the judgements matter here."""
    names = tables["candidates"]["item_id"].unique()
    row = {
        "premise_id": "p",
        "origin": "llm_llm",
        "chosen_id": "s",
        "annotation_route": "confirmation",
    }
    more = {"tau_avg": 1.0, "dimension": "fluency", "dimension_rule": "margin"}
    return tables | {"benchmark": pd.DataFrame({"item_id": names}).assign(**row, **more)}


def biases(tables: Tables, **options) -> dict[str, Finding]:
    return by_id(audited(benchmark(tables), resamples=600, **options))


def interval(finding: Finding, name: str = "points") -> tuple[float, float]:
    return finding.numbers[f"{name}_low"], finding.numbers[f"{name}_high"]


INJECTED = {
    "position": (1.0, 0.5, 1.5, 1.0),
    "length": (0.6, 0.3, 0.9, 0.6),
    "family": (1.0, 0.5, 1.5, 1.0),
}


@pytest.fixture(scope="module", params=BIASES)
def injected(request: pytest.FixtureRequest) -> tuple[str, dict[str, Finding]]:
    tables = simulated(np.random.default_rng(17), 150, **{request.param: INJECTED[request.param]})
    return request.param, biases(tables)


def test_a_planted_bias_is_recovered_and_is_significant(injected) -> None:
    name, found = injected
    finding = found[FINDING[name]]
    low, high = interval(finding)
    assert 0 < low <= np.mean(INJECTED[name]) <= high
    assert finding.severity == ("note" if name == "length" else "warn")
    for row, value in zip(finding.evidence, _by_name(INJECTED[name]), strict=True):
        assert row["points_low"] <= value <= row["points_high"]
        against = value - (sum(INJECTED[name]) - value) / 3
        assert row["against_others_low"] <= against <= row["against_others_high"]


def _by_name(values: tuple[float, ...]) -> list[float]:
    """The values in the order of the judges' names."""
    names = [model.split("-")[0] for model in MODELS]
    return [values[names.index(name)] for name in sorted(names)]


def test_the_other_biases_are_not_found_beside_it(injected) -> None:
    name, found = injected
    for other in set(BIASES) - {name}:
        low, high = interval(found[FINDING[other]])
        assert low <= 0 <= high
        assert found[FINDING[other]].severity == "note"
        assert found[FINDING[other]].numbers["judges_significant"] == 0


def test_no_bias_is_found_where_there_is_none() -> None:
    found = biases(simulated(np.random.default_rng(23)))
    for name in BIASES:
        low, high = interval(found[FINDING[name]])
        assert low <= 0 <= high
        prose.check(f"protocol/no bias is found where there is none: {name}", found[FINDING[name]])
    assert found["bias-balance"].severity == "note"
    prose.check("protocol/orders that are drawn", found["bias-balance"])


def test_one_biased_judge_is_named() -> None:
    found = biases(simulated(np.random.default_rng(6), position=(0, 0, 2, 0)))["bias-position"]
    assert found.severity == "warn"
    prose.check("protocol/one biased judge is named", found)
    (row,) = [row for row in found.evidence if row["judge"] == "kite-judge"]
    assert 0 < row["against_others_low"] <= 2 <= row["against_others_high"]


def small(**options) -> Tables:
    return simulated(
        np.random.default_rng(41), 12, family=(1, 0, 0, 2), length=(1, 1, 0, 0), **options
    )


def dummies(*codes: pd.Series) -> np.ndarray:
    """An indicator for each combination of the codes."""
    joint = pd.Series(list(zip(*codes, strict=True)))
    return pd.get_dummies(joint).to_numpy("float64")


def test_slopes_equal_least_squares_with_explicit_dummies() -> None:
    overall = overall_scores(small(), "1")
    once = bootstrap_counts(12, 100, np.random.default_rng(0))
    position = position_effects(overall, once, 0.95)
    length = length_effects(overall, once, 0.95)
    assert position is not None
    assert length is not None
    for number, judge in enumerate(position.judges):
        rows = overall.rows[overall.rows["judge"] == judge].reset_index(drop=True)
        effects = np.hstack([dummies(rows["item_id"]), dummies(rows["author"])])
        x = np.column_stack([rows["position"], effects])
        slope = np.linalg.lstsq(x, rows["score"].to_numpy())[0][0]
        assert position.each[number].value == pytest.approx(-3 * slope)
        x = np.column_stack([rows["log2_words"], rows["position"], effects])
        slope = np.linalg.lstsq(x, rows["score"].to_numpy())[0][0]
        assert length.each[number].value == pytest.approx(slope)
    values = [estimate.value for estimate in length.each]
    assert length.mean.value == pytest.approx(np.mean(values))
    assert length.against[0].value == pytest.approx(values[0] - np.mean(values[1:]))


def test_the_family_bias_equals_least_squares_with_explicit_dummies() -> None:
    overall = overall_scores(small(), "1")
    found = family_effects(overall, None, bootstrap_counts(12, 100, np.random.default_rng(0)), 0.95)
    assert found is not None
    rows = overall.rows.reset_index(drop=True)
    own = rows["judge"].str.split("-").str[0] == rows["author"].str.split("-").str[0]
    judges = sorted(rows["judge"].unique())
    x = np.hstack(
        [
            np.column_stack([(own & (rows["judge"] == judge)) for judge in judges]),
            np.column_stack([rows["log2_words"] * (rows["judge"] == judge) for judge in judges]),
            dummies(rows["item_id"], rows["judge"]),
            dummies(rows["story_id"]),
        ]
    )
    slopes = np.linalg.lstsq(x.astype("float64"), rows["score"].to_numpy())[0][: len(judges)]
    assert [e.value for e in found.effects.each] == pytest.approx(list(slopes))
    assert found.same_family_stories == dict.fromkeys(judges, 12)


def test_a_difference_in_differences_by_hand() -> None:
    # One item of two stories, two judges: the first gives its family's story 7 and the other 4,
    # the second 6 and 5. (7 − 6) − (4 − 5) = 2.
    tables = {
        "candidates": pd.DataFrame({"item_id": "i", "story_id": ["s", "t"]}),
        "judgements": pd.DataFrame(
            {
                "item_id": "i",
                "story_id": ["s", "t", "s", "t"],
                "judge": ["owl-1", "owl-1", "kite-1", "kite-1"],
                "prompt_variant": "1",
                "position": [1, 2, 1, 2],
                "dimension": "overall",
                "score": [7.0, 4, 6, 5],
            }
        ),
        "stories": pd.DataFrame(
            {
                "story_id": ["s", "t"],
                "author_kind": "llm",
                "author": ["owl-2", "wren"],
                "text": [None, None],
            }
        ),
    }
    found = family_effects(overall_scores(tables, "1"), None, np.ones((100, 1)), 0.95)
    assert found is not None
    assert found.effects.judges == ["owl-1"]
    assert found.effects.mean.value == pytest.approx(2)
    assert found.effects.mean.low is None  # one item has no spread


def test_resampling_items_equals_repeating_their_rows() -> None:
    rng = np.random.default_rng(2)
    block = np.repeat(np.arange(6), 4)
    x, y = demeaned(rng.normal(size=(24, 2)), block), rng.normal(size=24)
    weights = np.array([[2.0, 0, 1, 1, 0, 2]])
    rows = np.flatnonzero(np.isin(block, [0, 0, 2, 3, 5]))
    rows = np.concatenate([rows, np.flatnonzero(np.isin(block, [0, 5]))])
    expected = np.linalg.lstsq(x[rows], y[rows])[0]
    assert coefficients(moments(x, y, block, 6), weights)[0] == pytest.approx(expected)


def test_what_the_rows_do_not_determine_is_nan() -> None:
    x = np.array([[1.0, 2], [-1, -2], [2, 4], [-2, -4]])
    found = coefficients(moments(x, np.ones(4), np.array([0, 0, 1, 1]), 2), np.ones((1, 2)))
    assert np.isnan(found).all()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GLM-4.5", "glm"),
        ("Qwen2.5-Max", "qwen"),
        ("Qwen-Long", "qwen"),
        ("Gemini 2.5 Pro", "gemini"),
        ("deepseek-ai/DeepSeek-R1", "deepseek"),
        ("文心一言4", "文心一言"),
        ("01-yi", "01-yi"),
        ("", ""),
    ],
)
def test_families_by_name(name: str, expected: str) -> None:
    assert family(name) == expected


def test_families_as_given() -> None:
    tables = simulated(np.random.default_rng(1), 60, family=(2, 2, 2, 2))
    tables["judgements"]["judge"] = tables["judgements"]["judge"].replace({"owl-judge": "strix"})
    left_out = biases(tables)["bias-family"]
    assert [row["judge"] for row in left_out.evidence] == [
        "heron-judge",
        "kite-judge",
        "wren-judge",
    ]
    given = biases(tables, families={"strix": "Owl"})["bias-family"]
    assert "strix" in [row["judge"] for row in given.evidence]


def test_no_judge_of_an_authors_family() -> None:
    tables = simulated(np.random.default_rng(1), 20)
    tables["judgements"]["judge"] = "x" + tables["judgements"]["judge"]
    prose.check(
        "protocol/no judge of an authors family",
        unchecked(audited(benchmark(tables)))["bias-family"],
    )


def test_orders_that_go_with_authors_are_a_warning_and_no_cause() -> None:
    tables = simulated(np.random.default_rng(9), position=(1, 1, 1, 1))
    # In two thirds of the items the judges see authors in one order.
    fixed = tables["candidates"]["item_id"] < "i0133"
    for name in ("candidates", "judgements"):
        rows = tables[name]["item_id"] < "i0133"
        order = {model: place for place, model in enumerate(MODELS, start=1)}
        author = tables[name]["story_id"].str.split("-", n=1).str[1]
        tables[name].loc[rows, "position"] = author.map(order)[rows]
    assert fixed.any()
    found = biases(tables)
    assert found["bias-balance"].severity == "warn"
    prose.check(
        "protocol/orders that go with authors are a warning and no cause", found["bias-position"]
    )


def test_positions_confounded_with_authors_are_not_checked() -> None:
    tables = simulated(np.random.default_rng(9), 60, shuffled=False)
    report = audited(benchmark(tables))
    prose.check(
        "protocol/positions confounded with authors",
        unchecked(report)["bias-position"],
    )
    found = by_id(report)["bias-balance"]
    assert found.numbers["p"] == pytest.approx(
        1 / 101, abs=1e-5
    )  # none of 100 shufflings is as far


@pytest.mark.slow
def test_balance_p_values_of_shuffled_positions_are_uniform() -> None:
    values = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        found = balance(overall_scores(simulated(rng, 30), "1"), 99, rng)
        assert found is not None
        values.append(found[0])
    # A Kolmogorov–Smirnov distance of 0.26 has a p value of 0.01 at n = 40.
    assert np.abs(np.sort(values) - (np.arange(40) + 0.5) / 40).max() < 0.26


def test_judges_who_see_one_order_count_once() -> None:
    tables = simulated(np.random.default_rng(4), 25)
    found = balance(overall_scores(tables, "1"), 99, np.random.default_rng(0))
    assert found is not None
    assert found[1] == 25
    own = tables["judgements"]["judge"] == "owl-judge"
    tables["judgements"].loc[own, "position"] = 5 - tables["judgements"].loc[own, "position"]
    found = balance(overall_scores(tables, "1"), 99, np.random.default_rng(0))
    assert found is not None
    assert found[1] == 50


def test_words_are_counted_where_the_table_lacks_them() -> None:
    tables = simulated(np.random.default_rng(4), 3)
    tables["stories"]["words"] = tables["stories"]["words"].astype("float64")
    tables["stories"].loc[0, "words"] = np.nan
    tables["stories"].loc[0, "text"] = "one two three four five six seven eight"
    rows = overall_scores(tables, "1").rows
    story = tables["stories"]["story_id"][0]
    assert set(rows.loc[rows["story_id"] == story, "log2_words"]) == {3.0}
    expected = np.log2(tables["stories"]["words"][1])
    story = tables["stories"]["story_id"][1]
    assert set(rows.loc[rows["story_id"] == story, "log2_words"]) == {expected}


@pytest.mark.slow
@pytest.mark.parametrize("name", BIASES)
def test_intervals_have_their_coverage(name: str) -> None:
    covered = 0
    for seed in range(100):
        rng = np.random.default_rng([seed, 77])
        tables = simulated(rng, 60, **{name: (0.5, 0.5, 0.5, 0.5)})
        overall = overall_scores(tables, "1")
        weights = bootstrap_counts(60, 400, rng)
        if name == "family":
            bias = family_effects(overall, None, weights, 0.95)
            assert bias is not None
            mean = bias.effects.mean
        else:
            estimate = {"position": position_effects, "length": length_effects}[name]
            effects = estimate(overall, weights, 0.95)
            assert effects is not None
            mean = effects.mean
        covered += mean.low <= 0.5 <= mean.high
    assert covered >= 88  # of 100; the binomial SD is 2.2 about 95

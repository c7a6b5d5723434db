import pandas as pd
import prose
import pytest

from audits.accuracy.group_accuracies import group_findings, group_table

FOUR = pd.Series(0.25, index=[f"i{n}" for n in range(12)])


def results(variant: str, correct: str, *, seed: int = 1, model: str = "m", **groups: str) -> list:
    """One row a character; ``groups`` have a character an item as well."""
    return [
        {
            "variant": variant,
            "model": model,
            "seed": seed,
            "item_id": f"i{number}",
            "correct": right == "1",
            **{name: values[number] for name, values in groups.items()},
        }
        for number, right in enumerate(correct)
    ]


def test_accuracies_within_groups_by_hand() -> None:
    table = pd.DataFrame(results("x", "110100", origin="aaabbb", language="eeeeee"))
    found = group_table(table, FOUR, 0.95)
    assert found.columns.tolist() == [
        "model", "kind", "group", "items", "accuracy", "low", "high", "chance"
    ]  # fmt: skip
    # One language on all items would only repeat the whole.
    assert found[["kind", "group", "items"]].to_numpy().tolist() == [
        ["origin", "a", 3],
        ["origin", "b", 3],
    ]
    assert found["accuracy"].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert found["chance"].tolist() == [0.25, 0.25]


def test_an_items_outcome_is_its_mean_over_seeds() -> None:
    table = results("x", "1100", origin="aabb") + results("x", "1010", origin="aabb", seed=2)
    found = group_table(pd.DataFrame(table), FOUR, 0.95)
    assert found["items"].tolist() == [2, 2]
    assert found["accuracy"].tolist() == [3 / 4, 1 / 4]


def test_chance_is_that_of_the_groups_items() -> None:
    chance = pd.Series([1 / 2, 1 / 4, 1 / 3, 1 / 3], index=["i3", "i2", "i1", "i0"])
    found = group_table(pd.DataFrame(results("x", "1111", origin="aabb")), chance, 0.95)
    assert found["chance"].tolist() == pytest.approx([1 / 3, 3 / 8])


def test_length_bands_stand_in_their_order_and_models_have_their_names() -> None:
    bands = ["medium", "long", "short", "unknown"]
    table = pd.DataFrame(
        results("x", "1111", length_band=bands)
        + results("x", "0000", model="n", length_band=bands)
        + results("y", "0000", length_band=bands)
    )
    found = group_table(table, FOUR, 0.95)
    assert found["model"].unique().tolist() == ["x/m", "x/n", "y"]
    of_first = found[found["model"] == "x/m"]
    assert of_first["group"].tolist() == ["unknown", "short", "medium", "long"]
    assert set(of_first["kind"]) == {"length"}


def test_a_missing_group_is_in_none() -> None:
    table = pd.DataFrame(results("x", "111", origin="aab")).replace({"origin": {"b": None}})
    table.loc[1, "origin"] = "c"
    assert group_table(table, FOUR, 0.95)["group"].tolist() == ["a", "c"]


def test_the_order_of_rows_does_not_matter() -> None:
    table = pd.DataFrame(results("y", "1100", origin="abab") + results("x", "1010", origin="abab"))
    shuffled = table.sample(frac=1, random_state=2)
    pd.testing.assert_frame_equal(group_table(table, FOUR, 0.9), group_table(shuffled, FOUR, 0.9))


def test_a_finding_a_model_reports_its_groups() -> None:
    table = results("x", "1100", origin="aabb") + results("Y 1", "1111", origin="aabb")
    found = group_findings(group_table(pd.DataFrame(table), FOUR, 0.95), 0.95)
    assert [finding.id for finding in found] == ["groups-y-1", "groups-x"]
    # Wilson of 2 of 2: 1/(1 + 3.8415/2) = 34.2 %.
    bounds = [(row["group"], row["low"], row["high"]) for row in found[1].evidence]
    assert bounds == [
        ("a", pytest.approx(0.342, abs=5e-4), 1),
        ("b", 0, pytest.approx(0.658, abs=5e-4)),
    ]
    assert {"34.2", "100.0", "0.0", "65.8"} <= prose.figures(found[1])
    prose.check("accuracy/groups: of two models", *found)


def test_without_groups_there_is_no_finding() -> None:
    table = group_table(pd.DataFrame(results("x", "10", origin="aa")), FOUR, 0.95)
    assert table.empty and group_findings(table, 0.95) == []

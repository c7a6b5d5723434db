import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from storyaudit.errors import InputError
from storyaudit.layouts.score_files import ScoreFile, read_score_file

CANDIDATES = pd.DataFrame(
    {
        "item_id": ["i1"] * 4 + ["i2"] * 4 + ["i3"] * 4,
        "position": [1, 2, 3, 4, 4, 3, 2, 1, 1, 2, 3, 4],
        "story_id": list("abcd") + list("efgh") + list("jklm"),
    }
)
GOLD = pd.DataFrame({"item_id": ["i1", "i2"], "chosen_id": ["c", "e"]})
"""Item i3 is none of the benchmark's, as where nobody decided it."""


def rows(**columns: list[object]) -> pd.DataFrame:
    given = pd.DataFrame({"item_id": ["i1", "i2"], "story_id": ["a", "e"], "reward": [1.5, -2.0]})
    return given.assign(**columns)


def read(path: Path, variant: str | None = None) -> ScoreFile:
    return read_score_file(path, CANDIDATES, GOLD, variant=variant)


def write(folder: Path, frame: pd.DataFrame, ending: str = ".csv") -> Path:
    path = folder / f"rm{ending}"
    if ending == ".csv":
        frame.to_csv(path, index=False)
    elif ending == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    return path


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_what_a_table_does_not_say_is_filled_in(tmp_path, ending: str) -> None:
    path = write(tmp_path, rows(), ending)
    told = [["rm", "unknown", 0, "i1", "a", 1.5], ["rm", "unknown", 0, "i2", "e", -2.0]]
    assert read(path).scores.to_numpy().tolist() == told
    assert read(path, "mine").scores["variant"].tolist() == ["mine", "mine"]
    assert read(path).found.startswith(path.name)
    full = rows(variant=["x", None], model=["m", None], seed=[3, None])
    scores = read(write(tmp_path, full, ending), "mine").scores
    assert scores.iloc[:, :3].to_numpy().tolist() == [["x", "m", 3], ["mine", "unknown", 0]]


def test_missing_rewards_are_left_out(tmp_path) -> None:
    scores = read(write(tmp_path, rows(reward=[None, 2.0]))).scores
    assert scores[["story_id", "reward"]].to_numpy().tolist() == [["e", 2.0]]


@pytest.mark.parametrize(
    ("frame", "row", "message"),
    [
        (rows(item_id=["i1", "i9"]), 3, "another: item_id i9, story_id e"),
        (rows(story_id=["b", "a"]), 3, "another: item_id i2, story_id a"),  # a stands in i1 alone
        (rows(story_id=["a", None]), 3, "expected story_id, found nothing"),
        (rows(item_id=[None, "i2"]), 2, "expected item_id, found nothing"),
        (rows(reward=[1.0, np.inf]), 3, "an infinite one: item_id i2"),
        (rows(reward=[-np.inf, 1.0]), 2, "an infinite one: item_id i1"),
        (rows(reward=["much", 1.0]), 2, "expected a number"),
        (pd.concat([rows(), rows().iloc[:1]]), 4, "found a second: item_id i1, story_id a"),
        (rows(reward=[None, None]), None, "expected rewards, found none"),
        (rows().iloc[:0], None, "at least one row"),
        (rows().drop(columns="story_id"), None, "expected the column story_id"),
        (rows().drop(columns="reward"), None, "expected the column reward"),
        (rows(seed=[1.5, 2]), 2, "a whole number"),
    ],
)
def test_tables_that_do_not_fit_are_refused_at_their_row(tmp_path, frame, row, message) -> None:
    path = write(tmp_path, frame)
    with pytest.raises(InputError, match=message) as error:
        read(path)
    assert (error.value.file, error.value.row) == (path, row)


def test_two_runs_may_score_one_candidate(tmp_path) -> None:
    both = pd.concat([rows(seed=[1, 1]), rows(seed=[2, 2])])
    assert len(read(write(tmp_path, both)).scores) == 4


def result(**columns: object) -> dict[str, object]:
    """Item i2 before i1; i1's rejected stories are a, b, d by position, i2's h, g, f."""
    return {
        "id": ["i2", "i1"],
        "scores_chosen": [9.0, 8.0],
        "scores_rejected": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        **columns,
    }


ALIGNED = {"e": 9, "h": 1, "g": 2, "f": 3, "c": 8, "a": 4, "b": 5, "d": 6}


def write_result(folder: Path, content: Any, name: str = "rm.json") -> Path:
    path = folder / name
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(line) + "\n" for line in content))
    else:
        path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    "content",
    [
        result(),
        result(model="org/rm"),
        result(subset=["creativity", "fluency"]),  # RewardBench counts ids within subsets
        {"id": ["i2", "i1"], "scores": [[9, 1, 2, 3], [8, 4, 5, 6]], "num_correct": [1, 1]},
        {"id": ["i2", "i1"], "scores": [[[9], [1], [2], [3]], [8, 4, 5, 6]]},
    ],
)
def test_a_result_file_is_lined_up_by_ids_and_the_gold(tmp_path, content) -> None:
    found = read(write_result(tmp_path, content))
    scores = found.scores
    assert dict(zip(scores["story_id"], scores["reward"], strict=True)) == ALIGNED
    assert set(scores["item_id"][scores["story_id"].isin(list("abcd"))]) == {"i1"}
    assert set(scores["variant"]) == {"rm"} and set(scores["seed"]) == {0}
    assert set(scores["model"]) == {content.get("model", "unknown")}
    assert "assumed in the order of their positions" in found.found


def test_a_result_file_of_lines(tmp_path) -> None:
    lines = [{"id": "i1", "chosen": 8, "rejected": [4, None, 6]}]
    scores = read(write_result(tmp_path, lines, "rm.jsonl")).scores
    assert dict(zip(scores["story_id"], scores["reward"], strict=True)) == {"c": 8, "a": 4, "d": 6}


@pytest.mark.parametrize(
    ("content", "row", "message"),
    [
        (result(id=["i2", "i9"]), 2, r"found i9 \(1 of 2 are none"),
        (result(id=["i2", "i3"]), 2, "found i3"),  # a candidate's, but without gold
        (result(id=["i2", "i2"]), None, "every item once, found i2 again"),
        (result(id=["x/i2", "y/i2"]), 1, "each once"),
        (result(id=[0, 1]), 1, "found 0"),
        ({k: v for k, v in result().items() if k != "id"}, None, "not lined up .* by their order"),
        (result(scores_rejected=[[1.0, 2.0], [1.0, 2.0, 3.0]]), 1, "3 rejected .*found 1 and 2"),
        (
            {"id": ["i1"], "scores": [[1.0, 2.0, 3.0, 4.0]], "num_correct": [2]},
            1,
            "found 2 and 2",
        ),
        (result(scores_chosen=[float("inf"), 1.0]), 1, "an infinite one: item_id i2, story_id e"),
        (result(scores_chosen=["good", 1.0]), 1, "expected a reward"),
        ([{"id": "i1"}], None, "expected scores_chosen .*found id"),
        ({"accuracy": 0.9}, None, "expected scores_chosen"),
    ],
)
def test_result_files_that_do_not_fit_are_refused(tmp_path, content, row, message) -> None:
    path = write_result(tmp_path, content)
    with pytest.raises(InputError, match=message) as error:
        read(path)
    assert (error.value.file, error.value.row) == (path, row)


def test_places_in_a_file_are_no_ids_even_where_they_look_like_some(tmp_path) -> None:
    """An item called 1 is not the first item of a file without ids."""
    candidates = CANDIDATES.replace({"item_id": {"i1": "1", "i2": "2"}})
    gold = GOLD.replace({"item_id": {"i1": "1", "i2": "2"}})
    bare = {name: values for name, values in result().items() if name != "id"}
    with pytest.raises(InputError, match="expected ids of items"):
        read_score_file(write_result(tmp_path, bare), candidates, gold)


@pytest.mark.parametrize("name", ["none.csv", "none.json", "rm.pkl"])
def test_no_such_file(tmp_path, name: str) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path / name)
    assert error.value.file == tmp_path / name

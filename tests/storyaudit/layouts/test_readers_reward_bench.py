"""Files in the layouts that the code of allenai/reward-bench writes (run_rm.py, run_v2.py)."""

import json
import math
from pathlib import Path

import pytest

from storyaudit.errors import InputError
from storyaudit.layouts.reward_bench import read_reward_bench


def write(folder, content, name="scores.json"):
    path = folder / name
    if name.endswith(".jsonl"):
        text = "".join(json.dumps(record) + "\n" for record in content)
    else:
        text = json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def rows(found):
    return [tuple(row) for row in found.rewards.to_numpy().tolist()]


V1 = {
    "text_chosen": ["x", "y"],
    "text_rejected": ["x", "y"],
    "results": [1, 0],
    "subset": ["donotanswer", "xstest"],
    "id": [30, 30],
    "scores_chosen": [1.5, -0.25],
    "scores_rejected": [0.5, 0.25],
    "model": "org/rm",
    "model_type": "Seq. Classifier",
    "chat_template": "tulu",
}


def test_scores_of_pairs(tmp_path):
    found = read_reward_bench(write(tmp_path, V1))
    assert rows(found) == [
        ("donotanswer/30", 1, True, 1.5),
        ("donotanswer/30", 2, False, 0.5),
        ("xstest/30", 1, True, -0.25),
        ("xstest/30", 2, False, 0.25),
    ]
    assert (found.model, found.repeated) == ("org/rm", [])
    assert found.found == (
        "scores.json: rewards from 'scores_chosen' and 'scores_rejected', items by subset and id"
    )


def test_scores_of_reward_bench_2(tmp_path):
    """One chosen and three rejected responses; in Ties several are correct and stand first."""
    content = {
        "text": [["x"] * 4, ["y"] * 5],
        "scores": [[0.9, 0.1, 0.2, 0.3], [3.0, 2.0, 1.0, 0.0, -1.0]],
        "results": [1, 1],
        "num_correct": [1, 2],
        "subset": ["Factuality", "Ties"],
        "id": ["0", "ref:7"],
        "model": "org/rm",
    }
    found = read_reward_bench(write(tmp_path, content))
    assert rows(found)[:4] == [
        ("Factuality/0", 1, True, 0.9),
        ("Factuality/0", 2, False, 0.1),
        ("Factuality/0", 3, False, 0.2),
        ("Factuality/0", 4, False, 0.3),
    ]
    ties = found.rewards[found.rewards["item_id"] == "Ties/ref:7"]
    assert ties["chosen"].tolist() == [True, True, False, False, False]
    del content["num_correct"]
    assert read_reward_bench(write(tmp_path, content)).rewards["chosen"].sum() == 2


def test_lines_without_ids_are_known_by_their_place(tmp_path):
    content = [{"chosen": 1.0, "rejected": 0.5}, {"chosen": 0.1, "rejected": 0.2}]
    found = read_reward_bench(write(tmp_path, content, "rm_all.jsonl"))
    assert rows(found)[::2] == [("1", 1, True, 1.0), ("2", 1, True, 0.1)]
    assert found.found.endswith("items by their place in the file") and found.model is None


def test_lines_with_scores_beside_texts(tmp_path):
    line = {"prompt": "p", "chosen": "text", "rejected": "text", "id": 5, "results": 1}
    content = [{**line, "scores_chosen": 2, "scores_rejected": 1}]
    found = read_reward_bench(write(tmp_path, content, "rm_outputs.jsonl"))
    assert rows(found) == [("5", 1, True, 2.0), ("5", 2, False, 1.0)]


def test_ids_that_stand_twice_are_told(tmp_path):
    """As in published files: ids 30 to 39 again where 0 to 9 belong (reward-bench issue 273)."""
    ids = [30, 31, 30, 31, 32]
    content = {
        "scores": [[1.0, 0.0, 0.0, 0.0]] * 5,
        "subset": ["Factuality"] * 5,
        "id": ids,
    }
    found = read_reward_bench(write(tmp_path, content))
    assert found.repeated == ["Factuality/30", "Factuality/31"]
    assert len(found.rewards) == 20


def test_rewards_in_lists_of_one_and_missing_rewards(tmp_path):
    """Some models return one column of logits; custom classifiers return none."""
    content = {"scores_chosen": [[1.5], None], "scores_rejected": [[0.5], float("nan")]}
    found = read_reward_bench(write(tmp_path, content))
    assert found.rewards["reward"].tolist()[:2] == [1.5, 0.5]
    assert all(math.isnan(reward) for reward in found.rewards["reward"][2:])
    content = {"scores": [[[1.5], [0.5], [0.25], [0.0]]]}
    assert read_reward_bench(write(tmp_path, content)).rewards["reward"].sum() == 2.25


@pytest.mark.parametrize(
    ("content", "message", "row"),
    [
        ({"accuracy": 0.5, "num_prompts": 2}, "found none", None),
        ({"a": [1]}, "expected scores_chosen .* found a", None),
        ([1], "list of JSON objects, found int", 1),
        ({**V1, "id": [1]}, "lists of one length, found 2 text_chosen", None),
        ({**V1, "scores_chosen": [1.0, "high"]}, "a reward, found 'high'", 2),
        ({**V1, "scores_rejected": [True, 1.0]}, "a reward, found 'True'", 1),
        ({**V1, "scores_rejected": [[], 1.0]}, "a reward, found none", 1),
        ({"scores": [[1.0, 0.0], [1.0]]}, "1 scores of which 1 are correct", 2),
        ({"scores": [[1.0, 0.0]], "num_correct": [2]}, "2 scores of which 2", 1),
        ({"scores": [[1.0, 0.0]], "num_correct": [None]}, "which None are correct", 1),
    ],
)
def test_what_is_no_file_of_scores_is_refused(tmp_path, content, message, row):
    with pytest.raises(InputError, match=message) as error:
        read_reward_bench(write(tmp_path, content))
    assert error.value.row == row


def test_a_preference_file_is_not_taken_for_scores(tmp_path):
    content = [{"prompt": "P", "chosen": "a", "rejected": "b"}]
    with pytest.raises(InputError, match="expected a reward, found 'a'"):
        read_reward_bench(write(tmp_path, content, "pairs.jsonl"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": [], "scores": []}', "expected items, found none"),
        ('{"id": ["\\ud800"], "scores": [[1, 2, 3, 4]]}', "no encoding"),
    ],
)
def test_a_file_without_items_or_with_impossible_ids_is_refused(
    content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "rm.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_reward_bench(path)


def test_a_model_whose_name_no_encoding_has_is_not_named(tmp_path: Path) -> None:
    path = tmp_path / "rm.json"
    path.write_text('{"id": ["i"], "scores": [[1, 2]], "model": "\\ud800"}')
    assert read_reward_bench(path).model is None


def test_a_whole_number_beyond_floats_is_infinite(tmp_path: Path) -> None:
    path = tmp_path / "rm.json"
    path.write_text(f'{{"id": ["i"], "scores": [[1{"0" * 400}, 2]]}}')
    assert read_reward_bench(path).rewards["reward"].tolist() == [float("inf"), 2.0]

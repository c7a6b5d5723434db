"""Which item gets which task, and with whose texts."""

from pathlib import Path

import pandas as pd
import pytest

from storyaudit.errors import InputError
from storyaudit.forms.study_items import named_items, study_items
from storyaudit.forms.tasks import items_for, protocol_task, task_table
from storyaudit.protocol.protocol_items import Item
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import DIMENSIONS

PARAMS = ProtocolParams()
STORIES = {item: [f"{item}-{n}" for n in range(4)] for item in ("agree", "split", "human")}
STORIES["pool"] = [f"pool-{n:02}" for n in range(16)]
# Overall scores by two judges. They agree on 'agree' (tau 1); on 'split' tau is (1 − 5) / 6.
SCORES = {"agree": ([4, 3, 2, 1], [4, 3, 2, 1]), "split": ([4, 3, 2, 1], [1, 3, 2, 4])}


@pytest.fixture
def study() -> dict[str, pd.DataFrame]:
    candidates = pd.DataFrame(
        [
            (item, place, story, f"p-{item}", "human_llm" if item == "human" else "llm_llm")
            for item, stories in STORIES.items()
            for place, story in enumerate(stories)
        ],
        columns=["item_id", "position", "story_id", "premise_id", "origin"],
    )
    judgements = pd.DataFrame(
        [
            (item, story, judge, "1", place, dimension, score)
            for item, by_judge in SCORES.items()
            for judge, scores in zip(("glm", "qwen"), by_judge, strict=True)
            for place, (story, score) in enumerate(zip(STORIES[item], scores, strict=True))
            for dimension in (*DIMENSIONS, "overall")
        ],
        columns=[
            "item_id",
            "story_id",
            "judge",
            "prompt_variant",
            "position",
            "dimension",
            "score",
        ],
    )
    names = [story for stories in STORIES.values() for story in stories]
    stories = pd.DataFrame({"story_id": names, "text": [f"Text of {name}." for name in names]})
    stories = stories.assign(author="m", author_kind="llm", language="en", source="s")
    stories.loc[stories["story_id"] == "human-2", ["author", "author_kind"]] = ["h", "human"]
    premises = pd.DataFrame({"premise_id": [f"p-{item}" for item in STORIES]})
    premises["text"] = "Premise " + premises["premise_id"]
    return {
        "candidates": candidates,
        "judgements": judgements,
        "stories": stories,
        "premises": premises,
    }


def by_id(study: dict[str, pd.DataFrame]) -> dict[str, Item]:
    return {item.item_id: item for item in study_items(study, PARAMS)}


def test_the_protocol_has_a_task_for_every_item(study) -> None:
    tasks = {name: protocol_task(item, PARAMS) for name, item in by_id(study).items()}
    assert tasks == {
        "agree": "confirmation",
        "human": "best",
        "pool": "best-of-16",
        "split": "ranking",
    }
    strict = ProtocolParams(tau_threshold=-1)
    # Overall sums are 5, 6, 4 and 5: one story alone is first.
    assert protocol_task(by_id(study)["split"], strict) == "confirmation"


def test_the_table_has_each_storys_text_and_premise_and_marks_the_one_asked(study) -> None:
    table = task_table(study_items(study, PARAMS), study["stories"], study["premises"], PARAMS)
    assert len(table) == 4 * 3 + 16
    assert (table["text"] == "Text of " + table["story_id"] + ".").all()
    assert (table["premise"] == "Premise p-" + table["item_id"]).all()
    # The judges' first has the highest mean overall; the human story is the one by a person.
    assert table.loc[table["asked"], "story_id"].tolist() == ["human-2", "agree-0"]
    assert table["task"].is_monotonic_increasing


def test_items_of_one_task_without_scores_of_the_others(study) -> None:
    bare = {name: table for name, table in study.items() if name != "judgements"}
    items = study_items(bare, PARAMS)
    assert [item.item_id for item in items_for(items, "best", PARAMS)] == ["human"]
    assert [item.item_id for item in items_for(items, "best-of-16", PARAMS)] == ["pool"]
    assert len(items_for(items, "rubric", PARAMS)) == 4
    with pytest.raises(InputError, match="item agree: no judge scored its stories"):
        items_for(items, "ranking", PARAMS)


def test_a_rubric_asks_about_each_story_once(study) -> None:
    twice = pd.concat([study["candidates"], study["candidates"].assign(item_id="again").iloc[:4]])
    items = study_items({**study, "candidates": twice}, PARAMS)
    table = task_table(items, study["stories"], study["premises"], PARAMS, task="rubric")
    assert table["item_id"].tolist() == table["story_id"].tolist()
    assert len(table) == 4 * 3 + 16
    assert not table["asked"].any()


@pytest.mark.parametrize(
    ("item", "task", "named"),
    [
        ("split", "best", "expected one human story, found 0"),
        ("split", "best-of-16", "expected a pool of 16 stories, found 4"),
        ("human", "confirmation", "has no scores"),
    ],
)
def test_a_task_that_an_item_cannot_have(item: str, task: str, named: str, study) -> None:
    with pytest.raises(InputError, match=f"item {item}: .*{named}"):
        task_table([by_id(study)[item]], study["stories"], study["premises"], PARAMS, task=task)


def test_a_tied_first_place_leaves_nothing_to_confirm(study) -> None:
    level = study["judgements"].assign(score=5.0)
    items = study_items({**study, "judgements": level}, PARAMS)
    agree = next(item for item in items if item.item_id == "agree")
    assert protocol_task(agree, PARAMS) == "ranking"
    with pytest.raises(InputError, match="first place is tied"):
        task_table([agree], study["stories"], study["premises"], PARAMS, task="confirmation")


def test_a_story_without_text_and_a_candidate_twice(study) -> None:
    items, premises = [by_id(study)["human"]], study["premises"]
    with pytest.raises(InputError, match="a text of story_id human-0, found none"):
        task_table(items, study["stories"].query("story_id != 'human-0'"), premises, PARAMS)
    with pytest.raises(InputError, match="a text of premise_id p-human, found none"):
        task_table(items, study["stories"], premises.iloc[:2], PARAMS)
    duplicated = study["candidates"].replace("human-1", "human-0")
    items = [
        i for i in study_items({**study, "candidates": duplicated}, PARAMS) if i.item_id == "human"
    ]
    with pytest.raises(
        InputError,
        match="item human: expected 2 to 26 different stories, found 4, 3 of them different",
    ):
        task_table(items, study["stories"], premises, PARAMS)


def test_items_by_a_table(study, tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_text("item_id,reason\nsplit,x\nhuman,\nsplit,y\n", encoding="utf-8")
    items = study_items(study, PARAMS)
    assert [item.item_id for item in named_items(items, path)] == ["human", "split"]
    path.write_text("item_id\nsplit\nother\n", encoding="utf-8")
    with pytest.raises(InputError, match="item other has no candidates"):
        named_items(items, path)
    path.write_text("item_id,x\nsplit,1\n,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="in every row"):
        named_items(items, path)

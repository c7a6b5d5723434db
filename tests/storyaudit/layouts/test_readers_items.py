import json

import pandas as pd
import pytest

from storyaudit.data.tables import CANDIDATES, coerce_types, validate
from storyaudit.errors import InputError
from storyaudit.layouts.benchmark_items import read_items

HOW = {"source": "rmb", "use": "benchmark"}


def write(folder, rows, ending=".jsonl"):
    path = folder / f"items{ending}"
    if ending == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif ending == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def item(premise="P", chosen="a", rejected=("b", "c", "d"), **further):
    return {"premise": premise, "chosen": chosen, "rejected": list(rejected), **further}


def texts(found):
    """Premise, chosen text and the set of all four, looked up by ID."""
    premises = found.corpus.premises.set_index("premise_id")["text"]
    stories = found.corpus.stories.set_index("story_id")["text"]
    return {
        (
            premises[gold["premise_id"]],
            stories[gold["chosen_id"]],
            frozenset(stories[group["story_id"]]),
        )
        for gold in found.gold.to_dict("records")
        for _, group in found.candidates.groupby("item_id")
        if set(group["item_id"]) == {gold["item_id"]}
    }


def chat(text):
    return [{"role": "user", "content": "P"}, {"role": "assistant", "content": text}]


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".parquet"])
@pytest.mark.parametrize(
    "row",
    [
        item(),
        {"prompt": "P", "chosen": ["a"], "rejected": ["b", "c", "d"]},
        {"chosen": chat("a"), "rejected": [chat("b"), chat("c"), chat("d")]},
    ],
)
def test_every_layout_gives_candidates_and_gold(tmp_path, row, ending):
    found = read_items(write(tmp_path, [row], ending), **HOW)
    assert texts(found) == {("P", "a", frozenset("abcd"))}
    validate(found.candidates, CANDIDATES, file=tmp_path)
    assert found.candidates["position"].tolist() == [1, 2, 3, 4]
    assert set(found.candidates["origin"]) == {"unknown"}
    assert list(found.gold.columns) == ["item_id", "premise_id", "chosen_id"]
    assert (found.corpus.counts["items"], found.corpus.counts["read"]) == (1, 4)


def test_origin_and_dimension_pass(tmp_path):
    rows = [
        item(origin="human_llm", dimension="fluency"),
        item("Q", "e", "fgh", origin="llm_llm", dimension=None),
    ]
    found = read_items(write(tmp_path, rows), **HOW)
    frame = found.candidates.merge(found.gold, on="item_id")
    assert set(zip(frame["origin"], frame["dimension"], strict=True)) == {
        ("human_llm", "fluency"),
        ("llm_llm", "unknown"),
    }
    _, further = coerce_types(found.candidates, CANDIDATES, file=tmp_path)
    assert not further


@pytest.mark.parametrize("order", ["abcd", "bcda", "dcab", "cabd"])
def test_positions_do_not_tell_which_story_is_chosen(tmp_path, order):
    """The same four stories make the same table of candidates, whichever is chosen."""
    one = read_items(write(tmp_path, [item()]), **HOW)
    other = read_items(write(tmp_path, [item(chosen=order[0], rejected=order[1:])]), **HOW)
    pd.testing.assert_frame_equal(one.candidates, other.candidates)
    pd.testing.assert_frame_equal(
        one.corpus.stories.drop(columns="provenance"),
        other.corpus.stories.drop(columns="provenance"),
    )


def test_chosen_stories_stand_in_every_position_alike(tmp_path):
    rows = [item(f"P{n}", f"a{n}", [f"b{n}", f"c{n}", f"d{n}"]) for n in range(400)]
    found = read_items(write(tmp_path, rows), **HOW)
    placed = found.candidates.merge(
        found.gold, left_on=["item_id", "story_id"], right_on=["item_id", "chosen_id"]
    )
    # 100 each expected; fewer than 60 or more than 140 has a probability below 1 in 10,000.
    assert placed["position"].value_counts().between(60, 140).all()


@pytest.mark.parametrize(
    ("row", "message", "column"),
    [
        (item(rejected="bc"), "3 rejected stories, found 2", "rejected"),
        (item(rejected="bcde"), "3 rejected stories, found 4", "rejected"),
        (item(rejected=()), "found 0", "rejected"),
        (item(rejected="bca"), "found the chosen story twice", None),
        (item(rejected=["b", "c", " a\r\n"]), "found the chosen story twice", None),
        (item(rejected="bcb"), "found a rejected story twice", None),
        (item(rejected=["b", "c", " "]), "an empty text", "rejected"),
        (item(rejected=["b", "c", None]), "found nothing", "rejected"),
        (item(chosen=["a", "e"]), "1 chosen story, found 2", "chosen"),
        (item(chosen=None), "1 chosen story, found 0", "chosen"),
        (item(chosen=7), "found int", "chosen"),
        (item(premise=""), "one premise, found none", None),
        (item(rejected="dcb"), "found that of row 1 again", None),
        (item(chosen="b", rejected="acd"), "found that of row 1 again", None),
        (item(chosen="\ud800"), "expected text", "text"),
    ],
)
def test_unsound_items_are_refused_at_their_row(tmp_path, row, message, column):
    with pytest.raises(InputError, match=message) as error:
        read_items(write(tmp_path, [item(), row]), **HOW)
    assert (error.value.row, error.value.column) == (2, column)


def test_one_story_in_two_items_is_one_story(tmp_path):
    found = read_items(write(tmp_path, [item(), item("Q", "a", "efg")]), **HOW)
    assert len(found.corpus.stories) == 7
    assert len(found.candidates) == 8
    assert found.corpus.counts["repeated_under_another_premise"] == 1
    assert set(found.candidates["story_id"]) == set(found.corpus.stories["story_id"])


def test_missing_columns_are_refused(tmp_path):
    with pytest.raises(InputError, match="a column for chosen"):
        read_items(write(tmp_path, [{"premise": "P", "stories": ["a"]}]), **HOW)


def test_a_column_that_is_not_found_can_be_renamed(tmp_path):
    row = item()
    strange = {"best" if name == "chosen" else name: value for name, value in row.items()}
    with pytest.raises(InputError, match="Rename the column to 'chosen', or name it in the column"):
        read_items(write(tmp_path, [strange]), source="x", use="benchmark")
    both = {**row, "chosen_story": "e"}
    with pytest.raises(InputError, match="Rename or drop the others, or name the right one"):
        read_items(write(tmp_path, [both]), source="x", use="benchmark")

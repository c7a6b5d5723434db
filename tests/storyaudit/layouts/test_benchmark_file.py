import json

import pandas as pd
import pytest

from storyaudit.data.tables import CANDIDATES, PREMISES, STORIES, validate
from storyaudit.errors import InputError
from storyaudit.layouts.benchmark_file import read_benchmark

GOLD_COLUMNS = [
    "item_id",
    "premise_id",
    "chosen_id",
    "origin",
    "dimension",
    "annotation_route",
    "language",
]
ITEMS = [
    {"prompt": "A lamp.", "chosen": "a", "rejected": ["b", "c", "d"], "dimension": "fluency"},
    {"prompt": "海", "chosen": "猫坐着", "rejected": ["f", "g", "a"], "origin": "human_llm"},
]


def write_items(folder, rows, name="items.jsonl"):
    path = folder / name
    if path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def tables():
    """Two items of four candidates; the story s4 stands in both."""
    premises = pd.DataFrame(
        {
            "premise_id": ["p1", "p2"],
            "text": ["a lamp", "the sea"],
            "language": ["en", "fr"],
            "source": "x",
        }
    )
    stories = pd.DataFrame(
        {
            "story_id": [f"s{number}" for number in range(1, 8)],
            "author_kind": "llm",
            "author": "m",
            "language": "en",
            "text": [f"story {number}" for number in range(1, 8)],
            "source": "x",
        }
    )
    candidates = pd.DataFrame(
        {
            "item_id": ["i1"] * 4 + ["i2"] * 4,
            "position": [1, 2, 3, 4] * 2,
            "story_id": ["s1", "s2", "s3", "s4", "s4", "s5", "s6", "s7"],
            "premise_id": ["p1"] * 4 + ["p2"] * 4,
            "origin": ["llm_llm"] * 4 + ["human_llm"] * 4,
        }
    )
    benchmark = pd.DataFrame({"item_id": ["i2", "i1"], "chosen_id": ["s4", "s2"]})
    return {
        "premises": premises,
        "stories": stories,
        "candidates": candidates,
        "benchmark": benchmark,
    }


def write_tables(folder, given):
    folder.mkdir(exist_ok=True)
    for name, frame in given.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return folder


def test_a_file_of_items_says_what_it_knows_and_unknown_otherwise(tmp_path) -> None:
    read = read_benchmark(write_items(tmp_path, ITEMS))
    for table, frame in (
        (CANDIDATES, read.candidates),
        (PREMISES, read.premises),
        (STORIES, read.stories),
    ):
        validate(frame, table, file=tmp_path)
    assert list(read.gold.columns) == GOLD_COLUMNS
    texts = read.stories.set_index("story_id")["text"]
    premises = read.premises.set_index("premise_id")["text"]
    told = {
        (premises[gold["premise_id"]], texts[gold["chosen_id"]], *map(gold.get, GOLD_COLUMNS[3:]))
        for gold in read.gold.to_dict("records")
    }
    assert told == {
        ("A lamp.", "a", "unknown", "fluency", "unknown", "und"),
        ("海", "猫坐着", "human_llm", "unknown", "unknown", "zh"),
    }
    # The names by which columns were guessed are told.
    assert "premise from 'prompt'" in read.found and "items.jsonl" in read.found


@pytest.mark.parametrize("name", ["other.jsonl", "items.json", "items.parquet"])
def test_ids_depend_on_the_items_alone(tmp_path, name: str) -> None:
    one = read_benchmark(write_items(tmp_path, ITEMS))
    turned = [{**row, "rejected": row["rejected"][::-1]} for row in ITEMS[::-1]]
    other = read_benchmark(write_items(tmp_path, turned, name))
    pd.testing.assert_frame_equal(one.candidates, other.candidates)
    pd.testing.assert_frame_equal(one.gold, other.gold)


def test_a_folder_of_tables(tmp_path) -> None:
    read = read_benchmark(write_tables(tmp_path / "study", tables()))
    assert list(read.gold.columns) == GOLD_COLUMNS
    assert read.gold.to_numpy().tolist() == [
        ["i1", "p1", "s2", "llm_llm", "unknown", "unknown", "en"],
        ["i2", "p2", "s4", "human_llm", "unknown", "unknown", "fr"],
    ]
    assert len(read.candidates) == 8
    assert "candidates from candidates.csv" in read.found
    told = tables()
    told["benchmark"] = told["benchmark"].assign(
        origin=["human_llm", None],
        dimension=["fluency", None],
        annotation_route=["human_first", None],
    )
    read = read_benchmark(write_tables(tmp_path / "told", told))
    assert read.gold[["origin", "dimension", "annotation_route"]].to_numpy().tolist() == [
        ["unknown"] * 3,
        ["human_llm", "fluency", "human_first"],
    ]


def test_row_order_changes_nothing(tmp_path) -> None:
    one = read_benchmark(write_tables(tmp_path / "one", tables()))
    shuffled = {name: frame[::-1] for name, frame in tables().items()}
    other = read_benchmark(write_tables(tmp_path / "other", shuffled))
    pd.testing.assert_frame_equal(one.candidates, other.candidates)
    pd.testing.assert_frame_equal(one.gold, other.gold)


def test_items_out_of_the_gold_stay_candidates_of_any_number(tmp_path) -> None:
    given = tables()
    given["benchmark"] = given["benchmark"].iloc[:1]
    given["candidates"] = given["candidates"].drop(index=0)
    read = read_benchmark(write_tables(tmp_path / "study", given))
    assert read.gold["item_id"].tolist() == ["i2"]
    assert len(read.candidates) == 7


def test_a_folder_without_gold(tmp_path) -> None:
    given = tables()
    del given["benchmark"]
    read = read_benchmark(write_tables(tmp_path / "pool", given))
    assert read.gold is None and len(read.candidates) == 8


def set_value(table: str, row: int, column: str, value: object):
    def change(given) -> None:
        given[table].loc[row, column] = value

    return change


@pytest.mark.parametrize(
    ("change", "file", "message"),
    [
        (lambda given: given.pop("stories"), None, "candidates, stories and premises, found"),
        (set_value("candidates", 1, "story_id", "s1"), "candidates.csv", "found s1 again in item"),
        (set_value("candidates", 1, "position", 1), "candidates.csv", "item_id i1, position 1"),
        (set_value("candidates", 1, "premise_id", "p2"), "candidates.csv", "found 2 in item i1"),
        (set_value("candidates", 1, "story_id", "s9"), "stories.csv", "story_id s9, which item i1"),
        (set_value("candidates", 1, "story_id", ""), "candidates.csv", "text in every row"),
        (set_value("stories", 1, "text", " \n"), "stories.csv", "found an empty text"),
        (set_value("stories", 1, "text", ""), "stories.csv", "expected text in every row"),
        (set_value("stories", 1, "story_id", "s1"), "stories.csv", "found story_id s1 again"),
        (set_value("premises", 0, "premise_id", "p9"), "premises.csv", "premise_id p1"),
        (set_value("benchmark", 0, "chosen_id", "s1"), "benchmark.csv", "found s1 in item i2"),
        (set_value("benchmark", 0, "item_id", "i9"), "benchmark.csv", "found 0 of item i9"),
        (set_value("benchmark", 0, "item_id", "i1"), "benchmark.csv", "found item_id i1 again"),
        (
            lambda given: given.update(candidates=given["candidates"].drop(index=2)),
            "benchmark.csv",
            "expected 4 candidates of every item, found 3 of item i1",
        ),
    ],
)
def test_unsound_tables_are_refused_by_file(tmp_path, change, file, message: str) -> None:
    given = tables()
    change(given)
    folder = write_tables(tmp_path / "study", given)
    with pytest.raises(InputError, match=message) as error:
        read_benchmark(folder)
    assert error.value.file == (folder / file if file else folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.jsonl", None, "there is no such file"),
        ("items.jsonl", b"", "empty"),
        ("items.json", b"[]", "empty"),
        ("items.json", b"{", "does not parse"),
        ("items.csv", b"premise,story\nP,a\n", "a column for chosen"),
        ("items.csv", b"prompt,chosen,rejected\nP,a,b\n", "3 rejected stories, found 1"),
        ("items.jsonl", b'{"prompt": "P", "chosen": "a", "rejected": ["b", "c"]}', "found 2"),
        ("items.jsonl", b'{"prompt": "", "chosen": "a", "rejected": ["b", "c", "d"]}', "premise"),
        ("items.jsonl", b'{"prompt": "P", "chosen": " ", "rejected": ["b", "c", "d"]}', "empty"),
        ("items.parquet", b"PAR1", "Parquet"),
        ("items.xml", b"<a/>", "a file ending in"),
    ],
)
def test_files_that_hold_no_items_are_refused(tmp_path, name, content, message) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        read_benchmark(path)
    assert error.value.file == path

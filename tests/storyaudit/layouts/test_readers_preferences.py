import csv
import json

import pandas as pd
import pytest

from storyaudit.data.corpus import content_id
from storyaudit.errors import InputError
from storyaudit.layouts.chat import NotATurnError, Turn, read_turn
from storyaudit.layouts.preferences import read_preferences

HOW = {"source": "prefs", "use": "training"}


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def write(folder, rows, ending=".jsonl"):
    path = folder / f"pairs{ending}"
    if ending == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif ending == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif ending == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(
                {k: v if isinstance(v, str) else json.dumps(v) for k, v in row.items()}
                for row in rows
            )
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path, columns=None):
    """Premise, chosen and rejected text of each pair, looked up by ID, and what was read."""
    found = read_preferences(path, columns=columns, **HOW)
    premises = dict(zip(found.corpus.premises["premise_id"], found.corpus.premises["text"]))  # noqa: B905
    stories = dict(zip(found.corpus.stories["story_id"], found.corpus.stories["text"]))  # noqa: B905
    return [
        (premises[premise], stories[chosen], stories[rejected])
        for premise, chosen, rejected in found.pairs.itertuples(index=False)
    ], found


TEXTS = [("P", "Good tale.", "Bad tale."), ("题目", "好故事。", "坏故事。")]
LAYOUTS = {
    "strings": [{"prompt": p, "chosen": c, "rejected": r} for p, c, r in TEXTS],
    "messages": [
        {"chosen": [user(p), assistant(c)], "rejected": [user(p), assistant(r)]}
        for p, c, r in TEXTS
    ],
    "prompt beside messages": [
        {"prompt": p, "chosen": [user(p), assistant(c)], "rejected": [user(p), assistant(r)]}
        for p, c, r in TEXTS
    ],
    "messages throughout": [
        {"prompt": [user(p)], "chosen": [assistant(c)], "rejected": [assistant(r)]}
        for p, c, r in TEXTS
    ],
}


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".parquet", ".csv"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_and_format_gives_the_same_pairs(tmp_path, layout, ending):
    pairs, found = read(write(tmp_path, LAYOUTS[layout], ending))
    assert pairs == TEXTS
    assert found.pairs["premise_id"].tolist() == [content_id("p", p, "prefs") for p, _, _ in TEXTS]
    assert set(found.corpus.stories["author_kind"]) == {"unknown"}
    assert set(found.corpus.stories["author"]) == {"unknown"}
    assert set(found.corpus.stories["language"]) == {"und", "zh"}
    assert found.corpus.counts["pairs_read"] == 2
    assert found.found.startswith(f"pairs{ending}: ")
    assert "chosen from 'chosen', rejected from 'rejected'" in found.found


def test_columns_are_guessed_or_given_and_said(tmp_path):
    rows = [{"instruction": "P", "chosen_story": "a", "rejected_story": "b"}]
    pairs, found = read(write(tmp_path, rows), {"premise": "instruction"})
    assert pairs == [("P", "a", "b")]
    assert found.found == (
        "pairs.jsonl: premise from 'instruction', chosen from 'chosen_story', "
        "rejected from 'rejected_story'"
    )


def test_repeated_and_contradicting_pairs_are_counted(tmp_path):
    rows = [
        {"prompt": "P", "chosen": "a", "rejected": "b"},
        {"prompt": "P", "chosen": " a", "rejected": "b\n"},
        {"prompt": "P", "chosen": "b", "rejected": "a"},
        {"prompt": "Q", "chosen": "b", "rejected": "a"},
    ]
    pairs, found = read(write(tmp_path, rows))
    assert pairs == [("P", "a", "b"), ("P", "b", "a"), ("Q", "b", "a")]
    counts = found.corpus.counts
    assert (counts["pairs_read"], counts["repeated_pairs"]) == (4, 1)
    assert counts["contradicting_pairs"] == 2
    assert counts["repeated_under_another_premise"] == 2


@pytest.mark.parametrize(
    ("row", "message", "column"),
    [
        ({"chosen": "b"}, "the same text as chosen and rejected", None),
        ({"chosen": "b \r\n"}, "the same text", None),
        ({"chosen": " "}, "a story, found an empty text", "chosen"),
        ({"rejected": None}, "found nothing", "rejected"),
        ({"rejected": 3}, "found int", "rejected"),
        ({"prompt": ""}, "one premise, found none", None),
        ({"prompt": None}, "found nothing", "prompt"),
        ({"chosen": [user("other"), assistant("a")]}, "different ones in prompt, chosen", None),
        ({"chosen": [user("P")]}, "an empty text", "chosen"),
        (
            {"chosen": [user("P"), assistant("a"), user("more"), assistant("c")]},
            "messages by user, assistant, user, assistant",
            "chosen",
        ),
        ({"chosen": [{"role": "system", "content": "x"}, assistant("a")]}, "by system", "chosen"),
        ({"chosen": ["a"]}, "does not hold messages", "chosen"),
        ({"chosen": [{"role": "assistant"}]}, "does not hold messages", "chosen"),
        ({"chosen": []}, "messages by nobody", "chosen"),
        ({"chosen": [assistant("\ud800")]}, "expected text", "text"),
        ({"chosen": "a\0"}, "NUL", "text"),
    ],
)
def test_unsound_pairs_are_refused_at_their_row(tmp_path, row, message, column):
    rows = [
        {"prompt": "P", "chosen": "a", "rejected": "c"},
        {"prompt": "P", "chosen": "a", "rejected": "b", **row},
    ]
    with pytest.raises(InputError, match=message) as error:
        read(write(tmp_path, rows))
    assert (error.value.row, error.value.column) == (2, column)


def test_a_file_without_premises_or_stories_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"one premise, found none\.") as error:
        read(write(tmp_path, [{"chosen": "a", "rejected": "b"}]))
    assert error.value.row == 1
    with pytest.raises(InputError, match="a column for rejected"):
        read(write(tmp_path, [{"prompt": "P", "chosen": "a"}]))
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match="empty"):
        read(tmp_path / "empty.jsonl")


@pytest.mark.parametrize(
    ("value", "turn"),
    [
        (" a ", Turn(None, "a")),
        ("[{ is how it began.", Turn(None, "[{ is how it began.")),
        ('[{"role": "user", "content": " P"}]', Turn("P", None)),
        ([user("P"), assistant("a")], Turn("P", "a")),
    ],
)
def test_a_cell_is_text_or_messages(value, turn):
    assert read_turn(value) == turn


@pytest.mark.parametrize("value", [None, float("nan"), 7, {}, [assistant("a"), user("P")], ["x"]])
def test_any_other_cell_is_neither(value):
    with pytest.raises(NotATurnError):
        read_turn(value)

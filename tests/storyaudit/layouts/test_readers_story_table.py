import json

import pandas as pd
import pytest

from storyaudit.errors import InputError
from storyaudit.io.formats.json_document import read_json
from storyaudit.io.records import read_records
from storyaudit.layouts.corpus_layouts import read_corpus
from storyaudit.layouts.story_table import read_story_table

HOW = {"source": "own", "use": "benchmark"}
ROWS = [
    {"story": "A tale.", "prompt": "P", "who": "Ann", "kind": "human"},
    {"story": "很久以前。", "prompt": None, "who": "gpt", "kind": "llm"},
]
COLUMNS = {"author": "who", "author_kind": "kind"}


def write(folder, rows, ending):
    path = folder / f"stories{ending}"
    if ending == ".csv":
        pd.DataFrame(rows).to_csv(path, index=False)
    elif ending == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif ending == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(("ending", "rows"), [(".csv", [2, 3]), (".jsonl", [1, 2])])
@pytest.mark.parametrize("end", ["", ".parquet", ".json"])
def test_every_format_gives_the_same_corpus(tmp_path, ending, rows, end):
    path = write(tmp_path, ROWS, end or ending)
    found = read_story_table(path, columns=COLUMNS, **HOW)
    facts = found.stories.set_index("text")
    assert facts["author"].to_dict() == {"A tale.": "Ann", "很久以前。": "gpt"}
    assert facts["author_kind"].to_dict() == {"A tale.": "human", "很久以前。": "llm"}
    assert found.premises["text"].tolist() == ["P"]
    numbers = [1, 2] if end else rows
    assert sorted(facts["provenance"]) == [f"{path.name}:{row}" for row in numbers]


def test_names_that_are_ours_need_no_map(tmp_path):
    rows = [{"text": "a", "author": "x", "author_kind": "llm", "readership": 5, "genre": "g"}]
    (story,) = read_story_table(write(tmp_path, rows, ".csv"), **HOW).stories.to_dict("records")
    assert (story["text"], story["readership"], story["genre"]) == ("a", 5, "g")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (None, "a column for author .* found 'story', 'prompt', 'who', 'kind'"),
        ({"author": "by", "author_kind": "kind"}, "the column 'by' for author, found 'story', "),
        ({"writer": "who"}, "names 'writer', which is not among text, author, author_kind, prem"),
        ({**COLUMNS, "provenance": "who"}, "names 'provenance'"),
        ({"author": "who"}, "a column for author_kind"),
    ],
)
def test_a_map_that_does_not_fit_is_refused_with_what_is_there(tmp_path, columns, message):
    with pytest.raises(InputError, match=message):
        read_story_table(write(tmp_path, ROWS, ".csv"), columns=columns, **HOW)


def test_faults_stand_at_their_row(tmp_path):
    rows = [ROWS[0], {**ROWS[1], "kind": "model"}]
    with pytest.raises(InputError, match="found 'model'") as error:
        read_story_table(write(tmp_path, rows, ".csv"), columns=COLUMNS, **HOW)
    assert error.value.row == 3
    rows = [ROWS[0], {**ROWS[1], "story": "\ud800"}]
    with pytest.raises(InputError) as error:
        read_story_table(write(tmp_path, rows, ".json"), columns=COLUMNS, **HOW)
    assert (error.value.row, error.value.column) == (2, "text")


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"a": 1, "a": 2}', b"[" * 100_000, b"\xff", b'{"a": "b\0"}']
)
def test_what_is_no_json_is_refused(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_json(path)
    assert error.value.file == path


@pytest.mark.parametrize("content", ["[1]", '"a"', "null", "[[]]"])
def test_json_that_holds_no_records_is_refused(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(InputError, match="JSON object"):
        read_records(path)


def test_an_empty_list_is_no_corpus(tmp_path):
    with pytest.raises(InputError, match="empty"):
        read_story_table(write(tmp_path, [], ".json"), columns=None, **HOW)


def test_who_wrote_all_stories_can_be_said_once(tmp_path):
    path = write(tmp_path, [{"text": "A tale.", "author": "gpt"}], ".csv")
    found = read_story_table(path, author_kind="llm", **HOW)
    assert found.stories["author_kind"].tolist() == ["llm"]
    path = write(tmp_path, ROWS, ".csv")
    with pytest.raises(InputError, match="the column 'kind' says who wrote a story, and so does"):
        read_story_table(path, columns=COLUMNS, author_kind="llm", **HOW)


def test_only_a_table_needs_to_be_told_who_wrote_it(tmp_path):
    with pytest.raises(InputError, match="the reader 'hanna' takes no author_kind"):
        read_corpus(tmp_path, reader="hanna", author_kind="llm", **HOW)

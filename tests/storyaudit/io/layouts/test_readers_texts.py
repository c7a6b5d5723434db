import pandas as pd
import pytest

from storyaudit.errors import InputError
from storyaudit.io.layouts.text_table import read_texts


def write(folder, text):
    path = folder / "x.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text_name", ["text", "story", "content"])
@pytest.mark.parametrize("id_name", ["story_id", "id", "premise_id"])
def test_guesses_columns_by_name_and_says_so(tmp_path, text_name, id_name):
    path = write(tmp_path, f"other,{text_name},{id_name}\nx,Once,7\ny,Twice,8\n")
    texts, found = read_texts(path)
    assert texts.to_dict("list") == {"id": ["7", "8"], "text": ["Once", "Twice"]}
    assert found == f"x.csv: texts from '{text_name}', IDs from '{id_name}'"


def test_given_columns_go_before_guessed_ones(tmp_path):
    path = write(tmp_path, "id,text,name,body\n1,a,n,b\n")
    texts, found = read_texts(path, text_column="body", id_column="name")
    assert texts.to_dict("list") == {"id": ["n"], "text": ["b"]}
    assert found == "x.csv: texts from 'body', IDs from 'name'"


def test_texts_may_be_their_own_ids(tmp_path):
    texts, _ = read_texts(write(tmp_path, "text\na\n"), text_column="text", id_column="text")
    assert texts.to_dict("list") == {"id": ["a"], "text": ["a"]}


def test_without_ids_a_text_bears_the_row_that_a_person_counts(tmp_path):
    texts, found = read_texts(write(tmp_path, "text\na\n\nb\n"))
    assert texts["id"].tolist() == [f"{tmp_path}/x.csv:2", f"{tmp_path}/x.csv:4"]
    assert found.endswith("IDs from the rows")


def test_gaps_among_ids_are_filled_and_gaps_among_texts_are_kept(tmp_path):
    texts, _ = read_texts(write(tmp_path, "id,text\n1,a\n,b\n3,\n"))
    assert texts["id"].tolist() == ["1", f"{tmp_path}/x.csv:3", "3"]
    assert texts["text"].isna().tolist() == [False, False, True]
    assert list(texts.columns) == ["id", "text"]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("id,prose\n1,a\n", {}, "a column of texts .* found id, prose"),
        ("id,text\n1,a\n", {"text_column": "body"}, "the column 'body', found id, text"),
        ("id,text\n1,a\n", {"id_column": "name"}, "the column 'name', found id, text"),
        ("id,text\n", {}, "at least one row"),
    ],
)
def test_what_is_not_there_is_bad_input(tmp_path, content, options, message):
    path = write(tmp_path, content)
    with pytest.raises(InputError, match=message) as error:
        read_texts(path, **options)
    assert error.value.file == path


def test_a_text_of_another_kind_is_named_by_its_own_column(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"story": "a"}\n{"story": ["b"]}\n', encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_texts(path)
    assert (error.value.row, error.value.column) == (2, "story")


def test_other_columns_may_hold_anything(tmp_path):
    path = tmp_path / "x.parquet"
    pd.DataFrame(
        {"text": ["a"], "score": ["x"], "when": [pd.Timestamp("2024-01-01")], "list": [[1]]}
    ).to_parquet(path)
    assert read_texts(path)[0]["text"].tolist() == ["a"]

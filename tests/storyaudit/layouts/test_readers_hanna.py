import csv

import pytest
from real_data import real_path

from storyaudit.errors import InputError
from storyaudit.layouts.hanna import read_hanna

REAL = real_path("hanna")
HOW = {"source": "hanna", "use": "benchmark"}


def write(folder, rows, header=("", "Prompt", "Human", "Story", "Model")):
    path = folder / "hanna.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_the_human_story_of_a_premise_is_read_once(tmp_path):
    path = write(
        tmp_path,
        [
            (0, "P", "He did n't .", "Model a", "A"),
            (1, "P", "He did n't .", "Model b", "B"),
            (2, "Q", "Another", "Model c", "A"),
        ],
    )
    found = read_hanna(path, **HOW)
    facts = found.stories.set_index("text")
    assert facts["author"].to_dict() == {
        "He didn't.": "human",
        "Another": "human",
        "Model a": "A",
        "Model b": "B",
        "Model c": "A",
    }
    assert set(facts.loc[facts["author"] != "human", "author_kind"]) == {"llm"}
    assert facts["provenance"].to_dict()["Model b"] == "hanna.csv:3"
    assert facts["premise_id"].nunique() == len(found.premises) == 2
    assert (found.counts["read"], found.counts["repeated"], found.counts["detokenised"]) == (
        5,
        0,
        1,
    )


def test_two_human_stories_of_one_premise_are_both_kept(tmp_path):
    path = write(tmp_path, [(0, "P", "One", "a", "A"), (1, "P", "Two", "b", "B")])
    assert sorted(read_hanna(path, **HOW).stories["text"]) == ["One", "Two", "a", "b"]


def test_a_row_that_is_the_human_story_itself_is_no_model(tmp_path):
    path = write(tmp_path, [(0, "P", "One", "One", "Human"), (1, "P", "One", "a", "A")])
    found = read_hanna(path, **HOW)
    assert found.stories.set_index("text")["author"].to_dict() == {"One": "human", "a": "A"}
    assert (found.counts["read"], found.counts["repeated"]) == (2, 0)


def test_faults_are_refused_or_counted(tmp_path):
    with pytest.raises(InputError, match="column Human of the table"):
        read_hanna(write(tmp_path, [("P", "a", "A")], ("Prompt", "Story", "Model")), **HOW)
    with pytest.raises(InputError, match="a name") as error:
        read_hanna(write(tmp_path, [(0, "P", "One", "a", "A"), (1, "Q", "Two", "b", "")]), **HOW)
    assert (error.value.row, error.value.column) == (3, "author")
    found = read_hanna(write(tmp_path, [(0, "P", "", "a", "A"), (1, "", "Two", "b", "B")]), **HOW)
    assert (found.counts["empty_texts"], found.counts["no_premise"]) == (1, 2)


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"HANNA is not at {REAL}")
def test_the_released_file() -> None:
    """96 premises, each with the human story and those of six models, says its description."""
    path = REAL / "hanna_llm_stories.csv"
    found = read_hanna(path, **HOW)
    assert (len(found.premises), len(found.stories)) == (96, 96 * 7)
    assert found.stories["author"].value_counts().to_dict().keys() == {
        "human",
        "Beluga-13b",
        "Llama-7b",
        "LlamaInstruct-30b",
        "Mistral-7b",
        "OrcaPlatypus-13b",
        "Platypus2-70b",
    }
    assert set(found.stories["author"].value_counts()) == {96}
    assert found.counts["repeated"] == found.counts["empty_texts"] == 0
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def bare(text: str) -> str:
        return "".join(text.replace("``", '"').replace("''", '"').split())

    raw = {bare(row[name]) for row in rows for name in ("Human", "Story")}
    assert {bare(text) for text in found.stories["text"]} == raw
    human = found.stories[found.stories["author_kind"] == "human"]
    assert not human["text"].str.contains(r"\w n't\b").any()
    assert found.counts["detokenised"] > 60  # most human stories, and no model story, are mended

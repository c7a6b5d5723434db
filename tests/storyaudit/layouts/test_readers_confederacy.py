from pathlib import Path

import pytest
from real_data import real_path

from storyaudit.data.table_files import read_table
from storyaudit.data.tables import STORY_FACTS
from storyaudit.errors import InputError
from storyaudit.layouts.confederacy import PREMISE, author_of, read_confederacy

ROOT = Path(__file__).parents[3]
REAL = real_path("confederacy")
PUBLISHED = ROOT / "data/published/confederacy/stories.csv"
HOW = {"source": "confederacy", "use": "benchmark"}


def write(folder, stories, mapped=None):
    (folder / "stories").mkdir()
    for name, content in stories.items():
        (folder / "stories" / name).write_bytes(content)
    if mapped is not None:
        lines = [f"{name},{code}.txt" for name, code in mapped.items()]
        (folder / "mapping-grouped.csv").write_text("\n".join(["Original,Anonymized", *lines]))
    return folder


def test_stories_in_several_encodings(tmp_path):
    stories = {
        "human1-2023-05-12-1.txt": "“Héllo” — he said…\r\n\r\nEnd.\r\n".encode("cp1252"),
        "bard-2023-04-11-1.txt": "“Naïve”\n".encode(),
        "OA_SFT_Llama_30B_6-1.txt": "“One”\n".encode("utf-8-sig"),
        "notes.txt": b"no story",
    }
    codes = {name: f"C{i}" for i, name in enumerate(stories) if name != "notes.txt"}
    found = read_confederacy(write(tmp_path, stories, codes), **HOW)
    facts = found.stories.set_index("text")
    assert facts["author"].to_dict() == {
        "“Héllo” — he said…\n\nEnd.": "human",
        "“Naïve”": "bard",
        "“One”": "oa",
    }
    assert facts["author_kind"].tolist().count("human") == 1
    assert found.premises["text"].tolist() == [PREMISE]
    assert (found.counts["windows_1252"], found.counts["not_in_map"]) == (1, 1)


def test_without_a_map_every_text_is_a_story(tmp_path):
    folder = write(tmp_path, {"bard-1.txt": b"a", "koala-13b-1.txt": b"b"})
    for path in (folder, folder / "stories"):
        found = read_confederacy(path, **HOW)
        assert sorted(found.stories["provenance"]) == ["bard-1.txt", "koala-13b-1.txt"]


def test_a_story_of_the_map_that_is_not_there_is_refused(tmp_path):
    folder = write(tmp_path, {"bard-1.txt": b"a"}, {"bard-1.txt": "A", "bard-2.txt": "B"})
    with pytest.raises(InputError, match=r"the 2 stories of the map, found 1; bard-2\.txt"):
        read_confederacy(folder, **HOW)


@pytest.mark.parametrize(
    "content",
    [
        "很久以前，有一个人住在山上。".encode("gb18030"),
        "Жила-была старушка, и было у неё".encode("cp1251"),
        b"one \x81",
        "é".encode("utf-16"),
    ],
)
def test_another_encoding_is_refused_and_not_misread(tmp_path, content):
    with pytest.raises(InputError, match="Windows-1252") as error:
        read_confederacy(write(tmp_path, {"bard-1.txt": b"One line.\n" + content}), **HOW)
    assert error.value.row == 2 and "UTF-8" in error.value.remedy


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"the released texts are not at {REAL}")
def test_all_65_stories_with_the_right_characters() -> None:
    found = read_confederacy(REAL, **HOW)
    facts = read_table(PUBLISHED, STORY_FACTS).frame.set_index("file_name")
    stories = found.stories.set_index("provenance").loc[facts.index]
    assert len(stories) == 65 == found.counts["read"]
    assert (stories["words"] == facts["text_words"]).all()
    assert (stories["author"] == facts["author"]).all()
    assert (stories["author_kind"] == "human").sum() == 5
    assert found.counts["not_in_map"] == found.counts["repeated"] == 0
    for name, text in stories["text"].items():
        content = (REAL / "stories" / str(name)).read_bytes().replace(b"\r\n", b"\n")
        around = len(content) - len(content.removeprefix(b"\xef\xbb\xbf").strip())
        assert len(text) == facts.loc[name, "characters"] - around
        # No half-decoded text: no controls of Latin-1, no replacement, no UTF-8 read as cp1252.
        assert not any("\x7f" <= c <= "\x9f" or c == "\ufffd" for c in text)
        assert "â€" not in text and "Ã" not in text


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("chatgpt-free-mar23version-2023-04-11-1.txt", "chatgpt-gpt35"),
        ("human3-2023-05-12-3.txt", "human"),
        ("falcon180b-temp09-2023-09-09-1.txt", "falcon180b"),
        ("humanoid-1.txt", "humanoid"),
    ],
)
def test_authors_by_file_name(name, author):
    assert author_of(name) == author

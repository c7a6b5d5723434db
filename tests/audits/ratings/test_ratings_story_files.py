"""The reader of a folder of stories."""

from pathlib import Path

import pytest
from ratings_samples import REAL, published, real

from storyaudit.errors import InputError
from storyaudit.io.records import read_records
from storyaudit.layouts.story_files import decode_story, read_story_files


@pytest.mark.parametrize(
    ("content", "text", "encoding"),
    [
        (b"plain\r\n", "plain\r\n", "ascii"),
        ("é “x”".encode(), "é “x”", "utf-8"),
        ("é".encode("utf-8-sig"), "é", "utf-8-bom"),
        (b"\xef\xbb\xbfplain", "plain", "utf-8-bom"),
        ("“x” — ‘y’".encode("cp1252"), "“x” — ‘y’", "cp1252"),
        (b"", "", "ascii"),
    ],
)
def test_encodings_are_recognised(content: bytes, text: str, encoding: str) -> None:
    assert decode_story(content, Path("s.txt")) == (text, encoding)


@pytest.mark.parametrize(
    ("content", "part"),
    [(b"one\ntwo \x81\xe9", "byte 0x81"), ("é".encode("utf-16"), "byte 0x00")],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, part: str) -> None:
    path = tmp_path / "s.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=part) as caught:
        read_story_files(tmp_path)
    assert caught.value.file == path and "UTF-8" in caught.value.remedy


def test_a_folder_is_read_by_name_with_line_ends_untouched(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"B\r\n\r\n")
    (tmp_path / "a.TXT").write_bytes(b"A\rA\n")
    (tmp_path / "notes.md").write_text("no story")
    table = read_story_files(tmp_path)
    assert [tuple(row) for row in table.to_numpy()] == [
        ("a", "a.TXT", "A\rA\n", "ascii"),
        ("b", "b.txt", "B\r\n\r\n", "ascii"),
    ]


def test_a_map_names_the_stories_and_leaves_others_out(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(name)
    table = read_story_files(tmp_path, {"two.txt": "9189", "absent.txt": "X"})
    assert table[["story_id", "file_name"]].to_numpy().tolist() == [["9189", "two.txt"]]


def test_a_folder_without_stories_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found none"):
        read_story_files(tmp_path)
    (tmp_path / "one.txt").write_text("a")
    with pytest.raises(InputError, match="map of file names"):
        read_story_files(tmp_path, {"two.txt": "2"})
    with pytest.raises(InputError, match="expected a folder"):
        read_story_files(tmp_path / "absent")


class TestReal:
    """The stories that were rated."""

    pytestmark = real

    def test_the_published_stories(self) -> None:
        names = read_records(REAL / "stories.csv").frame
        found = read_story_files(
            REAL / "stories", dict(zip(names["file_name"], names["story_id"], strict=True))
        )
        assert set(found["story_id"]) == set(published()["story_id"])
        counts = found["encoding"].value_counts()
        assert counts.to_dict() == {"ascii": 50, "cp1252": 12, "utf-8": 3}
        assert (found["text"].str.len() > 0).all()

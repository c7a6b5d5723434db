import pytest

from storyaudit.data.corpus import content_id
from storyaudit.errors import InputError
from storyaudit.layouts.writing_prompts import read_writing_prompts

HOW = {"source": "wp", "use": "benchmark"}


def write(folder, sources, targets, name="train"):
    """Two files of lines, as bytes or text."""
    for ending, content in ((".wp_source", sources), (".wp_target", targets)):
        data = content if isinstance(content, bytes) else content.encode()
        (folder / f"{name}{ending}").write_bytes(data)
    return folder / f"{name}.wp_source"


def read(path):
    """Texts of premises and stories, side by side in the order of the file, and the counts."""
    found = read_writing_prompts(path, **HOW)
    premises = dict(zip(found.premises["premise_id"], found.premises["text"], strict=True))
    stories = found.stories.sort_values("provenance")
    pairs = [
        (premises.get(premise), text)
        for premise, text in zip(stories["premise_id"], stories["text"], strict=True)
    ]
    return pairs, found.counts


def test_line_i_belongs_to_line_i(tmp_path):
    path = write(
        tmp_path,
        "[ WP ] You find a lamp .\n[ EU ] [ CW ] It 's late .\nNo tag here\n",
        "`` Oh , '' she said . <newline> <newline> It was n't lit .\nLate .\nThird\n",
    )
    pairs, counts = read(path)
    assert pairs == [
        ("You find a lamp.", '"Oh," she said.\n\nIt wasn\'t lit.'),
        ("It's late.", "Late."),
        ("No tag here", "Third"),
    ]
    assert (counts["read"], counts["tagged"], counts["no_premise"]) == (3, 2, 0)
    for given in (path.with_suffix(".wp_target"), tmp_path):
        assert read(given) == (pairs, counts)


def test_stories_are_human_english_and_know_their_line(tmp_path):
    found = read_writing_prompts(write(tmp_path, "P\n", "S\n"), **HOW)
    (story,) = found.stories.to_dict("records")
    assert story["story_id"] == content_id("s", "S", "wp")
    assert (story["author_kind"], story["author"], story["language"]) == ("human", "human", "en")
    assert (story["provenance"], story["use"]) == ("train.wp_target:1", "benchmark")


def test_a_folder_gives_all_its_pairs(tmp_path):
    write(tmp_path, "P\n", "S1\n", "test")
    write(tmp_path, "P\n", "S2\n", "valid")
    found = read_writing_prompts(tmp_path, **HOW)
    assert sorted(found.stories["provenance"]) == ["test.wp_target:1", "valid.wp_target:1"]
    assert len(found.premises) == 1


def test_only_tags_of_two_letters_at_the_front_go(tmp_path):
    path = write(tmp_path, "[WP] A\n[ Magic ] B\nC [ WP ]\n[ wp ]\n", "a\nb\nc\nd\n")
    pairs, counts = read(path)
    assert [premise for premise, _ in pairs] == ["A", "[Magic] B", "C [WP]", None]
    assert (counts["tagged"], counts["no_premise"]) == (2, 1)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_bom_line_ends_and_separators_of_unicode_do_not_move_lines(tmp_path, bom, end):
    premises = ["P\u2028P", "Q\x85Q", "R\x0bR"]
    stories = ["a\u2029a", "b\x1cb", "c\rc"]
    sources, targets = (
        bom + end.join(line.encode() for line in lines) + end for lines in (premises, stories)
    )
    pairs, counts = read(write(tmp_path, sources, targets))
    assert pairs == [("P P", "a a"), ("Q Q", "b b"), ("R R", "c c")]
    assert counts["read"] == 3


def test_mixed_line_ends_and_a_last_line_without_one(tmp_path):
    pairs, _ = read(write(tmp_path, "P\r\nQ\nR", "a\nb\r\nc\n"))
    assert pairs == [("P", "a"), ("Q", "b"), ("R", "c")]


def test_blank_lines_are_lines(tmp_path):
    pairs, counts = read(write(tmp_path, "P\n\nR\n", "a\nb\n \n"))
    assert pairs == [("P", "a"), (None, "b")]
    assert (counts["read"], counts["empty_texts"], counts["no_premise"]) == (3, 1, 1)


def test_different_numbers_of_lines_are_refused_with_both(tmp_path):
    path = write(tmp_path, "P\nQ\nR\n", "a\nb\n")
    with pytest.raises(InputError, match=r"expected 3 lines as in train.wp_source, found 2") as e:
        read(path)
    assert e.value.file == path.with_suffix(".wp_target")


@pytest.mark.parametrize(
    ("sources", "targets", "message", "row"),
    [
        (b"P\nQ\n", b"a\nb\xff\n", "the byte 0xff", 2),
        (b"P\nQ\n", "a\n“b”\n".encode("cp1252"), "the byte 0x93", 2),
        (b"P\nQ\0\n", b"a\nb\n", "the byte 0x00", 2),
        (b"P\rQ\r", b"a\rb\r", "carriage returns", None),
        (b"", b"", "at least one row", None),
        (b"P\n", b"\n", "1 empty texts", None),
    ],
)
def test_what_is_no_text_in_lines_is_refused(tmp_path, sources, targets, message, row):
    with pytest.raises(InputError, match=message) as error:
        read(write(tmp_path, sources, targets))
    assert error.value.row == row


def test_a_missing_partner_and_a_wrong_path_are_refused(tmp_path):
    with pytest.raises(InputError, match="found none"):
        read(tmp_path)
    write(tmp_path, "P\n", "a\n").unlink()
    with pytest.raises(InputError) as error:
        read(tmp_path)
    assert error.value.file == tmp_path / "train.wp_source"
    with pytest.raises(InputError, match="a folder or a file ending in"):
        read(tmp_path / "train.txt")


def test_a_line_of_three_megabytes(tmp_path):
    pairs, _ = read(write(tmp_path, "P\n", "It was n't , <newline> " * 130_000))
    assert pairs[0][1].startswith("It wasn't,\nIt wasn't,") and len(pairs[0][1]) > 1_400_000


def test_a_line_of_spaces(tmp_path):
    pairs, _ = read(write(tmp_path, "P\n", "a" + " " * 3_000_000 + "b\n"))
    assert pairs == [("P", "a b")]

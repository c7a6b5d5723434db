import pytest

from storyaudit.errors import InputError
from storyaudit.layouts.screening import read_screening


def write(folder, text):
    path = folder / "screening.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_verdicts_of_a_file(tmp_path):
    found = read_screening(write(tmp_path, "story_id,screening,by\ns1,clear,x\ns2,flagged,y\n"))
    assert found.to_dict("list") == {"story_id": ["s1", "s2"], "screening": ["clear", "flagged"]}


@pytest.mark.parametrize(
    ("rows", "message", "row"),
    [
        ("s1,clear\ns2,maybe\n", "clear or flagged, found 'maybe'", 3),
        ("s1,clear\ns2,\n", "text in every row", None),
        ("s1,clear\ns1,flagged\n", "story_id s1 again", None),
        ("", "at least one row", None),
    ],
)
def test_unsound_verdicts_are_refused(tmp_path, rows, message, row):
    with pytest.raises(InputError, match=message) as error:
        read_screening(write(tmp_path, f"story_id,screening\n{rows}"))
    assert error.value.row == row

from pathlib import Path

import pytest

from storyaudit.errors import InputError


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({}, "bad. Mend it."),
        ({"file": Path("a.csv")}, "a.csv: bad. Mend it."),
        ({"file": "a.csv", "row": 7}, "a.csv, row 7: bad. Mend it."),
        ({"file": "a.csv", "row": 7, "column": "x"}, "a.csv, row 7, column 'x': bad. Mend it."),
        ({"column": "x"}, "column 'x': bad. Mend it."),
    ],
)
def test_says_where_what_and_what_to_do(place, message):
    error = InputError("bad.", "Mend it.", **place)
    assert str(error) == message
    assert (error.file, error.row, error.column) == tuple(
        place.get(name) for name in ("file", "row", "column")
    )

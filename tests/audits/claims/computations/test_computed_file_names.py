import pytest
from computed import compute, facts

DATA = facts(
    story_id=list("pqrstu"),
    author=["a", "a", "a", "b", "human", "c"],
    file_name=[
        "A-13b-2023-04-07-temp07-1.txt",
        "a-13B-2023-04-11-2.txt",
        "a-2023-04-07-3.txt",
        "b_30B_6-1.txt",
        "human-2023-05-12.txt",
        None,
    ],
)


def test_dates_by_hand() -> None:
    assert compute("file_dates", DATA, author="a") == ["2023-04-07", "2023-04-11"]
    assert compute("file_dates", DATA, author="b") is None
    assert compute("file_dates", DATA, author="c") is None
    assert compute("file_dates", DATA, author="z") is None
    assert compute("last_file_date", DATA) == "2023-05-12"
    assert compute("last_file_date", DATA, other_than="human") == "2023-04-11"
    assert compute("last_file_date", facts(author=["b"], file_name=["b.txt"])) is None


@pytest.mark.parametrize(
    ("first", "last", "within"),
    [
        ("2023-04-07", "2023-04-11", True),  # the ends count
        ("2023-04-08", "2023-04-30", False),
        ("2023-04-01", "2023-04-10", False),
    ],
)
def test_dates_within(first: str, last: str, within: bool) -> None:
    assert compute("file_dates_within", DATA, author="a", first=first, last=last) is within


def test_no_date_lies_nowhere() -> None:
    none = compute("file_dates_within", DATA, author="b", first="2000-01-01", last="2100-01-01")
    assert none is None


def test_longer_numbers_are_no_dates() -> None:
    data = facts(author=["a"], file_name=["12023-04-07 2023-04-071 2023-4-7.txt"])
    assert compute("file_dates", data, author="a") is None


def test_files_named_in_small_letters_or_not() -> None:
    assert compute("files_named", DATA, author="a", text="13b") == 2
    assert compute("files_named", DATA, author="a", text="TEMP07") == 1
    assert compute("files_named", DATA, author="b", text="13b") == 0
    assert compute("files_named", DATA, author="c", text="13b") is None

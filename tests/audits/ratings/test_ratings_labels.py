import pandas as pd
import prose
import pytest

from audits.ratings.author_labels import agree, label_finding


@pytest.mark.parametrize(
    ("author", "other", "fits"),
    [
        ("oa", "OA", True),
        ("human", "human1", True),
        ("human", "human", True),
        ("chatgpt-free", "chatgpt", True),
        ("chatgpt-gpt4", "chatgpt", True),
        ("claude12", "claude12", True),
        ("dolly", "koala", False),
        ("human", "hum", False),
        ("oa", "12", False),
        ("chatgpt", "chatgpt-free", False),
    ],
)
def test_labels_that_can_name_one_author(author: str, other: str, fits: bool) -> None:
    assert agree(author, other) == fits


def labels(*rows: tuple[str, str, str | None]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["story_id", "author", "other"])


def test_two_lists_that_agree_pass() -> None:
    found = label_finding(labels(("s1", "oa", "OA"), ("s2", "human", "human3")))
    assert found.severity == "pass"


def test_a_swapped_label_is_found_by_its_story() -> None:
    found = label_finding(
        labels(("s1", "oa", "OA"), ("s2", "dolly", "koala"), ("s3", "koala", "dolly"))
    )
    assert found.severity == "fail"
    prose.check("ratings/a swapped label is found by its story", found)
    assert found.numbers["contradicted"] == 2
    assert found.evidence[0] == {"story_id": "s2", "author": "dolly", "other": "koala"}


def test_a_label_of_two_authors_and_a_story_without_one_are_warnings() -> None:
    merged = label_finding(
        labels(("s1", "chatgpt-free", "chatgpt"), ("s2", "chatgpt-gpt4", "chatgpt"))
    )
    assert merged.severity == "warn"
    prose.check("ratings/a label of two authors and a story without one are warnings", merged)
    absent = label_finding(labels(("s1", "oa", None), ("s2", "oa", "oa")))
    assert absent.severity == "warn" and absent.numbers["not_named"] == 1

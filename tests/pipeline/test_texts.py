import pandas as pd
import pytest

from pipeline.texts import Texts, texts, texts_of
from storyaudit.errors import InputError

CANDIDATES = pd.DataFrame(
    [("i1", "s1", "p1"), ("i2", "s1", "p2"), ("i2", "s3", "p2"), ("i3", "s3", "p1")],
    columns=["item_id", "story_id", "premise_id"],
)
PREMISES = {"p2": "the sea", "p1": "a lamp"}
STORIES = {"s3": "nobody saw the sea", "s1": "a lamp was lit"}


def table(key: str, known: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame({key: list(known), "text": list(known.values())})


def of(premises: dict[str, str], stories: dict[str, str]) -> Texts:
    return texts_of(CANDIDATES, table("premise_id", premises), table("story_id", stories))


def test_texts_stand_in_the_order_of_the_rows() -> None:
    found = of(PREMISES, STORIES)
    assert found.premises == ["a lamp", "the sea", "the sea", "a lamp"]
    assert found.stories == [STORIES[name] for name in ("s1", "s1", "s3", "s3")]


def test_nothing_needs_no_texts() -> None:
    empty = CANDIDATES[:0]
    known = (table("premise_id", PREMISES), table("story_id", STORIES))
    assert texts_of(empty, *known) == texts_of(empty, *(t[:0] for t in known)) == ([], [])


def test_an_id_without_text_is_refused_with_what_needs_it() -> None:
    with pytest.raises(InputError, match=r"item_id i2: .* story_id s3, found none \(1 such"):
        of(PREMISES, {"s1": "x"})
    with pytest.raises(InputError, match=r"item_id i1: .* premise_id p1, found none \(2 such"):
        of({}, STORIES)


def test_several_tables_are_one_and_an_id_with_two_texts_is_refused() -> None:
    ids = pd.Series(["s3", "s1"], index=pd.Index(["t1", "t2"], name="pair_id"))
    first, second = (table("story_id", {name: STORIES[name]}) for name in ("s1", "s3"))
    assert texts(ids, "story_id", first, second) == [STORIES["s3"], STORIES["s1"]]
    assert texts(ids, "story_id", first, second, first) == [STORIES["s3"], STORIES["s1"]]
    other = table("story_id", {"s1": "another"})
    with pytest.raises(InputError, match=r"pair_id t2: .* story_id s1, found two \(1 such"):
        texts(ids, "story_id", first, second, other)
    # One that nobody needs may have two.
    assert texts(ids[:1], "story_id", first, second, other) == [STORIES["s3"]]

import itertools

import numpy as np
import pandas as pd
import pytest
from computed import Data, compute, drawn, ratings


def scored(means: dict[str, list[float]]) -> Data:
    """One rater, one story an author, items 1, 2, …"""
    return ratings(
        [
            ("1", f"story of {author}", author, str(item), score)
            for author, scores in means.items()
            for item, score in enumerate(scores, 1)
        ]
    )


#              items: 1  2  3   total
DATA = scored({"a": [9, 5, 2], "b": [8, 7, 2], "c": [1, 6, 3], "d": [8, 2, 1]})  # 16, 17, 10, 11


def test_authors_by_hand() -> None:
    assert compute("authors_by_mean", DATA, item="overall") == ["b", "a", "d", "c"]
    assert compute("top_authors", DATA, item="1") == ["a"]
    assert compute("top_authors", DATA, item="overall", number=2, other_than="b") == ["a", "d"]
    assert compute("top_authors", DATA, item="2", among=["a", "d"]) == ["a"]
    assert compute("authors_above", DATA, author="c", item="overall") == ["a", "b", "d"]
    assert compute("number_above", DATA, author="d", item="1") == 1  # b ties and is not above
    assert compute("authors_below", DATA, item="3", value=2) == ["d"]


def test_all_who_tie_with_the_last_of_the_best_are_named() -> None:
    assert compute("top_authors", DATA, item="1", number=2) == ["a", "b", "d"]
    assert compute("top_authors", DATA, item="3", number=2) == ["a", "b", "c"]


def test_items_by_hand() -> None:
    assert compute("items_led", DATA, author="a") == ["1"]
    assert compute("items_led", DATA, author="d") == []
    assert compute("number_of_items_led", DATA, author="c") == 1
    # Means over authors: 6.5, 5, 2.
    assert compute("items_by_mean", DATA) == ["1", "2", "3"]
    assert [compute("item_at", DATA, rank=rank) for rank in (1, 3, -1, -2)] == ["1", "3", "3", "2"]
    assert {compute("item_at", DATA, rank=rank) for rank in (4, 0, -4)} == {None}


def test_a_tie_leads_nothing() -> None:
    assert compute("items_led", scored({"a": [5, 6], "b": [5, 5]}), author="a") == ["2"]


def test_comparisons_on_most_items_by_hand() -> None:
    # b is above a on item 2 only, ties on 3; d is below b on items 2 and 3.
    assert compute("leads_on_most", DATA, author="b", reference="a") is False
    assert compute("leads_on_most", DATA, author="b", reference="d") is True
    even = scored({"a": [2, 1], "b": [1, 2]})
    assert compute("leads_on_most", even, author="a", reference="b") is False  # half is not most
    assert compute("most_items_above", DATA, author="a", item="3") is True
    assert compute("most_items_above", DATA, author="a", item="2") is False  # one of two
    assert compute("weakest_items", DATA, author="d") == ["2", "3"]  # below three on each


def test_the_order_of_items_is_that_of_numbers() -> None:
    data = scored({"a": [1] * 9 + [2, 3], "b": [0] * 11})
    assert compute("items_led", data, author="a") == [str(n) for n in range(1, 12)]


def test_the_most_consistent_by_numpy() -> None:
    data = drawn(3)
    assert data.ratings is not None
    for item in ("1", "2", "3"):
        of_item = data.ratings[data.ratings["item"] == item]
        spread = {a: np.std(p["score"], ddof=1) for a, p in of_item.groupby("author")}
        assert compute("most_consistent", data, item=item) == [min(spread, key=spread.__getitem__)]


@pytest.mark.parametrize("seed", range(5))
def test_against_loops_over_drawn_tables(seed: int) -> None:
    data = drawn(seed)
    assert data.ratings is not None
    rows = data.ratings.to_dict("records")
    items = ["1", "2", "3"]
    mean = {
        (author, item): np.mean(
            [r["score"] for r in rows if (r["author"], r["item"]) == (author, item)]
        )
        for author, item in itertools.product("abc", items)
    }
    for author, item in mean:
        above = [other for other in "abc" if mean[other, item] > mean[author, item] + 1e-12]
        assert compute("authors_above", data, author=author, item=item) == above
        others = [other for other in "abc" if other != author]
        led = [i for i in items if all(mean[author, i] > mean[o, i] + 1e-12 for o in others)]
        assert compute("items_led", data, author=author) == led
        worse = {i: sum(mean[o, i] > mean[author, i] + 1e-12 for o in others) for i in items}
        weakest = [i for i in items if worse[i] == max(worse.values())]
        assert compute("weakest_items", data, author=author) == weakest
    hardness = {item: np.mean([mean[author, item] for author in "abc"]) for item in items}
    assert compute("item_at", data, rank=-1) == min(hardness, key=hardness.__getitem__)


def test_where_a_score_is_missing_nothing_is_ranked() -> None:
    table = DATA.ratings
    assert table is not None
    gap = Data(ratings=table[~((table["author"] == "a") & (table["item"] == "1"))])
    assert compute("top_authors", gap, item="1") is None
    assert compute("top_authors", gap, item="overall") is None
    assert compute("top_authors", gap, item="2") == ["b"]
    assert compute("items_led", gap, author="b") is None
    assert compute("item_at", gap, rank=1) is None
    assert compute("most_consistent", gap, item="1") is None


def test_the_unknown_gives_none() -> None:
    assert compute("top_authors", DATA, item="9") is None
    assert compute("number_above", DATA, author="z", item="1") is None
    assert compute("items_led", DATA, author="z") is None
    assert compute("leads_on_most", DATA, author="a", reference="z") is None
    assert compute("most_items_above", DATA, author="a", item="9") is None
    assert compute("most_consistent", DATA, item="1") is None  # one score has no deviation
    assert compute("top_authors", DATA, item="1", among=[]) == []


def test_floating_point_makes_no_leader() -> None:
    # Means of thirds: 0.1 + 0.2 + 0.3 in another order differs by its last bit.
    cells = [(str(r), "p", "a", "1", s) for r, s in enumerate([0.1, 0.2, 0.3])]
    cells += [(str(r), "q", "b", "1", s) for r, s in enumerate([0.3, 0.2, 0.1])]
    data = ratings(cells)
    assert compute("items_led", data, author="a") == compute("items_led", data, author="b") == []
    assert compute("top_authors", data, item="1") == ["a", "b"]
    assert isinstance(data.means, pd.DataFrame)

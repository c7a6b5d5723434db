from computed import compute, ratings

# Group g: stories p (by a) and q (by b), both rated by 1 and 2; group h: story r (by a), by 3 only.
DATA = ratings(
    [
        (rater, story, author, item, 5)
        for story, author, raters in (("p", "a", "12"), ("q", "b", "12"), ("r", "a", "3"))
        for rater in raters
        for item in "xyz"
    ],
    groups={"p": "g", "q": "g", "r": "h"},
)


def test_counts_by_hand() -> None:
    assert compute("count", DATA, of="story_id") == 3
    assert compute("count", DATA, of="story_id", author="a") == 2
    assert compute("count", DATA, of="author", other_than="b") == 1
    assert compute("count", DATA, of="rater", author="b") == 2
    assert compute("count", DATA, of=["rater", "story_id"]) == 5
    assert compute("count", DATA, of="group") == 2


def test_counts_within_by_hand() -> None:
    assert compute("counts_within", DATA, of="story_id", within="group") == ["1", "2"]
    assert compute("count_within", DATA, of="story_id", within="group") == 1.5
    assert compute("counts_within", DATA, of="rater", within="story_id") == ["1", "2"]
    assert compute("counts_within", DATA, of=["rater", "story_id"], within="author") == ["2", "3"]
    assert compute("counts_within", DATA, of="item", within=["rater", "story_id"]) == ["3"]
    assert compute("counts_within", DATA, of="rater", within="story_id", author="b") == ["2"]


def test_numbers_are_in_the_order_of_numbers() -> None:
    cells = [(str(r), "p", "a", "x", 5.0) for r in range(11)] + [("0", "q", "a", "x", 5.0)] * 2
    cells += [("0", "q", "a", "y", 5.0), ("1", "q", "a", "x", 5.0)]
    assert compute("counts_within", ratings(cells), of="rater", within="story_id") == ["2", "11"]


def test_a_table_without_the_column_gives_none() -> None:
    without = ratings([("1", "p", "a", "x", 5)])
    assert compute("count", without, of="group") is None
    assert compute("count_within", without, of="story_id", within="group") is None


def test_a_missing_group_is_no_group() -> None:
    partly = ratings([("1", s, "a", "x", 5) for s in "pqr"], groups={"p": "g", "q": "g"})
    assert compute("count", partly, of="group") == 1
    assert compute("counts_within", partly, of="story_id", within="group") == ["2"]


def test_a_score_given_twice_counts_once() -> None:
    twice = ratings([("1", "p", "a", "x", 5), ("1", "p", "a", "x", 5), ("1", "p", "a", "y", 5)])
    assert compute("count", twice, of=["rater", "story_id", "item"]) == 2


def test_scores_off_the_scale() -> None:
    data = ratings([("1", "p", "a", str(n), score) for n, score in enumerate([0, 1, 5, 10, 11])])
    assert compute("scores_off_scale", data, low=1, high=10) == 2
    assert compute("scores_off_scale", data, low=0, high=11) == 0
    assert compute("scores_off_scale", data, low=0.5, high=9.5) == 3

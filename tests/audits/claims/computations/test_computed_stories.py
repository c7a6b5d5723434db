from collections import defaultdict

import pytest
from computed import Data, compute, drawn, ratings

# Totals (x + y) of raters 1 and 2: p 10 and 8, q 6 and 12, r 4 and 4; means 9, 9, 4.
SCORES = {  # x and y, by story, author and rater
    ("p", "a"): {"1": (6, 4), "2": (5, 3)},
    ("q", "b"): {"1": (1, 5), "2": (6, 6)},
    ("r", "a"): {"1": (2, 2), "10": (3, 1)},
}
DATA = ratings(
    [
        (rater, story, author, item, score)
        for (story, author), by_rater in SCORES.items()
        for rater, scores in by_rater.items()
        for item, score in zip("xy", scores, strict=True)
    ]
)


def test_ranks_by_hand() -> None:
    assert compute("story_authors", DATA, rank=1) == ["a", "b"]
    assert compute("story_authors", DATA, rank=2) is None  # two share the first place
    assert compute("story_authors", DATA, rank=3) == ["a"]
    assert compute("best_rank", DATA, author="a") == compute("best_rank", DATA, author="b") == 1
    assert compute("best_rank", DATA, author="z") is None


def test_scores_by_hand() -> None:
    assert compute("story_score", DATA, rank=3, rater="10", item="x") == 3
    assert compute("story_score", DATA, rank=3, rater="10", item="overall") == 4
    assert compute("story_score", DATA, rank=1, author="a", rater="2", item="y") == 3
    assert compute("story_mean", DATA, rank=1, author="b", item="x") == 3.5
    assert compute("story_mean", DATA, rank=2, author="a", item="overall") == 4
    assert compute("story_raters", DATA, rank=3) == ["1", "10"]


def test_what_a_tie_leaves_open_is_none() -> None:
    assert compute("story_score", DATA, rank=1, rater="1", item="x") is None
    assert compute("story_mean", DATA, rank=1, item="x") is None
    assert compute("story_raters", DATA, rank=1) is None


def test_the_unknown_gives_none() -> None:
    assert compute("story_score", DATA, rank=3, rater="2", item="x") is None  # did not rate it
    assert compute("story_score", DATA, rank=3, rater="1", item="z") is None
    assert compute("story_mean", DATA, rank=4, item="x") is None
    assert compute("story_mean", DATA, rank=1, author="z", item="x") is None


def test_a_gap_leaves_no_rank_but_those_of_other_authors() -> None:
    assert DATA.ratings is not None
    gap = Data(ratings=DATA.ratings.iloc[1:])  # p lacks a score
    assert compute("story_authors", gap, rank=3) is None
    assert compute("best_rank", gap, author="b") is None
    assert compute("story_mean", gap, rank=1, author="a", item="y") is None
    assert compute("story_mean", gap, rank=1, author="b", item="y") == 5.5


@pytest.mark.parametrize("seed", range(5))
def test_against_loops_over_drawn_tables(seed: int) -> None:
    data = drawn(seed, top=40)
    assert data.ratings is not None
    sums: dict[str, float] = defaultdict(float)
    author = {}
    for row in data.ratings.to_dict("records"):
        sums[row["story_id"]] += row["score"] / 4  # raters
        author[row["story_id"]] = row["author"]
    ranks = {s: 1 + sum(other > v + 1e-9 for other in sums.values()) for s, v in sums.items()}
    for story, rank in ranks.items():
        shared = [other for other in ranks if ranks[other] == rank]
        assert compute("story_authors", data, rank=rank) == sorted(author[s] for s in shared)
        mean = compute("story_mean", data, rank=rank, item="overall")
        assert mean is None if len(shared) > 1 else mean == pytest.approx(sums[story])
    best = {name: min(ranks[s] for s in ranks if author[s] == name) for name in "abc"}
    assert {name: compute("best_rank", data, author=name) for name in "abc"} == best

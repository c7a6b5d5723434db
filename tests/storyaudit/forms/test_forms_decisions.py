"""One decision an item from several people's, by the rule as its docstring states it."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.errors import InputError
from storyaudit.forms.adjudicated import Decided, decisions, mean_rank_order, open_items
from storyaudit.protocol.human_decisions import read_decision

Votes = dict[str, list[tuple[str, str, float]]]


def ranking(order: str) -> list[tuple[str, str, float]]:
    return [("ranking", story, float(rank)) for rank, story in enumerate(order, start=1)]


YES, NO, UNSURE = ("confirmation", "a", 1.0), ("confirmation", "a", 0.0), ("unsure", "a", 1.0)


def settle(task: str, votes: Votes, asked: Sequence[str] = (), **options) -> Decided:
    """Decide on one item 'i' about story 'a', asked of the voters and of further people."""
    rows = [("i", name, *row) for name, said in votes.items() for row in said]
    people = dict.fromkeys([*votes, *asked])
    return decisions(
        pd.DataFrame(rows, columns=["item_id", "annotator", "kind", "story_id", "value"]),
        pd.DataFrame(
            [("i", task, name, None if "rank" in task else "a") for name in people],
            columns=["item_id", "task", "annotator", "asked"],
        ),
        **{"unfinished": "leave_out"} | options,
    )


def outcome(decided: Decided) -> str:
    return str(decided.how["outcome"].iloc[0])


def order(decided: Decided) -> str:
    return "".join(read_decision(decided.annotations).ranking)


@pytest.mark.parametrize(
    ("orders", "result", "how", "ties"),
    [
        (["bacd"], "bacd", "one", 0),
        (["bacd", "bacd"], "bacd", "agreed", 0),
        # Sums of ranks: a 1+1+2 = 4, b 2+2+1 = 5, c 9, d 12.
        (["abcd", "abcd", "bacd"], "abcd", "mean_rank", 0),
        # a 1+2, b 2+1: equal, and as many first places.
        (["abcd", "bacd"], None, "undecided", 1),
        # c 3+4, d 4+3: equal below the first place, parted by ID.
        (["abdc", "abcd"], "abcd", "mean_rank", 1),
        # a 1+4+1 = 6, b 2+1+3 = 6 and c 3+2+2 = 7: a has two first places, b has one.
        (["abcd", "bcda", "acbd"], "abcd", "mean_rank", 0),
    ],
)
def test_rankings(orders: list[str], result: str | None, how: str, ties: int) -> None:
    votes = {f"person-{n}": ranking(each) for n, each in enumerate(orders)}
    decided = settle("ranking", votes)
    assert outcome(decided) == how
    assert decided.how["ties"].iloc[0] == ties
    assert (order(decided) or None) == result


ORDERS = st.lists(st.permutations("abcdef"), min_size=1, max_size=6)


@given(ORDERS)
def test_the_order_is_that_of_the_mean_ranks(orders: list[list[str]]) -> None:
    found, ties = mean_rank_order(orders)
    means = pd.DataFrame([{s: r.index(s) + 1 for s in "abcdef"} for r in orders]).mean()
    assert sorted(found) == list("abcdef")
    assert means[found].is_monotonic_increasing
    for (one, other), tie in zip(pairwise(found), ties, strict=True):
        firsts = [sum(r[0] == story for r in orders) for story in (one, other)]
        assert means[one] < means[other] or firsts[0] >= firsts[1]
        if tie:
            assert means[one] == means[other]
            assert firsts[0] == firsts[1]
            assert one < other
    assert mean_rank_order(orders[::-1]) == (found, ties)


def verdict_of(votes: Sequence[str]) -> tuple[str, str]:
    """Return what the rule says of 'yes', 'no', 'unsure', and how, by counting."""
    counts = Counter(votes)
    winner = [said for said, n in counts.items() if n > len(votes) / 2]
    how = "one" if len(votes) == 1 else "agreed" if len(counts) == 1 else "majority"
    return (winner[0], how) if winner else ("unsure", "no_majority")


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["yes", "no", "unsure"]), min_size=1, max_size=5))
def test_confirmations(said: list[str]) -> None:
    rows = {"yes": [YES], "no": [NO, *ranking("bacd")], "unsure": [UNSURE]}
    decided = settle("confirmation", {f"p{n}": rows[each] for n, each in enumerate(said)})
    verdict, how = verdict_of(said)
    decision = read_decision(decided.annotations)
    assert (decision.verdict, outcome(decided)) == (
        {"yes": "confirmed", "no": "rejected", "unsure": "unsure"}[verdict],
        how,
    )
    assert decision.story == "a"
    assert "".join(decision.ranking) == ("bacd" if verdict == "no" else "")


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["a", "b", "c", "unsure"]), min_size=1, max_size=5))
def test_the_best(said: list[str]) -> None:
    rows = {"unsure": [UNSURE], **{s: [("best", s, 1.0)] for s in "abc"}}
    decided = settle("best", {f"p{n}": rows[each] for n, each in enumerate(said)})
    named, how = verdict_of(said)
    decision = read_decision(decided.annotations)
    assert decision.story == "a"
    assert decision.verdict == ("best" if named == "a" else "unsure")
    assert outcome(decided) == how


def test_a_rejection_whose_mean_rank_puts_the_rejected_story_first_is_undecided() -> None:
    # Each of three puts another story first, and a second: a 6, b 1+3+4 = 8, c 8, d 8.
    votes = {
        name: [NO, *ranking(each)] for name, each in (("x", "bacd"), ("y", "cabd"), ("z", "dabc"))
    }
    decided = settle("confirmation", votes)
    assert outcome(decided) == "undecided"
    assert decided.annotations.empty
    with pytest.raises(InputError, match=r"1 of 1 items are not decided: i \(undecided\)"):
        settle("confirmation", votes, unfinished="stop")


def test_an_adjudicator_settles_what_others_disagree_on() -> None:
    votes = {"x": ranking("abcd"), "y": ranking("bacd"), "carla": ranking("dcba")}
    decided = settle("ranking", votes, adjudicator="carla")
    assert (order(decided), outcome(decided)) == ("dcba", "adjudicated")
    assert set(decided.annotations["annotator"]) == {"carla"}
    # Without her decision, or where she was not asked, the others' stands.
    alone = settle("ranking", {"x": ranking("abcd")}, ["carla"], adjudicator="carla")
    assert (order(alone), outcome(alone)) == ("abcd", "one")
    best = settle("best", {"x": [YES], "carla": [("best", "c", 1.0)]}, adjudicator="carla")
    assert read_decision(best.annotations).verdict == "unsure"


def test_unfinished_items_stop_with_a_list_or_are_left_out_and_counted() -> None:
    votes = {"x": ranking("abcd")}
    decided = settle("ranking", votes, ["y"])
    assert decided.annotations.empty
    assert decided.how[["annotators", "outcome"]].values.tolist() == [[1, "unfinished"]]
    with pytest.raises(InputError, match=r"1 of 1 items are not decided: i \(unfinished\)"):
        settle("ranking", votes, ["y"], unfinished="stop")


def test_what_is_left_to_do() -> None:
    unfinished = pd.DataFrame(
        [("b.xlsx", "ben", "ranking", "j", 3, "cell C4")],
        columns=["file", "annotator", "task", "item_id", "number", "cells"],
    )
    split = settle("ranking", {"x": ranking("abcd"), "y": ranking("bacd")}).how
    left = open_items(unfinished, split)
    assert left[["item_id", "task", "reason"]].values.tolist() == [
        ["j", "ranking", "unfinished"],
        ["i", "ranking", "disagreement"],
    ]
    assert open_items(unfinished, split.assign(outcome="adjudicated"))["item_id"].tolist() == ["j"]


@pytest.mark.parametrize(
    ("task", "votes", "named"),
    [
        ("ranking", {"x": [YES]}, "expected an answer to the task 'ranking'"),
        ("confirmation", {"x": ranking("abcd")}, "expected an answer to the task 'confirmation'"),
        ("confirmation", {"x": [NO]}, "expected an answer"),
        ("confirmation", {"x": [("confirmation", "b", 1.0)]}, "expected an answer"),
        ("best", {"x": [YES]}, "expected an answer to the task 'best'"),
        ("ranking", {"x": ranking("abcd"), "y": ranking("abce")}, "ranked different stories"),
        ("ranking", {"x": [("ranking", "a", 1.0), ("ranking", "b", 1.0)]}, "annotator x: expected"),
    ],
)
def test_annotations_that_do_not_answer_what_was_asked(task: str, votes: Votes, named: str) -> None:
    with pytest.raises(InputError, match="item i.*" + named):
        settle(task, votes)


def test_an_item_asked_in_two_ways_or_not_at_all() -> None:
    asked = pd.DataFrame(
        [("i", "ranking", "x", None), ("i", "confirmation", "y", "a")],
        columns=["item_id", "task", "annotator", "asked"],
    )
    nothing = pd.DataFrame(columns=["item_id", "annotator", "kind", "story_id", "value"])
    with pytest.raises(InputError, match="item i was asked as confirmation and as ranking"):
        decisions(nothing, asked, unfinished="leave_out")
    orphan = pd.DataFrame([("j", "x", *YES)], columns=nothing.columns)
    with pytest.raises(InputError, match="no annotation form of the adjudicator 'carla'"):
        decisions(nothing, asked.iloc[:1], adjudicator="carla")
    with pytest.raises(InputError, match="item j has a decision and is on no form"):
        decisions(orphan, asked.iloc[:1])

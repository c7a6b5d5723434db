import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from request_samples import MODEL, blocks, shown

from pipeline.requests.rewarding import (
    added,
    comparison_questions,
    ranking_question,
    score_questions,
)
from storyaudit.llm.question import MalformedError

STORIES = {"s4": "four", "s2": "two", "s8": "eight", "s1": "one"}


def ranking():
    return ranking_question("i1", "p", STORIES, MODEL)


@given(st.permutations([1, 2, 3, 4]))
def test_a_ranking_gives_the_best_the_most(order):
    rewards = ranking().parse(json.dumps({"ranking": order}))
    names = list(STORIES)
    assert sorted(rewards, key=rewards.get, reverse=True) == [names[label - 1] for label in order]
    assert sorted(rewards.values()) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "ranking_given",
    [
        [1, 2, 3],
        [1, 2, 3, 3],
        [1, 2, 3, 4, 4],
        [0, 1, 2, 3],
        [1, 2, 3, "4"],
        [1, 2, 3, 4.5],
        [1, 2, [3, 4]],
        [True, 2, 3, 4],
        [],
        "1234",
        {"1": 1},
        1,
    ],
)
def test_a_ranking_with_gaps_ties_or_strangers_is_malformed(ranking_given):
    with pytest.raises(MalformedError):
        ranking().parse(json.dumps({"ranking": ranking_given}))


def test_the_form_of_a_ranking_has_a_place_a_story():
    form = json.loads(shown(ranking()).rpartition("\n")[2].replace("…", "0"))
    assert form == {"ranking": [0] * 4}
    assert list(blocks(shown(ranking()))) == ["premise", *(f"story {n}" for n in range(1, 5))]


def test_scores_are_asked_for_one_at_a_time():
    asked = score_questions("i1", "p", STORIES, MODEL)
    assert [blocks(shown(q)) for q in asked] == [
        {"premise": "p", "story": text} for text in STORIES.values()
    ]
    assert asked[1].parse('{"score": 7}') == {"s2": 7.0}
    assert asked[0].parse(shown(asked[0]).rpartition("\n")[2].replace("…", "10")) == {"s4": 10.0}
    for wrong in ("0", "11", "7.5", '"7"', "null"):
        with pytest.raises(MalformedError):
            asked[0].parse(f'{{"score": {wrong}}}')


@pytest.mark.parametrize(("both", "number"), [(False, 6), (True, 12)])
def test_all_story_pairs_are_compared(both, number):
    asked = comparison_questions("i1", "p", STORIES, MODEL, both_orders=both)
    assert len({question.request.key for question in asked}) == number
    story_pairs = [tuple(question.parse('{"better": 1}')) for question in asked]
    assert story_pairs[:6] == list(combinations(STORIES, 2))
    assert story_pairs[6:] == [story_pair[::-1] for story_pair in story_pairs[:6]][: number - 6]
    for question, (first, second) in zip(asked, story_pairs, strict=True):
        found = blocks(shown(question))
        assert (found["story 1"], found["story 2"]) == (STORIES[first], STORIES[second])
        assert question.parse('{"better": 2}') == {first: 0.0, second: 1.0}
        for wrong in ("0", "3", '"1"', '"first"', "[1]"):
            with pytest.raises(MalformedError):
                question.parse(f'{{"better": {wrong}}}')


@given(st.permutations(list(STORIES)), st.booleans())
def test_a_consistent_judge_of_pairs_ranks_as_it_means(order, both):
    """Each story wins against all that it is better than: 3, 2, 1 and 0 times, twice in both."""
    asked = comparison_questions("i1", "p", STORIES, MODEL, both_orders=both)
    parts = []
    for question in asked:
        first, second = question.parse('{"better": 1}')
        better = 1 if order.index(first) < order.index(second) else 2
        parts.append(question.parse(f'{{"better": {better}}}'))
    rewards = added(parts)
    assert [rewards[story] for story in order] == [wins * (1 + both) for wins in (3, 2, 1, 0)]


def test_a_judge_that_always_takes_the_first_is_undecided_in_both_orders():
    asked = comparison_questions("i1", "p", STORIES, MODEL, both_orders=True)
    rewards = added([question.parse('{"better": 1}') for question in asked])
    assert rewards == dict.fromkeys(STORIES, 3.0)

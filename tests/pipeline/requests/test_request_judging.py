import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from request_samples import HOSTILE, MODEL, blocks, shown

from pipeline.requests.judging import (
    arranged,
    judgement_rows,
    judging_questions,
    parse_scores,
)
from storyaudit.data.tables import JUDGEMENTS
from storyaudit.llm.question import MalformedError
from storyaudit.vocabulary import DIMENSIONS

STORIES = {"s9": "nine", "s3": HOSTILE[0], "s7": HOSTILE[1], "s1": "one"}
MEASURES = [*DIMENSIONS, "overall"]
SCORES = st.fixed_dictionaries(
    {label: st.fixed_dictionaries(dict.fromkeys(MEASURES, st.integers(1, 10))) for label in "1234"}
)


def judging(**named):
    return judging_questions("i1", "a $premise", STORIES, MODEL, **{"together": True, **named})


def test_all_stories_stand_in_their_order_without_their_names():
    [asked] = judging()
    prompt = shown(asked)
    assert blocks(prompt) == {
        "premise": "a $premise",
        **{f"story {number}": text for number, text in enumerate(STORIES.values(), start=1)},
    }
    assert list(blocks(prompt))[1:] == [f"story {number}" for number in range(1, 5)]
    assert not [story for story in STORIES if story in prompt]
    assert asked.request.seed == 5


def test_one_at_a_time_every_story_is_shown_alone():
    asked = judging(together=False)
    assert [blocks(shown(question)) for question in asked] == [
        {"premise": "a $premise", "story 1": text} for text in STORIES.values()
    ]
    assert len({question.request.key for question in asked}) == 4
    given = {"1": dict.fromkeys(MEASURES, 6)}
    assert asked[2].parse(json.dumps(given)) == {"s7": given["1"]}


@pytest.mark.parametrize("together", [True, False])
def test_the_form_that_the_prompt_shows_is_the_one_that_is_read(together):
    for asked in judging(together=together):
        form = shown(asked).rpartition("\n")[2]
        scores = asked.parse(form.replace("…", "7"))
        assert {value for story in scores.values() for value in story.values()} == {7}


@given(SCORES, st.randoms(use_true_random=False))
def test_scores_are_read_in_the_order_shown_whatever_the_order_of_names(given_scores, random):
    def shuffled(mapping):
        names = random.sample(list(mapping), len(mapping))
        return {name: mapping[name] for name in names}

    text = json.dumps(shuffled({k: shuffled(v) for k, v in given_scores.items()}))
    [asked] = judging()
    scores = asked.parse(text)
    assert list(scores) == list(STORIES)
    assert all(list(measures) == MEASURES for measures in scores.values())
    assert list(scores.values()) == [given_scores[label] for label in "1234"]


FAULTS = {
    "missing": lambda measures: measures.pop("overall"),
    "too much": lambda measures: measures.update(style=5),
    "below": lambda measures: measures.update(overall=0),
    "above": lambda measures: measures.update(overall=11),
    "hanna": lambda measures: measures.update(overall=-1),
    "half": lambda measures: measures.update(overall=7.5),
    "text": lambda measures: measures.update(overall="7"),
    "range": lambda measures: measures.update(overall="7-8"),
    "null": lambda measures: measures.update(overall=None),
    "truth": lambda measures: measures.update(overall=True),
    "list": lambda measures: measures.update(overall=[7]),
    "capital": lambda measures: measures.update(Overall=measures.pop("overall")),
}


@pytest.mark.parametrize(("fault", "label"), product(FAULTS, "14"))
def test_one_fault_anywhere_makes_the_answer_malformed(fault, label):
    given_scores = {number: dict.fromkeys(MEASURES, 5) for number in "1234"}
    assert parse_scores(json.dumps(given_scores), list(STORIES))
    FAULTS[fault](given_scores[label])
    with pytest.raises(MalformedError):
        parse_scores(json.dumps(given_scores), list(STORIES))


def test_a_story_missing_twice_or_too_much_is_malformed():
    five = json.dumps(dict.fromkeys(MEASURES, 5))
    for labels in ("123", "12345", "1233", "12344", "0123", ["1", "2", "3", "story 4"]):
        text = "{" + ", ".join(f'"{label}": {five}' for label in labels) + "}"
        with pytest.raises(MalformedError):
            parse_scores(text, list(STORIES))
    with pytest.raises(MalformedError):
        parse_scores(five, list(STORIES))
    # One measure twice in one story, with one value.
    twice = five.replace('"overall": 5', '"overall": 5, "overall": 5')
    text = "{" + ", ".join(f'"{label}": {twice}' for label in "1234") + "}"
    with pytest.raises(MalformedError):
        parse_scores(text, list(STORIES))


def test_rows_of_the_judgements_table_keep_the_place_in_the_request():
    seen = arranged(STORIES, reverse=True)
    [asked] = judging_questions("i1", "p", seen, MODEL, together=True)
    labels = {label: dict.fromkeys(MEASURES, int(label)) for label in "1234"}
    rows = judgement_rows("i1", asked.parse(json.dumps(labels)), judge="j", prompt_variant="2")
    assert len(rows) == 24
    assert {tuple(row) for row in rows} == {tuple(column.name for column in JUDGEMENTS.columns)}
    places = {row["story_id"]: (row["position"], row["score"]) for row in rows}
    assert places == {"s1": (1, 1.0), "s7": (2, 2.0), "s3": (3, 3.0), "s9": (4, 4.0)}
    keys = {tuple(row[name] for name in JUDGEMENTS.key) for row in rows}
    assert len(keys) == 24


def test_arranging_moves_stories_with_their_texts():
    letters = dict(zip("abcd", "ABCD", strict=True))
    assert list(arranged(letters)) == list("abcd")
    assert list(arranged(letters, reverse=True)) == list("dcba")
    assert arranged(letters, reverse=True) == letters
    assert arranged({}, reverse=True) == {}

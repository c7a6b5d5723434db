from collections import Counter

import numpy as np
import pytest
from pairing_samples import Writers, given, human, premises, rng, stories, text

from pipeline.pairing.originals import human_stories_of
from pipeline.pairing.pair import Pair, inferred_premise, stories_of
from pipeline.pairing.pair_filter import PairFilter
from pipeline.pairing.prompted_rewriting import Rewriting
from pipeline.requests.writing import DEGRADATIONS
from storyaudit.data.corpus import content_id
from storyaudit.errors import InputError


def human_stories(*names, **texts):
    rows = [human(name, premise_id="p1", text=texts.get(name, text(name))) for name in names]
    return human_stories_of(premises("p1"), stories(*rows))


def make(originals, wanted, *, writers=None, pair_filter=None, seed=0, once=False):
    making = given(
        {"rewriting": wanted},
        human_stories=originals,
        writers=writers,
        pair_filter=pair_filter,
        once=once,
    )
    return Rewriting().make(making, rng(seed))


def test_originals_are_peoples_training_stories_with_a_premise_of_their_own_or_an_inferred_one():
    table = stories(
        human("d", premise_id="p2"),
        human("a", premise_id="p1"),
        human("b", premise_id="p1", author_kind="llm"),
        human("c", premise_id="p1", use="benchmark"),
        human("e", premise_id="p9"),
        human("f"),
        human("g"),
        human("h"),
    )
    _, _, _, _, _, f, g, _ = stories_of(table)
    shared = inferred_premise("Rain.", "en")
    inferred = [Pair("back_generation", "platform", shared, g, f)]
    found = human_stories_of(premises("p1", "p2"), table, inferred)
    assert [(human.story.story_id, human.premise.text) for human in found] == [
        ("a", "premise p1"),
        ("d", "premise p2"),
        ("f", "Rain."),
        ("g", "Rain."),
    ]
    assert found[0].shown() == ("a", text("a"), "premise p1", "en")


def test_the_original_is_chosen_over_its_rewriting():
    [pair] = make(human_stories("a"), 1)
    assert (pair.method, pair.source, pair.premise.premise_id) == ("rewriting", "platform", "p1")
    assert pair.chosen.story_id == "a"
    worse = pair.rejected
    assert any(worse.text == f"{degradation} degraded {text('a')}" for degradation in DEGRADATIONS)
    assert worse.story_id == content_id("s", worse.text, "rewriting")
    assert (worse.author_kind, worse.author, worse.source) == ("llm", "scribe", "rewriting")
    assert worse.language == "en"


def test_every_story_is_degraded_in_every_way_once_and_all_take_turns():
    names = "abcdefg"
    writers = Writers()
    assert len(make(human_stories(*names), 35, writers=writers)) == 35
    asked = [(original.story_id, degradation) for original, degradation in writers.asked]
    assert sorted(asked) == sorted(
        (name, degradation) for name in names for degradation in DEGRADATIONS
    )
    for turn in range(5):
        batch = asked[7 * turn : 7 * turn + 7]
        assert sorted(name for name, _ in batch) == sorted(names)
        # Seven stories, five kinds of degradation: each kind once or twice a turn.
        kinds = Counter(degradation for _, degradation in batch)
        assert set(kinds) == set(DEGRADATIONS) and max(kinds.values()) == 2
    with pytest.raises(InputError, match=r"pairs.sizes.rewriting: expected 36 pairs, 35 can be"):
        make(human_stories(*names), 36)


def test_a_near_duplicate_is_a_rewriting_and_the_same_words_are_none():
    originals = human_stories("a", "b")
    writers = Writers(a=text("a").upper() + " …", b=text("b") + " Once.")
    pair_filter = PairFilter(0.5)
    [pair] = make(originals, 1, writers=writers, pair_filter=pair_filter)
    assert pair.chosen.story_id == "b"
    # However often it is asked, the answer for "b" is the same pair.
    with pytest.raises(InputError, match="1 can be made"):
        make(originals, 2, writers=writers, pair_filter=(pair_filter := PairFilter(0.5)))
    assert pair_filter.dropped == Counter({"rewriting.same_text": 5, "rewriting.used_before": 4})


@pytest.mark.parametrize(("answer", "reason"), [(None, "no_answer"), ("***", "no_words")])
def test_what_is_missing_is_asked_of_other_stories_but_not_of_a_record(answer, reason):
    originals = human_stories(*"abcdefgh")
    writers = Writers(**dict.fromkeys("abcd", answer))
    pair_filter = PairFilter(0.5)
    pairs = make(originals, 20, writers=writers, pair_filter=pair_filter)
    assert len(pairs) == 20
    assert {pair.chosen.story_id for pair in pairs} == set("efgh")
    assert set(pair_filter.dropped) == {f"rewriting.{reason}"}

    writers = Writers(**dict.fromkeys("abcd", answer))
    pairs = make(
        originals, 8, writers=writers, pair_filter=(pair_filter := PairFilter(0.5)), once=True
    )
    assert len(writers.asked) == 8 and len(pairs) == 4
    assert pair_filter.dropped == Counter({f"rewriting.{reason}": 4})
    with pytest.raises(InputError, match="expected 41 pairs, 40 can be made"):
        make(originals, 41, once=True)


def test_stories_without_words_are_no_originals():
    pair_filter = PairFilter(0.5)
    pairs = make(human_stories("a", "b", b="…"), 5, pair_filter=pair_filter)
    assert {pair.chosen.story_id for pair in pairs} == {"a"}
    assert pair_filter.dropped == Counter({"rewriting.no_words": 1})
    assert make([], 0) == []
    with pytest.raises(InputError, match="0 can be made"):
        make([], 1)


def test_which_stories_are_degraded_does_not_depend_on_the_order_of_rows():
    table = stories(*(human(f"s{n:02d}", premise_id="p1") for n in range(30)))
    shuffled = table.sample(frac=1, random_state=np.random.RandomState(4))
    one, other = (human_stories_of(premises("p1"), rows) for rows in (table, shuffled))
    assert make(one, 12) == make(other, 12)
    assert make(one, 12) != make(one, 12, seed=1)

from collections import Counter

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from pairing_samples import Writers, given, human, premises, rng, stories, text

from pipeline.pairing.continuation import (
    Continuation,
    guided_pairs,
    human_chosen_pairs,
    part,
)
from pipeline.pairing.originals import human_stories_of
from pipeline.pairing.pair_filter import PairFilter
from storyaudit.data.corpus import content_id
from storyaudit.errors import InputError
from storyaudit.text.sentences import sentences
from storyaudit.text.words import words


@pytest.mark.parametrize(
    ("story", "share", "opening", "rest"),
    [
        # Cuts after 5 and 11 of 17 characters: 0.3 × 17 = 5.1 and 0.6 × 17 = 10.2.
        ("A a. B bbb. C cc.", 0.3, "A a.", "B bbb. C cc."),
        ("A a. B bbb. C cc.", 0.6, "A a. B bbb.", "C cc."),
        ("A a. B bbb. C cc.", 0.01, "A a.", "B bbb. C cc."),
        ("A a. B bbb. C cc.", 0.99, "A a. B bbb.", "C cc."),
        ("One\n\ntwo three four five", 0.3, "One", "two three four five"),
        ("猫来了。狗走了。雨停了。", 0.3, "猫来了。", "狗走了。雨停了。"),
        # Cuts after 3 and 6 of 9 characters are as near to the middle: the earlier one counts.
        ("一二。三四。五六。", 0.5, "一二。", "三四。五六。"),
        ("*** \n\nA a. B b.", 0.01, "*** \n\nA a.", "B b."),
        ("A a. B b.\n\n…", 0.99, "A a.", "B b.\n\n…"),
    ],
)
def test_an_opening_ends_with_the_sentence_nearest_to_its_share(story, share, opening, rest):
    assert part(story, share) == (opening, rest)


@pytest.mark.parametrize("story", ["", "…", "One sentence.", "No mark", "A a. …", "\n\n*\n\n"])
def test_a_story_of_one_sentence_has_no_opening(story):
    assert part(story, 0.3) is None


@drawn(st.text(alphabet="Aab.!?。\n “”…猫", max_size=60), st.floats(0.01, 0.99))
def test_opening_and_rest_have_words_and_make_up_the_story(story, share):
    parts = part(story, share)
    if parts is None:
        assert sum(bool(words(sentence)) for sentence in sentences(story)) < 2
        return
    opening, rest = parts
    assert words(opening) and words(rest)
    assert story.startswith(opening) and story.rstrip().endswith(rest)
    assert opening.split() + rest.split() in (story.split(), _joined(opening, rest, story))


def _joined(opening, rest, story):
    """The words by white space where the cut has none around it, as between Chinese sentences."""
    assert "".join((opening + rest).split()) == "".join(story.split())
    return opening.split() + rest.split()


def human_stories(*names, **texts):
    rows = [human(name, premise_id="p1", text=texts.get(name, text(name))) for name in names]
    return human_stories_of(premises("p1"), stories(*rows))


def make(originals, wanted, *, writers=None, pair_filter=None, seed=0, once=False, share=0.25):
    making = given(
        {"continuation": wanted},
        human_stories=originals,
        writers=writers,
        pair_filter=pair_filter,
        once=once,
        opening_share=share,
    )
    return Continuation().continued(making, rng(seed))


def test_the_guided_story_is_chosen_and_both_begin_with_the_persons_opening():
    writers = Writers()
    [pair] = guided_pairs(make(human_stories("a"), 1, writers=writers))
    [(original, opening)] = writers.asked
    assert original == ("a", text("a"), "premise p1", "en")
    assert opening == text("a", 2)  # 2 of 8 sentences of the same length
    assert pair.chosen.text == f"{opening}\n\n{text('guideda')}"
    assert pair.rejected.text == f"{opening}\n\n{text('unguideda')}"
    assert (pair.method, pair.source, pair.premise.premise_id) == ("continuation", "platform", "p1")
    for story in (pair.chosen, pair.rejected):
        assert story.story_id == content_id("s", story.text, "continuation")
        assert (story.author_kind, story.author) == ("llm", "quill")
        assert (story.source, story.language) == ("continuation", "en")


def test_with_the_persons_story_chosen_the_same_unguided_story_is_rejected():
    continued = make(human_stories("a", "b"), 2)
    guided, human_chosen = guided_pairs(continued), human_chosen_pairs(continued, PairFilter(0.5))
    assert [pair.rejected for pair in human_chosen] == [pair.rejected for pair in guided]
    assert {pair.chosen.story_id for pair in human_chosen} == {"a", "b"}
    assert {pair.method for pair in human_chosen} == {"human_chosen"}
    assert all(pair.chosen.text.startswith(pair.rejected.text[:40]) for pair in human_chosen)


def test_the_opening_that_both_share_makes_no_near_duplicate():
    # 30 of 32 words are shared, and what follows is not.
    [continued] = make(
        human_stories("a"), 1, writers=Writers(a=("Then rain.", "And snow.")), share=0.9
    )
    assert continued.guided.text.startswith(text("a", 7))
    pair_filter = PairFilter(0.5)
    assert len(human_chosen_pairs([continued], pair_filter)) == 1 and not pair_filter.dropped


LONG = text("long")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "no_answer"),
        ((LONG, LONG.upper()), "same_text"),
        ((LONG, LONG + " Once."), "near_copy"),
        ((" ".join(sentences(text("a"))[2:]) + " Once.", LONG), "near_copy"),  # the person's
        (("…", LONG), "no_words"),
        ((LONG, ""), "no_words"),
    ],
)
def test_some_continuations_make_no_pair(answer, reason):
    pair_filter = PairFilter(0.5)
    with pytest.raises(InputError, match=r"continuation: expected 1 pairs, 0 can be made"):
        make(human_stories("a"), 1, writers=Writers(a=answer), pair_filter=pair_filter)
    assert pair_filter.dropped == Counter({f"continuation.{reason}": 1})
    # Another story takes its place, unless the answers come from a record.
    assert len(make(human_stories("a", "b"), 1, writers=Writers(a=answer))) == 1
    writers = Writers(a=answer)
    assert len(make(human_stories("a", "b"), 2, writers=writers, once=True)) == 1
    assert len(writers.asked) == 2


def test_an_unguided_story_that_nearly_is_the_persons_is_no_pair_with_it():
    rest = " ".join(sentences(text("a"))[2:])
    [continued] = make(human_stories("a"), 1, writers=Writers(a=(LONG, rest + " Once.")))
    pair_filter = PairFilter(0.5)
    assert human_chosen_pairs([continued], pair_filter) == []
    assert pair_filter.dropped == Counter({"human_chosen.near_copy": 1})


def test_stories_of_one_sentence_are_left_out_and_every_story_is_continued_once():
    originals = human_stories("a", "b", "c", "d", b="One sentence.", d="…")
    pair_filter, writers = PairFilter(0.5), Writers()
    with pytest.raises(InputError, match="expected 3 pairs, 2 can be made"):
        make(originals, 3, pair_filter=pair_filter, writers=writers)
    assert pair_filter.dropped == Counter({"continuation.one_sentence": 2})
    assert sorted(original.story_id for original, _ in writers.asked) == ["a", "c"]
    assert make([], 0) == []


def test_which_stories_are_continued_does_not_depend_on_the_order_of_rows():
    table = stories(*(human(f"s{n:02d}", premise_id="p1") for n in range(30)))
    shuffled = table.sample(frac=1, random_state=np.random.RandomState(4))
    one, other = (human_stories_of(premises("p1"), rows) for rows in (table, shuffled))
    assert make(one, 12) == make(other, 12)
    assert make(one, 12) != make(one, 12, seed=1)

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from pairing_samples import by_model, given, human, premises, rng, stories, text

from pipeline.pairing.contests import contests_of, without
from pipeline.pairing.llm_llm import BySize, Judged, Replacement
from pipeline.pairing.pair_filter import PairFilter
from pipeline.simulation.pair_judge import simulated_judge
from storyaudit.errors import InputError
from storyaudit.vocabulary import DIMENSIONS

BILLIONS = {"tiny": 1.0, "small": 7.5, "large": 70.0, "other-large": 70.0}


def corpus(count, authors=("tiny", "small", "large")):
    names = [f"p{n:02d}" for n in range(count)]
    rows = [by_model(f"{name}-{author}", name, author) for name in names for author in authors]
    return premises(*names), stories(*rows)


def first(batch):
    return [0] * len(batch)


def ids(pairs):
    return [(pair.chosen.story_id, pair.rejected.story_id) for pair in pairs]


def judged(contests, wanted, *, judge=first, pair_filter=None, seed=0, once=False):
    making = given(
        {"llm_llm_judged": wanted},
        contests=contests,
        judge=judge,
        pair_filter=pair_filter,
        once=once,
    )
    return Judged().make(making, rng(seed))


def sized(contests, wanted, *, billions=BILLIONS, pair_filter=None, seed=0):
    making = given(
        {"llm_llm_size": wanted}, contests=contests, billions=billions, pair_filter=pair_filter
    )
    return BySize().make(making, rng(seed))


def replacements(contests, wanted, *, pair_filter=None):
    making = given(
        contests=contests, billions=BILLIONS, pair_filter=pair_filter, replacements=wanted
    )
    return Replacement().make(making, rng())


def test_contests_are_pairs_of_two_models_on_one_training_premise():
    table = stories(
        by_model("a", "p1", "m"),
        by_model("b", "p1", "n"),
        by_model("c", "p1", "m"),
        human("d", premise_id="p1"),
        by_model("e", "p2", "m"),
        by_model("f", "p3", "m"),
        by_model("g", "p3", "n"),
        by_model("h", "p9", "m"),
    )
    about = pd.concat([premises("p1", "p2"), premises("p3", use="benchmark")])
    found = contests_of(about, table)
    # "a" and "c" are by one model, p2 has one story, p3 is of the benchmark, p9 is unknown.
    story_pairs = [tuple(story.story_id for story in contest.stories) for contest in found["p1"]]
    assert story_pairs == [("a", "b"), ("b", "c")]
    assert (set(found), found["p2"]) == ({"p1", "p2"}, [])


def test_the_judge_decides():
    contests = contests_of(*corpus(1, ("tiny", "small")))
    [story_pair] = ids(judged(contests, 1))
    [turned] = ids(judged(contests, 1, judge=lambda batch: [1] * len(batch)))
    assert story_pair == turned[::-1]
    [pair] = judged(contests, 1)
    assert (pair.method, pair.source) == ("llm_llm_judged", "training")
    assert pair.premise.text == "premise p00"


def test_a_tie_makes_no_pair():
    contests, pair_filter = contests_of(*corpus(4)), PairFilter(0.5)
    none = judged(
        contests, 5, judge=lambda batch: [None] * len(batch), pair_filter=pair_filter, once=True
    )
    assert none == [] and pair_filter.dropped == Counter({"llm_llm_judged.undecided": 5})
    calls = []

    def now_and_then(batch):
        calls.append(len(batch))
        return [None if place % 2 else 0 for place in range(len(batch))]

    assert len(judged(contests, 6, judge=now_and_then)) == 6
    assert calls == [6, 3, 1]  # 3, 2 and 1 are decided
    with pytest.raises(InputError, match=r"llm_llm_judged: expected 13 pairs, 12 can be made"):
        judged(contests, 13)
    with pytest.raises(InputError, match="expected 13 pairs, 12 can be made"):
        judged(contests, 13, judge=now_and_then, once=True)


def qualities(**worth):
    return pd.DataFrame([{"story_id": n, **dict.fromkeys(DIMENSIONS, q)} for n, q in worth.items()])


def test_the_simulated_judge_sees_the_better_story_as_well_as_its_noise_allows():
    about, table = corpus(300, ("tiny", "small"))
    contests = contests_of(about, table)
    # tiny 0.5 and small 0.6: 4.5 + 1 and 5.4 + 1 points, 0.9 apart.
    known = qualities(**{n: 0.6 if n.endswith("small") else 0.5 for n in table["story_id"]})
    flat = [c for group in contests.values() for c in group]

    def share(noise):
        verdicts = simulated_judge(known, noise, rng(3))(flat)
        return np.mean(
            [c.stories[v].author == "small" for c, v in zip(flat, verdicts, strict=True)]
        )

    assert share(0.0) == 1.0
    # Φ(0.9 / (0.9 √2)) = Φ(0.7071) = 0.7602; SE 0.0247 of 300.
    assert share(0.9) == pytest.approx(0.7602, abs=0.08)
    assert share(1000.0) == pytest.approx(0.5, abs=0.1)
    equal = qualities(**dict.fromkeys(table["story_id"], 0.5))
    assert set(simulated_judge(equal, 0.0, rng())(flat)) == {None}
    with pytest.raises(InputError, match="p00-tiny has no qualities"):
        simulated_judge(known[known["story_id"] != "p00-tiny"], 0.9, rng())(flat)


def test_by_size_the_larger_models_story_is_chosen():
    contests = contests_of(*corpus(5, ("tiny", "small", "large", "other-large", "unknown")))
    # Of ten story pairs, five are of known and different sizes: all but those of the two large ones
    # and the four with the unknown one.
    pairs = sized(contests, 25)
    found = Counter((pair.chosen.author, pair.rejected.author) for pair in pairs)
    expected = [
        ("small", "tiny"),
        ("large", "tiny"),
        ("large", "small"),
        ("other-large", "tiny"),
        ("other-large", "small"),
    ]
    assert found == Counter(dict.fromkeys(expected, 5))
    assert {pair.method for pair in pairs} == {"llm_llm_size"}
    with pytest.raises(InputError, match=r"pairs.sizes.llm_llm_size: expected 26 pairs, 25 can be"):
        sized(contests, 26)
    with pytest.raises(InputError, match=r"pairs.billions lacks the size of unknown\."):
        sized(contests, 26)
    with pytest.raises(InputError, match=r"pairs.replacements: expected 26"):
        replacements(contests, 26)
    assert sized(contests, 0, billions={}) == []


@pytest.mark.parametrize("wanted", [3, 7, 12, 20, 30])
def test_premises_give_as_many_pairs_each(wanted):
    contests = contests_of(*corpus(10))
    for pairs in (judged(contests, wanted), sized(contests, wanted)):
        by_premise = Counter(pair.premise.premise_id for pair in pairs)
        counts = [by_premise[f"p{n:02d}"] for n in range(10)]
        assert sum(counts) == wanted and max(counts) - min(counts) <= 1


def test_a_story_pair_stands_in_one_pair_whatever_the_method():
    contests, pair_filter = contests_of(*corpus(10)), PairFilter(0.5)
    pairs = sized(contests, 11, pair_filter=pair_filter)
    rest = without(contests, pairs)
    pairs += judged(rest, 9, pair_filter=pair_filter)
    pairs += replacements(without(rest, pairs), 10, pair_filter=pair_filter)
    story_pairs = [frozenset(story_pair) for story_pair in ids(pairs)]
    assert len(set(story_pairs)) == 30 == sum(len(list(combinations("abc", 2))) for _ in range(10))
    assert not pair_filter.dropped
    assert sum(map(len, without(contests, pairs).values())) == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (text("p00-tiny").upper(), "same_text"),
        (text("p00-tiny") + " Once.", "near_copy"),
        ("…", "no_words"),
    ],
)
def test_some_story_pairs_make_no_pair(words, reason):
    about, table = corpus(1, ("tiny", "small"))
    table.loc[table["author"] == "small", "text"] = words
    for method, make in (("llm_llm_judged", judged), ("llm_llm_size", sized)):
        pair_filter = PairFilter(0.5)
        with pytest.raises(InputError, match="expected 1 pairs, 0 can be made"):
            make(contests_of(about, table), 1, pair_filter=pair_filter)
        assert pair_filter.dropped == Counter({f"{method}.{reason}": 1})


def test_the_draw_does_not_depend_on_the_order_of_rows():
    about, table = corpus(10)
    shuffled = contests_of(
        about.sample(frac=1, random_state=np.random.RandomState(1)),
        table.sample(frac=1, random_state=np.random.RandomState(2)),
    )
    contests = contests_of(about, table)
    assert judged(contests, 12) == judged(shuffled, 12)
    assert sized(contests, 12) == sized(shuffled, 12)
    assert judged(contests, 12) != judged(contests, 12, seed=1)
